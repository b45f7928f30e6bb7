import Records
import Tables

/// Fills a table of the bookkeeping whose records are many, page by page while their keys ascend.
struct RecordLoad<Record: Sendable>: ~Copyable {
  private var load: BatchLoad
  /// The columns besides the key, which comes first where it is a column.
  private let fields: [RecordField<Record>]

  /// Begins to fill a table, which is there and has no rows.
  init(_ table: RecordTable<Record>, into file: inout StoreFile) throws(StoreError) {
    fields = Array(table.fields.dropFirst(table.key.count))
    load = try BatchLoad(table.name, columns: fields.count, into: &file)
  }

  mutating func insert(
    _ record: Record, key: Int64, into file: inout StoreFile
  ) throws(StoreError) {
    load.batch.append(record, fields, as: .stored, key: key)
    try load.flushIfFull(&file)
  }

  /// Makes the records a part of the table.
  mutating func finish(_ file: inout StoreFile) throws(StoreError) { try load.finish(&file) }
}
