import Bytes
package import Records
package import SQLite

/// An empty store that the app itself made: evidence, like every source.
///
/// It owns an open database, so it has identity.
package final class AppTemplate {
  private let database: SourceDatabase
  /// Its true tables, in order of creation.
  package let tables: [SchemaTable]
  let keepsLog: Bool

  /// Opens the store at `path`; a copy of it, where one is needed, goes below `temporaryFolder`.
  ///
  /// - Throws: `StoreError` when it is missing, no database, damaged, or cannot be read.
  package init(opening path: String, temporaryFolder: String) throws(StoreError) {
    let database = try Self.open(path, temporaryFolder: temporaryFolder)
    tables = try storeErrors("the template cannot be read", path: path) {
      () throws(SQLiteError) in try database.connection.tables()
    }
    let header = try storeErrors(path: path) { () throws(FileError) in
      try readPrefix(of: path, count: Self.readVersionPlace + 1)
    }
    keepsLog = header.last == 2
    self.database = database
  }

  private static func open(
    _ path: String, temporaryFolder: String
  ) throws(StoreError) -> SourceDatabase {
    do {
      return try SourceDatabase(opening: path, temporaryFolder: temporaryFolder)
    } catch {
      var error = StoreError(error, context: "the template cannot be read", path: path)
      // What else rehome reads is of no use here.
      if error.kind == .notAStore { error.hint = advice }
      throw error
    }
  }

  /// The template's own path.
  package var path: String { database.files.main.path }

  /// The files that make it up, none of which is ever changed.
  package var inputFiles: [String] { database.files.withContent.map(\.path) }

  /// Copies the template over a file of our own.
  package func copy(over destination: String) throws(StoreError) {
    try storeErrors { () throws(SQLiteError) in try database.copy(over: destination) }
  }

  /// Runs queries on the template.
  package func read<Value>(
    _ body: (borrowing Connection) throws(SQLiteError) -> Value
  ) throws(StoreError) -> Value {
    try storeErrors("the template cannot be read", path: path) { () throws(SQLiteError) in
      try body(database.connection)
    }
  }

  /// The first of these tables that has rows; nil when all are empty.
  package func firstFilled(of names: [String]) throws(StoreError) -> String? {
    try read { (connection) throws(SQLiteError) in
      for name in names {
        let isFilled = try connection.integer(
          "SELECT EXISTS (SELECT 1 FROM \(quoted(name)))")
        if isFilled != 0 { return name }
      }
      return nil
    }
  }

  /// Tells that the template is not what it must be.
  package func refusal(_ message: String, hint: String? = nil) -> StoreError {
    StoreError(.unsupported, path: path, message, hint: hint ?? Self.advice)
  }

  /// What is needed instead.
  package static let advice = "give an empty store that the app itself has created"

  /// Where a database's header says whether it is read through a log.
  private static let readVersionPlace = 19
}
