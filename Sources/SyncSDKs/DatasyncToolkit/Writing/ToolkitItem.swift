import Bytes
import Formats
import Records
import SQLite

/// Spells rows of a toolkit's store as the toolkit sends them: whole, without default values.
///
/// What was a reference between rows of the source, no SDK has ever sent.
final class ToolkitItem {
  private let columns: [ToolkitColumn]
  /// What the source calls the columns with values of the app, by their places.
  private let sourceNames: [String?]
  /// The columns that are truth values, by their places.
  private let truths: Set<Int>
  /// The source's column that is left out since the item's id is called as it is, if any is.
  let hidden: String?
  private var statement: Statement

  /// Prepares to find rows of a table by their number, or by the item's id where they have none; some
  /// columns of the source, by their names, are known to be truth values whatever their types are.
  init?(
    of table: ToolkitTable, truths: Set<ExactText>, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    guard let id = table.id else { return nil }
    let sent = table.columns.filter { !$0.role.isOfLinks }
    let other = sent.first { $0.role != .id && Self.memberName(of: $0) == Self.idName }
    hidden = other.map { $0.sourceName(in: table) ?? $0.name }
    // The id comes first, then all columns in their order.
    let columns = [id] + sent.filter { $0.role == .id || Self.memberName(of: $0) != Self.idName }
    self.columns = columns
    sourceNames = columns.map { $0.role == .value ? $0.sourceName(in: table) : nil }
    self.truths = Set(
      columns.indices.filter { place in
        let name = columns[place].sourceName(in: table)
        return columns[place].type == .boolean
          || name.map { truths.contains(ExactText(folding: $0)) } ?? false
      })
    let list = columns.map { quoted($0.name) }.joined(separator: ", ")
    statement = try connection.prepare(
      "SELECT \(list) FROM \(quoted(table.name)) WHERE \(table.condition(ofItemWith: id))")
  }

  /// What every service of the toolkit calls the id of an item.
  private static let idName = "id"

  private static func memberName(of column: ToolkitColumn) -> String {
    column.role == .id ? idName : ToolkitNames.memberName(of: column.name)
  }

  /// The id and the JSON of a row, in which some payloads, in push order, may say otherwise; nil where
  /// there is no such row, or it has no id.
  func find(
    row key: Int64, itemID: String, _ payloads: [JSONObject]
  ) throws(SQLiteError) -> (id: String, json: [UInt8])? {
    defer { statement.reset() }
    try statement.bind(key, at: 1)
    try statement.bind(itemID, at: 2)
    guard try statement.step(), statement.storageClass(at: 0) == .text,
      let id = statement.text(at: 0)
    else { return nil }
    return (id, json(payloads))
  }

  private func json(_ payloads: [JSONObject]) -> [UInt8] {
    var json: [UInt8] = [UInt8(ascii: "{")]
    for (place, column) in columns.enumerated().dropFirst() {
      let start = json.count
      if json.count > 1 { json.append(UInt8(ascii: ",")) }
      json.appendJSON(Self.memberName(of: column))
      json.append(UInt8(ascii: ":"))
      let told = told(at: place, payloads)
      let isThere =
        told.map { append($0, at: place, column, to: &json) }
        ?? append(at: place, column, to: &json)
      if !isThere { json.removeSubrange(start...) }
    }
    json.append(UInt8(ascii: "}"))
    return json
  }

  /// What payloads say of a column; nil where that is what the row has, or they do not name it.
  private func told(at place: Int, _ payloads: [JSONObject]) -> JSONValue? {
    guard let name = sourceNames[place],
      let told = payloads.lazy.reversed().compactMap({ self.value(ofColumn: name, in: $0) }).first
    else { return nil }
    let kept: JSONValue
    switch statement.storageClass(at: place) {
    case .null: kept = .null
    case .integer: kept = .number(JSONNumber(statement.integer(at: place)))
    case .real:
      guard let number = JSONNumber(statement.real(at: place)) else { return nil }
      kept = .number(number)
    case .text: kept = .string(String(decoding: statement.bytes(at: place), as: UTF8.self))
    case .blob:
      var bytes: [UInt8] = []
      bytes.appendBase64(statement.bytes(at: place).span)
      kept = .string(String(decoding: bytes, as: UTF8.self))
    }
    let spelled = told.spelled(besideRow: kept)
    return spelled == kept ? nil : spelled
  }

