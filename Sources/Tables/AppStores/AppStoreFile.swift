import Bytes
package import Records
package import SQLite

/// The database of an app's store that is being filled: a new one, or a copy of the app's own.
///
/// Nobody sees it before `publish`. It owns an open database, so it has identity.
package final class AppStoreFile {
  /// The final name.
  let destination: String
  private var staged: StagedFile?
  private var connection: Connection?
  private let keepsLog: Bool

  /// Begins a file for `destination`, which holds what the template holds if there is one.
  ///
  /// Nothing that came with the template may run, unless `idleFunctions` names what its triggers
  /// call and only the app has.
  ///
  /// - Throws: `StoreError` when the destination exists and may not be replaced, or the file cannot
  ///   be made.
  package init(
    destination: String, replacing: Bool, template: AppTemplate?, interruption: Interruption,
    idleFunctions: [String]? = nil
  ) throws(StoreError) {
    let staged = try storeErrors { () throws(FileError) in
      try StagedFile(for: destination, replacing: replacing)
    }
    let path = staged.temporaryPath
    self.staged = consume staged
    var keepsLog = false
    if let template {
      try template.copy(over: path)
      keepsLog = template.keepsLog
    }
    connection = try storeErrors(path: destination) { () throws(SQLiteError) in
      let connection = try Self.connect(to: path)
      connection.watch(interruption)
      if let idleFunctions { try connection.allowTriggers(idleFunctions: idleFunctions) }
      return connection
    }
    self.keepsLog = keepsLog
    self.destination = destination
    if let template { try check(template) }
  }

  /// What is wrong with the template must not look like our own fault in the end.
  ///
  /// The copy is asked, because the engine does not check rules of what it cannot write.
  private func check(_ template: AppTemplate) throws(StoreError) {
    let verdict = try verdict()
    guard verdict == "ok" else {
      throw StoreError(.damaged, path: template.path, "the template is damaged: \(verdict)")
    }
  }

  /// Runs `body` on the database, in the one transaction that fills it.
  package func withDatabase<Value: ~Copyable>(
    _ body: (borrowing Connection) throws(SQLiteError) -> Value
  ) throws(StoreError) -> Value {
    guard let connection = connection.take() else {
      throw StoreError(.internalError, "the store is no longer being built")
    }
    let value: Result<Value, SQLiteError>
    do {
      value = .success(try body(connection))
    } catch {
      value = .failure(error)
    }
    self.connection = consume connection
    do {
      return try value.get()
    } catch {
      throw StoreError(error, path: destination)
    }
  }

  /// Checks the file, flushes it and gives it its name.
  ///
  /// - Throws: `StoreError` when the check fails or the file cannot be published.
  package func publish() throws(StoreError) {
    try withDatabase { (connection) throws(SQLiteError) in try connection.execute("COMMIT") }
    try check()
    let mode = keepsLog ? "WAL" : "DELETE"
    try withDatabase { (connection) throws(SQLiteError) in
      try connection.execute("PRAGMA journal_mode = \(mode)")
    }
    // The database must be closed before its file is flushed and renamed.
    connection = nil
    try storeErrors { () throws(FileError) in try staged.take()?.publish() }
  }

  private func check() throws(StoreError) {
    let verdict = try verdict()
    guard verdict == "ok" else {
      throw StoreError(.internalError, "the new store does not pass its check: \(verdict)")
    }
  }

  private func verdict() throws(StoreError) -> String {
    try withDatabase { (connection) throws(SQLiteError) in
      var statement = try connection.prepare("PRAGMA integrity_check(1)")
      return try statement.step() ? statement.text(at: 0) ?? "" : ""
    }
  }

  /// Nobody else sees the file: a journal on disk would only cost time.
  private static func connect(to path: String) throws(SQLiteError) -> Connection {
    let connection = try Connection(opening: path, mode: .readWrite)
    try connection.harden()
    try connection.execute(
      """
      PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF;
      PRAGMA cache_size = -16384; PRAGMA temp_store = FILE; BEGIN
      """)
    return connection
  }
}
