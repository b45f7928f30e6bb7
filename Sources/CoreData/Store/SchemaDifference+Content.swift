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

  /// What a person should know; `count` rows or values are left out by it.
  func finding(losing count: Int64?) -> Finding {
    guard let count else {
      return Finding("model-differs-from-store", severity, message: "\(self)")
    }
    guard count > 0 else {
      return Finding("model-differs-from-store", .note, message: "\(self), and nothing is in it")
    }
    let what =
      if case .extraTable = self { count.counting("row", "rows") } else {
        count.counting("value", "values")
      }
    return Finding(
      "model-differs-from-store", severity,
      message: "\(self), and its \(what) \(count == 1 ? "is" : "are") left out")
  }
}

extension [SchemaDifference] {
  /// How many rows or values there are in each table and column that belongs to nothing.
  func countLeftOut(
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> [SchemaDifference: Int64] {
    var counts: [SchemaDifference: Int64] = [:]
    for difference in self {
      guard let count = difference.count else { continue }
      do throws(SQLiteError) {
        counts[difference] = try connection.integer(count)
      } catch {
        guard error.code.primary == .error else { throw error }
        // What is computed by an expression that fails holds nothing of its own.
        counts[difference] = 0
      }
    }
    return counts
  }
}
