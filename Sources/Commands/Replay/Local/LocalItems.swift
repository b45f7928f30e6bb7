import Bytes
import Formats
import Records

/// The items of one table of a canonical store as a server would show and take them.
struct LocalItems: Sendable {
  let table: Table
  /// The names of its columns on the wire, but for those of system columns.
  private let ownNames: [String]
  /// What the system properties begin with on the wire.
  private let systemPrefix: String
  /// The member that names the item, where `id` may be a column like any other.
  private let idMember: String?
  /// The places of columns by their names as they are spelled, and without regard to letter case.
  private let exact: [ExactText: Int]
  private let folded: [ExactText: Int]
  /// Whether letter case always counts in these names.
  private let hasExactNames: Bool
  /// The members, in lower case, that are the SDK's, for which there need be no columns.
  private let sdkMembers: Set<String>
  /// What apps call the times that are their own.
  private let ownTimes: [ExactText: ColumnRole]

  init(
    _ table: Table, systemPrefix: String, idMember: String? = nil, hasExactNames: Bool = false,
    sdkMembers: Set<String> = [], ownTimes: [ExactText: ColumnRole] = [:]
  ) {
    self.table = table
    self.hasExactNames = hasExactNames
    self.sdkMembers = sdkMembers
    self.ownTimes = ownTimes
    // The app's own `_pk` has to give way in a table, and not on the wire.
    ownNames = zip(table.columns, table.ownNames).map { column, name in
      column.sourceName == "_pk" ? column.sourceName : name
    }
    self.systemPrefix = systemPrefix
    self.idMember = idMember
    var (exact, folded): ([ExactText: Int], [ExactText: Int]) = ([:], [:])
    for (place, column) in table.columns.enumerated() {
      exact[ExactText(column.name)] = place
      folded[ExactText(folding: column.sourceName)] = place
    }
    for (place, column) in table.columns.enumerated() {
      exact[ExactText(column.sourceName)] = place
      folded[ExactText(folding: column.name)] = place
    }
    (self.exact, self.folded) = (exact, folded)
  }

  /// Where the value of a member of an item belongs; one that is spelled otherwise only in letter
  /// case takes no place of another member.
  private func place(of member: String, in object: JSONObject) -> Int? {
    if let place = exact[ExactText(member)] { return place }
    if let place = ownTimes[ExactText(member)].flatMap({ table.index(of: $0) }) { return place }
    guard !hasExactNames, let place = folded[ExactText(folding: member)],
      object[ownNames[place]] == nil
    else { return nil }
    return place
  }

  /// Whether a member for which there is no column is the SDK's, as the version that an item tells.
  private func isOfSDK(_ member: String) -> Bool { sdkMembers.contains(member.lowercased()) }

  /// Why an item cannot be taken, in the words of a server's answer.
  struct Refusal: Error {
    let words: String
  }

  /// The fields of an item that the app may set, by column.
  func fields(_ object: JSONObject) throws(Refusal) -> [Int: RawValue?] {
    var fields: [Int: RawValue?] = [:]
    for member in object.members where !member.key.hasPrefix("__") || member.key == idMember {
      // A payload that is shown as a row has the key of the device.
      if member.key == "_pk", exact["_pk"] == nil { continue }
      let isID = member.key == idMember
      guard let place = isID ? table.index(of: .id) : place(of: member.key, in: object) else {
        // What is missing and what is null are the same.
        if member.value == .null || isOfSDK(member.key) { continue }
        // A column whose name differs in letter case keeps another one from being made.
        let isTwin = folded[ExactText(folding: member.key)] != nil
        let hint = isTwin ? ", but one in another letter case" : "; \(Self.otherServers)"
        throw Refusal(words: "the table \(table.name) has no column \(member.key)\(hint)")
      }
      let role = table.columns[place].role
      let isOwnTime = ownTimes[ExactText(member.key)] == role
      guard role == .value || isOwnTime || role == .id && (isID || idMember == nil)
      else { continue }
      guard let value = value(member.value, inColumn: place) else {
        let type = table.columns[place].type
        let words = "the value of \(member.key) is no \(type.rawValue)"
        let isFraction = Self.isFraction(member.value, type)
        throw Refusal(words: isFraction ? words + "; " + Self.otherServers : words)
      }
      // Where the app tells no time it is the server's.
      if isOwnTime, value == nil { continue }
      fields.updateValue(value, forKey: place)
    }
    return fields
  }

