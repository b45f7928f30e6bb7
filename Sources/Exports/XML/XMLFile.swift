import Bytes
package import Records

/// Spells one table as an XML file of its own, as a bundle holds it.
package struct XMLFile: TableSpelling {
  private let content: XMLTable

  /// Prepares the spelling of a table of the app or, where `part` is given, of the bookkeeping.
  package init(of table: Table, as part: BookkeepingTable? = nil) {
    content = XMLTable(of: table, as: part)
  }

  package func appendStart(to output: inout [UInt8]) {
    output.append(XMLFile.declaration)
    output.append("<rehome format=\"1\" kind=\"table\">\n")
    content.appendStart(to: &output)
  }

  package func append(_ batch: borrowing RecordBatch, to output: inout [UInt8]) -> Int {
    content.append(batch, to: &output)
  }

  package func appendEnd(_ seal: TableSeal, to output: inout [UInt8]) {
    content.appendEnd(seal, to: &output)
    output.append("</rehome>\n")
  }

  /// What every XML file begins with.
  package static let declaration: StaticString = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
}
