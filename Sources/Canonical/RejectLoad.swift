import Records

/// Keeps the raw values of cells that were left empty.
struct RejectLoad: ~Copyable {
  private var load: TableLoad
  private var batch = RecordBatch(columnCount: Self.width)
  private var count: Int64 = 0

  /// Source, table, row, column, code, storage and value.
  private static let width = 7

  init(into file: inout StoreFile) throws(StoreError) {
    load = try TableLoad("rehome_reject", valueCount: Self.width, into: &file)
  }

  mutating func insert(
    _ reject: RejectedValue, source: Int64, into file: inout StoreFile
  ) throws(StoreError) {
    let raw = reject.raw ?? .binary([])
    count += 1
    batch.append(.integer(source))
    batch.append(reject.table)
    batch.append(.integer(reject.row))
    batch.append(reject.column)
    batch.append(reject.code)
    batch.append(raw.storageName)
    batch.append(stored: raw)
    batch.endRow(key: count)
    if batch.isFull { try flush(&file) }
  }

  /// Makes the rejects a part of their table.
  mutating func finish(_ file: inout StoreFile) throws(StoreError) {
    if batch.rowCount > 0 { try flush(&file) }
    try load.finish(&file)
  }

  private mutating func flush(_ file: inout StoreFile) throws(StoreError) {
    _ = try load.insert(batch, into: &file)
    batch.removeAll()
  }
}
