import Bytes
package import Formats
package import Records

/// Which members of what a device sends have no value since none could be taken over.
///
/// The row of the device names them behind its key, as files of rejected rows do.
package enum LostMembers {
  /// Names some columns in a row as exports show it.
  package static func name(_ columns: [Column], in row: inout [UInt8]) {
    guard !columns.isEmpty, let end = keyEnd(of: row) else { return }
    var key = RejectColumn.name
    // An app may have a column of that name.
    while row.firstRange(of: Array("\"\(key)\":".utf8)) != nil { key += "_" }
    let list = JSONValue.array(columns.map { LostMember(of: $0).json })
    guard let named = JSONObject([JSONObject.Member(key: key, value: list)])?.json else { return }
    row.insert(contentsOf: [UInt8(ascii: ",")] + named.dropFirst().dropLast(), at: end)
  }

  /// Those that a row names.
  package static func named(in row: [UInt8]) -> [LostMember] { mark(of: row)?.members ?? [] }

  /// Takes over what `row` has by now of the values that were lost, with the names of those that are
  /// lost there, too.
  package static func mend(_ item: inout DeviceItem, from row: DeviceItem) {
    guard let own = item.item, let body = item.body, let now = row.item,
      let spelled = row.body.flatMap({ JSONObject(parsing: $0.span) })
    else { return }
    let lost = Set(named(in: now).map(\.sqlName))
    let there = Set(spelled.members.map { ExactText(sqlName: $0.key) }).subtracting(lost)
    let found = named(in: own).filter { there.contains($0.sqlName) }
    guard !found.isEmpty, let mended = self.body(body, with: found, from: spelled) else { return }
    item.body = mended
    item.item = self.row(own, with: found, from: now)
  }

  /// What a device sends, with the values of some members as its row has them by now.
  package static func body(
    _ body: [UInt8], with members: [LostMember], from row: JSONObject
  ) -> [UInt8]? {
    // What cannot be read is no object of ours.
    guard var object = JSONObject(parsing: body.span) else { return nil }
    let values = row.valuesBySQLName
    for member in members {
      if let value = values[member.sqlName] { object[member.name] = member.own(value) }
    }
    return object.json
  }

  /// A row that names lost members, with the values that some of them have in another by now, and
  /// without their names.
  package static func row(
    _ row: [UInt8], with members: [LostMember], from other: [UInt8]
  ) -> [UInt8] {
    guard let (object, key, all) = mark(of: row),
      let values = JSONObject(parsing: other.span)?.valuesBySQLName
    else { return row }
    let found = Dictionary(keepingFirst: members.map { ($0.sqlName, $0) })
    var mended = object
    for member in object.members {
      let name = ExactText(sqlName: member.key)
      if let lost = found[name], let value = values[name] { mended[member.key] = lost.shown(value) }
    }
    let rest = all.filter { found[$0.sqlName] == nil }
    mended[key] = rest.isEmpty ? nil : .array(rest.map { $0.json })
    return mended.json
  }
}

extension RowsWithGaps {
  /// The rows of a store in which a value is missing that a device would send.
  package init(of store: any StoreReader, _ sdks: DeviceSDKs) throws(StoreError) {
    try self.init(of: store) {
      sdks[$0].style
    } lacks: {
      !LostMembers.named(in: $0).isEmpty
    }
  }
}

extension LostMembers {
  /// What stands behind the key of a row that names some, or has such a column first.
  private static let opening = Array(",\"\(RejectColumn.name)".utf8)

  /// Where the key of a row ends, which is a number.
  private static func keyEnd(of row: [UInt8]) -> Int? {
    row.firstIndex { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "}") }
  }

  /// A row with the key of what names lost members in it, and these; nil where it names none.
  private static func mark(
    of row: [UInt8]
  ) -> (row: JSONObject, key: String, members: [LostMember])? {
    guard let end = keyEnd(of: row), row[end...].starts(with: opening),
      let object = JSONObject(parsing: row.span), object.members.count > 1,
      case let mark = object.members[1], case .array(let members) = mark.value,
      mark.key.utf8.dropFirst(RejectColumn.name.utf8.count).allSatisfy({ $0 == UInt8(ascii: "_") })
    else { return nil }
    return (object, mark.key, members.compactMap(LostMember.init))
  }
}

extension JSONObject {
  /// The values of the members by their names, of which SQLite takes many spellings for the same.
  fileprivate var valuesBySQLName: [ExactText: JSONValue] {
    Dictionary(keepingFirst: members.map { (ExactText(sqlName: $0.key), $0.value) })
  }
}
