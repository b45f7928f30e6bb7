import Bytes
import Records
import SQLite
import SQLiteFile

/// The file of a store that is being built, written by the engine and page by page in turns.
package struct StoreFile: ~Copyable {
  /// The engine's side, for those who have called `useEngine`.
  let connection: Connection
  private var pages: GrowingPages
  private var isWithEngine = false

  init(_ connection: consuming Connection) throws(StoreError) {
    let path = connection.path
    pages = try storeErrors { () throws(FileError) in try GrowingPages(opening: path) }
    self.connection = connection
  }

  mutating func useEngine() throws(StoreError) {
    guard !isWithEngine else { return }
    if pages.pageSize > 0 {
      try storeErrors { () throws(FileError) in try pages.handOver() }
    }
    try execute("BEGIN")
    isWithEngine = true
  }

  /// Ends the engine's transaction, and lends the pages.
  mutating func usePages(
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
