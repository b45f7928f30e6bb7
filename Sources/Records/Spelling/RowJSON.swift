import Bytes

/// Spells single rows of one table as JSON objects: `_pk` first, then the columns in their order.
package struct RowJSON: Sendable {
  /// What stands before each value: a comma, the column's name and a colon; all in one row.
  ///
  /// An array of arrays would have its elements retained for each cell, by all threads at once.
  private let prefixes: [UInt8]
  /// Where the prefix of each column ends.
  private let ends: [Int]
  private let types: [LogicalType]

  /// Prepares the spelling of a table's rows.
  package init(of table: Table) {
    var prefixes: [UInt8] = []
    ends = table.columns.map { column in
      prefixes.append(UInt8(ascii: ","))
      let name = Array(column.name.utf8)
      appendJSONString(name.span, to: &prefixes)
      prefixes.append(UInt8(ascii: ":"))
      return prefixes.count
    }
    self.prefixes = prefixes
    types = table.columns.map(\.type)
  }

  /// Appends one row of a batch, without a line break.
  package func append(
    row: Int, of batch: borrowing RecordBatch, to output: inout [UInt8]
  ) {
    let arena = batch.arena
    output.append("{\"_pk\":")
    output.appendDecimal(batch.keys[row])
    let cells = batch.cells
    let first = row &* batch.columnCount
    var start = 0
    for column in ends.indices {
      appendBytes(of: prefixes.span, in: start..<ends[column], to: &output)
      output.appendJSON(cells[first &+ column], type: types[column], arena: arena.span)
      start = ends[column]
    }
    output.append("}")
  }
}
