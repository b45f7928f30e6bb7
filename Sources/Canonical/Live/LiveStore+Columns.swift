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
      let stored = StoredColumn(
        table: table.name, position: try freePosition(in: table, for: column), column: column)
      try connection.write([stored], to: CanonicalSchema.columns)
    }
  }

  /// The place behind all columns that the catalogue names; one of this name that is not there is
  /// forgotten.
  private func freePosition(in table: Table, for column: Column) throws(SQLiteError) -> Int {
    var gone = try connection.prepare(
      "DELETE FROM rehome_column WHERE \"table\" = ? AND name = ? COLLATE NOCASE")
    try gone.bind(table.name, at: 1)
    try gone.bind(column.name, at: 2)
    try gone.run()
    var next = try connection.prepare(
      "SELECT coalesce(max(position) + 1, 0) FROM rehome_column WHERE \"table\" = ?")
    try next.bind(table.name, at: 1)
    return try next.step() ? Int(next.integer(at: 0)) : 0
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
