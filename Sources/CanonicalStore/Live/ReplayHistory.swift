import Bytes
package import Records
import SQLite

/// What a journal says, read without changing the store.
package enum ReplayHistory {
  /// Lends the lines about one target of a store that nobody is working with.
  ///
  /// The caller has made sure that it is a canonical store without side files.
  ///
  /// - Throws: `StoreError` when they cannot be read, or whatever `body` throws.
  package static func forEachLine(
    ofStoreAt path: String, target: String, _ body: (JournalLine) throws(StoreError) -> Void
  ) throws(StoreError) {
    let connection = try storeErrors(path: path) { () throws(SQLiteError) in
      let connection = try Connection(opening: path, mode: .immutable)
      try connection.harden()
      return connection
    }
    try forEachLine(of: connection, target: target, body)
  }

  static func forEachLine(
    of connection: borrowing Connection, target: String,
    _ body: (JournalLine) throws(StoreError) -> Void
  ) throws(StoreError) {
    let columns = try storeErrors { () throws(SQLiteError) in try connection.replayColumns() }
    // A store that was never replayed since the journal knows of targets has no line to lend.
    guard columns.contains("target") else { return }
    var statement = try storeErrors { () throws(SQLiteError) in
      var statement = try connection.prepare(
        """
        SELECT sequence, at, event, detail, attempt, status, version
        FROM rehome_replay WHERE target = ? ORDER BY id
        """)
      try statement.bind(target, at: 1)
      return statement
    }
    while try step(&statement) { try body(line(statement)) }
  }

  private static func step(_ statement: inout Statement) throws(StoreError) -> Bool {
    do {
      return try statement.step()
    } catch {
      throw StoreError(error)
    }
  }

  private static func line(_ statement: borrowing Statement) -> JournalLine {
    let at = Array((statement.text(at: 1) ?? "").utf8)
    var line = JournalLine(
      sequence: statement.integer(at: 0), time: Timestamp(parsing: at.span) ?? .epoch,
      event: statement.text(at: 2) ?? "")
    line.detail = statement.text(at: 3)
    line.attempt = statement.storageClass(at: 4) == .null ? nil : statement.integer(at: 4)
    line.status = statement.storageClass(at: 5) == .null ? nil : statement.integer(at: 5)
    line.version = statement.text(at: 6)
    return line
  }
}
