import Records

/// Some rows of one table as JSON objects, one behind the other.
struct RowTexts: Sendable {
  private(set) var bytes: [UInt8] = []
  private(set) var keys: [Int64] = []
  /// How many bytes each row has.
  private(set) var sizes: [Int] = []

  /// Adds a row that is JSON already.
  mutating func add(_ row: [UInt8], key: Int64) {
    bytes += row
    keys.append(key)
    sizes.append(row.count)
  }

  /// Adds those rows of a batch that operations are tied to.
  mutating func add(_ batch: borrowing RecordBatch, spelling: RowJSON, wanted: TableOperations) {
    guard !wanted.hasNoRows else { return }
    for row in 0..<batch.rowCount where wanted.isWanted(batch.keys[row]) {
      let start = bytes.count
      spelling.append(row: row, of: batch, to: &bytes)
      keys.append(batch.keys[row])
      sizes.append(bytes.count - start)
    }
  }
}
