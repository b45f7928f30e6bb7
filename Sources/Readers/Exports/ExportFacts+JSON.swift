import Bytes
import Formats
import Records

/// Reads what manifests and heads of documents say; each failure names the member.
struct FactReader {
  let path: String

  /// An error about a member.
  func failure(_ name: String) -> StoreError {
    StoreError(.damaged, path: path, "the member \(name) is missing or not what it must be")
  }

  func text(_ object: JSONObject, _ name: String) throws(StoreError) -> String {
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
        .unsupported, path: path, "the export has format \(format), and this rehome reads format 1",
        hint: "use the rehome that wrote it, or a newer one")
    }
    guard try text(mark, "kind") == kind else { throw failure("kind") }
  }

  func nameOrigin(_ value: JSONValue?) throws(StoreError) -> NameOrigin {
    guard case .string(let word)? = value, let origin = NameOrigin(rawValue: word) else {
      throw failure("nameOrigin")
    }
    return origin
  }

  func columns(_ value: JSONValue?) throws(StoreError) -> [Column] {
    var columns: [Column] = []
    for object in try objects(value, "columns") {
      guard let type = LogicalType(rawValue: try text(object, "type")) else {
        throw failure("type")
      }
      guard let role = ColumnRole(rawValue: try text(object, "role")) else { throw failure("role") }
      columns.append(
        Column(
          name: try text(object, "name"), sourceName: try text(object, "sourceName"),
          sourceColumn: try text(object, "sourceColumn"), type: type, role: role,
          isNullable: try flag(object, "nullable"), target: try optionalText(object, "target")))
    }
    return columns
  }

  func findings(_ value: JSONValue?) throws(StoreError) -> [Finding] {
    var findings: [Finding] = []
    for object in try objects(value, "findings") {
      guard let severity = Severity(rawValue: try text(object, "severity")) else {
        throw failure("severity")
      }
      var finding = Finding(
        try text(object, "code"), severity, table: try optionalText(object, "table"),
        itemID: try optionalText(object, "itemId"), message: try text(object, "message"))
      if case .number(let number)? = object["operation"] { finding.operation = number.integer }
      findings.append(finding)
    }
    return findings
  }

  /// The layout that the export came from, and a sentence about it.
  func origin(_ value: JSONValue?) throws(StoreError) -> (layout: String?, evidence: [String]) {
    let sources = try objects(value, "sources")
    var layouts: Set<String> = []
    var evidence: [String] = []
    for source in sources {
      let layout = try text(source, "layout")
      layouts.insert(layout)
      let generation = try optionalText(source, "generation").map { " \($0)" } ?? ""
      evidence.append("exported from \(try text(source, "name")), \(layout)\(generation)")
    }
    return (layouts.count == 1 ? layouts.first : nil, evidence)
  }
}
