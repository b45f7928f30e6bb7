import Bytes
package import Records
import SQLite

/// How a store that answers as a server grows, where the server's tables do.
///
/// Changes belong to the transaction in which the caller makes them.
extension LiveStore {
  /// Adds a column at the end of a table.
  package func add(_ column: Column, to table: Table) throws(StoreError) {
    try storeErrors(path: path) { () throws(SQLiteError) in
      try connection.execute(
        "ALTER TABLE \(quoted(table.name)) ADD COLUMN \(quoted(column.name)) "
          + column.type.storageName)
      try forgetColumn(named: column.name, of: table)
      let stored = StoredColumn(
        table: table.name, position: try freePosition(in: table), column: column)
      try connection.write([stored], to: CanonicalSchema.columns)
    }
  }

  /// Takes a column out of the catalogue, which may name one that is not there.
  private func forgetColumn(named name: String, of table: Table) throws(SQLiteError) {
    var statement = try connection.prepare(
      "DELETE FROM rehome_column WHERE \"table\" = ? AND name = ? COLLATE NOCASE")
    try statement.bind(table.name, at: 1)
    try statement.bind(name, at: 2)
    try statement.run()
  }

  /// The place behind all columns of a table that the catalogue names.
  private func freePosition(in table: Table) throws(SQLiteError) -> Int {
    var statement = try connection.prepare(
      "SELECT coalesce(max(position) + 1, 0) FROM rehome_column WHERE \"table\" = ?")
    try statement.bind(table.name, at: 1)
    return try statement.step() ? Int(statement.integer(at: 0)) : 0
  }

  /// Lets a column of whole numbers hold fractions; the table is written anew.
  package func widen(_ place: Int, of table: Table) throws(StoreError) {
    let name = table.columns[place].name
    try storeErrors(path: path) { () throws(SQLiteError) in
      guard let stored = try connection.tables().first(where: { hasSameBytes($0.name, table.name) })
      else {
        return
      }
      let declarations = stored.columns.map { column in
        "\(quoted(column.name)) "
          + (column.name == "_pk"
            ? "INTEGER PRIMARY KEY"
            : hasSameBytes(column.name, name) ? "REAL" : column.declaredType)
      }.joined(separator: ", ")
      let names = stored.columns.map { quoted($0.name) }.joined(separator: ", ")
      let (old, new) = (quoted(table.name), quoted("rehome_widened"))
      try connection.execute(
        """
        CREATE TABLE \(new) (\(declarations)) STRICT;
        INSERT INTO \(new) (\(names)) SELECT \(names) FROM \(old);
        DROP TABLE \(old);
        ALTER TABLE \(new) RENAME TO \(old)
        """)
      if let id = table.index(of: .id) { try connection.createIndex(of: table, on: id) }
      var statement = try connection.prepare(
        "UPDATE rehome_column SET type = 'real' WHERE \"table\" = ? AND name = ?")
      try statement.bind(table.name, at: 1)
      try statement.bind(name, at: 2)
      try statement.run()
    }
  }
}
