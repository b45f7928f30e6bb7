import Formats
import Records

/// Walks through a document in JSON, whose members stand in the order that the manual tells.
final class JSONExportDocument: ExportDocument {
  private(set) var origin = ExportOrigin()
  private let tokens: JSONTokens
  private let facts: FactReader
  private var parts = BookkeepingTable.allCases[...]
  private var isInTables = true
  private var hasReachedFindings = false

  init(path: String, stream: ByteStream) throws(StoreError) {
    let tokens = JSONTokens(path: path, stream: stream)
    self.tokens = tokens
    facts = FactReader(path: path) { tokens.position }
    try tokens.expect(.beginObject, "the object of the document")
    try tokens.expectKey("rehome")
    try facts.checkMark(try tokens.readValue(), kind: "document")
    try tokens.expectKey("nameOrigin")
    origin.nameOrigin = try facts.nameOrigin(try tokens.readValue())
    try tokens.expectKey("sources")
    try facts.readOrigin(try tokens.readValue(), into: &origin)
    try tokens.expectKey("tables")
    try tokens.expect(.beginArray, "the array of the tables")
  }

  var position: String { tokens.position }

  func nextTable() throws(StoreError) -> DocumentTable? {
    if isInTables {
      let token = try tokens.next()
      if token == .beginObject { return try beginTable(part: nil) }
      guard token == .endArray else { throw tokens.unexpected("a table must be an object") }
      isInTables = false
    }
    if let part = parts.first, BookkeepingTable.always.contains(part) {
      parts.removeFirst()
      try tokens.expectKey(part.rawValue)
      return try begin(part)
    }
    guard !parts.isEmpty else { return nil }
    // What not every export has stands before the findings, which all have.
    guard try tokens.next() == .key else { throw tokens.unexpected("a member is missing") }
    while let part = parts.popFirst() {
      if tokens.text.elementsEqual(part.rawValue.utf8) { return try begin(part) }
    }
    hasReachedFindings = tokens.text.elementsEqual("findings".utf8)
    guard hasReachedFindings else { throw tokens.unexpected("the member findings is missing") }
    return nil
  }

  private func begin(_ part: BookkeepingTable) throws(StoreError) -> DocumentTable {
    try tokens.expect(.beginObject, "the object of \(part.rawValue)")
    return try beginTable(part: part)
  }

  private func beginTable(part: BookkeepingTable?) throws(StoreError) -> DocumentTable {
    var table = Table(name: try readText("name"), columns: [])
    if part == nil {
      table.sourceName = try readText("sourceName")
      table.sourceTable = try readText("sourceTable")
    }
    try tokens.expectKey("columns")
    table.columns = try facts.columns(try tokens.readValue())
    if let part { try part.check(table, facts) }
    try tokens.expectKey("rows")
    try tokens.expect(.beginArray, "the array of the rows")
    return DocumentTable(
      table: table, part: part,
      rows: JSONRowReader(
        tokens, JSONRowWalk(insideArray: ()), table: table, leading: 1, rule: .canonical))
  }

  private func readText(_ name: String) throws(StoreError) -> String {
    try tokens.expectKey(name)
    guard case .string(let text) = try tokens.readValue() else { throw facts.failure(name) }
    return text
  }

  func endTable() throws(StoreError) -> ExportSeal {
    try tokens.expectKey("count")
    guard case .number(let number) = try tokens.readValue(), let count = number.integer else {
      throw tokens.unexpected("the count of the rows is no number")
    }
    try tokens.expectKey("hash")
    let value = try tokens.readValue()
    try tokens.expect(.endObject, "the end of the table")
    guard case .string(let hash) = value else {
      throw tokens.unexpected("the hash of the table is no text")
    }
    return ExportSeal(rows: Int(count), hash: hash)
  }

  func readTail() throws(StoreError) -> ReadTail {
    if !hasReachedFindings { try tokens.expectKey("findings") }
    let findings = try facts.readFindings(from: tokens)
    try tokens.expectKey("files")
    let files = try facts.files(try tokens.readValue())
    let hash = try readText("hash")
    try tokens.expect(.endObject, "the end of the document")
    try tokens.expectEnd()
    return ReadTail(findings: findings, files: files, hash: hash)
  }
}

extension BookkeepingTable {
  /// Throws unless a table of an export has the columns of this part, of one source or of several.
  func check(_ found: Table, _ facts: FactReader) throws(StoreError) {
    let columns = { (table: Table) in table.columns.map { "\($0.name):\($0.type.rawValue)" } }
    let isKnown = [false, true].contains { isOfSeveral in
      let expected = table(ofSeveral: isOfSeveral)
      return columns(found) == columns(expected) && found.sourcePlace == expected.sourcePlace
    }
    guard found.name == rawValue, isKnown else {
      throw facts.failure(
        rawValue, "the table \(rawValue) of the export has other columns than it must")
    }
  }
}
