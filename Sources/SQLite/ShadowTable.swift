import Bytes

/// The tables in which modules of the engine keep the insides of virtual tables.
///
/// The engine goes by the name alone, which a table of the app may have, too: that whose texts a
/// full-text table indexes, or one of an ending that the module or its options have no use for.
struct ShadowTables {
  private let virtual: [ExactText: VirtualTable]

  init(of connection: borrowing Connection) throws(SQLiteError) {
    virtual = Dictionary(
      keepingFirst: try VirtualTable.all(in: connection).map { (ExactText(sqlName: $0.name), $0) })
  }

  /// Whether a module made a table that the engine takes for one of these.
  func contains(
    _ table: SchemaTable, of connection: borrowing Connection
  ) -> Bool {
    guard let underscore = table.name.utf8.lastIndex(of: UInt8(ascii: "_")) else { return false }
    let ending = asciiLowercased(String(table.name[underscore...].dropFirst()))
    guard table.hasColumns(ofInsidesCalled: ending) else { return false }
    guard let owner = virtual[ExactText(sqlName: String(table.name[..<underscore]))] else {
      return true
    }
    if owner.module == "fts3", ending == "stat" { return connection.holdsOnlyHabits(table) }
    return owner.makes(insidesCalled: ending)
  }
}

extension Connection {
  /// Whether a table `stat` has no row but that by which FTS3 knows how often to tidy up by itself.
  ///
  /// The module makes it only for an app that tells it to. What cannot be read is left to who reads the
  /// table.
  fileprivate func holdsOnlyHabits(_ table: SchemaTable) -> Bool {
    let others = "WHERE id IS NOT 2 OR typeof(value) <> 'integer' LIMIT 1"
    do throws(SQLiteError) {
      var statement = try prepare("SELECT 1 FROM \(quoted(table.name)) \(others)")
      let hasOthers = try statement.step()
      return !hasOthers
    } catch {
      return false
    }
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
