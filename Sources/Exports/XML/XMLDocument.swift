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
    output.append(head.source)
    for store in head.source.earlier {
      output.append("<device")
      output.appendXML("number", String(store.number))
      output.appendXML("nameOrigin", store.nameOrigin.rawValue)
      output.appendXML("readAt", store.readAt)
      output.appendXML("toolVersion", store.toolVersion)
      output.append(store.source)
      for file in store.source.files { output.append(file) }
      output.append("</device>\n")
    }
    output.append("</source>\n")
  }

  mutating func appendSeparator(
    before table: Table, as part: BookkeepingTable?, to output: inout [UInt8]
  ) -> any TableSpelling {
    XMLExportTable(of: table, as: part)
  }

  mutating func spellEnd(_ tail: ExportTail, to take: PartTaker) throws(StoreError) {
    var output: [UInt8] = []
    for finding in tail.findings {
      output.append(finding)
      try output.lendIfLong(to: take)
    }
    for file in tail.files { output.append(file) }
    output.append("<end")
    output.appendXML("hash", tail.hash.hexadecimal)
    output.append("/>\n</rehome>\n")
    try output.lendAll(to: take)
  }
}

extension [UInt8] {
  /// Appends the rest of the start of an element about a store, and what stands in it.
  fileprivate mutating func append(_ source: SourceDescription) {
    appendXML("name", source.name)
    appendXML("layout", source.layout.rawValue)
    appendXML("generation", source.generation)
    append(">\n")
    for sentence in source.evidence {
      append("<evidence")
      appendXML("text", sentence)
      append("/>\n")
    }
    for fact in source.metadata {
      append("<fact")
      appendXML("key", fact.key)
      appendXML("value", fact.value)
      append("/>\n")
    }
  }

  fileprivate mutating func append(_ file: SourceFile) {
    append("<file")
    appendXML("name", file.name)
    appendXML("bytes", file.bytes)
    appendXML("sha256", file.sha256)
    append("/>\n")
  }

  fileprivate mutating func append(_ finding: Finding) {
    append("<finding")
    appendXML("code", finding.code)
    appendXML("severity", finding.severity.rawValue)
    appendXML("table", finding.table)
    appendXML("itemId", finding.itemID)
    appendXML("operation", finding.operation.map(String.init))
    appendXML("message", finding.message)
    if finding.source != 0 { appendXML("_source", Int(finding.source)) }
    append("/>\n")
  }
}
