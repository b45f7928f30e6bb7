import Records
import SQLite
import SQLiteFile

extension ColumnDefaults {
  /// What the engine gives for the columns of rows that are older than these; nil where it cannot be
  /// told beforehand, or is too long to be kept at hand.
  ///
  /// It is asked with a row of one column in a table of its own, of which it is then told that it was
  /// declared as this one.
  convenience init?(of table: SchemaTable, _ connection: borrowing Connection) throws(SQLiteError) {
    // Every row has the first column.
    guard table.columns.first?.hasDefault == false else { return nil }
    guard let sql = try connection.declaration(of: .table, named: table.name) else { return nil }
    do {
      let values = try Self.values(of: table, declaredAs: sql)
      guard values.reduce(0, { $0 + ($1?.bytes.count ?? 0) }) <= Self.limit else { return nil }
      self.init(values)
    } catch {
      // Whoever reads the rows with the engine hears what is wrong.
      return nil
    }
  }

  /// How many bytes all defaults of a table may have.
  private static let limit = 4096

  private static func values(
    of table: SchemaTable, declaredAs declaration: String
  ) throws(SQLiteError) -> [RawValue?] {
    let scratch = try Connection(scratchInMemory: true)
    try scratch.execute("CREATE TABLE t(x); INSERT INTO t VALUES (NULL)")
    try scratch.execute("PRAGMA writable_schema = ON")
    var change = try scratch.prepare(
      "UPDATE sqlite_schema SET name = ?1, tbl_name = ?1, sql = ?2 WHERE name = 't'")
    try change.bind(name: table.name, at: 1)
    try change.bind(name: declaration, at: 2)
    _ = try change.step()
    try scratch.execute("PRAGMA writable_schema = RESET")
    let columns = table.columns.map { quoted($0.name) }.joined(separator: ", ")
    var row = try scratch.prepare("SELECT \(columns) FROM \(quoted(table.name)) NOT INDEXED")
    guard try row.step() else { return [] }
    return table.columns.indices.map { row.optionalRaw(at: $0) }
  }
}
