import Bytes
package import Records
package import SQLite

/// The values of one stored row, by storage class, wherever they are read from.
///
/// Column 0 is the key, as in the statements of `PlannedTable`.
package protocol StoredRow: ~Copyable {
  func storageClass(at column: Int) -> StorageClass

  func integer(at column: Int) -> Int64

  /// A column that is stored as a floating point number.
  func real(at column: Int) -> Double

  /// Lends the bytes of a column that is stored as text.
  func withText<Result>(at column: Int, _ body: (Span<UInt8>) -> Result) -> Result

  /// Lends the bytes of a column that is stored as a blob.
  func withBlob<Result>(at column: Int, _ body: (Span<UInt8>) -> Result) -> Result

  /// A copy of the bytes of a text or blob.
  func bytes(at column: Int) -> [UInt8]

  /// A copy of the bytes of a text or blob: of a text that is not valid as the store has them.
  func storedBytes(at column: Int) -> [UInt8]

  /// Appends a column that is stored as text, and known to be UTF-8.
  func appendText(at column: Int, to batch: inout RecordBatch)

  func appendBlob(at column: Int, to batch: inout RecordBatch)
}

extension Statement: StoredRow {
  package func appendText(at column: Int, to batch: inout RecordBatch) {
    withText(at: column) { batch.appendText($0) }
  }

  package func appendBlob(at column: Int, to batch: inout RecordBatch) {
    withBlob(at: column) { batch.appendBinary($0) }
  }
}

extension StoredRow where Self: ~Copyable {
  package func storedBytes(at column: Int) -> [UInt8] { bytes(at: column) }

  /// The text of a TEXT value that is UTF-8; nil for anything else.
  package func strictText(at column: Int) -> String? {
    guard storageClass(at: column) == .text else { return nil }
    // A valid text is copied once, straight into the string.
    return withText(at: column) { (bytes) -> String? in
      do {
        return String(copying: try UTF8Span(validating: bytes))
      } catch {
        return nil
      }
    }
  }

  /// The bytes of a text or blob that is not UTF-8; nil for anything else.
  package func damagedText(at column: Int) -> [UInt8]? {
    let isValid =
      switch storageClass(at: column) {
      case .text: withText(at: column) { isValidUTF8($0) }
      case .blob: withBlob(at: column) { isValidUTF8($0) }
      case .null, .integer, .real: true
      }
    return isValid ? nil : bytes(at: column)
  }

  /// An item's id, which an app may have declared as a number; nil when it is no id at all.
  package func itemID(at column: Int) -> String? {
    storageClass(at: column) == .integer ? String(integer(at: column)) : strictText(at: column)
  }
}

extension Statement {
  /// A text that names something; nil where it is not UTF-8, for repaired it would name another thing.
  package func name(at column: Int) -> String? {
    if storageClass(at: column) == .text { return strictText(at: column) }
    return damagedText(at: column) == nil ? text(at: column) : nil
  }

  /// A whole number; nil for NULL.
  package func optionalInteger(at column: Int) -> Int64? {
    storageClass(at: column) == .null ? nil : integer(at: column)
  }

  /// The bytes of a text or blob; nil for NULL.
  package func optionalBytes(at column: Int) -> [UInt8]? {
    storageClass(at: column) == .null ? nil : bytes(at: column)
  }

  /// The value as stored; nil for NULL.
  package func optionalRaw(at column: Int) -> RawValue? {
    storageClass(at: column) == .null ? nil : RawValue(self, at: column)
  }
}
