import Bytes
import Records

/// Spells rows as plain XML: an element for each row, with one for each column.
///
/// All names come from such a file, so they are names of XML. A row has its key and the reason why
/// it was rejected as attributes; a cell without a value has no element.
struct PlainXMLRows: TableSpelling {
  private let name: String
  private let columns: [Column]

  /// Prepares the spelling of a table whose first column is the reason.
  init(of table: Table) {
    name = table.name
    columns = table.columns
  }

  func appendStart(to output: inout [UInt8]) {
    output.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<rows>\n")
  }

  func append(_ batch: borrowing RecordBatch, to output: inout [UInt8]) -> Int {
    let arena = batch.arena
    for (row, key) in batch.keys.enumerated() {
      output.append("<")
      output.append(utf8: name)
      output.append(" _pk=\"")
      output.appendDecimal(key)
      output.append("\"")
      for (cell, column) in zip(batch.cells(ofRow: row), columns) {
        if column.name == RejectColumn.name {
          append(reason: cell, arena: arena.span, to: &output)
        } else {
          append(cell, column, arena: arena.span, to: &output)
        }
      }
      output.append("</")
      output.append(utf8: name)
      output.append(">\n")
    }
    return batch.rowCount
  }

  func appendEnd(_ seal: TableSeal, to output: inout [UInt8]) {
    output.append("</rows>\n")
  }

  private func append(reason cell: Cell, arena: Span<UInt8>, to output: inout [UInt8]) {
    output.append(" _reject=\"")
    // The reason names columns of XML and codes of ours, all of which an attribute can carry.
    _ = output.appendXML(attribute: arena.extracting(cell.range))
    output.append("\">")
  }

  private func append(
    _ cell: Cell, _ column: Column, arena: Span<UInt8>, to output: inout [UInt8]
  ) {
    guard cell.kind != .null else { return }
    output.append("<")
    output.append(utf8: column.name)
    output.append(">")
    var text: [UInt8] = []
    text.appendPlain(cell, type: column.type, arena: arena)
    // What came from XML can go there again.
    _ = output.appendXML(content: text.span)
    output.append("</")
    output.append(utf8: column.name)
    output.append(">")
  }
}
