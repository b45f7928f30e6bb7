import Bytes
package import Records
import SQLite

/// A canonical store that is changed in place: by one process at a time, and durably.
///
/// Opening it locks it and changes no byte of it. From `begin` on a `-wal` stands beside it, because
/// that needs one flush for each transaction where a rollback journal needs three. `close` takes it
/// away again. A process that is killed leaves it behind, and the next one to open the store takes in
/// what it holds.
package final class LiveStore {
  let connection: Connection
  /// Whether the store is being changed.
  private var isBegun = false
  /// The store's file.
  package let path: String

  /// Opens the store at `path`, which the caller knows to be a canonical one and has locked.
  ///
  /// - Throws: `StoreError` when it cannot be opened for writing or is in use.
  package init(at path: String) throws(StoreError) {
    self.path = path
    do {
      connection = try Self.open(path)
    } catch {
      guard error.code.primary == .busy else { throw StoreError(error, path: path) }
      throw StoreError(
        .temporary, path: path, "another program is using the store",
        hint: "wait until it is done, and run again")
    }
  }

  private static func open(_ path: String) throws(SQLiteError) -> Connection {
    let connection = try Connection(opening: path, mode: .readWrite)
    // A log that a killed process has left stays as it is, unless the store is changed.
    if try SourceFiles(of: path).wal != nil { try connection.keepLogAtEnd(true) }
    // Before anything is read, so that no shared memory is made for a log.
    try connection.execute("PRAGMA locking_mode = EXCLUSIVE")
    // A store may have triggers of whoever made it; none of them shall run.
    try connection.harden()
    // The lock stays; without readers nothing can keep `begin` from its change.
    try connection.execute("BEGIN EXCLUSIVE; COMMIT")
    return connection
  }

  deinit {
    // What cannot be closed keeps its log, which the next one to open the store takes in.
    if isBegun { try? close() }
  }

  /// Gets ready to change the store; the first transaction does so, too.
  package func begin() throws(StoreError) {
    guard !isBegun else { return }
    isBegun = true
    try endWithLog()
    try execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
  }

  /// Lets the log go when the store is closed, once what it holds is in the file.
  private func endWithLog() throws(StoreError) {
    try storeErrors(path: path) { () throws(SQLiteError) in try connection.keepLogAtEnd(false) }
  }

  /// Runs `body` as one transaction; nothing of it stays when it fails.
  ///
  /// - Throws: `StoreError` of the body, or when the store cannot be written.
  package func transaction<Value>(
    _ body: () throws(StoreError) -> Value
  ) throws(StoreError) -> Value {
    try begin()
    try execute("BEGIN IMMEDIATE")
    do {
      let value = try body()
      try execute("COMMIT")
      return value
    } catch {
      // The first error is the one to tell; the engine may have rolled back by itself.
      try? execute("ROLLBACK")
      throw error
    }
  }

  /// Puts everything into the one file; the store must not be changed after that.
  package func close() throws(StoreError) {
    isBegun = false
    try endWithLog()
    // The lock goes with the next reading, and with it the journal of this very change.
    try execute(
      """
      PRAGMA journal_mode = DELETE; PRAGMA locking_mode = NORMAL;
      SELECT count(*) FROM sqlite_schema
      """)
  }

  /// Keeps a fact in the store's bookkeeping.
  package func setFact(_ key: String, to value: String) throws(StoreError) {
    try storeErrors(path: path) { () throws(SQLiteError) in
      var statement = try connection.prepare("INSERT OR REPLACE INTO rehome_meta VALUES (?, ?)")
      try statement.bind(key, at: 1)
      try statement.bind(value, at: 2)
      try statement.run()
    }
  }

  private func execute(_ sql: String) throws(StoreError) {
    try storeErrors(path: path) { () throws(SQLiteError) in try connection.execute(sql) }
  }
}

/// A statement that is kept for many uses.
final class KeptStatement {
  var statement: Statement

  init(_ statement: consuming Statement) {
    self.statement = statement
  }
}
