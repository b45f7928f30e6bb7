import Records

/// The rows of a table, or of a part of a queue; they can be read several times.
enum RowSource {
  /// A table of the app, by its place in the catalogue.
  case table(any StoreReader, Int)
  case items(ItemRows)
  /// A part of the queue, which is read anew each time: two long ones are too much at once.
  case part(any StoreReader, BookkeepingTable)
  /// A table that a store does not have.
  case none

  /// A table with all columns that its rows have, of which the last may tell their source; nil where
  /// they have those that are compared.
  var table: Table? {
    if case .table(let reader, let place) = self { reader.catalogue.tables[place] } else { nil }
  }

  /// Hands out the rows in key order, or items in any order, a batch at a time, until a signal comes.
  func forEachBatch(
    _ session: Session, _ body: (inout RecordBatch) throws(StoreError) -> Void
  ) throws(StoreError) {
    func take(_ batch: inout RecordBatch) throws(StoreError) {
      try session.checkInterruption()
      try body(&batch)
    }
    switch self {
    case .table(let reader, let index): try reader.forEachBatch(inTable: index, take)
    case .items(let rows):
      try rows.forEachBatch { (items, _, _) throws(StoreError) in try take(&items) }
    case .part(let reader, let part): try reader.readQueue().forEachBatch(of: part, take)
    case .none: break
    }
  }

  /// The rows in parts for several threads; nil where only `forEachBatch` has them.
  func parts() throws(StoreError) -> (any RowParts)? {
    switch self {
    case .table(let reader, let index): try reader.parts(ofTable: index)
    case .items, .none: nil
    case .part(let reader, let part): QueueParts(try reader.readMatchedQueue(), part)
    }
  }

  /// Hands out the cells of the rows of `table` that are wanted.
  func forEachRow(
    where isWanted: (_ key: Int64) -> Bool, in table: Table, _ session: Session,
    _ body: (Int64, [ShownCell]) throws(StoreError) -> Void
  ) throws(StoreError) {
    if case .items(let rows) = self {
      return try rows.forEachBatch { (items, places, whole) throws(StoreError) in
        try session.checkInterruption()
        for (item, key) in items.keys.enumerated() where isWanted(key) {
          try body(key, rows.shown(item, of: items, row: places[item], whole))
        }
      }
    }
    try forEachBatch(session) { (batch) throws(StoreError) in
      for (row, key) in batch.keys.enumerated() where isWanted(key) {
        var cells: [ShownCell] = []
        for (cell, column) in zip(batch.cells(ofRow: row), table.columns) {
          cells.append(
            ShownCell(cell, in: batch, text: ShownCell.text(of: cell, column.type, in: batch)))
        }
        try body(key, cells)
      }
    }
  }
}
