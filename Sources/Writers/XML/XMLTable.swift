import Bytes
package import Records

/// Spells one table as an XML element: its columns, its rows, and its count and hash at the end.
///
/// Names and values never become names of elements or attributes. The values of a row stand in
/// the order of the columns: `<v>` for a value, `<n/>` for none.
package struct XMLTable: TableSpelling {
  private let table: Table
  private let part: BookkeepingTable?
  private let types: [LogicalType]

  /// Prepares the spelling of a table of the app or, where `part` is given, of the bookkeeping.
  package init(of table: Table, as part: BookkeepingTable? = nil) {
    self.table = table
    self.part = part
    types = table.columns.map(\.type)
  }

  package func appendStart(to output: inout [UInt8]) {
    output.append(UInt8(ascii: "<"))
    output.append(element)
    output.appendXML("name", table.name)
    if part == nil {
      output.appendXML("sourceName", table.sourceName)
      output.appendXML("sourceTable", table.sourceTable)
    }
    output.append(">\n")
    for column in table.columns {
      output.append("<column")
      output.appendXML("name", column.name)
      output.appendXML("type", column.type.rawValue)
      output.appendXML("role", column.role.rawValue)
      output.appendXML("nullable", column.isNullable ? "true" : "false")
      output.appendXML("target", column.target)
      output.appendXML("sourceName", column.sourceName)
      output.appendXML("sourceColumn", column.sourceColumn)
      output.append("/>\n")
    }
  }

  package func append(_ batch: borrowing RecordBatch, to output: inout [UInt8]) -> Int {
    let cells = batch.cells
    let arena = batch.arena
    let columns = types.indices
    var cell = 0
    for key in batch.keys {
      output.append("<row pk=\"")
      output.appendDecimal(key)
      output.append("\">")
      for column in columns {
        append(cells[cell], type: types[column], arena: arena.span, to: &output)
        cell &+= 1
      }
      output.append("</row>\n")
    }
    return batch.rowCount
  }

  package func appendEnd(_ seal: TableSeal, to output: inout [UInt8]) {
    output.append("<end")
    output.appendXML("rows", seal.rows)
    output.appendXML("hash", seal.hash?.hexadecimal)
    output.append("/>\n</")
    output.append(element)
    output.append(">\n")
  }

  private var element: StaticString {
    switch part {
    case nil: "table"
    case .operations: "operations"
    case .errors: "errors"
    case .tokens: "tokens"
    case .rejects: "rejects"
    }
  }

  @inline(__always)
  private func append(
    _ cell: Cell, type: LogicalType, arena: Span<UInt8>, to output: inout [UInt8]
  ) {
    switch CellDress(cell) {
    case .missing:
      output.append("<n/>")
    case .literal, .word:
      output.append("<v>")
      output.appendPlain(cell, type: type, arena: arena)
      output.append("</v>")
    case .text:
      appendText(arena.extracting(cell.range), to: &output)
    }
  }

  @inline(__always)
  private func appendText(_ text: Span<UInt8>, to output: inout [UInt8]) {
    let length = output.count
    output.append("<v>")
    if !output.appendXML(content: text) {
      output.removeLast(output.count - length)
      output.append("<v e=\"base64\">")
      output.appendBase64(text)
    }
    output.append("</v>")
  }
}
