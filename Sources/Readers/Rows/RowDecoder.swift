import Bytes
import Formats
import Records
import SQLite

/// Turns rows of a statement into rows of a batch: column 0 is the key, the others follow the plan.
///
/// A value that does not fit its column leaves the cell empty and is kept as a reject.
struct RowDecoder {
  /// How each column of the table is decoded, in the order of the statement's columns from 1.
  let plan: [CellDecoding]
  /// Whether the rows have no key of their own and are numbered from 1 instead.
  let numbersRows: Bool
  /// Where values live that are files of their own.
  let externalData: ExternalDataFolder?

  init(
    plan: [CellDecoding], numbersRows: Bool = false, externalData: ExternalDataFolder? = nil
  ) {
    self.plan = plan
    self.numbersRows = numbersRows
    self.externalData = externalData
  }

  /// Reads the rest of `statement` into batches and lends each to `body`.
  ///
  /// - Throws: `StoreError` of the engine or of `body`.
  func forEachBatch(
    of statement: inout Statement, _ body: (inout RecordBatch) throws(StoreError) -> Void
  ) throws(StoreError) {
    var batch = RecordBatch(columnCount: plan.count)
    var number: Int64 = 0
    while try step(&statement) {
      number &+= 1
      decodeRow(statement, key: numbersRows ? number : statement.integer(at: 0), into: &batch)
      guard batch.isFull else { continue }
      try body(&batch)
      batch.removeAll()
    }
    if batch.rowCount > 0 { try body(&batch) }
  }

  private func step(_ statement: inout Statement) throws(StoreError) -> Bool {
    do {
      return try statement.step()
    } catch {
      throw StoreError(error)
    }
  }

  private func decodeRow(
    _ statement: borrowing Statement, key: Int64, into batch: inout RecordBatch
  ) {
    for index in plan.indices {
      let column = index &+ 1
      let storage = statement.storageClass(at: column)
      switch (plan[index], storage) {
      case (.reference(let otherSide), .null):
        batch.append(otherSide[key].map(Cell.integer) ?? .null)
      case (_, .null):
        batch.append(.null)
      case (.text, .text):
        appendText(statement, column, into: &batch)
      case (.integer, .integer), (.reference, .integer):
        batch.append(.integer(statement.integer(at: column)))
      case (.real, .real):
        batch.append(.real(statement.real(at: column)))
      case (.binary, .blob):
        statement.withBlob(at: column) { batch.appendBinary($0) }
      default:
        decodeRarely(statement, column, storage, into: &batch)
      }
    }
    batch.endRow(key: key)
  }

  /// The decodings that compute something, and those that fail.
  private func decodeRarely(
    _ statement: borrowing Statement, _ column: Int, _ storage: StorageClass,
    into batch: inout RecordBatch
  ) {
    let failure: RejectCode?
    switch plan[column - 1] {
    case .boolean: failure = appendBoolean(statement, column, storage, into: &batch)
    case .secondsSince2001: failure = appendTimestamp(statement, column, storage, into: &batch)
    case .decimal: failure = appendDecimal(statement, column, storage, into: &batch)
    case .uuidBytes: failure = appendUUID(statement, column, storage, into: &batch)
    case .real: failure = appendWholeReal(statement, column, storage, into: &batch)
    case .entityName(let names):
      failure = appendName(statement, column, storage, names, into: &batch)
    case .taggedBinary: failure = appendTagged(statement, column, storage, into: &batch)
    case .archivedJSON(let isTagged):
      appendArchivedJSON(statement, column, isTagged: isTagged, into: &batch)
      failure = nil
    case .text, .integer, .binary, .reference: failure = .valueOfWrongType
    }
    if let failure {
      batch.reject(column: column - 1, code: failure, raw: RawValue(statement, at: column))
    }
  }

  private func appendText(
    _ statement: borrowing Statement, _ column: Int, into batch: inout RecordBatch
  ) {
    let isValid = statement.withText(at: column) { bytes in
      guard isValidUTF8(bytes) else { return false }
      batch.appendText(bytes)
      return true
    }
    guard !isValid else { return }
    batch.reject(
      column: column - 1, code: .invalidText, raw: .text(statement.bytes(at: column)))
  }

