import Bytes
package import Formats
package import Records

extension JSONValue {
  static func members(_ members: KeyValuePairs<String, JSONValue?>) -> JSONValue {
    var object = JSONObject()
    for (key, value) in members { object[key] = value ?? .null }
    return .object(object)
  }

  static func optional(_ text: String?) -> JSONValue {
    text.map(JSONValue.string) ?? .null
  }

  /// A whole number.
  package static func count(_ number: Int) -> JSONValue {
    .number(JSONNumber(number))
  }

  /// A store that was exported; `files` are those that were read.
  package static func source(_ source: SourceDescription, files: [SourceFile]?) -> JSONValue {
    var metadata = JSONObject()
    // Of facts with one key the last counts, as in the canonical store.
    for fact in source.metadata { metadata[fact.key] = .string(fact.value) }
    var value = JSONObject()
    value["name"] = .string(source.name)
    value["layout"] = .string(source.layout.rawValue)
    value["generation"] = optional(source.generation)
    value["evidence"] = .array(source.evidence.map(JSONValue.string))
    value["metadata"] = .object(metadata)
    if let files { value["files"] = .array(files.map(file)) }
    if !source.earlier.isEmpty { value["devices"] = .array(source.earlier.map(device)) }
    return .object(value)
  }

  /// A store from which the exported one was made, under its number.
  private static func device(_ store: EarlierSource) -> JSONValue {
    var value = JSONObject()
    value["number"] = .number(JSONNumber(store.number))
    guard case .object(let rest) = source(store.source, files: store.source.files) else {
      return .object(value)
    }
    for member in rest.members { value[member.key] = member.value }
    value["nameOrigin"] = .string(store.nameOrigin.rawValue)
    if let time = store.readAt { value["readAt"] = .string(time) }
    if let version = store.toolVersion { value["toolVersion"] = .string(version) }
    return .object(value)
  }

  static func file(_ file: SourceFile) -> JSONValue {
    .members([
      "name": .string(file.name), "bytes": .count(file.bytes), "sha256": .string(file.sha256),
    ])
  }

  /// A finding, with null where a place does not apply, and its source where it is of one of several.
  static func finding(_ finding: Finding) -> JSONValue {
    var value = JSONObject()
    value["code"] = .string(finding.code)
    value["severity"] = .string(finding.severity.rawValue)
    value["table"] = optional(finding.table)
    value["itemId"] = optional(finding.itemID)
    value["operation"] = finding.operation.map { .number(JSONNumber($0)) } ?? .null
    value["message"] = .string(finding.message)
    if finding.source != 0 { value[SourceColumn.name] = .count(Int(finding.source)) }
    return .object(value)
  }

  /// A column; that it is undecided is told only where it is.
  static func column(_ column: Column) -> JSONValue {
    var value = JSONObject()
    value["name"] = .string(column.name)
    value["type"] = .string(column.type.rawValue)
    value["role"] = .string(column.role.rawValue)
    value["nullable"] = .boolean(column.isNullable)
    value["target"] = optional(column.target)
    value["sourceName"] = .string(column.sourceName)
    value["sourceColumn"] = .string(column.sourceColumn)
    if column.isUndecided { value["undecided"] = .boolean(true) }
    return .object(value)
  }
}

extension [UInt8] {
  /// Appends a member of an object: its key, a colon and its value.
  mutating func appendJSON(_ key: String, _ value: JSONValue) {
    appendJSON(key)
    append(UInt8(ascii: ":"))
    value.append(to: &self)
  }

  /// Appends a member whose value is an array with one element a line.
  mutating func appendJSONLines(_ key: String, _ values: [JSONValue]) {
    appendJSON(key)
    append(contentsOf: ":[".utf8)
    for (place, value) in values.enumerated() { appendJSONLine(value, place) }
    append(UInt8(ascii: "]"))
  }

  /// Appends the member with the findings, of which there may be very many.
  mutating func appendJSONLines(_ findings: Findings, to take: PartTaker) throws(StoreError) {
    appendJSON("findings")
    append(contentsOf: ":[".utf8)
    for (place, finding) in findings.enumerated() {
      appendJSONLine(.finding(finding), place)
      try lendIfLong(to: take)
    }
    append(UInt8(ascii: "]"))
  }

  private mutating func appendJSONLine(_ value: JSONValue, _ place: Int) {
    append(contentsOf: (place == 0 ? "\n" : ",\n").utf8)
    value.append(to: &self)
  }
}
