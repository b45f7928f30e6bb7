import Records
import SQLite

extension Connection {
  /// Makes a table of the app, and describes what the app has put into it.
  func createTable(_ table: Table, position: Int) throws(SQLiteError) {
    let declarations = table.columns.map { "\(quoted($0.name)) \($0.type.storageName)" }
    let list = (["_pk INTEGER PRIMARY KEY"] + declarations).joined(separator: ", ")
    try execute("CREATE TABLE \(quoted(table.name)) (\(list)) STRICT")
    try write([StoredTable(table: table, position: position)], to: CanonicalSchema.tables)
    if let next = table.nextKey {
      let fact = SourceDescription.Fact(CanonicalSchema.nextKey + table.name, String(next))
      try write([fact], to: CanonicalSchema.facts)
    }
    let undecided = table.columns.filter(\.isUndecided).map(\.name)
    if !undecided.isEmpty {
      let fact = SourceDescription.Fact(
        CanonicalSchema.undecided + table.name, BookkeepingJSON.array(undecided))
      try write([fact], to: CanonicalSchema.facts)
    }
    let columns = table.withoutSource.columns.enumerated().map { position, column in
      StoredColumn(table: table.name, position: position, column: column)
    }
    try write(columns, to: CanonicalSchema.columns)
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

  /// Makes the index on the id column of a table, from the rows that the engine knows of.
  func createIndex(of table: Table, on column: Int) throws(SQLiteError) {
    try execute(
      """
      CREATE INDEX \(quoted(table.indexName))
      ON \(quoted(table.name)) (\(quoted(table.columns[column].name)))
      """)
  }
}

extension Table {
  /// The name of the index on the id column.
  var indexName: String { "rehome_index_" + name }
}
