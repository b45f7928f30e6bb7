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

  /// Adds those rows of a batch that operations may be tied to.
  mutating func add(_ batch: borrowing RecordBatch, _ look: TableLook) {
    guard !look.shown.hasNoRows else { return }
    var named = NamedRowCursor(batch)
    for (row, key) in batch.keys.enumerated()
    where look.shown.isWanted(key, isNamed: named.next()) {
      let start = bytes.count
      look.spelling.append(row: row, of: batch, to: &bytes)
      keys.append(key)
      sizes.append(bytes.count - start)
    }
  }
}
