import Records

/// The rows that operations would send, as JSON objects in one run of bytes.
package struct AttachedRows: Sendable {
  private var bytes: [UInt8] = []
  private var places: [String: [Int64: Range<Int>]] = [:]

  /// No rows yet.
  package init() {}

  /// The row of an operation or effect; nil when it is gone.
  package func row(_ key: Int64?, ofTable table: String?) -> ArraySlice<UInt8>? {
    guard let key, let table, let place = places[table]?[key] else { return nil }
    return bytes[place]
  }

  /// Keeps those rows of a batch that operations are tied to.
  mutating func add(
    _ batch: borrowing RecordBatch, table: String, spelling: RowJSON, wanted: OperationRows
  ) {
    for row in 0..<batch.rowCount where wanted.isWanted(table, batch.keys[row]) {
      let start = bytes.count
      spelling.append(row: row, of: batch, to: &bytes)
      places[table, default: [:]][batch.keys[row]] = start..<bytes.count
    }
  }
}
