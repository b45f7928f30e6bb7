import Records
import SQLite

extension BulkInsert {
  /// Inserts all rows of a batch.
  ///
  /// - Returns: how many rows the engine took.
  mutating func insert(_ batch: borrowing RecordBatch) throws(SQLiteError) -> Int {
    let width = batch.columnCount
    let arena = batch.arena
    let cells = batch.cells
    var written = 0
    for row in 0..<batch.rowCount {
      let first = row &* width
      try insert(key: batch.keys[row], arena: arena.span) { place in
        BoundValue(cells[first &+ place])
      }
      written += 1
    }
    return written
  }
}

extension BoundValue {
  /// The value of a cell, its bytes staying in the batch's arena.
  @inline(__always)
  init(_ cell: Cell) {
    switch cell.kind {
    case .null: self = .null
    case .integer: self = .integer(cell.integer)
    case .real: self = .real(cell.real)
    case .text: self = .text(cell.range)
    case .binary: self = .blob(cell.range)
    }
  }
}

extension Connection {
  /// Keeps the raw values of cells that were left empty.
  func insertRejects(of batch: RecordBatch, table: Table, source: Int64) throws(SQLiteError) {
    guard !batch.rejects.isEmpty else { return }
    var statement = try prepareInsert(into: "rehome_reject", valueCount: 8)
    for reject in batch.rejects {
      try statement.insert([
        .optionalInteger(nil), .integer(source), .text(table.name),
        .integer(batch.keys[reject.row]), .text(table.columns[reject.column].name),
        .text(reject.code.rawValue), .text(reject.raw.storageName), .raw(reject.raw),
      ])
    }
  }
}
