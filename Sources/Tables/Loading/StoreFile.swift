import Bytes
package import Records
package import SQLite
package import SQLiteFile

/// The file of a store that is being built, written by the engine and page by page in turns.
package struct StoreFile: ~Copyable {
  /// The engine's side, for those who have called `useEngine`.
  package let connection: Connection
  private var pages: GrowingPages
  private var isWithEngine = false

  package init(_ connection: consuming Connection) throws(StoreError) {
    let path = connection.path
    pages = try storeErrors { () throws(FileError) in try GrowingPages(opening: path) }
    self.connection = connection
  }

  package mutating func useEngine() throws(StoreError) {
    guard !isWithEngine else { return }
    if pages.pageSize > 0 {
      try storeErrors { () throws(FileError) in try pages.handOver() }
    }
    try execute("BEGIN")
    isWithEngine = true
  }

  /// Ends the engine's transaction, and lends the pages.
  package mutating func usePages(
    _ body: (inout GrowingPages) throws(StoreError) -> Void
  ) throws(StoreError) {
    if isWithEngine {
      try execute("COMMIT")
      isWithEngine = false
      try storeErrors { () throws(FileError) in try pages.takeOver() }
    }
    try body(&pages)
  }

  private func execute(_ sql: String) throws(StoreError) {
    try storeErrors { () throws(SQLiteError) in try connection.execute(sql) }
  }
}

extension Connection {
  /// The page at which a `table` or an `index` begins; nil where there is none of this name.
  func rootPage(of kind: String, named name: String) throws(SQLiteError) -> UInt32? {
    var statement = try prepare("SELECT rootpage FROM sqlite_schema WHERE type = ? AND name = ?")
    try statement.bind(kind, at: 1)
    try statement.bind(name, at: 2)
    return try statement.step() ? UInt32(exactly: statement.integer(at: 0)) : nil
  }
}
