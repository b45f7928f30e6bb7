import Bytes
import Formats
import Records
import SQLite
import Tables

/// The tables of PowerSync: documents as the views show them, and what the views do not show.
struct PowerSyncTables: TablesLayout {
  func tables(
    _ schema: [SchemaTable], _ planner: PlainTables, _ database: borrowing SourceDatabase
  ) throws(SQLiteError) -> ShapedTables {
    let views = try PowerSyncView.all(in: database.connection)
    let viewsOfTables = Dictionary(keepingFirst: views.map { (ExactText($0.table), $0) })
    let names = Set(schema.map { ExactText($0.name) })
    var shaped = ShapedTables()
    for table in schema {
      let isLocal = table.name.hasPrefix(PowerSync.localData)
      let columns = table.columns.map(\.name)
      if isLocal || table.name.hasPrefix(PowerSync.data), columns.starts(with: ["id", "data"]) {
        let view = viewsOfTables[ExactText(table.name)]
        var planned = try Self.documents(of: table, view, database.connection)
        try addMembers(to: &planned, isLocal: isLocal, view, database, &shaped)
        shaped.tables.append(planned)
      } else if !PowerSync.isBookkeeping(table.name) {
        shaped.tables.append(try planner.plan(table, database))
      }
    }
    for view in views where !names.contains(ExactText(view.table)) {
      shaped.tables.append(Self.empty(view))
    }
    for view in views {
      let name = Self.name(of: view.table)
      if !hasSameBytes(view.name, name) { shaped.facts.append(.init("view of \(name)", view.name)) }
    }
    try addUntyped(schema, to: &shaped, database)
    return shaped
  }

  private static func name(of table: String) -> String {
    table.removing(prefix: PowerSync.localData) ?? table.removing(prefix: PowerSync.data) ?? table
  }

  private static let id = PlannedColumn(
    column: Column(name: "id", type: .text, role: .id), position: 0, expression: quoted("id"),
    decoding: .text)

  private static func documents(
    of table: SchemaTable, _ view: PowerSyncView?, _ connection: borrowing Connection
  ) throws(SQLiteError) -> PlannedTable {
    let key = try TableKey(of: table, connection)
    return PlannedTable(
      name: name(of: table.name), sourceName: table.name, sourceTable: table.name,
      columns: [id] + columns(of: view), entity: nil, condition: nil,
      origin: quoted(table.name) + " NOT INDEXED", key: key.expression, order: key.order,
      keyIndex: key.index, document: quoted("data"))
  }

  private static func columns(of view: PowerSyncView?) -> [PlannedColumn] {
    (view?.columns ?? []).enumerated().map { place, column in
      PlannedColumn(member: column.name, .cast(column.type), at: place + 1)
    }
  }

  /// A table whose rows were only ever in the queue, as the first SDK made them.
  private static func empty(_ view: PowerSyncView) -> PlannedTable {
    PlannedTable(
      name: name(of: view.table), sourceName: view.table, sourceTable: view.table,
      columns: [id] + columns(of: view), entity: nil, condition: nil,
      origin: "(SELECT NULL AS id WHERE 0)", key: nil, order: nil, document: "NULL")
  }

  /// Looks through all documents of the table that comes next for keys that no view shows, and adds
  /// them as columns.
  private func addMembers(
    to table: inout PlannedTable, isLocal: Bool, _ view: PowerSyncView?,
    _ database: borrowing SourceDatabase, _ shaped: inout ShapedTables
  ) throws(SQLiteError) {
    guard let stored = table.withDocumentAsColumn else { return }
    let census = try database.census(of: stored, startingFrom: DocumentCensus(of: stored))
    let (rows, unreadable) = (census.rows, census.unreadable)
    if ["attachments", "attachments_queue"].contains(table.name) {
      try addFiles(in: stored, database.connection, &shaped)
    }
    let known = Set(table.columns.map { ExactText($0.column.name) })
      .union(["_metadata", "_deleted"])
    let hidden = census.kinds.members(but: known)
    for member in hidden {
      var column = PlannedColumn(
        member: member.key, .content(member.type), at: table.columns.count)
      column.column.isUndecided = member.isUndecided
      table.columns.append(column)
    }
    if unreadable > 0, table.columns.count == 1 {
      table.columns.append(PlannedColumn(member: "data", .content(.text), at: 1))
    }
    if view != nil, !hidden.isEmpty {
      let names = hidden.prefix(8).map(\.key).joined(separator: ", ")
      shaped.tell(
        Finding(
          "hidden-columns", .note,
          message:
            "the app's view does not show \(hidden.count.counting("key", "keys")) of the rows: \(names)"
        ), ofTable: shaped.tables.count)
    }
    if isLocal, rows > 0 {
      shaped.tell(
        Finding(
          "local-only-table", .note,
          message: rows == 1
            ? "the only row of the table exists on this device alone"
            : "the \(rows) rows of the table exist on this device alone"),
        ofTable: shaped.tables.count)
    }
  }

