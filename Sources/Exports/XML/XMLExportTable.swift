import Bytes
import Records

/// Spells one table as an XML element: its columns, its rows, and its count and hash at the end.
///
/// Names and values never become names of elements or attributes. The values of a row stand in
/// the order of the columns: `<v>` for a value, `<n/>` for none.
struct XMLExportTable: TableSpelling {
  private let table: Table
  private let part: BookkeepingTable?
  private let types: [LogicalType]

  /// Prepares the spelling of a table of the app or, where `part` is given, of the bookkeeping.
  init(of table: Table, as part: BookkeepingTable? = nil) {
    self.table = table
    self.part = part
    types = table.columns.map(\.type)
  }

  func appendStart(to output: inout [UInt8]) {
    output.append(UInt8(ascii: "<"))
    output.append(utf8: element)
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
      if column.isUndecided { output.appendXML("undecided", "true") }
      output.append("/>\n")
    }
  }

  func append(_ batch: borrowing RecordBatch, to output: inout [UInt8]) -> Int {
    let cells = batch.cells
    let arena = batch.arena
    var first = 0
    for key in batch.keys {
      let end = first &+ types.count
      append(cells.span.extracting(first..<end), key: key, arena: arena.span, to: &output)
      first = end
    }
    return batch.rowCount
  }

  func appendEnd(_ seal: TableSeal, to output: inout [UInt8]) {
    output.append("<end")
    output.appendXML("rows", seal.rows)
    output.appendXML("hash", seal.hash?.hexadecimal)
    output.append("/>\n</")
    output.append(utf8: element)
    output.append(">\n")
  }

  private var element: String { part?.rawValue ?? "table" }

  @inline(__always)
  private func append(
    _ row: Span<Cell>, key: Int64, arena: Span<UInt8>, to output: inout [UInt8]
  ) {
    // What stands around the row and around a value, in its longest form.
    var size = decimalSize &+ 24
    for place in row.indices { size &+= row[place].xmlSize(in: arena) &+ 24 }
    output.append(addingCapacity: size) { output in
      output.append("<row pk=\"")
      output.appendDecimal(key)
      output.append("\">")
      for place in row.indices {
        output.append(row[place], type: types[place], arena: arena)
      }
      output.append("</row>\n")
    }
  }
}

extension Cell {
  /// How many bytes the value takes at most, as text or in base64.
  fileprivate func xmlSize(in arena: Span<UInt8>) -> Int {
    guard kind == .text else { return plainSize }
    let text = arena.extracting(range)
    return max(Exports.xmlSize(of: text), base64Size(of: text.count))
  }
}

extension OutputSpan<UInt8> {
  @inline(__always)
  fileprivate mutating func append(_ cell: Cell, type: LogicalType, arena: Span<UInt8>) {
    switch JSONKind(cell) {
    case .missing:
      append("<n/>")
    case .literal, .word:
      append("<v>")
      appendPlain(cell, type: type, arena: arena)
      append("</v>")
    case .text:
      appendElement(arena.extracting(cell.range))
    }
  }

  @inline(__always)
  private mutating func appendElement(_ text: Span<UInt8>) {
    let start = count
    append("<v>")
    if !appendXML(content: text) {
      removeLast(count - start)
      append("<v e=\"base64\">")
      appendBase64(text)
    }
    append("</v>")
  }
}

extension [UInt8] {
  /// Appends an attribute; a text that XML cannot carry goes, as base64, into `NAME-base64`.
  mutating func appendXML(_ name: StaticString, _ text: String) {
    let bytes = Array(text.utf8)
    append(UInt8(ascii: " "))
    append(name)
    let length = count
    append("=\"")
    if !appendXML(attribute: bytes.span) {
      removeLast(count - length)
      append("-base64=\"")
      appendBase64(bytes.span)
    }
    append(UInt8(ascii: "\""))
  }

  /// Appends an attribute, if there is a value for it.
  mutating func appendXML(_ name: StaticString, _ text: String?) {
    if let text { appendXML(name, text) }
  }

  mutating func appendXML(_ name: StaticString, _ number: Int) {
    appendXML(name, String(number))
  }
}

/// Spells one table as an XML file of its own, as a bundle holds it.
struct XMLFile: TableSpelling {
  private let content: XMLExportTable

  /// Prepares the spelling of a table of the app or, where `part` is given, of the bookkeeping.
  init(of table: Table, as part: BookkeepingTable? = nil) {
    content = XMLExportTable(of: table, as: part)
  }

  func appendStart(to output: inout [UInt8]) {
    output.append(XMLFile.declaration)
    output.append("<rehome format=\"1\" kind=\"table\">\n")
    content.appendStart(to: &output)
  }

  func append(_ batch: borrowing RecordBatch, to output: inout [UInt8]) -> Int {
    content.append(batch, to: &output)
  }

  func appendEnd(_ seal: TableSeal, to output: inout [UInt8]) {
    content.appendEnd(seal, to: &output)
    output.append("</rehome>\n")
  }

  static let declaration: StaticString = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
}
