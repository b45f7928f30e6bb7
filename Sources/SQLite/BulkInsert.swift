import CSQLite

/// A value to be bound; texts and blobs name their place in an arena.
@frozen
package enum BoundValue: Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(Range<Int>)
  case blob(Range<Int>)
}

/// A prepared insertion into one table, for many rows.
@safe
package struct BulkInsert: ~Copyable {
  @usableFromInline var statement: Statement
  /// How many values follow the key.
  @usableFromInline let valueCount: Int

  /// Prepares the insertion of a key and `valueCount` values into `table`.
  ///
  /// - Throws: `SQLiteError` when there is no such table or its width differs.
  package init(
    into table: String, valueCount: Int, of connection: borrowing Connection
  ) throws(SQLiteError) {
    let marks = Array(repeating: "?", count: valueCount + 1).joined(separator: ",")
    statement = try connection.prepare("INSERT INTO \(quoted(table)) VALUES (\(marks))")
    self.valueCount = valueCount
  }

  /// Prepares the insertion of values into some columns of `table`, and of a key where one is named.
  ///
  /// A row that breaks a rule is refused, whatever the table itself says of such: it may say that the
  /// row, or one before it, goes without a word. `fallbacks` take the place of nothing, as SQL, by the
  /// places of the columns.
  ///
  /// - Throws: `SQLiteError` when there is no such table or no such column.
  package init(
    into table: String, key: String?, columns: [String], fallbacks: [Int: String],
    of connection: borrowing Connection
  ) throws(SQLiteError) {
    let names = (key.map { [$0] } ?? []) + columns.map(quoted)
    // Without its name the key is bound all the same, to a parameter that is not used.
    let values = columns.indices.map { place in
      fallbacks[place].map { "ifnull(?\(place + 2), \($0))" } ?? "?\(place + 2)"
    }
    let marks = (key == nil ? [] : ["?1"]) + values
    statement = try connection.prepare(
      """
      INSERT OR ABORT INTO \(quoted(table)) (\(names.joined(separator: ", ")))
      VALUES (\(marks.joined(separator: ", ")))
      """)
    valueCount = columns.count
  }

  /// Inserts one row; `value` gives the value at each place, its bytes lying in `arena`.
  @inlinable
  package mutating func insert(
    key: Int64, arena: Span<UInt8>, value: (Int) -> BoundValue
  ) throws(SQLiteError) {
    // Bytes are bound without a copy. They stay put until the statement has run, which is before
    // this function returns; it is bound anew before it runs again.
    let result = unsafe arena.withUnsafeBufferPointer { arena in
      unsafe run(key: key, arena: arena, value: value)
    }
    guard result == SQLITE_DONE else { throw failure(result) }
  }

  @inlinable
  mutating func run(
    key: Int64, arena: UnsafeBufferPointer<UInt8>, value: (Int) -> BoundValue
  ) -> Int32 {
    let handle = unsafe statement.handle
    unsafe sqlite3_bind_int64(handle, 1, key)
    for place in 0..<valueCount {
      let parameter = Int32(truncatingIfNeeded: place &+ 2)
      let result = unsafe bind(value(place), at: parameter, arena: arena)
      guard result == SQLITE_OK else { return result }
    }
    let result = unsafe sqlite3_step(handle)
    let resetResult = unsafe sqlite3_reset(handle)
    return result == SQLITE_DONE ? result : resetResult
  }

  @inlinable
  func bind(
    _ value: BoundValue, at parameter: Int32, arena: UnsafeBufferPointer<UInt8>
  ) -> Int32 {
    let handle = unsafe statement.handle
    switch value {
    case .null:
      return unsafe sqlite3_bind_null(handle, parameter)
    case .integer(let number):
      return unsafe sqlite3_bind_int64(handle, parameter, number)
    case .real(let number):
      return unsafe sqlite3_bind_double(handle, parameter, number)
    case .text(let range):
      precondition(range.lowerBound >= 0 && range.upperBound <= arena.count)
      guard !range.isEmpty else {
        return unsafe rehome_sqlite3_bind_text_copy(handle, parameter, nil, 0)
      }
      let start = unsafe arena.baseAddress.map { unsafe $0 + range.lowerBound }
      return unsafe rehome_sqlite3_bind_text_static(
        handle, parameter, start, Int32(truncatingIfNeeded: range.count))
    case .blob(let range):
      precondition(range.lowerBound >= 0 && range.upperBound <= arena.count)
      guard !range.isEmpty else {
        return unsafe rehome_sqlite3_bind_blob_copy(handle, parameter, nil, 0)
      }
      let start = unsafe arena.baseAddress.map { unsafe $0 + range.lowerBound }
      return unsafe rehome_sqlite3_bind_blob_static(
        handle, parameter, start, Int32(truncatingIfNeeded: range.count))
    }
  }

  @usableFromInline
  func failure(_ result: Int32) -> SQLiteError {
    statement.failure(result)
  }
}
