import Bytes
package import Records
package import SQLite
import SQLiteFile

/// The database of an app's store that is being filled: a new one, or a copy of the app's own.
///
/// Nobody sees it before `publish`. It owns an open database, so it has identity.
package final class AppStoreFile {
  /// The final name.
  let destination: String
  private let temporaryPath: String
  private var staged: StagedFile?
  private var file: StoreFile?
  private let keepsLog: Bool
  /// The template, where the schema is the app's own, whose rules only the engine knows.
  private let templatePath: String?

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
    temporaryPath = path
    self.staged = consume staged
    var keepsLog = false
    if let template {
      try template.copy(over: path)
      keepsLog = template.keepsLog
    }
    let connection = try storeErrors(path: destination) { () throws(SQLiteError) in
      let connection = try Self.connect(to: path, isNew: template == nil)
      connection.watch(interruption)
      if let idleFunctions { try connection.allowTriggers(idleFunctions: idleFunctions) }
      return connection
    }
    file = try StoreFile(connection)
    templatePath = template?.path
    self.keepsLog = keepsLog
    self.destination = destination
    if template != nil { try checkTemplate() }
  }

  /// What is wrong with the template must not look like our own fault in the end.
  ///
  /// The copy is asked, because the engine does not check rules of what it cannot write.
  private func checkTemplate() throws(StoreError) {
    let verdict = try prepare { (connection) throws(SQLiteError) in
      try connection.integrityVerdict()
    }
    guard verdict == "ok" else {
      throw StoreError(.damaged, path: templatePath, "the template is damaged: \(verdict)")
    }
  }

  /// Runs `body` on the database, which fails for want of what only the template's app has.
  func prepare<Value: ~Copyable>(
    _ body: (borrowing Connection) throws(SQLiteError) -> Value
  ) throws(StoreError) -> Value {
    do {
      return try withDatabase(body)
    } catch {
      guard let templatePath, [.damaged, .internalError].contains(error.kind) else { throw error }
      throw StoreError(
        .unsupported, path: templatePath,
        "the template cannot be filled without its app: \(error.message)",
        hint: "give an empty store without indexes and rules that need the app's own code")
    }
  }

  /// Runs `body` on the database while the engine writes.
  package func withDatabase<Value: ~Copyable>(
    _ body: (borrowing Connection) throws(SQLiteError) -> Value
  ) throws(StoreError) -> Value {
    try withFile { (file) throws(StoreError) in
      try file.useEngine()
      return try storeErrors { () throws(SQLiteError) in try body(file.connection) }
    }
  }

  /// Lends the file, which the engine and others write in turns.
  func withFile<Value: ~Copyable>(
    _ body: (inout StoreFile) throws(StoreError) -> Value
  ) throws(StoreError) -> Value {
    guard var file = file.take() else {
      throw StoreError(.internalError, "the store is no longer being built")
    }
    let value: Result<Value, StoreError>
    do {
      value = .success(try body(&file))
    } catch {
      value = .failure(error)
    }
    self.file = consume file
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
    file = nil
    try storeErrors { () throws(FileError) in try staged.take()?.publish() }
  }

  private func check() throws(StoreError) {
    let verdict =
      try templatePath == nil
      ? structureVerdict()
      : withDatabase { (connection) throws(SQLiteError) in try connection.integrityVerdict() }
    guard verdict == "ok" else {
      throw StoreError(.internalError, "the new store does not pass its check: \(verdict)")
    }
  }

  /// What is wrong with the pages or the number of entries of an index.
  ///
  /// The engine would look for the entry of every row, in random order.
  private func structureVerdict() throws(StoreError) -> String {
    let indexes = try withDatabase { (connection) throws(SQLiteError) in
      try connection.indexRoots()
    }
    let flushing = staged?.flushAhead(threads: threadCount())
    let report = try storeErrors(path: destination) { () throws(PageError) in
      try PageFile(opening: temporaryPath).checkStructure(threads: threadCount())
    }
    try storeErrors { () throws(FileError) in try flushing?.value.get() }
    if let damage = report.damage.first { return damage.description }
    let isWhole = indexes.allSatisfy { report.rowCounts[$0.root] == report.rowCounts[$0.table] }
    return isWhole ? "ok" : "an index has not an entry for each row"
  }

  /// Nobody else sees the file: a journal on disk would only cost time.
  ///
  /// What a new file refuses, it refuses before anything is written, so it needs none at all.
  private static func connect(to path: String, isNew: Bool) throws(SQLiteError) -> Connection {
    let connection = try Connection(opening: path, mode: .readWrite)
    try connection.harden()
    try connection.execute(
      """
      PRAGMA journal_mode = \(isNew ? "OFF" : "MEMORY"); PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF;
      PRAGMA cache_size = -8192; PRAGMA temp_store = FILE
      """)
    return connection
  }
}

extension Connection {
  /// What the engine first finds wrong with the database, or `ok`.
  fileprivate func integrityVerdict() throws(SQLiteError) -> String {
    var statement = try prepare("PRAGMA integrity_check(1)")
    return try statement.step() ? statement.text(at: 0) ?? "" : ""
  }

  /// Where each index begins, and the table of whose rows it has an entry each.
  fileprivate func indexRoots() throws(SQLiteError) -> [(root: UInt32, table: UInt32)] {
    var roots: [(UInt32, UInt32)] = []
    var statement = try prepare(
      """
      SELECT i.rootpage, t.rootpage FROM sqlite_schema AS i JOIN sqlite_schema AS t
        ON \(SchemaKind.table.condition(on: "t")) AND t.name = i.tbl_name COLLATE NOCASE
      WHERE \(SchemaKind.index.condition(on: "i"))
      """)
    while try statement.step() {
      let (index, table) = (statement.integer(at: 0), statement.integer(at: 1))
      roots.append((UInt32(clamping: index), UInt32(clamping: table)))
    }
    return roots
  }
}
