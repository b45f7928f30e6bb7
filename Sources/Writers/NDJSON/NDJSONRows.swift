import Bytes
package import Records

/// Spells the rows of one table as JSON objects, one a line: `_pk` first, then the columns.
package struct NDJSONRows: Sendable {
  /// What stands before each value: a comma, the column's name and a colon.
  private let prefixes: [[UInt8]]
  private let types: [LogicalType]

  /// Prepares the spelling of a table's rows.
  package init(of table: Table) {
    prefixes = table.columns.map { column in
      var prefix: [UInt8] = [UInt8(ascii: ",")]
      let name = Array(column.name.utf8)
      Bytes.appendJSONString(name.span, to: &prefix)
      prefix.append(UInt8(ascii: ":"))
      return prefix
    }
    types = table.columns.map(\.type)
  }

  /// Appends the rows of a batch.
  ///
  /// - Returns: how many rows were spelled.
  package func append(_ batch: borrowing RecordBatch, to output: inout [UInt8]) -> Int {
    let cells = batch.cells
    let arena = batch.arena
    var cell = 0
    for key in batch.keys {
      output.append("{\"_pk\":")
      output.appendDecimal(key)
      for column in types.indices {
        output.append(contentsOf: prefixes[column])
        output.appendJSON(cells[cell], type: types[column], arena: arena.span)
        cell &+= 1
      }
      output.append("}\n")
    }
    return batch.rowCount
  }
}
