import Bytes
import Formats
import Records
import XMLFormat

/// Walks through a document in XML, or through the file of one table, whose kind is `table`.
final class XMLExportDocument: ExportDocument {
  private(set) var origin = ExportOrigin()
  /// Whether the file holds one table and nothing else.
  private(set) var isTable = false
  private let tokens: XMLTokens
  private var event: XMLEvent?
  private var parts = BookkeepingTable.allCases[...]

  init(path: String, stream: ByteStream) throws(StoreError) {
    tokens = try XMLTokens(path: path, stream: stream)
    guard try tokens.next() == .startElement(XMLWord.rehome) else {
      throw tokens.unexpected("the document is no export")
    }
    guard try tokens.attribute("format") == "1" else {
      throw StoreError(
        .unsupported, path: path, "the export has a format that this rehome does not read",
        hint: "use the rehome that wrote it, or a newer one")
    }
    switch try tokens.attribute("kind") {
    case "document": break
    case "table": isTable = true
    default: throw tokens.unexpected("the export is of an unknown kind")
    }
    if !isTable { try readOrigin() }
    event = try tokens.next()
    while !isTable, event == .startElement(XMLWord.source) { try readSource() }
  }

  var position: String { tokens.position }

  private func readOrigin() throws(StoreError) {
    origin.nameOrigin = try nameOrigin(try tokens.attribute("nameOrigin"))
  }

  private func nameOrigin(_ word: String) throws(StoreError) -> NameOrigin {
    guard let origin = NameOrigin(rawValue: word) else {
      throw tokens.unexpected("nameOrigin is not what it must be")
    }
    return origin
  }

  private func readSource() throws(StoreError) {
    var devices: [EarlierSource] = []
    let exported = try readStore(XMLWord.source, number: 1) { () throws(StoreError) in
      let number = try tokens.wholeNumber("number")
      guard number < 1 << 24, number > devices.last?.number ?? 0 else {
        throw tokens.unexpected("the number of a device is not what it must be")
      }
      devices.append(try readDevice(number: number))
    }
    origin.add(exported, madeFrom: devices)
    event = try tokens.next()
  }

  /// Reads a device with what older exports tell of the whole store only, or not at all.
  private func readDevice(number: Int64) throws(StoreError) -> EarlierSource {
    let own = try tokens.optionalAttribute("nameOrigin")
    let time = try tokens.optionalAttribute("readAt")
    if let time, Timestamp(parsing: time.utf8Span.span) == nil {
      throw tokens.unexpected("readAt is not what it must be")
    }
    let version = try tokens.optionalAttribute("toolVersion")
    var device = try readStore(XMLWord.device, number: number) { () throws(StoreError) in
      throw tokens.unexpected("a device stands inside another one")
    }
    if let own { device.nameOrigin = try nameOrigin(own) }
    (device.readAt, device.toolVersion) = (time, version)
    return device
  }

  /// Reads what an element tells of a store, to its end; `device` reads one that stands in it.
  private func readStore(
    _ element: Int, number: Int64, device: () throws(StoreError) -> Void
  ) throws(StoreError) -> EarlierSource {
    var source = SourceDescription(
      name: try tokens.attribute("name"), layout: Layout(exported: try tokens.attribute("layout")),
      generation: try tokens.optionalAttribute("generation"))
    while let event = try tokens.next(), event != .endElement(element) {
      guard case .startElement(let word) = event else { continue }
      if word == XMLWord.device {
        try device()
        continue
      }
      if word == XMLWord.fact {
        source.metadata.append(
          SourceDescription.Fact(try tokens.attribute("key"), try tokens.attribute("value")))
      } else if word == XMLWord.evidence {
        source.evidence.append(try tokens.attribute("text"))
      } else if word == XMLWord.file {
        source.files.append(try readFile())
      }
      try tokens.skipElement()
    }
    return EarlierSource(number: number, source, nameOrigin: origin.nameOrigin)
  }

  private func readFile() throws(StoreError) -> SourceFile {
    let bytes = try tokens.wholeNumber("bytes")
    guard SHA256Digest(hexadecimal: try tokens.attribute("sha256")) != nil else {
      throw tokens.unexpected("the hash of a file is not what it must be")
    }
    return SourceFile(
      name: try tokens.attribute("name"), bytes: Int(bytes), sha256: try tokens.attribute("sha256"))
  }

