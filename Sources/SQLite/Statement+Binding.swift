import Bytes
import CSQLite

extension Statement {
  /// Sets a parameter, counted from 1, to a number; nil is NULL.
  ///
  /// - Throws: `SQLiteError` when there is no such parameter.
  package mutating func bind(_ value: Int64?, at parameter: Int) throws(SQLiteError) {
    guard let value else { return try bindNull(at: parameter) }
    try check(unsafe sqlite3_bind_int64(handle, Int32(parameter), value))
  }

  /// Sets a parameter to a floating point number.
  ///
  /// - Throws: `SQLiteError` when there is no such parameter.
  package mutating func bind(_ value: Double, at parameter: Int) throws(SQLiteError) {
    try check(unsafe sqlite3_bind_double(handle, Int32(parameter), value))
  }

  /// Sets a parameter to a text, which is copied; nil is NULL.
  ///
  /// - Throws: `SQLiteError` when there is no such parameter or the text is too long.
  package mutating func bind(_ value: String?, at parameter: Int) throws(SQLiteError) {
    guard let value else { return try bindNull(at: parameter) }
    let bytes = Array(value.utf8)
    try bind(text: bytes, at: parameter)
  }

  /// Sets a parameter to a name of the schema, in which bytes that are no UTF-8 are kept.
  ///
  /// - Throws: `SQLiteError` when there is no such parameter or the name is too long.
  package mutating func bind(name: String, at parameter: Int) throws(SQLiteError) {
    try bind(text: name.keptBytes, at: parameter)
  }

  /// Sets a parameter to a text as a file in some encoding holds it, whatever its bytes are.
  ///
  /// - Throws: `SQLiteError` when there is no such parameter or the text is too long.
  package mutating func bind(
    text: [UInt8], in encoding: DatabaseEncoding, at parameter: Int
  ) throws(SQLiteError) {
    guard let mark = encoding.mark else { return try bind(text: text, at: parameter) }
    let result = unsafe (mark + text).withUnsafeBytes { bytes in
      unsafe rehome_sqlite3_bind_text16_copy(
        handle, Int32(parameter), bytes.baseAddress, UInt64(bytes.count))
    }
    try check(result)
  }

  /// Sets a parameter to UTF-8 text, which is copied; nil is NULL.
  ///
  /// - Throws: `SQLiteError` when there is no such parameter or the text is too long.
  package mutating func bind(text: [UInt8]?, at parameter: Int) throws(SQLiteError) {
    guard let text else { return try bindNull(at: parameter) }
    let result = unsafe text.withUnsafeBytes { bytes in
      unsafe rehome_sqlite3_bind_text_copy(
        handle, Int32(parameter), bytes.baseAddress, UInt64(bytes.count))
    }
    try check(result)
  }

  /// Sets a parameter to bytes, which are copied; nil is NULL.
  ///
  /// - Throws: `SQLiteError` when there is no such parameter or the value is too long.
  package mutating func bind(blob: [UInt8]?, at parameter: Int) throws(SQLiteError) {
    guard let blob else { return try bindNull(at: parameter) }
    let result = unsafe blob.withUnsafeBytes { bytes in
      unsafe rehome_sqlite3_bind_blob_copy(
        handle, Int32(parameter), bytes.baseAddress, UInt64(bytes.count))
    }
    try check(result)
  }

  /// Sets a parameter to NULL.
  ///
  /// - Throws: `SQLiteError` when there is no such parameter.
  package mutating func bindNull(at parameter: Int) throws(SQLiteError) {
    try check(unsafe sqlite3_bind_null(handle, Int32(parameter)))
  }

  /// Runs a statement that returns no rows, and makes it ready again.
  package mutating func run() throws(SQLiteError) {
    defer { reset() }
    _ = try step()
  }

  func check(_ result: Int32) throws(SQLiteError) {
    guard result != SQLITE_OK else { return }
    throw failure(result)
  }
}