  /// The fields that an item gets although it leaves them out, as far as the table has them.
  func defaults(of leftOut: [JSONObject.Member], for object: JSONObject) -> [Int: RawValue?] {
    var fields: [Int: RawValue?] = [:]
    for member in leftOut {
      guard let place = place(of: member.key, in: object), table.columns[place].role == .value,
        let value = Self.value(member.value, table.columns[place].type)
      else { continue }
      fields.updateValue(value, forKey: place)
    }
    return fields
  }

  /// What a JSON value is in a column; nil where it has no place there.
  private func value(_ json: JSONValue, inColumn place: Int) -> RawValue?? {
    let type = table.columns[place].type
    if let value = Self.value(json, type) { return value }
    // Rows come as a device's store keeps them, which is not bound to its types.
    return idMember == nil ? nil : Self.looseValue(json, type).map { .some($0) }
  }

  private static let otherServers =
    "a server with a dynamic schema would take it, as --dynamic-schema does"

  /// What a table must get before it can take an item.
  enum Need {
    case column(Column)
    case fractions(Int)
  }

  /// What the table lacks for an item, as far as servers with a dynamic schema would make it.
  func needs(of object: JSONObject) -> [Need] {
    var needs: [Need] = []
    var names: Set<ExactText> = []
    for member in object.members where !member.key.hasPrefix("__") {
      let name = member.key.lowercased()
      if let place = place(of: member.key, in: object) {
        guard table.columns[place].role == .value,
          Self.isFraction(member.value, table.columns[place].type)
        else { continue }
        needs.append(.fractions(place))
      } else if !isOfSDK(member.key), let type = Self.type(of: member.value),
        Self.isColumnName(name),
        folded[ExactText(name)] == nil, names.insert(ExactText(name)).inserted
      {
        needs.append(.column(Column(name: member.key, type: type)))
      }
    }
    return needs
  }

  private static func isFraction(_ value: JSONValue, _ type: LogicalType) -> Bool {
    guard type == .integer, case .number(let number) = value, let real = number.real else {
      return false
    }
    return number.integer == nil && Int64(exactly: real) == nil
  }

  /// The type of the column that a value would make; nil for null, which makes none.
  private static func type(of value: JSONValue) -> LogicalType? {
    switch value {
    case .null: nil
    case .boolean: .boolean
    case .number(let number): number.integer == nil ? .real : .integer
    case .string: .text
    case .array, .object: .json
    }
  }

  /// Whether a store's own columns leave a name free.
  private static func isColumnName(_ name: String) -> Bool {
    !name.isEmpty && name != "_pk" && name != SourceColumn.name.lowercased()
      && !name.utf8.contains(0) && name.utf8.count <= 128
      && !["version", "createdat", "updatedat", "deleted"].contains(name)
  }

  func isAlive(_ object: JSONObject) -> Bool {
    object.members.contains { $0.key.lowercased() == "deleted" && $0.value == .boolean(false) }
  }

  /// An item as JSON, under the names that it has on the wire.
  func json(_ values: [RawValue?]) -> [UInt8] {
    var json: [UInt8] = [UInt8(ascii: "{")]
    if let idMember, let place = table.index(of: .id), place < values.count {
      json.appendJSONString(idMember.utf8Span.span)
      json.append(UInt8(ascii: ":"))
      Self.append(values[place], table.columns[place].type, to: &json)
    }
    for (place, column) in table.columns.enumerated() where place < values.count {
      if json.count > 1 { json.append(UInt8(ascii: ",")) }
      // The companion of a reference may be called in the app as a column that stands beside it.
      let ownName = column.role == .referenceEntity ? column.name : ownNames[place]
      let name = column.role.isSystem ? systemPrefix + column.role.rawValue : ownName
      json.appendJSONString(name.utf8Span.span)
      json.append(UInt8(ascii: ":"))
      Self.append(values[place], column.type, to: &json)
      for time in timeNames(of: column.role) where !hasSameBytes(time, name) {
        json.append(UInt8(ascii: ","))
        json.appendJSONString(time.utf8Span.span)
        json.append(UInt8(ascii: ":"))
        Self.append(values[place], column.type, to: &json)
      }
    }
    json.append(UInt8(ascii: "}"))
    return json
  }

  /// What apps call a time of their own that the table has in a column of the system's.
  private func timeNames(of role: ColumnRole) -> [String] {
    guard role == .createdAt || role == .updatedAt else { return [] }
    return ownTimes.filter { name, time in
      time == role && exact[name].map { table.columns[$0].role == role } != false
    }.keys.map(\.wrappedValue).sorted()
  }

