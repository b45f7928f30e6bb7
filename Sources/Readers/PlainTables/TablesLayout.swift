import Records
import SQLite

/// How a layout makes the tables of the catalogue, where they are not the file's tables as they are.
protocol TablesLayout: Sendable {
  /// The tables in the catalogue's order, with what was seen on the way.
  func tables(
    _ schema: [SchemaTable], _ planner: PlainTables, _ database: borrowing SourceDatabase
  ) throws(SQLiteError) -> ShapedTables
}

/// The tables that a layout makes of a file.
struct ShapedTables {
  /// The tables in the catalogue's order.
  var tables: [PlannedTable] = []
  /// What a person should know.
  var findings: [Finding] = []
  /// What else describes the store.
  var facts: [SourceDescription.Fact] = []
}
