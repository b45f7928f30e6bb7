import Records
import SQLite

extension Connection {
  /// Makes a table of the app, and describes it.
  func createTable(_ table: Table, position: Int) throws(SQLiteError) {
    let columns = table.columns.map { "\(quoted($0.name)) \($0.type.storageName)" }
    let declarations = (["_pk INTEGER PRIMARY KEY"] + columns).joined(separator: ", ")
    try execute("CREATE TABLE \(quoted(table.name)) (\(declarations)) STRICT")
    var statement = try prepare(
      "INSERT INTO rehome_table (name, position, sourceName, sourceTable) VALUES (?, ?, ?, ?)")
    try statement.bind(table.name, at: 1)
    try statement.bind(Int64(position), at: 2)
    try statement.bind(table.sourceName, at: 3)
    try statement.bind(table.sourceTable, at: 4)
    try statement.run()
    for (position, column) in table.columns.enumerated() {
      try insert(
        into: "rehome_column",
        [
          .text(table.name), .integer(Int64(position)), .text(column.name),
          .text(column.sourceName), .text(column.sourceColumn), .text(column.type.rawValue),
          .text(column.role.rawValue), .integer(column.isNullable ? 1 : 0),
          .optionalText(column.target),
        ])
    }
  }

  /// Records the books of a table.
  func write(_ balance: TableBalance) throws(SQLiteError) {
    var statement = try prepare(
      """
      UPDATE rehome_table SET "read" = ?2, written = ?3, rejected = ?4, filtered = ?5
      WHERE name = ?1
      """)
    try statement.bind(balance.name, at: 1)
    let counts = [balance.read, balance.written, balance.rejected, balance.filtered]
    for (place, count) in counts.enumerated() {
      try statement.bind(Int64(count), at: place + 2)
    }
    try statement.run()
  }

  /// Builds the index on the id column, where a table has one.
  func createIndex(of table: Table) throws(SQLiteError) {
    guard let id = table.index(of: .id) else { return }
    try execute(
      """
      CREATE INDEX \(quoted("rehome_index_" + table.name))
      ON \(quoted(table.name)) (\(quoted(table.columns[id].name)))
      """)
  }
}