  private static func append(_ value: RawValue?, _ type: LogicalType, to json: inout [UInt8]) {
    switch value {
    case nil: json.append("null")
    case .integer(let number) where type == .boolean: json.append(number != 0 ? "true" : "false")
    case .integer(let number): json.appendDecimal(number)
    case .real(let number) where number.isFinite: json.appendReal(number)
    case .real(let number): json.append(number < 0 ? "\"-Infinity\"" : "\"Infinity\"")
    case .text(let text):
      append(text: text, type, to: &json)
    case .binary(let bytes):
      json.append(UInt8(ascii: "\""))
      json.appendBase64(bytes.span)
      json.append(UInt8(ascii: "\""))
    }
  }
}

extension LocalItems {
  private static func append(text: [UInt8], _ type: LogicalType, to json: inout [UInt8]) {
    let string = String(decoding: text, as: UTF8.self)
    let isValue =
      switch type {
      case .decimal: JSONNumber(string) != nil
      // What is no JSON after all goes as the text that it is.
      case .json: (try? JSONValue(parsing: text.span)) != nil
      default: false
      }
    if isValue { json.append(contentsOf: text) } else { string.utf8Span.appendJSON(to: &json) }
  }

  /// What a JSON value is in a column of a type; nil where it has no place there.
  private static func value(_ json: JSONValue, _ type: LogicalType) -> RawValue?? {
    switch (type, json) {
    case (_, .null): .some(nil)
    case (.json, _): .text(json.json)
    case (.boolean, .boolean(let truth)): .integer(truth ? 1 : 0)
    case (.boolean, .number(let number)):
      number.real == 0 ? .integer(0) : number.real == 1 ? .integer(1) : nil
    // A device's own store may keep truth in a column of whole numbers.
    case (.integer, .boolean(let truth)): .integer(truth ? 1 : 0)
    case (.integer, .number(let number)), (.reference, .number(let number)):
      (number.integer ?? number.real.flatMap { Int64(exactly: $0) }).map { .integer($0) }
    case (.real, .number(let number)): number.real.map { .real($0) }
    case (.real, .string("Infinity")): .real(.infinity)
    case (.real, .string("-Infinity")): .real(-.infinity)
    case (.decimal, .number(let number)): .text(Array(number.text.utf8))
    case (.decimal, .string(let text)):
      JSONNumber(text) == nil ? nil : .text(Array(text.utf8))
    case (.timestamp, .string(let text)): time(text)
    case (.binary, .string(let text)): binary(text)
    case (.text, .string(let text)), (.uuid, .string(let text)), (.uri, .string(let text)):
      .text(Array(text.utf8))
    default: nil
    }
  }

  /// What a value of another type is in a column, as the readers of such stores take it
  /// (`powersync.md`, section 4.3).
  private static func looseValue(_ json: JSONValue, _ type: LogicalType) -> RawValue? {
    switch (type, json) {
    case (.text, .number(let number)) where number.integer != nil: .text(Array(number.text.utf8))
    case (.text, .boolean(let truth)): .text(Array((truth ? "1" : "0").utf8))
    case (.text, .array), (.text, .object): .text(json.json)
    case (.integer, .string(let text)): JSONNumber(text)?.integer.map { .integer($0) }
    case (.real, .string(let text)) where isPlainDecimal(text.utf8Span.span):
      parseReal(text.utf8Span.span).map { .real($0) }
    case (.real, .boolean(let truth)): .real(truth ? 1 : 0)
    default: nil
    }
  }

  private static func time(_ text: String) -> RawValue?? {
    guard let time = Timestamp(parsingLeniently: text.utf8Span.span) else { return nil }
    var bytes: [UInt8] = []
    bytes.appendTimestamp(time)
    return .text(bytes)
  }

  private static func binary(_ text: String) -> RawValue?? {
    var bytes: [UInt8] = []
    guard decodeBase64(text.utf8Span.span, into: &bytes) else { return nil }
    return .binary(bytes)
  }
}

extension UTF8Span {
  fileprivate func appendJSON(to output: inout [UInt8]) { output.appendJSONString(span) }
}

extension ColumnRole {
  /// Whether the server keeps such a column, not the app.
  var isSystem: Bool {
    switch self {
    case .version, .createdAt, .updatedAt, .deleted: true
    case .value, .id, .reference, .referenceEntity, .position, .source: false
    }
  }
}
