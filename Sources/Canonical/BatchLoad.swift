import Records
import Tables

/// Fills a table of the bookkeeping row by row, a batch at a time.
struct BatchLoad: ~Copyable {
  private var load: TableLoad
  /// Rows are appended to it.
  var batch: RecordBatch

  /// Begins to fill a table with so many columns besides the key, which has no rows.
  init(_ table: String, columns: Int, into file: inout StoreFile) throws(StoreError) {
    load = try TableLoad(table, valueCount: columns, into: &file)
    batch = RecordBatch(columnCount: columns)
  }

  /// Hands the rows on, if there are enough.
  mutating func flushIfFull(_ file: inout StoreFile) throws(StoreError) {
    if batch.isFull { try flush(&file) }
  }

  /// Makes the rows a part of the table.
  mutating func finish(_ file: inout StoreFile) throws(StoreError) {
    if batch.rowCount > 0 { try flush(&file) }
    try load.finish(&file)
  }

  private mutating func flush(_ file: inout StoreFile) throws(StoreError) {
    _ = try load.insert(batch, into: &file)
    batch.removeAll()
  }
}
