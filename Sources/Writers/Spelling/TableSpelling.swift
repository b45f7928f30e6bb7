package import Bytes
package import Records

/// Spells one table in one format: a start, the rows batch by batch, and an end.
package protocol TableSpelling: Sendable {
  /// Appends what stands before the first row.
  mutating func appendStart(to output: inout [UInt8])

  /// Appends the rows of a batch.
  ///
  /// - Returns: how many rows were spelled.
  mutating func append(_ batch: borrowing RecordBatch, to output: inout [UInt8]) -> Int

  /// Appends what stands behind the last row.
  mutating func appendEnd(_ seal: TableSeal, to output: inout [UInt8])
}

/// What is known of a table once all its rows have passed.
package struct TableSeal: Sendable, Equatable {
  /// How many rows there are.
  package var rows: Int
  /// The content hash; nil where it was not asked for.
  package var hash: SHA256Digest?

  /// A seal over so many rows.
  package init(rows: Int, hash: SHA256Digest? = nil) {
    self.rows = rows
    self.hash = hash
  }
}
