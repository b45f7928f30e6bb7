import Records

/// The rows of a table, or of a part of a queue; they can be read several times.
enum RowSource {
  /// A table of the app, by its place in the catalogue.
  case table(any StoreReader, Int)
  /// The items of a table, by its place in the catalogue.
  case items(any StoreReader, Int, ItemRows)
  /// A part of the queue, which is read anew each time: two long ones are too much at once.
  case part(any StoreReader, BookkeepingTable)

  /// The rows of a table, or its items.
  init(_ reader: any StoreReader, _ index: Int, _ items: ItemRows?) {
    self = items.map { .items(reader, index, $0) } ?? .table(reader, index)
  }

  /// Lends the rows in key order, or items in any order, a batch at a time.
  ///
  /// - Throws: `StoreError` when the store cannot be read, or whatever `body` throws.
  func forEachBatch(
    _ body: (inout RecordBatch) throws(StoreError) -> Void
  ) throws(StoreError) {
    switch self {
    case .table(let reader, let index): try reader.forEachBatch(inTable: index, body)
    case .items(let reader, let index, let rows):
      try reader.forEachBatch(inTable: index) { (batch) throws(StoreError) in
        var items = rows.items(in: batch)
        try body(&items)
      }
    case .part(let reader, let part): try reader.readQueue().forEachBatch(of: part, body)
    }
  }
}
