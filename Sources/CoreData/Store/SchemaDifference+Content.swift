import Bytes
import Records
import SQLite

extension SchemaDifference {
  /// The statement that counts what is in a table or a column that belongs to nothing.
  fileprivate var count: String? {
    switch self {
    case .extraTable(let table): "SELECT count(*) FROM \(quoted(table)) NOT INDEXED"
    case .extraColumn(let table, let column):
      "SELECT count(\(quoted(column))) FROM \(quoted(table)) NOT INDEXED"
    default: nil
    }
  }

  /// What is left out with a table or a column that belongs to nothing.
  enum Content {
    /// So many rows or values.
    case counted(Int64)
    /// It is computed, and not everywhere.
    case failing
  }

  /// What a person should know; nothing is left out by most differences.
  func finding(leavingOut content: Content?) -> Finding {
    let code = "model-differs-from-store"
    switch content {
    case nil: return Finding(code, severity, message: "\(self)")
    case .failing:
      return Finding(
        code, .warning, message: "\(self), and it is left out; computing it fails in some rows")
    case .counted(0): return Finding(code, .note, message: "\(self), and nothing is in it")
    case .counted(let count):
      let what =
        if case .extraTable = self { count.counting("row", "rows") } else {
          count.counting("value", "values")
        }
      return Finding(
        code, severity, message: "\(self), and its \(what) \(count == 1 ? "is" : "are") left out")
    }
  }
}

extension [SchemaDifference] {
  /// How many rows or values there are in each table and column that belongs to nothing.
  func countLeftOut(
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> [SchemaDifference: SchemaDifference.Content] {
    var contents: [SchemaDifference: SchemaDifference.Content] = [:]
    for difference in self {
      guard let count = difference.count else { continue }
      let found = try answer { () throws(SQLiteError) in try connection.integer(count) }
      contents[difference] = found.map { .counted($0) } ?? .failing
    }
    return contents
  }
}
