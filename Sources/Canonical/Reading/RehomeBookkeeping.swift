import Records
import SQLite
import Tables

/// What a canonical store says about itself.
struct RehomeBookkeeping {
  let source: SourceDescription
  let catalogue: Catalogue
  let findings: [Finding]

  init(reading connection: borrowing Connection, name: String) throws(SQLiteError) {
    var source = SourceDescription(name: name, layout: .rehome, evidence: ["application_id RHM1"])
    let stores = try EarlierSource.all(in: connection)
    source.earlier = stores
    for store in stores {
      let generation = store.source.generation.map { " \($0)" } ?? ""
      let name = store.source.path ?? store.source.name
      source.evidence.append(
        "converted from \(name), \(store.source.layout.rawValue)\(generation)")
      source.metadata += store.source.metadata.filter(\.isType)
    }
    let layouts = Set(stores.map(\.source.layout.rawValue))
    source.origin = layouts.count == 1 ? layouts.first : nil
    self.source = source
    catalogue = Catalogue(
      tables: try Self.tables(connection, ofSeveral: source.isOfSeveral),
      nameOrigin: stores.last?.nameOrigin ?? .schema)
    findings = try Self.findings(connection, ofSeveral: source.isOfSeveral)
  }

  private static func tables(
    _ connection: borrowing Connection, ofSeveral: Bool
  ) throws(SQLiteError) -> [Table] {
    var tables: [Table] = []
    let knowingSource = ofSeveral ? try tablesKnowingSource(connection) : []
    var facts = try connection.prepare("SELECT value FROM rehome_meta WHERE key = ?")
    var statement = try connection.prepare(
      "SELECT name, sourceName, sourceTable FROM rehome_table ORDER BY position, name")
    var columns = try connection.prepare(
      """
      SELECT name, sourceName, sourceColumn, type, role, nullable, target
      FROM rehome_column WHERE "table" = ? ORDER BY position
      """)
    while try statement.step() {
      let name = statement.text(at: 0) ?? ""
      try columns.bind(name, at: 1)
      var table = Table(
        name: name, sourceName: statement.text(at: 1), sourceTable: statement.text(at: 2),
        columns: try Self.columns(&columns))
      if knowingSource.contains(name) {
        table.columns.append(SourceColumn.column)
        try facts.bind("nextKey " + name, at: 1)
        if try facts.step() { table.nextKey = facts.text(at: 0).flatMap(Int64.init) }
        facts.reset()
      }
      tables.append(table)
    }
    return tables
  }

  /// The tables with a column for the source behind those of the app.
  private static func tablesKnowingSource(
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> Set<String> {
    Set(
      try connection.tables().filter { $0.columns.last?.name == SourceColumn.name }.map(\.name))
  }

  private static func columns(_ statement: inout Statement) throws(SQLiteError) -> [Column] {
    defer { statement.reset() }
    var columns: [Column] = []
    while try statement.step() {
      columns.append(
        Column(
          name: statement.text(at: 0) ?? "", sourceName: statement.text(at: 1),
          sourceColumn: statement.text(at: 2),
          type: statement.text(at: 3).flatMap(LogicalType.init(rawValue:)) ?? .text,
          role: statement.text(at: 4).flatMap(ColumnRole.init(rawValue:)) ?? .value,
          isNullable: statement.integer(at: 5) != 0, target: statement.text(at: 6)))
    }
    return columns
  }

  private static func findings(
    _ connection: borrowing Connection, ofSeveral: Bool
  ) throws(SQLiteError) -> [Finding] {
    var findings: [Finding] = []
    var statement = try connection.prepare(
      """
      SELECT code, severity, "table", itemId, operation, message, source
      FROM rehome_finding ORDER BY id
      """)
    // Of rows that gave way there may be as many as there are rows; the first ones are told.
    var listed: [String?: Int] = [:]
    while try statement.step() {
      var finding = Finding(canonical: statement)
      if ofSeveral { finding.source = Int32(clamping: statement.integer(at: 6)) }
      if finding.code == MergedRow.code {
        let table = statement.text(at: 2)
        listed[table, default: 0] += 1
        if listed[table, default: 0] > MergedRow.mostListed { continue }
      }
      findings.append(finding)
    }
    let rest = listed.filter { $0.value > MergedRow.mostListed }
      .sorted { ($0.key ?? "") < ($1.key ?? "") }
    return findings + rest.map { MergedRow.rest($0.value - MergedRow.mostListed, ofTable: $0.key) }
  }
}

extension Finding {
  /// The finding in a row of code, severity, table, item id, operation and message.
  init(canonical row: borrowing Statement) {
    let code = row.text(at: 0) ?? ""
    self.init(
      code == MergedRow.formerCode ? MergedRow.code : code,
      row.text(at: 1).flatMap(Severity.init(rawValue:)) ?? .warning,
      table: row.text(at: 2), itemID: row.text(at: 3), operation: row.optionalInteger(at: 4),
      message: row.text(at: 5) ?? "")
  }
}

extension Connection {
  /// Prepares the reading of rows that gave way to others, each with the finding that tells of it.
  func prepareMergedRows() throws(SQLiteError) -> Statement {
    let columns = "SELECT 1 FROM pragma_table_xinfo('rehome_finding') WHERE name = 'item'"
    let hasItems = try integer("SELECT EXISTS (\(columns))") > 0
    return try prepare(
      """
      SELECT code, severity, "table", itemId, operation, message,
        \(hasItems ? "item" : "NULL"), source
      FROM rehome_finding
      WHERE code IN ('\(MergedRow.code)', '\(MergedRow.formerCode)') ORDER BY id
      """)
  }
}
