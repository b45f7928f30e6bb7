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
      return try accepts("integrity_check")
    } catch {
      guard error.kind != .interrupted else { throw error }
      return error.code.primary == .error ? try areTreesFoundSound() : false
    }
  }

  private func accepts(_ check: String) throws(SQLiteError) -> Bool {
    var statement = try prepare("PRAGMA \(check)(\(Int32.max))")
    while try statement.step() {
      let line = statement.text(at: 0) ?? ""
      guard line == "ok" || Self.isBrokenPromise(line) else { return false }
    }
    return true
  }

  /// As above, where indexes and CHECKs cannot be checked, for they need orders and functions that
  /// only the app has.
  ///
  /// It has a connection of its own: that one takes any order for that of bytes, in which no index
  /// should be searched.
  private func areTreesFoundSound() throws(SQLiteError) -> Bool {
    do {
      let connection = try Connection(opening: path, mode: .immutable)
      try connection.harden()
      if let interruption { connection.watch(interruption) }
      try connection.learnEncoding()
      try connection.compareBytesForUnknownCollations()
      try connection.execute("PRAGMA ignore_check_constraints = ON")
      return try connection.accepts("quick_check")
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
