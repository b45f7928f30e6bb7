import Bytes

extension RowParts {
  /// Makes something of each batch, on several threads, and lends what was made in key order.
  package func forEachBatch<Made: Sendable>(
    threads: Int,
    making make: @escaping @Sendable (inout RecordBatch) throws(StoreError) -> Made,
    _ body: (Made) throws(StoreError) -> Void
  ) throws(StoreError) {
    let take = { (made: Result<Made, StoreError>) throws(StoreError) in try body(try made.get()) }
    var work = OrderedWork<Int, Result<Made, StoreError>>(threads: threads) {
      let reader = makeReader()
      return { part, emit in
        do throws(StoreError) {
          try reader.forEachBatch(ofPart: part) { (batch) throws(StoreError) in
            guard emit(.success(try make(&batch))) else {
              throw StoreError(.interrupted, "nobody takes what was made of the rows")
            }
          }
        } catch {
          _ = emit(.failure(error))
        }
      }
    }
    for part in 0..<count { try work.put(part, take) }
    try work.finish(take)
  }
}
