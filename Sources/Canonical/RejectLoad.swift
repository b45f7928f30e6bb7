import Records

/// Keeps the raw values of cells that were left empty.
struct RejectLoad: ~Copyable {
  private var load: TableLoad
  private var batch: RecordBatch
  private var count: Int64 = 0

  init(into file: inout StoreFile) throws(StoreError) {
    load = try TableLoad(CanonicalSchema.rejects, into: &file)
    batch = RecordBatch(columnCount: CanonicalSchema.rejects.fields.count)
  }

  mutating func insert(
    _ reject: RejectedValue, source: Int32, into file: inout StoreFile
  ) throws(StoreError) {
    var reject = reject
    reject.source = source
    reject.raw = reject.raw ?? .binary([])
    count += 1
    batch.append(reject, CanonicalSchema.rejects.fields, as: .stored, key: count)
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
