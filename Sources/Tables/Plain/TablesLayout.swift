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
  /// What a person should know.
  package var findings: [Finding] = []
  /// What else describes the store.
  package var facts: [SourceDescription.Fact] = []

  /// Takes all its parts.
  package init(
    tables: [PlannedTable] = [], findings: [Finding] = [], facts: [SourceDescription.Fact] = []
  ) {
    self.tables = tables
    self.findings = findings
    self.facts = facts
  }
}
