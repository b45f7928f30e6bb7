import Bytes
import Formats
import Records

/// Reads what manifests and heads of documents say; each failure names the member.
struct FactReader {
  let path: String
  /// Where a reader of tokens is; nil where the place of a member is looked up in the file.
  let position: (() -> String)?
  private var trail = FactTrail()

  /// Reads the members of the file at `path`, or those that a reader of tokens has just read.
  init(path: String, position: (() -> String)? = nil) {
    self.path = path
    self.position = position
  }

  /// A reader of what one element of an array says.
  func inside(_ name: String, _ index: Int) -> FactReader {
    var facts = self
    facts.trail = trail.followed(by: name, index)
    return facts
  }

  /// An error about a member.
  func failure(_ name: String, _ message: String? = nil) -> StoreError {
    let member = trail.followed(by: name).text
    return StoreError(
      .damaged, path: path,
      "\(message ?? "the member \(member) is missing or not what it must be") (\(place(name)))")
  }

  private func place(_ name: String) -> String {
    position?() ?? "byte \(trail.followed(by: name).offset(inFileAt: path))"
  }

  func text(_ object: JSONObject, _ name: String) throws(StoreError) -> String {
    guard case .string(let text)? = object[name] else { throw failure(name) }
    return text
  }

  func optionalText(_ object: JSONObject, _ name: String) throws(StoreError) -> String? {
    switch object[name] {
    case .string(let text)?: return text
    case .null?: return nil
    default: throw failure(name)
    }
  }

  func count(_ object: JSONObject, _ name: String) throws(StoreError) -> Int {
    guard case .number(let number)? = object[name], let value = number.integer, value >= 0 else {
      throw failure(name)
    }
    return Int(value)
  }

  func flag(_ object: JSONObject, _ name: String) throws(StoreError) -> Bool {
    guard case .boolean(let value)? = object[name] else { throw failure(name) }
    return value
  }

  func object(_ value: JSONValue?, _ name: String) throws(StoreError) -> JSONObject {
    guard case .object(let object)? = value else { throw failure(name) }
    return object
  }

  func objects(_ value: JSONValue?, _ name: String) throws(StoreError) -> [JSONObject] {
    guard case .array(let values)? = value else { throw failure(name) }
    var objects: [JSONObject] = []
    for value in values { objects.append(try object(value, name)) }
    return objects
  }

  /// Checks that an export is of format 1 and of this kind.
  func checkMark(_ value: JSONValue?, kind: String) throws(StoreError) {
    let mark = try object(value, "rehome")
    let format = try count(mark, "format")
    guard format == 1 else {
      throw StoreError(
        .unsupported, path: path,
        "the export has format \(format), and this rehome reads format 1 (\(place("rehome")))",
        hint: "use the rehome that wrote it, or a newer one")
    }
    let found = try text(mark, "kind")
    if kind == "document", found == "bundle" {
      throw StoreError(
        .notAStore, path: path, "it describes a bundle, which is the whole folder that it lies in",
        hint: hasSameBytes(Paths.fileName(of: path), "manifest.json")
          ? "name the folder: \(Paths.folder(of: path))"
          : "call it manifest.json, unpacked, and name the folder that it lies in")
    }
    guard found == kind else { throw failure("kind") }
  }

  func nameOrigin(_ value: JSONValue?) throws(StoreError) -> NameOrigin {
    guard case .string(let word)? = value, let origin = NameOrigin(rawValue: word) else {
      throw failure("nameOrigin")
    }
    return origin
  }

  func columns(_ value: JSONValue?) throws(StoreError) -> [Column] {
    var columns: [Column] = []
    let values = try objects(value, "columns")
    for (index, object) in values.enumerated() {
      let facts = inside("columns", index)
      guard let type = LogicalType(rawValue: try facts.text(object, "type")) else {
        throw facts.failure("type")
      }
      guard let role = ColumnRole(rawValue: try facts.text(object, "role")),
        role != .source || index == values.count - 1
      else { throw facts.failure("role") }
      var column = Column(
        name: try facts.text(object, "name"), sourceName: try facts.text(object, "sourceName"),
        sourceColumn: try facts.text(object, "sourceColumn"), type: type, role: role,
        isNullable: try facts.flag(object, "nullable"),
        target: try facts.optionalText(object, "target"))
      if object["undecided"] != nil { column.isUndecided = try facts.flag(object, "undecided") }
      columns.append(column)
    }
    return columns
  }

  /// What an export says about the files that it came from.
  @discardableResult
  func files(_ value: JSONValue?) throws(StoreError) -> [SourceFile] {
    var files: [SourceFile] = []
    for (index, object) in try objects(value, "files").enumerated() {
      let facts = inside("files", index)
      let file = SourceFile(
        name: try facts.text(object, "name"), bytes: try facts.count(object, "bytes"),
        sha256: try facts.text(object, "sha256"))
      guard SHA256Digest(hexadecimal: file.sha256) != nil else { throw facts.failure("sha256") }
      files.append(file)
    }
    return files
  }

  /// Reads the array of the findings, which may be as many as the operations, one by one.
  func readFindings(from tokens: JSONTokens) throws(StoreError) -> Findings {
    guard try tokens.next() == .beginArray else { throw failure("findings") }
    var findings = Findings()
    while let token = try tokens.next(), token != .endArray {
      let value = try tokens.readValue(from: token)
      let finding = try inside("findings", findings.count).finding(
        try object(value, "findings"))
      findings.append(finding)
    }
    return findings
  }

