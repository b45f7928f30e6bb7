import Bytes
import SQLite
import SQLiteFile

/// A table of the new database, with what its rows look like in the damaged one.
struct RebuiltTable {
  let profile: TableProfile
  /// The stored columns that can be inserted, by their place in a record; computed ones cannot.
  let insertable: [(place: Int, name: String)]

  /// A name of the row id that no column has taken; nil where a column stands for it, or none is
  /// left.
  let rowIDName: String?

  /// Makes the tables of a schema; one that the engine refuses is left out.
  static func make(
    of entries: [SchemaEntry], in new: borrowing Connection
  ) throws(SQLiteError) -> [RebuiltTable] {
    var roots: [ExactText: UInt32] = [:]
    for entry in entries where isWanted(entry, among: entries) {
      guard let sql = entry.sql, isPlainCreation(sql), roots[ExactText(entry.name)] == nil else {
        continue
      }
      do {
        // One statement only: what somebody wrote behind it is never run.
        var creation = try new.prepare(sql)
        try creation.run()
      } catch {
        guard error.kind != .interrupted, error.kind != .noSpace else { throw error }
        // The table is told as one that cannot be read.
        continue
      }
      roots[ExactText(entry.name)] = entry.root
    }
    var tables: [RebuiltTable] = []
    for table in try new.tables() {
      guard let root = roots[ExactText(table.name)] else { continue }
      tables.append(try RebuiltTable(table, root, new))
    }
    return tables
  }

  /// The tables of a schema that are not among those that were made.
  static func namesMissing(in tables: [RebuiltTable], of entries: [SchemaEntry]) -> [String] {
    let made = Set(tables.map { ExactText($0.profile.name) })
    return entries.filter { isWanted($0, among: entries) && !made.contains(ExactText($0.name)) }
      .map(\.name)
  }

  private init(
    _ table: SchemaTable, _ root: UInt32, _ new: borrowing Connection
  ) throws(SQLiteError) {
    var columns: [TableProfile.Column] = []
    var insertable: [(place: Int, name: String)] = []
    var keys: [(place: Int, isInteger: Bool)] = []
    var statement = try new.prepare(
      table.isWithoutRowID ? Self.columnsWithoutRowID : Self.columnsWithRowID)
    try statement.bind(table.name, at: 1)
    while try statement.step() {
      let type = statement.text(at: 1) ?? ""
      let hidden = statement.integer(at: 4)
      // A computed column that is not stored, or one that only a virtual table has.
      guard hidden == 0 || hidden == 3 else { continue }
      if statement.integer(at: 3) > 0 {
        keys.append((columns.count, asciiLowercased(type) == "integer"))
      }
      if hidden == 0 { insertable.append((columns.count, statement.text(at: 0) ?? "")) }
      columns.append(
        TableProfile.Column(
          affinity: Affinity(declaredType: type),
          isNotNull: statement.integer(at: 2) != 0))
    }
    // A key of one INTEGER column stands for the row id, unless it has an index of its own.
    let hasIndex = try Self.hasKeyIndex(table.name, new)
    let isAlias = keys.count == 1 && keys[0].isInteger && !hasIndex
    profile = TableProfile(
      name: table.name, root: root, columns: columns, rowIDColumn: isAlias ? keys[0].place : nil,
      hasRowIDs: !table.isWithoutRowID)
    self.insertable = insertable
    let taken = Set(insertable.map { asciiLowercased($0.name) })
    let hasOwnRowID = !isAlias && !table.isWithoutRowID
    rowIDName =
      hasOwnRowID ? ["rowid", "_rowid_", "oid"].first { !taken.contains($0) } : nil
  }

  /// The columns as a record has them: in the order of their declaration.
  private static let columnsWithRowID = """
    SELECT name, type, "notnull", pk, hidden FROM pragma_table_xinfo(?1) ORDER BY cid
    """
  /// Without a row id a record begins with the columns of the primary key.
  private static let columnsWithoutRowID = """
    SELECT t.name, t.type, t."notnull", t.pk, t.hidden
    FROM pragma_index_xinfo(?1) AS i JOIN pragma_table_xinfo(?1) AS t ON t.cid = i.cid
    ORDER BY i.seqno
    """

  private static func hasKeyIndex(
    _ name: String, _ new: borrowing Connection
  ) throws(SQLiteError) -> Bool {
    var statement = try new.prepare("SELECT 1 FROM pragma_index_list(?) WHERE origin = 'pk'")
    try statement.bind(name, at: 1)
    return try statement.step()
  }

  /// Whether an entry is a table of the app or of its SDK, and not a part of the engine.
  private static func isWanted(_ entry: SchemaEntry, among entries: [SchemaEntry]) -> Bool {
    guard entry.type == "table", entry.root > 0, !asciiLowercased(entry.name).hasPrefix("sqlite_")
    else { return false }
    // The index of a full-text table is of no use without it; its texts are.
    return !entries.contains { other in
      guard other.type == "table", other.root == 0, let sql = other.sql else { return false }
      return VirtualTable(name: other.name, sql: sql).isFullText
        && fullTextIndexes.contains { hasSameBytes(entry.name, other.name + $0) }
    }
  }

  /// What the tables of a full-text index are called behind the name of its table.
  private static let fullTextIndexes = [
    "_segments", "_segdir", "_docsize", "_stat", "_data", "_idx", "_config",
  ]

  /// Whether a statement makes a table from a list of columns, and does nothing else.
  ///
  /// The engine stores statements in this form only; one that runs a query was put there by hand.
  static func isPlainCreation(_ sql: String) -> Bool {
    let start = "CREATE TABLE "
    guard sql.hasPrefix(start) else { return false }
    var rest = sql.utf8.dropFirst(start.utf8.count)
    let closing: [UInt8: UInt8] = [34: 34, 39: 39, 96: 96, 91: 93]
    if let first = rest.first, let end = closing[first] {
      rest = rest.dropFirst()
      // A quotation mark inside of a name is doubled.
      while true {
        guard let place = rest.firstIndex(of: end) else { return false }
        rest = rest[rest.index(after: place)...]
        guard rest.first == end, end != 93 else { break }
        rest = rest.dropFirst()
      }
    } else {
      rest = rest.drop { $0 != 40 && $0 > 32 }
    }
    return rest.drop { $0 <= 32 }.first == 40
  }
}

extension SalvageAccount.Table {
  /// Counts rows that were read, but that the table does not take.
  mutating func refuse(_ count: Int) {
    recovered -= count
    lost += count
  }
}
