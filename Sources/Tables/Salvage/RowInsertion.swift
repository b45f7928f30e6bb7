import SQLite
import SQLiteFile

/// Puts rows into the tables of a new database; one that a table does not take is counted.
struct RowInsertion: ~Copyable {
  private let tables: [RebuiltTable]
  private let encoding: FileHeader.Encoding
  /// How many rows each table has refused, for a key that is taken or a value that it cannot have.
  private(set) var refused: [Int]
  private var statement: Statement?
  /// What the statement is for: a table, and how many values its records have.
  private var purpose: (table: Int, count: Int)?

  init(tables: [RebuiltTable], encoding: FileHeader.Encoding) {
    self.tables = tables
    self.encoding = encoding
    refused = [Int](repeating: 0, count: tables.count)
  }

  /// Inserts a row, whose record may be shorter than the table is wide.
  mutating func insert(
    _ key: Int64, _ values: [StoredValue], _ arena: [UInt8], into table: Int,
    of connection: borrowing Connection
  ) throws(SQLiteError) {
    if purpose.map({ $0 == (table, values.count) }) != true {
      statement = try connection.prepare(insertion(into: table, count: values.count))
      purpose = (table, values.count)
    }
    do {
      try run(key, values, arena, tables[table])
      if connection.changes == 0 { refused[table] += 1 }
    } catch {
      // A strict table does not ignore a value of a wrong type, as the statement tells it to.
      guard case .constraint = error.code else { throw error }
      refused[table] += 1
    }
  }

  private mutating func run(
    _ key: Int64, _ values: [StoredValue], _ arena: [UInt8], _ table: RebuiltTable
  ) throws(SQLiteError) {
    let hasKey = table.rowIDName != nil
    if hasKey { try statement?.bind(key, at: 1) }
    var parameter = hasKey ? 2 : 1
    for column in table.insertable where column.place < values.count {
      try bind(values[column.place], arena, at: parameter)
      parameter += 1
    }
    try statement?.run()
  }

  private mutating func bind(
    _ value: StoredValue, _ arena: [UInt8], at parameter: Int
  ) throws(SQLiteError) {
    switch value.kind {
    case .null, .missing: try statement?.bindNull(at: parameter)
    case .integer: try statement?.bind(value.integer, at: parameter)
    case .real: try statement?.bind(value.real, at: parameter)
    case .blob: try statement?.bind(blob: Array(arena[value.range]), at: parameter)
    case .text where encoding == .utf8:
      try statement?.bind(text: Array(arena[value.range]), at: parameter)
    case .text:
      try statement?.bind(encoding.string(of: arena[value.range]), at: parameter)
    }
  }

  /// The statement for records of `count` values; the other columns take their defaults.
  private func insertion(into index: Int, count: Int) -> String {
    let table = tables[index]
    let names = table.insertable.filter { $0.place < count }.map { quoted($0.name) }
    let all = [table.rowIDName].compactMap(\.self) + names
    let marks = all.map { _ in "?" }.joined(separator: ", ")
    return """
      INSERT OR IGNORE INTO \(quoted(table.profile.name)) (\(all.joined(separator: ", "))) \
      VALUES (\(marks))
      """
  }
}
