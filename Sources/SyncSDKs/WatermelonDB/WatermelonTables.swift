import Bytes
import Records
import SQLite
import Tables

/// The models of WatermelonDB: no column is declared, and what is deleted is no row any more.
struct WatermelonTables: TablesLayout {
  let models: Set<ExactText>
  /// The columns of models that are the SDK's and are shown all the same.
  let ownColumns: Set<String>

  func tables(
    _ schema: [SchemaTable], _ planner: PlainTables, _ database: borrowing SourceDatabase
  ) throws(SQLiteError) -> ShapedTables {
    var shaped = ShapedTables()
    shaped.tables = try planner.plan(schema, database)
    var census: [Int: [NumberCensus]] = [:]
    for place in shaped.tables.indices
    where models.contains(
      ExactText(shaped.tables[place].sourceTable))
    {
      shaped.tables[place].columns.removeAll {
        [WatermelonDB.status, WatermelonDB.changed].contains($0.column.sourceColumn)
      }
      census[place] = try NumberCensus.count(of: shaped.tables[place], database)
    }
    let bindsReals = census.contains { place, census in
      zip(shaped.tables[place].columns, census).contains { column, census in
        census.wholeReals > 0 && !ownColumns.contains(column.column.sourceColumn)
      }
    }
    for (place, census) in census.sorted(by: { $0.key < $1.key }) {
      for finding in adapt(&shaped.tables[place], census, bindsReals: bindsReals) {
        shaped.tell(finding, ofTable: place)
      }
      try addStates(of: &shaped.tables[place], to: &shaped.facts, database.connection)
    }
    shaped.tell(
      Finding(
        "types-inferred", .note,
        message:
          "the file declares no types: they follow from values and names, and --type decides"))
    try addSettings(to: &shaped, database)
    return shaped
  }

  /// Gives the columns of a model their types and parts.
  private func adapt(
    _ table: inout PlannedTable, _ census: [NumberCensus], bindsReals: Bool
  ) -> [Finding] {
    let names = Set(table.columns.map { asciiLowercased($0.column.sourceColumn) })
    var findings: [Finding] = []
    for (place, census) in census.enumerated() {
      let name = table.columns[place].column.sourceColumn
      let form = name == "id" ? .text : census.form(ofColumn: name, bindsReals: bindsReals)
      table.columns[place].column.type = form.type
      table.columns[place].column.isUndecided = census.isEmpty && form == .text && name != "id"
      table.columns[place].decoding = form.decoding
      if name == "id" { table.columns[place].column.role = .id }
      if let canonical = WatermelonDB.timestamps[name],
        !names.contains(asciiLowercased(canonical))
      {
        table.columns[place].column.name = canonical
        table.columns[place].column.role = name == "created_at" ? .createdAt : .updatedAt
      }
      guard form.type == .timestamp, census.implausible > 0 else { continue }
      findings.append(
        Finding(
          "timestamp-implausible", .warning,
          message:
            "column \(table.columns[place].column.name): \(census.implausible.counting("time is", "times are")) not in milliseconds of our age"
        ))
    }
    return findings
  }

  /// Tells how many rows have which state, and hides the deleted ones as every query of the
  /// SDK does, but for those of which no delete can be made.
  private func addStates(
    of table: inout PlannedTable, to facts: inout [SourceDescription.Fact],
    _ connection: borrowing Connection
  ) throws(SQLiteError) {
    let status = quoted(WatermelonDB.status)
    var statement = try connection.prepare(
      "SELECT \(status) COLLATE BINARY, count(*) FROM \(table.physical) GROUP BY 1 ORDER BY 1")
    var counts: [String] = []
    var hasDeleted = false
    while try statement.step() {
      let word = statement.strictText(at: 0) ?? "none"
      if word == "deleted" { hasDeleted = true }
      if counts.count < 8 { counts.append("\(word) \(statement.integer(at: 1))") }
    }
    if counts.isEmpty { counts.append("0") }
    facts.append(.init("rows of \(table.sourceTable)", counts.joined(separator: ", ")))
    // Where nothing is deleted, the rows are those of the file, which are read quickly.
    if hasDeleted { table.condition = "NOT (\(WatermelonDB.isTombstone))" }
  }

  private func addSettings(
    to shaped: inout ShapedTables, _ database: borrowing SourceDatabase
  ) throws(SQLiteError) {
    let version = try database.connection.integer("PRAGMA user_version")
    shaped.facts.append(.init("userVersion", String(version)))
    shaped.facts.append(.init("journal", database.usesWAL ? "WAL" : "rollback"))
    guard
      let text = try WatermelonDB.setting(WatermelonDB.lastVersion, database.connection)
    else { return }
    shaped.facts.append(.init("lastPulledSchemaVersion", text))
    guard let last = Int64(text), last < version else { return }
    shaped.tell(
      Finding(
        "migration-sync-pending", .note,
        message: "the last pull was made for schema version \(last), and the store has \(version)"))
  }
}

extension WatermelonDB {
  /// A text that the SDK keeps under a key; nil where there is none.
  static func setting(
    _ key: String, _ connection: borrowing Connection
  ) throws(SQLiteError) -> String? {
    var statement = try connection.prepare(
      "SELECT value FROM \(quoted(settings)) NOT INDEXED WHERE key = ? COLLATE BINARY")
    try statement.bind(key, at: 1)
    return try statement.step() ? statement.text(at: 0) : nil
  }
}
