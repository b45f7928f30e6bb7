import SQLite

/// Finds out in which columns the rows of each entity have content.
///
/// Without a model that is the only sign of which columns of a shared table are an entity's.
struct OccupiedColumns {
  /// Every pair of an entity and a column in which one of its rows has content.
  private(set) var columns: Set<OccupiedColumn> = []

  /// Counts the content of every column by entity, in one pass over each table of objects.
  init(reading connection: borrowing Connection, tables: [ActualTable]) throws(SQLiteError) {
    for table in tables where StoreTableKind(table: table.name) == .objects {
      guard table.columns.contains(where: { $0.name == "Z_ENT" }) else { continue }
      try count(table, connection)
    }
  }

  private mutating func count(
    _ table: ActualTable, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    let counts = table.columns.map { "count(\(quoted($0.name)))" }.joined(separator: ", ")
    var statement = try connection.prepare(
      "SELECT Z_ENT, \(counts) FROM \(quoted(table.name)) NOT INDEXED GROUP BY Z_ENT")
    while try statement.step() {
      let entity = statement.integer(at: 0)
      for (place, column) in table.columns.enumerated() where statement.integer(at: place + 1) > 0 {
        columns.insert(OccupiedColumn(entity: entity, column: column.name))
      }
    }
  }
}
