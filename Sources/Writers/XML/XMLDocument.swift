import Bytes
import Records

/// Spells a whole store as one XML document, counts and hashes behind what they count.
struct XMLDocument: DocumentSpelling {
  mutating func appendStart(_ head: ExportHead, to output: inout [UInt8]) {
    output.append(XMLFile.declaration)
    output.append("<rehome format=\"1\" kind=\"document\"")
    output.appendXML("tool", head.tool)
    output.appendXML("nameOrigin", head.nameOrigin.rawValue)
    output.append(">\n<source")
    output.appendXML("name", head.source.name)
    output.appendXML("layout", head.source.layout.rawValue)
    output.appendXML("generation", head.source.generation)
    output.append(">\n")
    for sentence in head.source.evidence {
      output.append("<evidence")
      output.appendXML("text", sentence)
      output.append("/>\n")
    }
    for fact in head.source.metadata {
      output.append("<fact")
      output.appendXML("key", fact.key)
      output.appendXML("value", fact.value)
      output.append("/>\n")
    }
    output.append("</source>\n")
  }

  mutating func appendSeparator(
    before table: Table, as part: BookkeepingTable?, to output: inout [UInt8]
  ) -> any TableSpelling {
    XMLTable(of: table, as: part)
  }

  mutating func appendEnd(_ tail: ExportTail, to output: inout [UInt8]) {
    for finding in tail.findings { output.append(finding) }
    for file in tail.files {
      output.append("<file")
      output.appendXML("name", file.name)
      output.appendXML("bytes", file.bytes)
      output.appendXML("sha256", file.sha256)
      output.append("/>\n")
    }
    output.append("<end")
    output.appendXML("hash", tail.hash.hexadecimal)
    output.append("/>\n</rehome>\n")
  }
}

extension [UInt8] {
  fileprivate mutating func append(_ finding: Finding) {
    append("<finding")
    appendXML("code", finding.code)
    appendXML("severity", finding.severity.rawValue)
    appendXML("table", finding.table)
    appendXML("itemId", finding.itemID)
    appendXML("operation", finding.operation.map(String.init))
    appendXML("message", finding.message)
    append("/>\n")
  }
}