  private func appendBoolean(
    _ statement: borrowing Statement, _ column: Int, _ storage: StorageClass,
    into batch: inout RecordBatch
  ) -> RejectCode? {
    guard storage == .integer else { return .valueOfWrongType }
    let value = statement.integer(at: column)
    guard value == 0 || value == 1 else { return .valueOfWrongType }
    batch.append(.integer(value))
    return nil
  }

  private func appendTimestamp(
    _ statement: borrowing Statement, _ column: Int, _ storage: StorageClass,
    into batch: inout RecordBatch
  ) -> RejectCode? {
    let timestamp: Timestamp?
    switch storage {
    case .integer: timestamp = Timestamp(wholeSecondsSince2001: statement.integer(at: column))
    case .real: timestamp = Timestamp(secondsSince2001: statement.real(at: column))
    default: return .valueOfWrongType
    }
    guard let timestamp else { return .valueOutOfRange }
    batch.appendText { arena in arena.appendTimestamp(timestamp) }
    return nil
  }

  private func appendDecimal(
    _ statement: borrowing Statement, _ column: Int, _ storage: StorageClass,
    into batch: inout RecordBatch
  ) -> RejectCode? {
    switch storage {
    case .integer:
      let value = statement.integer(at: column)
      batch.appendText { arena in arena.appendDecimal(value) }
    case .real:
      let value = statement.real(at: column)
      guard value.isFinite else { return .valueOutOfRange }
      batch.appendText { arena in arena.appendDecimalDigits(of: value) }
    case .text:
      let isDecimal = statement.withText(at: column) { bytes in
        guard isPlainDecimal(bytes) else { return false }
        batch.appendText(bytes)
        return true
      }
      return isDecimal ? nil : .valueOfWrongType
    case .blob, .null:
      return .valueOfWrongType
    }
    return nil
  }

  private func appendUUID(
    _ statement: borrowing Statement, _ column: Int, _ storage: StorageClass,
    into batch: inout RecordBatch
  ) -> RejectCode? {
    guard storage == .blob else { return .valueOfWrongType }
    let isUUID = statement.withBlob(at: column) { bytes in
      guard bytes.count == 16 else { return false }
      batch.appendText { arena in arena.appendUUID(bytes) }
      return true
    }
    return isUUID ? nil : .valueOfWrongType
  }

  private func appendWholeReal(
    _ statement: borrowing Statement, _ column: Int, _ storage: StorageClass,
    into batch: inout RecordBatch
  ) -> RejectCode? {
    guard storage == .integer, let value = Double(exactly: statement.integer(at: column)) else {
      return .valueOfWrongType
    }
    batch.append(.real(value))
    return nil
  }

  private func appendName(
    _ statement: borrowing Statement, _ column: Int, _ storage: StorageClass,
    _ names: [Int64: String], into batch: inout RecordBatch
  ) -> RejectCode? {
    guard storage == .integer, let name = names[statement.integer(at: column)] else {
      return .valueOfWrongType
    }
    batch.appendText { arena in arena.append(utf8: name) }
    return nil
  }

  /// The bytes stay in the column that this one accompanies, so nothing is lost by not knowing them.
  private func appendArchivedJSON(
    _ statement: borrowing Statement, _ column: Int, isTagged: Bool,
    into batch: inout RecordBatch
  ) {
    var bytes = statement.bytes(at: column)
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

  private func appendTagged(
    _ statement: borrowing Statement, _ column: Int, _ storage: StorageClass,
    into batch: inout RecordBatch
  ) -> RejectCode? {
    guard storage == .blob else { return .valueOfWrongType }
    let value = statement.withBlob(at: column) { TaggedBinary($0) }
    switch value {
    case .inline:
      statement.withBlob(at: column) { batch.appendBinary($0.extracting(1...)) }
    case .file(let name):
      guard let bytes = externalData?.contents(of: name) else { return .externalDataMissing }
      batch.appendBinary(bytes.span)
    case nil:
      return .valueOfWrongType
    }
    return nil
  }
}

extension RawValue {
  /// A column of the current row as stored; NULL, which is never rejected, counts as no bytes.
  init(_ statement: borrowing Statement, at column: Int) {
    switch statement.storageClass(at: column) {
    case .integer: self = .integer(statement.integer(at: column))
    case .real: self = .real(statement.real(at: column))
    case .text: self = .text(statement.bytes(at: column))
    case .blob, .null: self = .binary(statement.bytes(at: column))
    }
  }
}
