import Bytes

/// Spells single rows of one table as JSON objects: `_pk` first, then the columns in their order.
package struct RowJSON: Sendable {
  /// What stands before each value: a comma, the column's name and a colon.
  private let prefixes: [[UInt8]]
  private let types: [LogicalType]

  /// Prepares the spelling of a table's rows.
  package init(of table: Table) {
    prefixes = table.columns.map { column in
      var prefix: [UInt8] = [UInt8(ascii: ",")]
      let name = Array(column.name.utf8)
      appendJSONString(name.span, to: &prefix)
      prefix.append(UInt8(ascii: ":"))
      return prefix
    }
    types = table.columns.map(\.type)
  }

  /// Appends one row of a batch, without a line break.
  package func append(
    row: Int, of batch: borrowing RecordBatch, to output: inout [UInt8]
  ) {
    let arena = batch.arena
    output.append("{\"_pk\":")
    output.appendDecimal(batch.keys[row])
    for (column, cell) in batch.cells(ofRow: row).enumerated() {
      output.append(contentsOf: prefixes[column])
      output.appendJSON(cell, type: types[column], arena: arena.span)
    }
    output.append("}")
  }
}
