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
    try parts.forEachBatch(threads: threadCount(), making: { see($0) }, body)
  }
}
