import Bytes
import Formats
import Records
import SQLite

/// The forms of Core Data and of the canonical store; each gives the reason when it fails.
extension RowDecoder {
  /// 0 or 1.
  func appendBoolean(
    _ row: borrowing some StoredRow & ~Copyable, _ column: Int, _ storage: StorageClass,
    into batch: inout RecordBatch
  ) -> RejectCode? {
    guard storage == .integer else { return .valueOfWrongType }
    let value = row.integer(at: column)
    guard value == 0 || value == 1 else { return .valueOfWrongType }
    batch.append(.integer(value))
    return nil
  }

  /// Seconds since 2001.
  func appendTimestamp(
    _ row: borrowing some StoredRow & ~Copyable, _ column: Int, _ storage: StorageClass,
    into batch: inout RecordBatch
  ) -> RejectCode? {
    let timestamp: Timestamp?
    switch storage {
    case .integer: timestamp = Timestamp(wholeSecondsSince2001: row.integer(at: column))
    case .real: timestamp = Timestamp(secondsSince2001: row.real(at: column))
    default: return .valueOfWrongType
    }
    guard let timestamp else { return .valueOutOfRange }
    batch.appendText { arena in arena.appendTimestamp(timestamp) }
    return nil
  }

  /// Digits, or the shortest digits of a number.
  func appendDecimal(
    _ row: borrowing some StoredRow & ~Copyable, _ column: Int, _ storage: StorageClass,
    into batch: inout RecordBatch
  ) -> RejectCode? {
    switch storage {
    case .integer:
      let value = row.integer(at: column)
      batch.appendText { arena in arena.appendDecimal(value) }
    case .real:
      let value = row.real(at: column)
      guard value.isFinite else { return .valueOutOfRange }
      batch.appendText { arena in
        arena.append(addingCapacity: writtenOutRealSize) { $0.appendWrittenOut(value) }
      }
    case .text:
      let isDecimal = row.withText(at: column) { bytes in
        if isPlainDecimal(bytes) {
          batch.appendText(bytes)
          return true
        }
        guard let digits = writtenOutDecimal(bytes) else { return false }
        batch.appendText(digits.span)
        return true
      }
      return isDecimal ? nil : .valueOfWrongType
    case .blob, .null:
      return .valueOfWrongType
    }
    return nil
  }

  /// The 16 bytes of a UUID.
  func appendUUID(
    _ row: borrowing some StoredRow & ~Copyable, _ column: Int, _ storage: StorageClass,
    into batch: inout RecordBatch
  ) -> RejectCode? {
    guard storage == .blob else { return .valueOfWrongType }
    let isUUID = row.withBlob(at: column) { bytes in
      guard bytes.count == 16 else { return false }
      batch.appendText { arena in arena.appendUUID(bytes) }
      return true
    }
    return isUUID ? nil : .valueOfWrongType
  }

  /// A whole number that a double holds exactly.
  func appendWholeReal(
    _ row: borrowing some StoredRow & ~Copyable, _ column: Int, _ storage: StorageClass,
    into batch: inout RecordBatch
  ) -> RejectCode? {
    guard storage == .integer, let value = Double(exactly: row.integer(at: column)) else {
      return .valueOfWrongType
    }
    batch.append(.real(value))
    return nil
  }

  /// A whole number of either class, perhaps one of a few.
  func appendWholeNumber(
    _ row: borrowing some StoredRow & ~Copyable, _ column: Int, _ storage: StorageClass,
    within range: ClosedRange<Int64>?, into batch: inout RecordBatch
  ) -> RejectCode? {
    let value: Int64?
    switch storage {
    case .integer: value = row.integer(at: column)
    case .real: value = Int64(exactly: row.real(at: column))
    case .text, .blob, .null: value = nil
    }
    guard let value, range?.contains(value) != false else { return .valueOfWrongType }
    batch.append(.integer(value))
    return nil
  }

  /// The name behind the number of an entity.
  func appendName(
    _ row: borrowing some StoredRow & ~Copyable, _ column: Int, _ storage: StorageClass,
    _ names: [Int64: String], into batch: inout RecordBatch
  ) -> RejectCode? {
    guard storage == .integer, let name = names[row.integer(at: column)] else {
      return .valueOfWrongType
    }
    batch.appendText { arena in arena.append(utf8: name) }
    return nil
  }

  /// The bytes stay in the column that this one accompanies, so nothing is lost by not knowing them.
  func appendArchivedJSON(
    _ row: borrowing some StoredRow & ~Copyable, _ column: Int, _ storage: StorageClass,
    isTagged: Bool, into batch: inout RecordBatch
  ) {
    guard storage == .blob else { return batch.append(.null) }
    var bytes = row.bytes(at: column)
    if isTagged {
      switch TaggedBinary(bytes.span) {
      case .inline: bytes.removeFirst()
      case .file(let name): bytes = externalData?.contents(of: name) ?? []
      case nil: bytes = []
      }
    }
    guard let archive = try? KeyedArchive(parsing: bytes, limits: Self.archiveLimits),
      let value = try? archive.decodedJSON(limits: Self.archiveLimits)
    else { return batch.append(.null) }
    batch.appendText { arena in value.append(to: &arena) }
  }

  /// What an archive in one cell may hold; larger ones stay bytes.
  private static let archiveLimits = FormatLimits(
    maxDepth: 128, maxObjects: 1_000_000, maxBytes: 64 << 20)

  /// Bytes behind a tag, or in a file of their own.
  func appendTagged(
    _ row: borrowing some StoredRow & ~Copyable, _ column: Int, _ storage: StorageClass,
    isCertain: Bool, into batch: inout RecordBatch
  ) -> RejectCode? {
    guard storage == .blob else { return .valueOfWrongType }
    let value = row.withBlob(at: column) { TaggedBinary($0) }
    switch value {
    case .inline:
      row.withBlob(at: column) { batch.appendBinary($0.extracting(1...)) }
    case .file(let name):
      guard let bytes = externalData?.contents(of: name) else { return .externalDataMissing }
      batch.appendBinary(bytes.span)
    case nil where isCertain:
      return .valueOfWrongType
    case nil:
      row.withBlob(at: column) { batch.appendBinary($0) }
    }
    return nil
  }
}
