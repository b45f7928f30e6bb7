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
  /// The pages at which tables begin that were met while others were looked for.
  private var roots: [ExactText: UInt32] = [:]

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

extension StoreFile {
  /// The page at which a table begins; nil where there is none of this name.
  ///
  /// The schema is in the order in which it came to be, so it is read from its end, once for all tables
  /// that were made together.
  mutating func root(ofTable name: String) throws(SQLiteError) -> UInt32? {
    if let root = roots[ExactText(sqlName: name)] { return root }
    var statement = try connection.prepare(
      "SELECT name, rootpage FROM sqlite_schema WHERE \(SchemaKind.table.condition()) "
        + "ORDER BY rowid DESC")
    while roots[ExactText(sqlName: name)] == nil, try statement.step() {
      guard let met = statement.text(at: 0) else { continue }
      roots[ExactText(sqlName: met)] = UInt32(exactly: statement.integer(at: 1))
    }
    return roots[ExactText(sqlName: name)]
  }

  /// The page at which an index begins, found quickly where it was made last; nil where there is none
  /// of this name.
  func root(ofIndex name: String) throws(SQLiteError) -> UInt32? {
    var statement = try connection.prepare(
      "SELECT rootpage FROM sqlite_schema WHERE \(SchemaKind.index.condition()) "
        + "AND name = ? COLLATE NOCASE ORDER BY rowid DESC")
    try statement.bind(name, at: 1)
    return try statement.step() ? UInt32(exactly: statement.integer(at: 0)) : nil
  }
}
