import Bytes
import CSQLite
import Glibc

extension Connection {
  /// Treats the database as hostile: nothing in it may run, and nothing honest is refused.
  package func harden() throws(SQLiteError) {
    try configure(SQLITE_DBCONFIG_DEFENSIVE, true)
    try configure(SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)
    try configure(SQLITE_DBCONFIG_ENABLE_VIEW, false)
    try configure(SQLITE_DBCONFIG_ENABLE_TRIGGER, false)
    try configure(SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, false)
    try configure(SQLITE_DBCONFIG_DQS_DML, false)
    try configure(SQLITE_DBCONFIG_DQS_DDL, false)
    // A value longer than this is reported as a limit. What an app could put into its schema with the
    // engine's own limits is read; the sizes below only bound what hostile schemas cost.
    limit(SQLITE_LIMIT_LENGTH, to: Int32(clamping: InputLimits.current.valueBytes))
    admitLongStatements()
    limit(SQLITE_LIMIT_EXPR_DEPTH, to: 1000)
    limit(SQLITE_LIMIT_ATTACHED, to: 0)
    limit(SQLITE_LIMIT_TRIGGER_DEPTH, to: 1)
    limit(SQLITE_LIMIT_WORKER_THREADS, to: 0)
    try admitLibraryFunctions()
    try execute("PRAGMA cell_size_check = ON")
    try execute("PRAGMA mmap_size = 0")
    try execute("PRAGMA cache_size = -4096")
  }

  /// Leaves a log as it is when the connection ends, instead of bringing it into the file.
  package func keepLogAtEnd(_ isKept: Bool) throws(SQLiteError) {
    try configure(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, isKept)
  }

  /// Takes statements of any length that an app could have made tables with.
  package func admitLongStatements() { limit(SQLITE_LIMIT_SQL_LENGTH, to: 16 << 20) }

  /// Runs `body` while no value, stored or computed, may be longer than `bytes`.
  ///
  /// The engine asks before it makes room, so what is longer costs nothing.
  package func limitingValues<Value>(
    to bytes: Int, _ body: () throws(SQLiteError) -> Value
  ) throws(SQLiteError) -> Value {
    limit(SQLITE_LIMIT_LENGTH, to: Int32(clamping: bytes))
    defer { limit(SQLITE_LIMIT_LENGTH, to: Int32(clamping: InputLimits.current.valueBytes)) }
    return try body()
  }

  /// Runs `body` while no statement may be made of more than so many steps.
  ///
  /// The engine puts a computed column in the place of its name, and what that computes from in turn, so
  /// that each in a chain may take twice the steps of the one before.
  package func limitingSteps<Value>(
    to count: Int32, _ body: () throws(SQLiteError) -> Value
  ) throws(SQLiteError) -> Value {
    let usual = unsafe sqlite3_limit(handle, SQLITE_LIMIT_VDBE_OP, count)
    defer { limit(SQLITE_LIMIT_VDBE_OP, to: usual) }
    return try body()
  }

  /// Whether the database counts as hostile.
  var isHardened: Bool { unsafe rehome_sqlite3_is_defensive(handle) != 0 }

  private func configure(_ option: Int32, _ isOn: Bool) throws(SQLiteError) {
    try check(unsafe rehome_sqlite3_db_config_flag(handle, option, isOn ? 1 : 0))
  }

  private func limit(_ category: Int32, to value: Int32) {
    unsafe _ = sqlite3_limit(handle, category, value)
  }
}

extension Connection {
  /// Lets triggers run although the database is hardened; the functions of these names, which only
  /// the framework that made the triggers has, do nothing in them.
  ///
  /// Some of them keep indexes of places, whose module the engine runs for a schema that is trusted only.
  package func allowTriggers(idleFunctions names: [String]) throws(SQLiteError) {
    let virtual = try VirtualTable.all(in: self)
    if !virtual.isEmpty, virtual.allSatisfy(\.isSpatial) {
      try configure(SQLITE_DBCONFIG_TRUSTED_SCHEMA, true)
    }
    try check(
      unsafe rehome_sqlite3_db_config_flag(handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 1))
    // A trigger may set off those of the rows that it changes.
    unsafe _ = sqlite3_limit(handle, SQLITE_LIMIT_TRIGGER_DEPTH, 8)
    try addIdleFunctions(names)
  }

  private func addIdleFunctions(_ names: [String]) throws(SQLiteError) {
    // Without the last two flags a function may not be used from a schema that is not trusted, or in
    // a column.
    let flags = SQLITE_UTF8 | SQLITE_INNOCUOUS | SQLITE_DETERMINISTIC
    for name in names {
      // The function uses neither its arguments nor any state, and a result that is not set is NULL.
      try check(
        unsafe sqlite3_create_function_v2(
          handle, name, -1, flags, nil, { _, _, _ in }, nil, nil, nil))
    }
  }
}

extension Connection {
  /// Lets the engine compare bytes where a table asks for an order that only its app knows.
  ///
  /// It is for new tables, and for those that are read from their first row to their last: an index
  /// that was made in another order would be searched in vain.
  package func compareBytesForUnknownCollations() throws(SQLiteError) {
    // The library calls it with the connection and a name that ends with a zero.
    let result = unsafe sqlite3_collation_needed(handle, nil) { _, database, _, name in
      // These are known, but in UTF-8 only, from which the library makes those of UTF-16.
      guard unsafe sqlite3_stricmp(name, "NOCASE") != 0, unsafe sqlite3_stricmp(name, "RTRIM") != 0
      else { return }
      unsafe _ = sqlite3_create_collation_v2(
        database, name, SQLITE_UTF8, nil,
        { _, leftCount, left, rightCount, right in
          guard let left = unsafe left, let right = unsafe right else {
            return leftCount - rightCount
          }
          // Both texts are as long as the library says.
          let order = unsafe memcmp(left, right, Int(min(leftCount, rightCount)))
          return order == 0 ? leftCount - rightCount : order
        }, nil)
    }
    try check(result)
  }
}
