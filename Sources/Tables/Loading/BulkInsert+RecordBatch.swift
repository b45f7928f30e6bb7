package import Records
package import SQLite

extension BulkInsert {
  /// Inserts the rows of a batch from one on.
  ///
  /// - Returns: how many rows the engine took.
  package mutating func insert(
    _ batch: borrowing RecordBatch, from firstRow: Int
  ) throws(SQLiteError) -> Int {
    let width = batch.columnCount
    let arena = batch.arena
    let cells = batch.cells
    var written = 0
    for row in firstRow..<batch.rowCount {
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
