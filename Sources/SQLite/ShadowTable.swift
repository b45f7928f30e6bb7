import Bytes

extension Connection {
  /// Whether a module of the engine keeps the insides of a virtual table in a table that is called
  /// so.
  ///
  /// The engine goes by the name alone, which a table of the app may have, too: that whose texts a
  /// full-text table indexes, or one of an ending that the module or its options have no use for.
  func isMadeByModule(_ table: SchemaTable) throws(SQLiteError) -> Bool {
    let parts = table.name.split(separator: "_", omittingEmptySubsequences: false)
    guard let ending = parts.last?.lowercased(), table.hasColumns(ofInsidesCalled: ending) else {
      return false
    }
    guard ending == "content" else { return true }
    let virtual = parts.dropLast().joined(separator: "_")
    guard try rootPage(ofTable: virtual) == 0,
      let sql = try declaration(of: .table, named: virtual)
    else { return true }
    return !Self.namesContent(sql)
  }

  /// Whether the statement that made a full-text table says that its texts are elsewhere.
  private static func namesContent(_ sql: String) -> Bool {
    let text = sql.lowercased().utf8.filter { $0 > 0x20 }
    func sets(_ option: String) -> Bool {
      text.ranges(of: Array("\(option)=".utf8)).contains { range in
        let before = range.lowerBound > 0 ? text[range.lowerBound - 1] : 0
        return before != UInt8(ascii: "_") && before &- 0x61 >= 26 && before &- 0x30 >= 10
      }
    }
    return sets("content") && !sets("contentless_unindexed")
  }
}

extension SchemaTable {
  /// The columns of the insides of full-text tables and of boxes by the endings of their names, with
  /// their types where an app might have such columns.
  private static let insides = [
    "segments": [["blockid", "block"]],
    "segdir": [["level", "idx", "start_block", "leaves_end_block", "end_block", "root"]],
    "docsize": [
      ["docid integer", "size blob"], ["id integer", "sz blob"],
      ["id integer", "sz blob", "origin integer"],
    ],
    "stat": [["id integer", "value blob"]],
    "data": [["id", "block"]], "idx": [["segid", "term", "pgno"]], "config": [["k", "v"]],
    "node": [["nodeno", "data"]], "parent": [["nodeno", "parentnode"]],
  ]

  fileprivate func hasColumns(ofInsidesCalled ending: String) -> Bool {
    let names = columns.map { $0.name.lowercased() }
    switch ending {
    case "content":
      let text = Array(names.dropFirst().first?.utf8.prefix(2) ?? "".utf8.prefix(0))
      return text.count == 2 && text[0] == UInt8(ascii: "c") && text[1] &- 0x30 < 10
        && (names[0] == "docid" || names[0] == "id")
    // Columns of the app's own are kept behind these.
    case "rowid": return names.starts(with: ["rowid", "nodeno"])
    default:
      let typed = zip(names, columns).map { "\($0) \($1.declaredType.lowercased())" }
      return Self.insides[ending]?.contains { inside in
        inside.count == names.count
          && zip(inside, zip(names, typed)).allSatisfy { $0 == $1.0 || $0 == $1.1 }
      } ?? false
    }
  }
}
