import Bytes
import Formats
import Records

/// A file of a bundle, as the manifest describes it.
struct ExportMember {
  var table: Table
  var file: String
  var bytes: Int
  var sha256: String
  var seal: ExportSeal

  /// Throws unless the whole file was read and is the one that the manifest means.
  func check(_ stream: ByteStream, path: String) throws(StoreError) {
    guard stream.fileSize == bytes else {
      throw StoreError(
        .damaged, path: path,
        "the file has \(stream.fileSize.counting("byte", "bytes")), and the manifest says \(bytes)")
    }
    guard stream.finishHash()?.hexadecimal == sha256 else {
      throw StoreError(
        .damaged, path: path,
        "the file does not have the SHA-256 hash that the manifest says (in its \(bytes.counting("byte", "bytes")))"
      )
    }
  }
}

/// What `manifest.json` says, checked as far as it can be without the files.
struct ExportManifest {
  let format: PlainFormat
  /// For whom CSV is spelled.
  let style: CSVStyle
  private(set) var origin = ExportOrigin()
  private(set) var tables: [ExportMember] = []
  private(set) var parts: [(part: BookkeepingTable, member: ExportMember)] = []
  let findings: Findings

  /// Reads the manifest at `path`.
  ///
  /// - Throws: `StoreError` where it is no manifest, or contradicts itself.
  init(path: String) throws(StoreError) {
    let facts = FactReader(path: path)
    var object = JSONObject()
    (object, findings) = try Self.members(facts)
    try facts.checkMark(object["rehome"], kind: "bundle")
    guard let format = PlainFormat(rawValue: try facts.text(object, "dataFormat")) else {
      throw facts.failure("dataFormat")
    }
    self.format = format
    let isSafe = try facts.flag(object, "csvSafe")
    let isForSpreadsheet = object["csvFor"] != nil
    if isForSpreadsheet, try facts.text(object, "csvFor") != "excel" {
      throw facts.failure("csvFor")
    }
    style = isForSpreadsheet ? .spreadsheet : isSafe ? .safe : .plain
    for (index, source) in try facts.objects(object["sources"], "sources").enumerated() {
      try facts.inside("sources", index).files(source["files"])
    }
    origin.nameOrigin = try facts.nameOrigin(object["nameOrigin"])
    try facts.readOrigin(object["sources"], into: &origin)
    for (index, table) in try facts.objects(object["tables"], "tables").enumerated() {
      tables.append(try Self.member(table, isPart: false, facts.inside("tables", index)))
    }
    for part in BookkeepingTable.allCases {
      // What not every export has is missing in most.
      if !BookkeepingTable.always.contains(part), object[part.rawValue] == nil { continue }
      let found = try facts.object(object[part.rawValue], part.rawValue)
      let member = try Self.member(found, isPart: true, facts)
      try part.check(member.table, facts)
      parts.append((part, member))
    }
    try checkNames(facts)
    try checkHash(try facts.text(object, "hash"), facts)
  }

  /// The members of the manifest, and the findings, of which there may be very many.
  private static func members(
    _ facts: FactReader
  ) throws(StoreError) -> (others: JSONObject, findings: Findings) {
    let tokens = JSONTokens(
      path: facts.path, stream: try ExportFile.openMember(facts.path))
    guard try tokens.next() == .beginObject else { throw facts.failure("rehome") }
    var members = JSONObject()
    var findings: Findings?
    while try tokens.next() == .key {
      let name = String(decoding: tokens.text, as: UTF8.self)
      guard members[name] == nil, name != "findings" || findings == nil else {
        throw tokens.unexpected("a member comes twice")
      }
      if name == "findings" {
        findings = try facts.readFindings(from: tokens)
      } else {
        members[name] = try tokens.readValue()
      }
    }
    try tokens.expectEnd()
    guard let findings else { throw facts.failure("findings") }
    return (members, findings)
  }

  private static func member(
    _ object: JSONObject, isPart: Bool, _ facts: FactReader
  ) throws(StoreError) -> ExportMember {
    var table = Table(
      name: try facts.text(object, "name"), columns: try facts.columns(object["columns"]))
    if !isPart {
      table.sourceName = try facts.text(object, "sourceName")
      table.sourceTable = try facts.text(object, "sourceTable")
    }
    return ExportMember(
      table: table, file: try facts.text(object, "file"), bytes: try facts.count(object, "bytes"),
      sha256: try facts.text(object, "sha256"),
      seal: ExportSeal(
        rows: try facts.count(object, "count"), hash: try facts.optionalText(object, "hash")))
  }

  /// Each file is a plain name inside the folder, and no file or table comes twice.
  private func checkNames(_ facts: FactReader) throws(StoreError) {
    var files: Set<String> = ["manifest.json"]
    for member in tables + parts.map(\.member) {
      let name = member.file
      let isPlain =
        !name.isEmpty && name != "." && name != ".." && !name.utf8.contains(UInt8(ascii: "/"))
        && !name.utf8.contains(UInt8(ascii: "\\")) && name.utf8.allSatisfy { $0 >= 0x20 }
      guard isPlain else {
        throw facts.failure(
          "tables", "a file of the table \(member.table.name) is no plain file name")
      }
      guard files.insert(name.lowercased()).inserted else {
        throw facts.failure("tables", "the file \(name) belongs to two tables")
      }
    }
    guard Set(tables.map { ExactText($0.table.name) }).count == tables.count else {
      throw facts.failure("tables", "a table comes twice")
    }
  }

  private func checkHash(_ hash: String, _ facts: FactReader) throws(StoreError) {
    var content = ContentHash()
    for (index, member) in tables.enumerated() {
      content.add(try digest(member, facts.inside("tables", index)), ofTable: member.table.name)
    }
    for (part, member) in parts { content.add(try digest(member, facts), of: part) }
    guard content.digest.hexadecimal == hash else {
      throw facts.failure(
        "hash", "the member hash is not the content hash of the tables that the manifest lists")
    }
  }

  private func digest(
    _ member: ExportMember, _ facts: FactReader
  ) throws(StoreError) -> SHA256Digest {
    guard let hash = member.seal.hash, let digest = SHA256Digest(hexadecimal: hash) else {
      throw facts.failure("hash")
    }
    return digest
  }
}
