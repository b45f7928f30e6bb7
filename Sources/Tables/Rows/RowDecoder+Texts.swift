import Bytes
import Records
import SQLite

/// The forms that SDKs without a model give to times, bytes and identifiers.
extension RowDecoder {
  func appendTime(
    _ row: borrowing some StoredRow & ~Copyable, _ column: Int, _ storage: StorageClass,
    _ form: StoredTime,
    into batch: inout RecordBatch
  ) -> RejectCode? {
    let timestamp: Timestamp?
    switch storage {
    case .integer where form.unit != nil:
      timestamp = form.time(row.integer(at: column))
    case .real where form.unit != nil:
      timestamp = form.time(row.real(at: column))
    case .text where form.spelling != nil:
      timestamp = row.withText(at: column) { form.time($0) }
      guard timestamp != nil else { return .valueOfWrongType }
    default:
      return .valueOfWrongType
    }
    guard let timestamp else {
      // There a number may count something else.
      return form.unit == .largeMilliseconds ? .valueOfWrongType : .valueOutOfRange
    }
    batch.appendText { arena in arena.appendTimestamp(timestamp) }
    return nil
  }

  /// A moment that is spelled as stores of ours spell it.
  func appendTimestampText(
    _ row: borrowing some StoredRow & ~Copyable, _ column: Int, _ storage: StorageClass,
    into batch: inout RecordBatch
  ) -> RejectCode? {
    guard storage == .text, row.withText(at: column, { Timestamp(parsing: $0) != nil }) else {
      return .valueOfWrongType
    }
    row.appendText(at: column, to: &batch)
    return nil
  }

  /// A UUID as 16 bytes, or as text, which stays as it is spelled.
  func appendUUIDOrText(
    _ row: borrowing some StoredRow & ~Copyable, _ column: Int, _ storage: StorageClass,
    into batch: inout RecordBatch
  ) -> RejectCode? {
    guard storage == .text else { return appendUUID(row, column, storage, into: &batch) }
    guard row.withText(at: column, { isUUIDInAnyForm($0) }) else { return .valueOfWrongType }
    row.appendText(at: column, to: &batch)
    return nil
  }

  /// The bytes that a text stands for, or those of a blob.
  func appendBase64(
    _ row: borrowing some StoredRow & ~Copyable, _ column: Int, _ storage: StorageClass,
    into batch: inout RecordBatch
  ) -> RejectCode? {
    switch storage {
    case .blob:
      row.appendBlob(at: column, to: &batch)
      return nil
    case .text:
      var bytes: [UInt8] = []
      guard row.withText(at: column, { decodeBase64($0, into: &bytes) }) else {
        return .valueOfWrongType
      }
      batch.appendBinary(bytes.span)
      return nil
    case .integer, .real, .null:
      return .valueOfWrongType
    }
  }

  /// A version as text, or as bytes that are spelled in base64.
  func appendVersion(
    _ row: borrowing some StoredRow & ~Copyable, _ column: Int, _ storage: StorageClass,
    into batch: inout RecordBatch
  ) -> RejectCode? {
    switch storage {
    case .text: return appendValidText(row, column, into: &batch)
    case .blob:
      row.withBlob(at: column) { bytes in
        batch.appendText { arena in arena.appendBase64(bytes) }
      }
      return nil
    case .integer, .real, .null: return .valueOfWrongType
    }
  }

  /// Text, or the digits of a number.
  func appendTextOrNumber(
    _ row: borrowing some StoredRow & ~Copyable, _ column: Int, _ storage: StorageClass,
    into batch: inout RecordBatch
  ) -> RejectCode? {
    switch storage {
    case .text: appendValidText(row, column, into: &batch)
    case .integer, .real: appendDecimal(row, column, storage, into: &batch)
    case .blob, .null: .valueOfWrongType
    }
  }

  /// A version that is a whole number, as its digits.
  func appendVersionNumber(
    _ row: borrowing some StoredRow & ~Copyable, _ column: Int, _ storage: StorageClass,
    into batch: inout RecordBatch
  ) -> RejectCode? {
    guard storage == .integer else { return .valueOfWrongType }
    let number = row.integer(at: column)
    batch.appendText { arena in arena.appendDecimal(number) }
    return nil
  }

  /// Text that must be UTF-8.
  func appendValidText(
    _ row: borrowing some StoredRow & ~Copyable, _ column: Int, into batch: inout RecordBatch
  ) -> RejectCode? {
    guard row.withText(at: column, { isValidUTF8($0) }) else { return .invalidText }
    row.appendText(at: column, to: &batch)
    return nil
  }
}
