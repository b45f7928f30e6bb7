import Records
import SQLite
import Tables

/// Completes what belongs to references, once the rows to which they lead are there.
struct ObjectLinks {
  let tables: [ObjectTable]
  /// The tables of the app into which nothing, or not all, is loaded.
  let incomplete: Set<String>

  /// Takes references away that lead to rows which were left out: the app would give their keys to
  /// other rows.
  func loosen(
    _ connection: borrowing Connection, _ shortfalls: inout Shortfalls
  ) throws(SQLiteError) {
    for table in tables {
      for (column, link) in table.links where incomplete.contains(link.table) {
        let (name, key) = (quoted(table.name), quoted(column))
        let isLoose =
          "\(key) IS NOT NULL AND \(key) NOT IN (SELECT Z_PK FROM \(quoted(link.table)))"
        let count = try connection.integer("SELECT count(*) FROM \(name) WHERE \(isLoose)")
        guard count > 0 else { continue }
        let isPair = table.storage.entity == nil
        shortfalls.add(
          .warning, table: table.source.name,
          "references of \(table.source.name) to rows that were left out, which "
            + (isPair ? "lead nowhere" : "became NULL"), count: Int(count))
        if isPair { continue }
        let others = [link.entityColumn, link.positionColumn].compactMap(\.self)
        let changes = ([column] + others).map { "\(quoted($0)) = NULL" }.joined(separator: ", ")
        try connection.execute("UPDATE \(name) SET \(changes) WHERE \(isLoose)")
      }
    }
  }

  /// Fills the other sides, the numbers of entities and the places that the source did not give.
  func complete(_ connection: borrowing Connection) throws(SQLiteError) {
    for table in tables {
      for (column, link) in table.links {
        if let inverse = link.inverseColumn {
          try fill(column, of: table, from: inverse, of: link, connection)
        }
      }
    }
    for table in tables {
      for (column, link) in table.links {
        if let entity = link.entityColumn {
          try connection.execute(
            """
            UPDATE \(quoted(table.name)) SET \(quoted(entity)) =
              (SELECT Z_ENT FROM \(quoted(link.table)) AS target
                WHERE target.Z_PK = \(quoted(table.name)).\(quoted(column)))
            WHERE \(quoted(column)) IS NOT NULL AND \(quoted(entity)) IS NULL
            """)
        }
        if let position = link.positionColumn {
          try number(position, of: table, by: column, connection)
        }
      }
    }
  }

  /// Core Data keeps a one-to-one relationship on both sides.
  private func fill(
    _ column: String, of table: ObjectTable, from inverse: String,
    of link: ColumnStorage.Link, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    try connection.execute(
      """
      UPDATE \(quoted(table.name)) AS mine SET \(quoted(column)) = pairs.other
      FROM (SELECT min(Z_PK) AS other, \(quoted(inverse)) AS back FROM \(quoted(link.table))
        WHERE \(quoted(inverse)) IS NOT NULL GROUP BY \(quoted(inverse))) AS pairs
      WHERE pairs.back = mine.Z_PK AND mine.\(quoted(column)) IS NULL
      """)
  }

  /// Rows without a place follow those that have one, in the order of their keys and with the gaps
  /// that Core Data leaves.
  private func number(
    _ position: String, of table: ObjectTable, by key: String,
    _ connection: borrowing Connection
  ) throws(SQLiteError) {
    let (name, column, owner) = (quoted(table.name), quoted(position), quoted(key))
    try connection.execute(
      """
      UPDATE \(name) AS mine SET \(column) = places.place
      FROM (SELECT rowid AS row, ifnull(max(\(column)) OVER (PARTITION BY \(owner)), 0)
          + 1024 * row_number() OVER (PARTITION BY \(owner), \(column) IS NULL ORDER BY rowid)
          AS place
        FROM \(name) WHERE \(owner) IS NOT NULL) AS places
      WHERE places.row = mine.rowid AND mine.\(column) IS NULL
      """)
  }
}
