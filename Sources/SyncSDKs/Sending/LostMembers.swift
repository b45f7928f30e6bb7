import Bytes
package import Formats
package import Records

/// Which members of what a device sends have no value since none could be taken over.
///
/// The row of the device names them behind its key, as files of rejected rows do.
package enum LostMembers {
  /// Names them in a row as exports show it.
  package static func name(_ members: [String], in row: inout [UInt8]) {
    guard !members.isEmpty, let end = keyEnd(of: row) else { return }
    var key = RejectColumn.name
    // An app may have a column of that name.
    while row.firstRange(of: Array("\"\(key)\":".utf8)) != nil { key += "_" }
    let list = JSONValue.array(members.map(JSONValue.string))
    guard let named = JSONObject([JSONObject.Member(key: key, value: list)])?.json else { return }
    row.insert(contentsOf: [UInt8(ascii: ",")] + named.dropFirst().dropLast(), at: end)
  }

  /// Those that a row names.
  package static func names(in row: [UInt8]) -> [String] { mark(of: row)?.names ?? [] }

  /// Takes over what `row` has by now of the values that were lost, with the names of those that are
  /// lost there, too.
  package static func mend(_ item: inout DeviceItem, from row: DeviceItem) {
    guard let own = item.item, let body = item.body, let now = row.item,
      let spelled = row.body.flatMap({ JSONObject(parsing: $0.span) })
    else { return }
    let lost = Set(names(in: now).map { ExactText(sqlName: $0) })
    let there = Set(spelled.members.map { ExactText(sqlName: $0.key) }).subtracting(lost)
    let found = names(in: own).filter { there.contains(ExactText(sqlName: $0)) }
    guard !found.isEmpty, let mended = self.body(body, with: found, from: spelled) else { return }
    item.body = mended
    item.item = self.row(own, with: found, from: now)
  }

  /// What a device sends, with the values of some members as its row has them by now.
  package static func body(
    _ body: [UInt8], with names: [String], from row: JSONObject
  ) -> [UInt8]? {
    // What cannot be read is no object of ours.
    JSONObject(parsing: body.span)?.with(names, from: row).json
  }

  /// A row that names lost members, with the values that some of them have in another by now, and
  /// without their names.
  private static func row(_ row: [UInt8], with names: [String], from other: [UInt8]) -> [UInt8] {
    guard let (object, key, all) = mark(of: row), let now = JSONObject(parsing: other.span) else {
      return row
    }
    let found = Set(names.map { ExactText(sqlName: $0) })
    let columns = object.members.map(\.key).filter { found.contains(ExactText(sqlName: $0)) }
    var mended = object.with(columns, from: now)
    let rest = all.filter { !found.contains(ExactText(sqlName: $0)) }
    mended[key] = rest.isEmpty ? nil : .array(rest.map(JSONValue.string))
    return mended.json
  }

  /// What stands behind the key of a row that names some, or has such a column first.
  private static let opening = Array(",\"\(RejectColumn.name)".utf8)

  /// Where the key of a row ends, which is a number.
  private static func keyEnd(of row: [UInt8]) -> Int? {
    row.firstIndex { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "}") }
  }

  /// A row with the key of what names lost members in it, and these; nil where it names none.
  private static func mark(
    of row: [UInt8]
  ) -> (row: JSONObject, key: String, names: [String])? {
    guard let end = keyEnd(of: row), row[end...].starts(with: opening),
      let object = JSONObject(parsing: row.span), object.members.count > 1,
      case let mark = object.members[1], case .array(let names) = mark.value,
      mark.key.utf8.dropFirst(RejectColumn.name.utf8.count).allSatisfy({ $0 == UInt8(ascii: "_") })
    else { return nil }
    return (
      object, mark.key, names.compactMap { if case .string(let name) = $0 { name } else { nil } }
    )
  }
}

extension JSONObject {
  /// The object with the values of some members as another one has them, by whatever spelling of the
  /// name SQLite takes for the same.
  fileprivate func with(_ names: [String], from other: JSONObject) -> JSONObject {
    var object = self
    let values = Dictionary(
      keepingFirst: other.members.map { (ExactText(sqlName: $0.key), $0.value) })
    for name in names {
      if let value = values[ExactText(sqlName: name)] { object[name] = value }
    }
    return object
  }
}
