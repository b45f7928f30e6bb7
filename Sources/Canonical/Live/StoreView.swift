package import Records
package import SQLite

/// An open store whose rows and journal can be read, whether or not it may be changed.
package protocol OpenStore: AnyObject {
  /// The store's file.
  var path: String { get }

  func lend<Value: ~Copyable>(
    _ body: (borrowing Connection) throws(SQLiteError) -> Value
  ) throws(SQLiteError) -> Value
}

/// A canonical store that is only looked at: no byte and no folder entry of it changes.
package final class StoreView: OpenStore {
  package let path: String
  private let database: SourceDatabase

  /// Opens the store at `path`, which the caller knows to be a canonical one.
  package init(at path: String, temporaryFolder: String) throws(StoreError) {
    self.path = path
    database = try storeErrors { () throws(SQLiteError) in
      try SourceDatabase(opening: path, temporaryFolder: temporaryFolder)
    }
  }

  package func lend<Value: ~Copyable>(
    _ body: (borrowing Connection) throws(SQLiteError) -> Value
  ) throws(SQLiteError) -> Value {
    try body(database.connection)
  }
}

extension LiveStore: OpenStore {
  package func lend<Value: ~Copyable>(
    _ body: (borrowing Connection) throws(SQLiteError) -> Value
  ) throws(SQLiteError) -> Value {
    try body(connection)
  }
}
