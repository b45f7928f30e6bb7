import Bytes
package import Records
package import SQLite
import SQLiteFile

/// Reads what virtual tables keep, from the true tables that their modules keep it in.
///
/// No module runs: its code would work on whatever a hostile file holds.
package struct VirtualTables {
  let planner: PlainTables
  /// The tables that could be read.
  package private(set) var tables: [PlannedTable] = []
  /// What is told of each virtual table.
  package private(set) var findings: [Finding] = []

  init(of database: borrowing SourceDatabase, _ planner: PlainTables) throws(SQLiteError) {
    self.planner = planner
    for table in try VirtualTable.all(in: database.connection)
    where !planner.leavesOut(asciiLowercased(table.name)) {
      if table.isFullText {
        try add(fullText: table, database)
      } else if table.isSpatial {
        try add(spatial: table, database)
      } else {
        tell(table, table.keepsNothing ? .note : .warning, table.words)
      }
    }
  }

  /// What is told of virtual tables by a reader of certain tables, beside which others may hold the only
  /// copy of what is in them; the `reason` is why these are not read.
  package static func findings(
    in connection: borrowing Connection, besides isOwn: (_ name: String) -> Bool, reason: String
  ) throws(SQLiteError) -> [Finding] {
    var findings: [Finding] = []
    for table in try VirtualTable.all(in: connection) where !isOwn(table.name) {
      guard try connection.mayHaveRows(table) else { continue }
      let isElsewhere = table.keepsNothing || table.option("content")?.isEmpty == false
      findings.append(Finding(leftOut: table, isElsewhere ? .note : .warning, reason))
    }
    return findings
  }

  private mutating func tell(_ table: VirtualTable, _ severity: Severity, _ words: String) {
    findings.append(Finding(leftOut: table, severity, words))
  }

  // MARK: Full text

  private mutating func add(
    fullText table: VirtualTable, _ database: borrowing SourceDatabase
  ) throws(SQLiteError) {
    if let other = table.option("content"), !table.keepsColumnsWithoutIndex {
      return try tell(table, withTextsIn: other, database.connection)
    }
    guard let content = try database.connection.table(named: table.name + "_content") else {
      return tell(table, .warning, "its content table is missing, so it was left out")
    }
    var planned = try planner.plan(content, database)
    planned.name = table.name
    planned.sourceName = table.name
    // The first column is the row id, which is the key.
    planned.columns = planned.columns.dropFirst().enumerated().map { place, column in
      var column = column
      column.column.name = table.name(ofContentColumn: column.column.sourceColumn, at: place)
      column.column.sourceName = column.column.name
      column.position = place
      return column
    }
    tables.append(planned)
    tell(table, withRowsIn: content)
  }

  /// Tells of an index beside which its module keeps all texts, or only those that are not indexed.
  private mutating func tell(_ table: VirtualTable, withRowsIn content: SchemaTable) {
    let isPacked = table.option("compress") != nil
    let words =
      table.keepsColumnsWithoutIndex
      ? "what it does not index was taken from \(content.name.mended); of the other columns it keeps "
        + "an index of words without the texts, which was left out"
      : "its rows were taken from \(content.name.mended), and its index was left out"
        + (isPacked ? "; the app has packed the texts in a way of its own" : "")
    tell(table, isPacked || table.keepsColumnsWithoutIndex ? .warning : .note, words)
  }

  /// Tells of an index whose texts another table has, or nobody.
  private mutating func tell(
    _ table: VirtualTable, withTextsIn other: String, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    if other.isEmpty {
      tell(table, .warning, "it keeps an index of words without the texts, and was left out")
    } else if let kind = try connection.kind(ofTableOrView: other) {
      tell(
        table, .note, "its texts are those of the \(kind) \(other.mended); its index was left out")
    } else {
      tell(
        table, .warning,
        "its texts were those of the table \(other.mended), which is missing, so it was left out")
    }
  }

  // MARK: Boxes

  private mutating func add(
    spatial table: VirtualTable, _ database: borrowing SourceDatabase
  ) throws(SQLiteError) {
    let names = table.columnArguments.filter { $0.first != .mark(UInt8(ascii: "+")) }
      .compactMap { $0.first?.text }
    let count = names.count - 1
    guard let rows = try database.connection.table(named: table.name + "_rowid"),
      let nodes = try database.connection.table(named: table.name + "_node"),
      !rows.isWithoutRowID, rows.has("nodeno"), nodes.has("nodeno"), nodes.has("data"),
      count >= 2, count <= 10, count.isMultiple(of: 2)
    else { return tell(table, .warning, "its nodes are missing, so it was left out") }
    let isWhole = table.module == "rtree_i32"
    var columns = [
      PlannedColumn(
        column: Column(name: names[0], type: .integer), position: 0, expression: "r.rowid",
        decoding: .integer)
    ]
    for place in 0..<count {
      columns.append(
        PlannedColumn(
          column: Column(name: names[place + 1], type: isWhole ? .integer : .real),
          // A row whose node is missing is told, as is one that its node does not list.
          position: place + 1, expression: "ifnull(n.data, x'')",
          decoding: .boxEdge(place, of: count, isWhole: isWhole)))
    }
    tables.append(
      PlannedTable(
        name: table.name, sourceName: table.name, sourceTable: rows.name,
        columns: columns + (try extraColumns(of: table, rows, database)),
        entity: nil, condition: nil,
        origin: "\(quoted(rows.name)) AS r LEFT JOIN \(quoted(nodes.name)) AS n "
          + "ON n.nodeno = r.nodeno",
        key: "r.rowid", order: "r.rowid"))
    tell(table, .note, "its rows were taken from \(nodes.name.mended), and its tree was left out")
  }

  /// The columns that a table of boxes keeps beside them: `a0`, `a1` and so on behind the node.
  private func extraColumns(
    of table: VirtualTable, _ rows: SchemaTable, _ database: borrowing SourceDatabase
  ) throws(SQLiteError) -> [PlannedColumn] {
    let names = table.columnArguments.filter { $0.first == .mark(UInt8(ascii: "+")) }
      .map { $0.dropFirst().first?.text }
    return try planner.plan(rows, database).columns.dropFirst(2).enumerated().map { place, column in
      var column = column
      column.column.name = (place < names.count ? names[place] : nil) ?? column.column.sourceColumn
      column.column.sourceName = column.column.name
      column.expression = "r." + column.expression
      column.position += table.arguments.count
      return column
    }
  }
}