  /// Tells of attachments whose files are here alone.
  private func addFiles(
    in stored: PlannedTable, _ connection: borrowing Connection, _ shaped: inout ShapedTables
  ) throws(SQLiteError) {
    var members = DocumentMembers()
    var findings = ListedFindings()
    var statement = try connection.prepare(stored.selection)
    while try statement.step() {
      guard case .object = StoredDocument(statement, at: stored.columns.count, &members),
        Self.isFileToUpload(members)
      else { continue }
      findings.append(
        Finding(
          "attachment-not-uploaded", .warning, itemID: statement.strictText(at: 1),
          message: "the file of this attachment was most likely never uploaded"))
    }
    for finding in findings.all { shaped.tell(finding, ofTable: shaped.tables.count) }
  }

  /// Whether an attachment has a file here and nothing says that the server has it.
  private static func isFileToUpload(_ document: DocumentMembers) -> Bool {
    guard let state = document["state"], state.kind == .number,
      ["0", "1"].contains(document.text(state)),
      let path = document["local_uri"], path.kind == .text, !document.text(path).isEmpty
    else { return false }
    guard let mark = document["has_synced"] else { return true }
    switch mark.kind {
    case .null, .boolean(false): return true
    case .number: return Double(document.text(mark)) == 0
    case .boolean, .text, .structure: return false
    }
  }

  /// A table for each type of which the app has none, and one for rows without a type.
  private func addUntyped(
    _ schema: [SchemaTable], to shaped: inout ShapedTables, _ database: borrowing SourceDatabase
  ) throws(SQLiteError) {
    guard let table = schema.first(where: { $0.name == PowerSync.untyped }) else { return }
    var types: [[UInt8]] = []
    var statement = try database.connection.prepare(
      "SELECT DISTINCT type COLLATE BINARY FROM \(PowerSync.untyped) NOT INDEXED "
        + "WHERE typeof(type) = 'text' ORDER BY 1")
    while try statement.step() { types.append(statement.bytes(at: 0)) }
    for type in types {
      // A literal could not hold every text.
      let bytes = type.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
      try addUntyped(
        String(decoding: type, as: UTF8.self), isText: isValidUTF8(type.span),
        where: "type = CAST(x'\(bytes)' AS TEXT) COLLATE BINARY", of: table, to: &shaped, database)
    }
    let others = "typeof(type) <> 'text'"
    let exists = "SELECT EXISTS (SELECT 1 FROM \(PowerSync.untyped) NOT INDEXED WHERE \(others))"
    guard try database.connection.integer(exists) != 0 else { return }
    try addUntyped(
      PowerSync.untyped, isText: false, where: others, of: table, to: &shaped, database)
  }

  /// A table for the rows of a type; a type that is no text is shown as it is stored, in a column.
  private func addUntyped(
    _ type: String, isText: Bool, where condition: String, of table: SchemaTable,
    to shaped: inout ShapedTables, _ database: borrowing SourceDatabase
  ) throws(SQLiteError) {
    var planned = try Self.documents(of: table, nil, database.connection)
    planned.name = type
    planned.sourceName = type
    planned.condition = condition
    try addMembers(to: &planned, isLocal: false, nil, database, &shaped)
    // Documents may have a key of that name themselves.
    if !isText { planned.columns.insert(Self.type, at: 1) }
    let place = shaped.tables.count
    shaped.tables.append(planned)
    shaped.tell(
      Finding(
        "rows-of-unknown-table", .note,
        message: "the app had no table for these rows, so it never saw them"),
      ofTable: place)
  }

  private static let type = PlannedColumn(
    column: Column(name: "type", type: .text), position: 1, expression: quoted("type"),
    decoding: .text)
}
