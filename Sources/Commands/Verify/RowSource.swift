import Records

/// The rows of a table, or of a part of a queue; they can be read several times.
enum RowSource {
  /// A table of the app, by its place in the catalogue.
  case table(any StoreReader, Int)
  /// A part of a queue that has been read.
  case part(Queue, BookkeepingTable)

  /// Lends the rows in key order, a batch at a time.
  ///
  /// - Throws: `StoreError` when the store cannot be read, or whatever `body` throws.
  func forEachBatch(
    _ body: (inout RecordBatch) throws(StoreError) -> Void
  ) throws(StoreError) {
    switch self {
    case .table(let reader, let index): try reader.forEachBatch(inTable: index, body)
    case .part(let queue, let part): try queue.forEachBatch(of: part, body)
    }
  }
}