extension Connection {
  /// Whether a table has rows, as far as that in which a module for texts or boxes keeps them tells.
  fileprivate func mayHaveRows(_ table: VirtualTable) throws(SQLiteError) -> Bool {
    guard table.isFullText || table.isSpatial, table.makes(insidesCalled: "content"),
      let rows = try self.table(named: table.name + (table.isSpatial ? "_rowid" : "_content"))
    else { return true }
    var statement = try prepare("SELECT 1 FROM \(quoted(rows.name)) LIMIT 1")
    return try statement.step()
  }

  /// What the engine calls the table or view of a name; nil where there is neither.
  fileprivate func kind(ofTableOrView name: String) throws(SQLiteError) -> String? {
    for kind in [SchemaKind.table, .view] where try declaration(of: kind, named: name) != nil {
      return kind.rawValue
    }
    return nil
  }
}

extension SchemaTable {
  fileprivate func has(_ column: String) -> Bool {
    columns.contains { asciiLowercased($0.name) == column }
  }
}

extension VirtualTable {
  /// What is told of a table of which no rows can be taken.
  fileprivate var words: String {
    keepsNothing
      ? "it shows the words of an index and keeps nothing, and was left out"
      : "only the app has this module; tables that it keeps its insides in are read as they are"
  }

  /// The name of a column by that in the content table, which tells its place: `c0title`, or `c0` in
  /// FTS5.
  fileprivate func name(ofContentColumn name: String, at place: Int) -> String {
    guard module == "fts5" else {
      return name.removing(prefix: "c\(place)") ?? option("languageid") ?? name
    }
    let columns = columnArguments
    guard name.hasPrefix("c") || name.hasPrefix("l"), let place = Int(name.dropFirst()),
      columns.indices.contains(place), let own = columns[place].first?.text
    else { return name }
    // FTS5 may keep the language of each text beside it.
    return name.hasPrefix("l") ? own + "_locale" : own
  }
}

extension Finding {
  /// What a virtual table is, and what became of it.
  fileprivate init(leftOut table: VirtualTable, _ severity: Severity, _ words: String) {
    self.init(
      "virtual-table-left-out", severity, table: table.name.mended,
      message: "\(table.name.mended) is a virtual table of the module \(table.module): \(words)")
  }
}
