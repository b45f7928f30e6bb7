import Records

/// Fills a table of the bookkeeping whose records are many, page by page while their keys ascend.
struct RecordLoad<Record: Sendable>: ~Copyable {
  private var load: TableLoad
  private var batch: RecordBatch
  /// The columns besides the key, which comes first where it is a column.
  private let fields: [RecordField<Record>]

  /// Begins to fill a table, which is there and has no rows.
  init(_ table: RecordTable<Record>, into file: inout StoreFile) throws(StoreError) {
    load = try TableLoad(table, into: &file)
    fields = Array(table.fields.dropFirst(table.key.count))
    batch = RecordBatch(columnCount: fields.count)
  }

  mutating func insert(
    _ record: Record, key: Int64, into file: inout StoreFile
  ) throws(StoreError) {
    batch.append(record, fields, as: .stored, key: key)
    if batch.isFull { try flush(&file) }
  }

  /// Makes the records a part of the table.
  mutating func finish(_ file: inout StoreFile) throws(StoreError) {
    if batch.rowCount > 0 { try flush(&file) }
    try load.finish(&file)
  }

  private mutating func flush(_ file: inout StoreFile) throws(StoreError) {
    _ = try load.insert(batch, into: &file)
    batch.removeAll()
  }
}
