import Bytes
import Records
import SQLite

/// The forms that SDKs without a model give to times, bytes and identifiers.
extension RowDecoder {
  /// A time in the layout's form.
  func appendTime(
    _ statement: borrowing Statement, _ column: Int, _ storage: StorageClass, _ form: StoredTime,
    into batch: inout RecordBatch
  ) -> RejectCode? {
    let timestamp: Timestamp?
    switch storage {
    case .integer where form.unit != nil:
      timestamp = form.time(statement.integer(at: column))
    case .real where form.unit != nil:
      timestamp = form.time(statement.real(at: column))
    case .text where form.spelling != nil:
      timestamp = statement.withText(at: column) { form.time($0) }
      guard timestamp != nil else { return .valueOfWrongType }
    default:
      return .valueOfWrongType
    }
    guard let timestamp else { return .valueOutOfRange }
    batch.appendText { arena in arena.appendTimestamp(timestamp) }
    return nil
  }

  /// A UUID as 16 bytes, or as text, which is taken as it is.
  func appendUUIDOrText(
    _ statement: borrowing Statement, _ column: Int, _ storage: StorageClass,
    into batch: inout RecordBatch
  ) -> RejectCode? {
    guard storage == .text else { return appendUUID(statement, column, storage, into: &batch) }
    return appendValidText(statement, column, into: &batch)
  }

  /// The bytes that a text stands for, or those of a blob.
  func appendBase64(
    _ statement: borrowing Statement, _ column: Int, _ storage: StorageClass,
    into batch: inout RecordBatch
  ) -> RejectCode? {
    switch storage {
    case .blob:
      statement.withBlob(at: column) { batch.appendBinary($0) }
      return nil
    case .text:
      var bytes: [UInt8] = []
      guard statement.withText(at: column, { decodeBase64($0, into: &bytes) }) else {
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
    _ statement: borrowing Statement, _ column: Int, _ storage: StorageClass,
    into batch: inout RecordBatch
  ) -> RejectCode? {
    switch storage {
    case .text: return appendValidText(statement, column, into: &batch)
    case .blob:
      statement.withBlob(at: column) { bytes in
        batch.appendText { arena in arena.appendBase64(bytes) }
      }
      return nil
    case .integer, .real, .null: return .valueOfWrongType
    }
  }

  /// Text that must be UTF-8.
  func appendValidText(
    _ statement: borrowing Statement, _ column: Int, into batch: inout RecordBatch
  ) -> RejectCode? {
    let isValid = statement.withText(at: column) { bytes in
      guard isValidUTF8(bytes) else { return false }
      batch.appendText(bytes)
      return true
    }
    return isValid ? nil : .invalidText
  }
}
