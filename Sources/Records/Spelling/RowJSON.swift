import Bytes

/// Spells rows of one table as JSON objects: `_pk` first, then the columns in their order.
package struct RowJSON: Sendable {
  /// What stands before the key of each row.
  private let opening: [UInt8]
  /// What stands before each value: a comma, the column's name and a colon; all in one row.
  ///
  /// An array of arrays would have its elements retained for each cell, by all threads at once.
  private let prefixes: [UInt8]
  /// Where the prefix of each column ends.
  private let ends: [Int]
  private let types: [LogicalType]
  /// What stands behind the last value of each row.
  private let closing: [UInt8]
  /// How many bytes a row takes beside its values.
  private let frameSize: Int

  /// Prepares the spelling of a table's rows, each with something before it and behind it.
  package init(
    of table: Table, separator: StaticString = "", terminator: StaticString = ""
  ) {
    var opening: [UInt8] = []
    opening.append(separator)
    opening.append("{\"_pk\":")
    self.opening = opening
    var prefixes: [UInt8] = []
    ends = table.columns.map { column in
      prefixes.append(UInt8(ascii: ","))
      prefixes.appendJSONString(column.name.utf8Span.span)
      prefixes.append(UInt8(ascii: ":"))
      return prefixes.count
    }
    self.prefixes = prefixes
    types = table.columns.map(\.type)
    var closing = [UInt8(ascii: "}")]
    closing.append(terminator)
    self.closing = closing
    frameSize = opening.count + decimalSize + prefixes.count + closing.count
  }

  /// Appends the rows of a batch.
  package func append(_ batch: borrowing RecordBatch, to output: inout [UInt8]) {
    let cells = batch.cells
    let arena = batch.arena
    var first = 0
    for key in batch.keys {
      let end = first &+ types.count
      append(cells.span.extracting(first..<end), key: key, arena: arena.span, to: &output)
      first = end
    }
  }

  /// Appends one row of a batch.
  package func append(
    row: Int, of batch: borrowing RecordBatch, to output: inout [UInt8]
  ) {
    let cells = batch.cells
    let arena = batch.arena
    let first = row &* types.count
    append(
      cells.span.extracting(first..<first &+ types.count), key: batch.keys[row],
      arena: arena.span, to: &output)
  }

  private func append(
    _ row: Span<Cell>, key: Int64, arena: Span<UInt8>, to output: inout [UInt8]
  ) {
    var size = frameSize
    for column in row.indices { size &+= row[column].jsonSize(in: arena) }
    output.append(addingCapacity: size) { output in
      output.append(opening.span)
      output.appendDecimal(key)
      var start = 0
      for column in row.indices {
        let end = ends[column]
        output.append(prefixes.span.extracting(start..<end))
        output.appendJSON(row[column], type: types[column], arena: arena)
        start = end
      }
      output.append(closing.span)
    }
  }
}
