import Bytes
import SQLite

/// The columns with an index named after them, which Core Data makes for the keys of other rows, and
/// for attributes that the app wants indexed.
struct IndexedColumns {
  /// The columns of each table.
  private(set) var columns: [String: Set<String>] = [:]

  init(of tables: [ActualTable], _ connection: borrowing Connection) throws(SQLiteError) {
    var indexes: Set<String> = []
    var statement = try connection.prepare(
      "SELECT name FROM sqlite_schema WHERE \(SchemaKind.index.condition())")
    while try statement.step() {
      if let name = statement.text(at: 0) { indexes.insert(name) }
    }
    for table in tables {
      let indexed = table.columns.map(\.name).filter {
        indexes.contains("\(table.name)_\($0)_INDEX")
      }
      if !indexed.isEmpty { columns[table.name] = Set(indexed) }
    }
  }

  /// Those that may be keys, as far as their values tell: keys are whole numbers from 1 on.
  ///
  /// Of columns that are known to be keys, which `known` has by their tables, one may lead nowhere.
  func keys(
    knowing known: [String: [String: Int64]], _ connection: borrowing Connection
  ) throws(SQLiteError) -> [String: Set<String>] {
    var keys: [String: Set<String>] = [:]
    for (table, indexed) in columns {
      let open = indexed.filter { known[table]?[$0] == nil }.sorted()
      keys[table] = indexed.subtracting(try numbers(open, of: table, connection))
    }
    return keys
  }

  /// Those of some columns in which a value is no key.
  private func numbers(
    _ columns: [String], of table: String, _ connection: borrowing Connection
  ) throws(SQLiteError) -> [String] {
    guard !columns.isEmpty else { return [] }
    let questions = columns.map { column in
      let value = quoted(column)
      return "max(typeof(\(value)) NOT IN ('integer', 'null') OR \(value) < 1)"
    }
    // One look at the table itself, as an index may lack rows.
    var statement = try connection.prepare(
      "SELECT \(questions.joined(separator: ", ")) FROM \(quoted(table)) NOT INDEXED")
    guard try statement.step() else { return [] }
    var numbers: [String] = []
    for place in columns.indices where statement.integer(at: place) == 1 {
      numbers.append(columns[place])
    }
    return numbers
  }
}