  private func finding(_ object: JSONObject) throws(StoreError) -> Finding {
    guard let severity = Severity(rawValue: try text(object, "severity")) else {
      throw failure("severity")
    }
    var finding = Finding(
      try text(object, "code"), severity, table: try optionalText(object, "table"),
      itemID: try optionalText(object, "itemId"), message: try text(object, "message"))
    if case .number(let number)? = object["operation"] { finding.operation = number.integer }
    if case .number(let number)? = object[SourceColumn.name] {
      finding.source = Int32(clamping: number.integer ?? 0)
    }
    return finding
  }

  func readOrigin(_ value: JSONValue?, into origin: inout ExportOrigin) throws(StoreError) {
    for (index, object) in try objects(value, "sources").enumerated() {
      let facts = inside("sources", index)
      let exported = try facts.store(object, number: Int64(index) + 1, origin.nameOrigin)
      var devices: [EarlierSource] = []
      let found = object["devices"] == nil ? [] : try facts.objects(object["devices"], "devices")
      for (place, device) in found.enumerated() {
        let facts = facts.inside("devices", place)
        let number = try facts.count(device, "number")
        guard number > devices.last?.number ?? 0, number < 1 << 24 else {
          throw facts.failure("number")
        }
        devices.append(try facts.device(device, number: Int64(number), origin.nameOrigin))
      }
      origin.add(exported, madeFrom: devices)
    }
  }

  /// A device with what older exports tell of the whole store only, or not at all.
  private func device(
    _ object: JSONObject, number: Int64, _ nameOrigin: NameOrigin
  ) throws(StoreError) -> EarlierSource {
    var device = try store(object, number: number, nameOrigin)
    if let own = object["nameOrigin"] { device.nameOrigin = try self.nameOrigin(own) }
    if object["readAt"] != nil {
      let time = try text(object, "readAt")
      guard Timestamp(parsing: time.utf8Span.span) != nil else { throw failure("readAt") }
      device.readAt = time
    }
    if object["toolVersion"] != nil { device.toolVersion = try text(object, "toolVersion") }
    return device
  }

  private func store(
    _ object: JSONObject, number: Int64, _ nameOrigin: NameOrigin
  ) throws(StoreError) -> EarlierSource {
    var source = SourceDescription(
      name: try text(object, "name"), layout: Layout(exported: try text(object, "layout")),
      generation: try optionalText(object, "generation"))
    if case .array(let texts)? = object["evidence"] {
      source.evidence = texts.compactMap { text in
        if case .string(let text) = text { text } else { nil }
      }
    }
    if case .object(let metadata)? = object["metadata"] {
      source.metadata = metadata.members.compactMap { member in
        guard case .string(let value) = member.value else { return nil }
        return SourceDescription.Fact(member.key, value)
      }
    }
    if object["files"] != nil { source.files = try files(object["files"]) }
    return EarlierSource(number: number, source, nameOrigin: nameOrigin)
  }
}

extension Layout {
  /// The layout that an export names; one that this version does not know counts as plain.
  init(exported name: String) { self = Layout(rawValue: name) ?? .sqlite }
}

extension FactReader {
  /// The way to a member of a manifest: names, each with the place in its array where it has one.
  struct FactTrail {
    private var steps: [(name: String, index: Int?)] = []

    /// The way one step further.
    func followed(by name: String, _ index: Int? = nil) -> FactTrail {
      var trail = self
      trail.steps.append((name, index))
      return trail
    }

    /// The way as a person writes it: `tables[0].columns[2].type`.
    var text: String {
      steps.map { step in step.index.map { "\(step.name)[\($0)]" } ?? step.name }
        .joined(separator: ".")
    }

    /// Where in the file the way ends, or the last step on it that there is.
    ///
    /// The file is read once more, which costs nothing where all is well.
    func offset(inFileAt path: String) -> Int {
      var offset = 0
      // A file that cannot be read again has no better place than the last one found.
      guard let stream = try? ExportFile.openMember(path) else { return offset }
      var reader = JSONReader(stream)
      try? follow(&reader, &offset)
      return offset
    }

    private func follow(_ reader: inout JSONReader, _ offset: inout Int) throws(FormatError) {
      _ = try reader.next()
      for step in steps {
        guard try Self.find(step.name, in: &reader) else { return }
        offset = reader.tokenOffset
        guard let index = step.index else { return }
        guard try reader.next() == .beginArray else { return }
        for _ in 0..<index { try Self.skipValue(try reader.next(), of: &reader) }
        guard try reader.next() == .beginObject else { return }
        offset = reader.tokenOffset
      }
    }

    /// Goes on to a key of the object whose start was reached; false where it does not have it.
    private static func find(
      _ name: String, in reader: inout JSONReader
    ) throws(FormatError) -> Bool {
      while try reader.next() == .key {
        if reader.text.elementsEqual(name.utf8) { return true }
        try skipValue(try reader.next(), of: &reader)
      }
      return false
    }

    private static func skipValue(
      _ token: JSONReader.Token?, of reader: inout JSONReader
    ) throws(FormatError) {
      if let token { try reader.skipValue(from: token) }
    }
  }
}
