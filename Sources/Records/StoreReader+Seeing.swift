import Bytes

extension StoreReader {
  /// Looks at the rows of one table, on all processors where they can be read so, and lends what was
  /// seen of each batch, in key order.
  package func forEachBatch<Seen: Sendable>(
    inTable table: Int, wanting cells: WantedCells? = nil,
    seeing see: @escaping @Sendable (borrowing RecordBatch) -> Seen,
    _ body: (Seen) throws(StoreError) -> Void
  ) throws(StoreError) {
    guard let parts = try parts(ofTable: table, wanting: cells) else {
      return try forEachBatch(inTable: table, wanting: cells) { (batch) throws(StoreError) in
        try body(see(batch))
      }
    }
    let take = { (seen: Result<Seen, StoreError>) throws(StoreError) in try body(try seen.get()) }
    var work = OrderedWork<Int, Result<Seen, StoreError>>(threads: threadCount()) {
      let reader = parts.makeReader()
      return { part, emit in
        do throws(StoreError) {
          try reader.forEachBatch(ofPart: part) { (batch) throws(StoreError) in
            guard emit(.success(see(batch))) else {
              throw StoreError(.interrupted, "nobody takes what was seen")
            }
          }
        } catch {
          _ = emit(.failure(error))
        }
      }
    }
    for part in 0..<parts.count { try work.put(part, take) }
    try work.finish(take)
  }
}
