import Bytes

extension Connection {
  /// Whether the engine's own check finds nothing wrong with the structure of the file.
  ///
  /// Rows that break a promise of the schema, such as NOT NULL, are no damage: they can be read.
  ///
  /// - Throws: `SQLiteError` when the query is ended from outside; a check that fails in any other
  ///   way accepts nothing.
  package func isFoundSound() throws(SQLiteError) -> Bool {
    do {
      var statement = try prepare("PRAGMA integrity_check(\(Int32.max))")
      while try statement.step() {
        let line = statement.text(at: 0) ?? ""
        guard line == "ok" || Self.isBrokenPromise(line) else { return false }
      }
      return true
    } catch {
      guard error.kind != .interrupted else { throw error }
      return false
    }
  }

  /// Whether a line of the check is about a value that the schema forbids.
  private static func isBrokenPromise(_ line: String) -> Bool {
    let beginnings = [
      "CHECK constraint failed in ", "NULL value in ", "NUMERIC value in ", "TEXT value in ",
      "non-INT value in ", "non-INTEGER value in ", "non-REAL value in ", "non-TEXT value in ",
      "non-BLOB value in ",
    ]
    return beginnings.contains(where: line.hasPrefix)
  }
}
