import Bytes
package import Formats
package import Records

/// Reads what manifests and heads of documents say; each failure names the member.
package struct FactReader {
  package let path: String
  /// Where a reader of tokens is; nil where the place of a member is looked up in the file.
  package let position: (() -> String)?
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
  package func failure(_ name: String, _ message: String? = nil) -> StoreError {
    let member = trail.followed(by: name).text
    return StoreError(
      .damaged, path: path,
      "\(message ?? "the member \(member) is missing or not what it must be") (\(place(name)))")
  }

  private func place(_ name: String) -> String {
    position?() ?? "byte \(trail.followed(by: name).offset(inFileAt: path))"
  }

  package func text(_ object: JSONObject, _ name: String) throws(StoreError) -> String {
    guard case .string(let text)? = object[name] else { throw failure(name) }
    return text
  }

  /// A text or null.
  func optionalText(_ object: JSONObject, _ name: String) throws(StoreError) -> String? {
    switch object[name] {
    case .string(let text)?: return text
    case .null?: return nil
    default: throw failure(name)
    }
  }

  package func count(_ object: JSONObject, _ name: String) throws(StoreError) -> Int {
    guard case .number(let number)? = object[name], let value = number.integer, value >= 0 else {
      throw failure(name)
    }
    return Int(value)
  }

  package func flag(_ object: JSONObject, _ name: String) throws(StoreError) -> Bool {
    guard case .boolean(let value)? = object[name] else { throw failure(name) }
    return value
  }

  package func object(_ value: JSONValue?, _ name: String) throws(StoreError) -> JSONObject {
    guard case .object(let object)? = value else { throw failure(name) }
    return object
  }

  package func objects(_ value: JSONValue?, _ name: String) throws(StoreError) -> [JSONObject] {
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
    guard try text(mark, "kind") == kind else { throw failure("kind") }
  }

  package func nameOrigin(_ value: JSONValue?) throws(StoreError) -> NameOrigin {
    guard case .string(let word)? = value, let origin = NameOrigin(rawValue: word) else {
      throw failure("nameOrigin")
    }
    return origin
  }

  package func columns(_ value: JSONValue?) throws(StoreError) -> [Column] {
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
      columns.append(
        Column(
          name: try facts.text(object, "name"), sourceName: try facts.text(object, "sourceName"),
          sourceColumn: try facts.text(object, "sourceColumn"), type: type, role: role,
          isNullable: try facts.flag(object, "nullable"),
          target: try facts.optionalText(object, "target")))
    }
    return columns
  }

  /// Checks what an export says about the files that it came from.
  package func checkFiles(_ value: JSONValue?) throws(StoreError) {
    for (index, object) in try objects(value, "files").enumerated() {
      let facts = inside("files", index)
      _ = try facts.text(object, "name")
      _ = try facts.count(object, "bytes")
      guard SHA256Digest(hexadecimal: try facts.text(object, "sha256")) != nil else {
        throw facts.failure("sha256")
      }
    }
  }

  package func findings(_ value: JSONValue?) throws(StoreError) -> [Finding] {
    var findings: [Finding] = []
    for (index, object) in try objects(value, "findings").enumerated() {
      let facts = inside("findings", index)
      guard let severity = Severity(rawValue: try facts.text(object, "severity")) else {
        throw facts.failure("severity")
      }
      var finding = Finding(
        try facts.text(object, "code"), severity, table: try facts.optionalText(object, "table"),
        itemID: try facts.optionalText(object, "itemId"),
        message: try facts.text(object, "message"))
      if case .number(let number)? = object["operation"] { finding.operation = number.integer }
      findings.append(finding)
    }
    return findings
  }

  /// The stores that the export came from.
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
        devices.append(try facts.store(device, number: Int64(number), origin.nameOrigin))
      }
      origin.add(exported, madeFrom: devices)
    }
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
    if object["files"] != nil {
      for (index, file) in try objects(object["files"], "files").enumerated() {
        let facts = inside("files", index)
        source.files.append(
          SourceFile(
            name: try facts.text(file, "name"), bytes: try facts.count(file, "bytes"),
            sha256: try facts.text(file, "sha256")))
      }
    }
    return EarlierSource(number: number, source, nameOrigin: nameOrigin)
  }
}

extension Layout {
  /// The layout that an export names; one that this version does not know counts as plain.
  package init(exported name: String) { self = Layout(rawValue: name) ?? .sqlite }
}
