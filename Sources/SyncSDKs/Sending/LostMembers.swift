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
    guard let (object, all) = mark(of: row), let now = JSONObject(parsing: other.span) else {
      return row
    }
    let found = Set(names.map { ExactText(sqlName: $0) })
    let columns = object.members.map(\.key).filter { found.contains(ExactText(sqlName: $0)) }
    var mended = object.with(columns, from: now).json
    name(all.filter { !found.contains(ExactText(sqlName: $0)) }, in: &mended)
    return mended
  }

  /// What stands behind the key of a row that names some, or has such a column first.
  private static let opening = Array(",\"\(RejectColumn.name)".utf8)

  /// Where the key of a row ends, which is a number.
  private static func keyEnd(of row: [UInt8]) -> Int? {
    row.firstIndex { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "}") }
  }

  /// A row without what names lost members in it, and these; nil where it names none.
  ///
  /// The name of a column that the app calls so stood twice in older stores.
  private static func mark(of row: [UInt8]) -> (row: JSONObject, names: [String])? {
    guard let end = keyEnd(of: row), row[end...].starts(with: opening) else { return nil }
    let start = row[(end + opening.count)...].drop { $0 == UInt8(ascii: "_") }
    guard start.starts(with: Array("\":[".utf8)),
      let list = start.firstIndex(of: UInt8(ascii: "[")),
      let after = endOfTexts(from: list, in: row),
      case .array(let names)? = try? JSONValue(parsing: Array(row[list..<after]).span),
      let object = JSONObject(parsing: Array(row[..<end] + row[after...]).span)
    else { return nil }
    return (object, names.compactMap { if case .string(let name) = $0 { name } else { nil } })
  }

  /// Where an array of texts ends.
  private static func endOfTexts(from start: Int, in row: [UInt8]) -> Int? {
    var isInText = false
    var isEscaped = false
    for place in start..<row.count {
      switch row[place] {
      case _ where isEscaped: isEscaped = false
      case UInt8(ascii: "\\"): isEscaped = true
      case UInt8(ascii: "\""): isInText.toggle()
      case UInt8(ascii: "]") where !isInText: return place + 1
      default: break
      }
    }
    return nil
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

extension RowsWithGaps {
  /// The rows of a store in which a value is missing, and the operations whose devices lost none of what
  /// they send.
  package init(of store: any StoreReader) throws(StoreError) {
    let sdks = store.source.sdks
    try self.init(of: store) { sdks[$0].style }
    guard !isEmpty else { return }
    try store.kept?.forEachDeviceItem { item in
      guard item.body != nil, let row = item.item, LostMembers.names(in: row).isEmpty else {
        return
      }
      noteWhole(item.operation)
    }
  }
}
