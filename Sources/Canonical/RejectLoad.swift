import Records
import Tables

/// Keeps the raw values of cells that were left empty.
struct RejectLoad: ~Copyable {
  private var load: RecordLoad<RejectedValue>
  private var count: Int64 = 0

  init(into file: inout StoreFile) throws(StoreError) {
    load = try RecordLoad(CanonicalSchema.rejects, into: &file)
  }

  mutating func insert(
    _ reject: RejectedValue, source: Int32, into file: inout StoreFile
  ) throws(StoreError) {
    var reject = reject
    reject.source = source
    count += 1
    try load.insert(reject, key: count, into: &file)
  }

  /// Makes the rejects a part of their table.
  mutating func finish(_ file: inout StoreFile) throws(StoreError) { try load.finish(&file) }
}
