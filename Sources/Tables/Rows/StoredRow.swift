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
