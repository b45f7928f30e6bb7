import Bytes
import CSQLite

/// A compiled statement; it is finalised when the value ends.
@safe
package struct Statement: ~Copyable {
  /// Not nil while the value lives; finalised once, by `deinit`.
  @usableFromInline let handle: OpaquePointer
  private let path: String
  /// How the database writes its texts.
  let encoding: DatabaseEncoding
  /// Whether that is UTF-16.
  @usableFromInline let storesUTF16: Bool

  fileprivate init(_ handle: OpaquePointer, path: String, encoding: DatabaseEncoding) {
    unsafe self.handle = handle
    self.path = path
    self.encoding = encoding
    storesUTF16 = encoding != .utf8
  }

  deinit {
    unsafe sqlite3_finalize(handle)
  }

  /// Moves to the next row.
  ///
  /// - Returns: whether there is one.
  package mutating func step() throws(SQLiteError) -> Bool {
    let result = unsafe sqlite3_step(handle)
    if result == SQLITE_ROW { return true }
    if result == SQLITE_DONE { return false }
    throw failure(result)
  }

  /// Makes the statement ready to run again; bindings stay.
  package mutating func reset() {
    // The result repeats the error of the last step, which was thrown then.
    unsafe _ = sqlite3_reset(handle)
  }

  /// How many columns a row has.
  package var columnCount: Int { unsafe Int(sqlite3_column_count(handle)) }

  /// The error of a step or binding that just failed.
  func failure(_ result: Int32) -> SQLiteError {
    let connection = unsafe sqlite3_db_handle(handle)
    let sql = unsafe sqlite3_sql(handle).map { text in unsafe String(cString: text) }
    // The statement belongs to an open connection.
    let isEvidence = unsafe rehome_sqlite3_is_defensive(connection) != 0
    return SQLiteError(
      result, of: connection, path: path, sql: sql, isEvidence: isEvidence)
  }
}

extension Connection {
  /// Compiles one statement.
  ///
  /// Names in it may have bytes that are no UTF-8, kept as `String(keepingBytes:)` keeps them.
  ///
  /// - Throws: `SQLiteError` when it does not compile, or is empty.
  package func prepare(_ sql: String) throws(SQLiteError) -> Statement {
    var statement: OpaquePointer?
    let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
    if sql.hasKeptBytes {
      let bytes = (sql.keptBytes + [0]).map(CChar.init(bitPattern:))
      try check(unsafe sqlite3_prepare_v3(handle, bytes, -1, flags, &statement, nil), sql: sql)
    } else {
      try check(unsafe sqlite3_prepare_v3(handle, sql, -1, flags, &statement, nil), sql: sql)
    }
    guard let statement = unsafe statement else {
      throw SQLiteError(.error, "the statement is empty", path: path, sql: sql)
    }
    return unsafe Statement(statement, path: path, encoding: known.encoding)
  }
}
