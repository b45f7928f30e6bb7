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

  /// What a person should know; nothing is left out by most differences, and with others so many rows
  /// or values.
  func finding(leavingOut count: Int64?) -> Finding {
    let code = "model-differs-from-store"
    switch count {
    case nil: return Finding(code, severity, message: "\(self)")
    case 0?: return Finding(code, .note, message: "\(self), and nothing is in it")
    case let count?:
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
  ) throws(SQLiteError) -> [SchemaDifference: Int64] {
    var counts: [SchemaDifference: Int64] = [:]
    for difference in self {
      if let count = difference.count { counts[difference] = try connection.integer(count) }
    }
    return counts
  }
}
