package import Records
package import SQLite

/// How a layout makes the tables of the catalogue, where they are not the file's tables as they are.
package protocol TablesLayout: Sendable {
  /// The tables in the catalogue's order, with what was seen on the way.
  func tables(
    _ schema: [SchemaTable], _ planner: PlainTables, _ database: borrowing SourceDatabase
  ) throws(SQLiteError) -> ShapedTables
}

/// The tables that a layout makes of a file.
package struct ShapedTables {
  /// The tables in the catalogue's order.
  package var tables: [PlannedTable] = []
  /// What else describes the store.
  package var facts: [SourceDescription.Fact] = []
  /// What a person should know, and of which of the tables.
  private var findings: [(table: Int?, finding: Finding)] = []

  /// No tables yet.
  package init() {}

  /// Adds what a person should know of a table, by its place, or of all of them.
  package mutating func tell(_ finding: Finding, ofTable place: Int? = nil) {
    findings.append((place, finding))
  }

  /// The findings with the names that the tables have in the end; they stand first among these.
  func findings(in tables: [PlannedTable]) -> [Finding] {
    findings.map { place, finding in
      var finding = finding
      if let place { finding.table = tables[place].name }
      return finding
    }
  }
}