  /// What a payload says of a column, which its device may spell in other letter case than the one that
  /// came first into a store of several; but no other column is meant.
  private func value(ofColumn name: String, in payload: JSONObject) -> JSONValue? {
    if let value = payload[name] { return value }
    let length = name.utf8.count
    return payload.members.first { member in
      member.key.utf8.count == length && ExactText(sqlName: member.key) == ExactText(sqlName: name)
        && !sourceNames.contains { $0.map { hasSameBytes($0, member.key) } ?? false }
    }?.value
  }

  /// Appends what a payload says; false for what the toolkit leaves out.
  private func append(
    _ told: JSONValue, at place: Int, _ column: ToolkitColumn, to json: inout [UInt8]
  ) -> Bool {
    if case .string(let text) = told { return append(text: Array(text.utf8), column, to: &json) }
    // Other values are left out where they are default ones.
    guard !isNothing(told) else { return false }
    (truths.contains(place) ? .boolean(true) : told).append(to: &json)
    return true
  }

  /// Appends a value; false for one that the toolkit leaves out.
  private func append(at place: Int, _ column: ToolkitColumn, to json: inout [UInt8]) -> Bool {
    switch statement.storageClass(at: place) {
    case .null: return false
    case .integer:
      let number = statement.integer(at: place)
      guard number != 0 else { return false }
      if truths.contains(place) { json.append("true") } else { json.appendDecimal(number) }
    case .real:
      let number = statement.real(at: place)
      guard number != 0 else { return false }
      if number.isFinite {
        json.appendReal(number)
      } else {
        json.append(number < 0 ? "\"-Infinity\"" : "\"Infinity\"")
      }
    case .blob:
      json.append(UInt8(ascii: "\""))
      json.appendBase64(statement.bytes(at: place).span)
      json.append(UInt8(ascii: "\""))
    case .text: return append(text: statement.bytes(at: place), column, to: &json)
    }
    return true
  }

  private func append(
    text: [UInt8], _ column: ToolkitColumn, to json: inout [UInt8]
  ) -> Bool {
    switch column.form {
    case .time:
      guard let time = Timestamp(parsingLeniently: text.span) else { return false }
      json.append(UInt8(ascii: "\""))
      var spelled: [UInt8] = []
      spelled.appendTimestamp(time)
      json.append(contentsOf: spelled[..<23])
      json.append(contentsOf: "Z\"".utf8)
    case .decimal, .number:
      guard text.contains(where: { (0x31...0x39).contains($0) }) else { return false }
      json.append(contentsOf: text)
    // What a payload says in another form no reader of JSON in .NET takes for a UUID.
    case .uuid where text.count != uuidSize && isUUIDInAnyForm(text.span):
      json.append(UInt8(ascii: "\""))
      json.appendUUID(spelledAs: text.span)
      json.append(UInt8(ascii: "\""))
    default:
      // A service of the toolkit takes only versions that are bytes.
      var bytes: [UInt8] = []
      if column.role == .version, !decodeBase64(text.span, into: &bytes) { return false }
      json.appendJSONString(text.span)
    }
    return true
  }
}

/// Looks for rows of the source among those that a table of the new store has taken.
///
/// It owns a prepared statement, so it has identity.
final class ToolkitRowSearch {
  private var statement: Statement

  /// Prepares to find rows as `ToolkitItem` does; nil where nothing tells them apart.
  init?(in table: ToolkitTable, _ connection: borrowing Connection) throws(SQLiteError) {
    guard let id = table.id else { return nil }
    statement = try connection.prepare(
      "SELECT 1 FROM \(quoted(table.name)) WHERE \(table.condition(ofItemWith: id))")
  }

  /// Whether the row with a key of the source is there.
  func finds(row key: Int64, itemID: String) throws(SQLiteError) -> Bool {
    defer { statement.reset() }
    try statement.bind(key, at: 1)
    try statement.bind(itemID, at: 2)
    return try statement.step()
  }
}

extension ToolkitTable {
  /// What finds a row by its number (`?1`), or by the item's id (`?2`) where rows have none.
  fileprivate func condition(ofItemWith id: ToolkitColumn) -> String {
    key.map { "\($0) = ?1 AND ?2 = ?2" } ?? "\(quoted(id.name)) = ?2"
  }
}

extension ToolkitColumn {
  /// What the source calls the column; nil where it has none.
  fileprivate func sourceName(in table: ToolkitTable) -> String? {
    place.map { table.source.columns[$0].sourceName }
  }
}
