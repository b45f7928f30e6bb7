import Formats
import Records
import SQLite

/// What a canonical store says about itself.
struct RehomeBookkeeping {
  let source: SourceDescription
  let catalogue: Catalogue
  let findings: [Finding]

  /// Reads the bookkeeping tables.
  init(reading connection: borrowing Connection, name: String) throws(SQLiteError) {
    var source = SourceDescription(name: name, layout: .rehome, evidence: ["application_id RHM1"])
    var origin = NameOrigin.schema
    var layouts: Set<String> = []
    var statement = try connection.prepare(
      "SELECT name, layout, generation, nameOrigin, metadata FROM rehome_source ORDER BY id")
    while try statement.step() {
      let layout = statement.text(at: 1) ?? "unknown"
      layouts.insert(layout)
      let generation = statement.text(at: 2).map { " \($0)" } ?? ""
      source.evidence.append(
        "converted from \(statement.text(at: 0) ?? "a store"), \(layout)\(generation)")
      origin = statement.text(at: 3).flatMap(NameOrigin.init(rawValue:)) ?? origin
      source.metadata += Self.types(statement.bytes(at: 4))
    }
    source.origin = layouts.count == 1 ? layouts.first : nil
    self.source = source
    catalogue = Catalogue(tables: try Self.tables(connection), nameOrigin: origin)
    findings = try Self.findings(connection)
  }

  /// What the metadata of a source say about the types of the app's tables.
  private static func types(_ metadata: [UInt8]) -> [SourceDescription.Fact] {
    // What is no JSON was not written by this tool, and says nothing that could be relied on.
    guard case .object(let object)? = try? JSONValue(parsing: metadata.span) else { return [] }
    return object.members.compactMap { member in
      guard case .string(let value) = member.value else { return nil }
      let fact = SourceDescription.Fact(member.key, value)
      return fact.isType ? fact : nil
    }
  }

  private static func tables(
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> [Table] {
    var tables: [Table] = []
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
      tables.append(
        Table(
          name: name, sourceName: statement.text(at: 1), sourceTable: statement.text(at: 2),
          columns: try Self.columns(&columns)))
    }
    return tables
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
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> [Finding] {
    var findings: [Finding] = []
    var statement = try connection.prepare(
      """
      SELECT code, severity, "table", itemId, operation, message FROM rehome_finding ORDER BY id
      """)
    // Of rows that gave way there may be as many as there are rows; the first ones are told.
    var listed: [String?: Int] = [:]
    while try statement.step() {
      let code = statement.text(at: 0) ?? ""
      if code == MergedRow.code {
        let table = statement.text(at: 2)
        listed[table, default: 0] += 1
        if listed[table, default: 0] > MergedRow.mostListed { continue }
      }
      findings.append(Finding(canonical: statement))
    }
    let rest = listed.filter { $0.value > MergedRow.mostListed }
      .sorted { ($0.key ?? "") < ($1.key ?? "") }
    return findings + rest.map { MergedRow.rest($0.value - MergedRow.mostListed, ofTable: $0.key) }
  }
}

extension Finding {
  /// The finding in a row of code, severity, table, item id, operation and message.
  init(canonical row: borrowing Statement) {
    self.init(
      row.text(at: 0) ?? "", row.text(at: 1).flatMap(Severity.init(rawValue:)) ?? .warning,
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
      SELECT code, severity, "table", itemId, operation, message, \(hasItems ? "item" : "NULL")
      FROM rehome_finding WHERE code = '\(MergedRow.code)' ORDER BY id
      """)
  }
}
