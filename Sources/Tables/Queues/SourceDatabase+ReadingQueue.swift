package import Records
package import SQLite

extension SourceDatabase {
  /// Lends the connection to what reads the queue, or anything that belongs to it; a failure says so,
  /// and in which file.
  package borrowing func readingQueue<Value>(
    _ body: (borrowing Connection) throws(SQLiteError) -> Value
  ) throws(StoreError) -> Value {
    try storeErrors("the queue cannot be read", path: files.main.path) { () throws(SQLiteError) in
      try body(connection)
    }
  }
}
