import Records

/// How the rows of one table of a source become those of the united table.
struct UnitedRows: Sendable {
  let mapping: TableMapping
  let keys: SourceKeys
  /// The place of the table in the source.
  let table: Int

  /// Lends the rows of a batch that give way to none of another source, where they are wanted, as
  /// rows of the united table, by way of a batch of that.
  func lend(
    _ batch: borrowing RecordBatch, by united: inout RecordBatch,
    where isWanted: (Int) throws(StoreError) -> Bool = { _ in true },
    to body: (inout RecordBatch) throws(StoreError) -> Void
  ) throws(StoreError) {
    let own = keys.tables[table]
    // Where the bytes of all rows are, once one of them is taken over.
    var bytesStart: Int?
    var cursor = RejectCursor(batch)
    var keyCursor = KeyRuns.Cursor()
    for row in 0..<batch.rowCount {
      let key = batch.keys[row]
      let rejects = cursor.rejects(ofRow: row)
      guard !own.losers.keys.contains(key), try isWanted(row) else { continue }
      let start = bytesStart ?? united.append(bytes: batch.arena.span)
      bytesStart = start
      mapping.append(
        row: row, of: batch, rejects: rejects, keys, to: &united, bytesFrom: start)
      united.endRow(key: own.runs.newOrFree(key, by: &keyCursor))
      // The united table may be much wider than the source's.
      if united.isFullOfCells {
        try united.lendRest(to: body)
        bytesStart = nil
      }
    }
    try united.lendRest(to: body)
  }
}

/// The rows of one table of a source in parts, as the united table shall have them.
struct UnitedParts: RowParts {
  private let parts: any RowParts
  private let rows: UnitedRows
  private let columnCount: Int

  init(_ parts: any RowParts, _ rows: UnitedRows, columnCount: Int) {
    (self.parts, self.rows, self.columnCount) = (parts, rows, columnCount)
  }

  var count: Int { parts.count }

  func makeReader() -> any PartReader {
    Reader(parts.makeReader(), rows, RecordBatch(columnCount: columnCount))
  }

  private final class Reader: PartReader {
    private let base: any PartReader
    private let rows: UnitedRows
    private var united: RecordBatch

    init(_ base: any PartReader, _ rows: UnitedRows, _ united: RecordBatch) {
      (self.base, self.rows, self.united) = (base, rows, united)
    }

    func forEachBatch(
      ofPart part: Int, _ body: (inout RecordBatch) throws(StoreError) -> Void
    ) throws(StoreError) {
      try base.forEachBatch(ofPart: part) { (batch) throws(StoreError) in
        try rows.lend(batch, by: &united, to: body)
      }
    }
  }
}