  func nextTable() throws(StoreError) -> DocumentTable? {
    if event == .startElement(XMLWord.table) { return try beginTable(part: nil) }
    if isTable {
      for part in BookkeepingTable.allCases where event == .startElement(XMLWord.place(of: part)) {
        return try beginTable(part: part)
      }
      return nil
    }
    while let part = parts.popFirst() {
      if event == .startElement(XMLWord.place(of: part)) { return try beginTable(part: part) }
      // What not every export has is missing in most.
      guard !BookkeepingTable.always.contains(part) else {
        throw tokens.unexpected("the element \(part.rawValue) is missing")
      }
    }
    return nil
  }

  private func beginTable(part: BookkeepingTable?) throws(StoreError) -> DocumentTable {
    var table = Table(name: try tokens.attribute("name"), columns: [])
    if part == nil {
      table.sourceName = try tokens.attribute("sourceName")
      table.sourceTable = try tokens.attribute("sourceTable")
    }
    var event = try tokens.next()
    while event == .startElement(XMLWord.column) {
      table.columns.append(try readColumn())
      event = try tokens.next()
    }
    guard !table.columns.dropLast().contains(where: { $0.role == .source }) else {
      throw tokens.unexpected("a column for the source is not the last one")
    }
    if let part { try part.check(table, FactReader(path: tokens.path) { self.position }) }
    return DocumentTable(
      table: table, part: part, rows: XMLRowReader(tokens, table: table, first: event))
  }

  private func readColumn() throws(StoreError) -> Column {
    guard let type = LogicalType(rawValue: try tokens.attribute("type")),
      let role = ColumnRole(rawValue: try tokens.attribute("role"))
    else { throw tokens.unexpected("the type or role of a column is unknown") }
    var column = Column(
      name: try tokens.attribute("name"), sourceName: try tokens.attribute("sourceName"),
      sourceColumn: try tokens.attribute("sourceColumn"), type: type, role: role,
      isNullable: try tokens.flag("nullable"),
      target: try tokens.optionalAttribute("target"))
    if try tokens.optionalAttribute("undecided") != nil {
      column.isUndecided = try tokens.flag("undecided")
    }
    try tokens.expectEnd("column")
    return column
  }

  func endTable() throws(StoreError) -> ExportSeal {
    // The rows have ended with the start of this element.
    let rows = try tokens.wholeNumber("rows")
    let hash = try tokens.attribute("hash")
    try tokens.expectEnd("end")
    try tokens.expectEnd("table")
    event = try tokens.next()
    return ExportSeal(rows: Int(rows), hash: hash)
  }

  func readTail() throws(StoreError) -> ReadTail {
    var tail = ReadTail(findings: Findings(), files: [])
    while event == .startElement(XMLWord.finding) {
      tail.findings.append(try readFinding())
      event = try tokens.next()
    }
    while event == .startElement(XMLWord.file) {
      tail.files.append(try readFile())
      try tokens.expectEnd("file")
      event = try tokens.next()
    }
    if !isTable {
      guard event == .startElement(XMLWord.end) else {
        throw tokens.unexpected("the hash of the document is missing")
      }
      tail.hash = try tokens.attribute("hash")
      try tokens.expectEnd("end")
      event = try tokens.next()
    }
    guard event == .endElement(XMLWord.rehome) else {
      throw tokens.unexpected("the end of the document is missing")
    }
    guard try tokens.next() == nil else { throw tokens.unexpected("something follows") }
    return tail
  }

  private func readFinding() throws(StoreError) -> Finding {
    guard let severity = Severity(rawValue: try tokens.attribute("severity")) else {
      throw tokens.unexpected("the severity of a finding is unknown")
    }
    var finding = Finding(
      try tokens.attribute("code"), severity, table: try tokens.optionalAttribute("table"),
      itemID: try tokens.optionalAttribute("itemId"),
      operation: try tokens.optionalAttribute("operation").flatMap(Int64.init),
      message: try tokens.attribute("message"))
    let source = try tokens.optionalAttribute(SourceColumn.name).flatMap(Int32.init)
    finding.source = source ?? 0
    try tokens.expectEnd("finding")
    return finding
  }
}
