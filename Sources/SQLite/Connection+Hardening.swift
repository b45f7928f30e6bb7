import Bytes
import CSQLite

extension Connection {
  /// Treats the database as hostile: nothing in it may run, and nothing honest is refused.
  ///
  /// - Throws: `SQLiteError` when the library refuses an option.
  package func harden() throws(SQLiteError) {
    try configure(SQLITE_DBCONFIG_DEFENSIVE, true)
    try configure(SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)
    try configure(SQLITE_DBCONFIG_ENABLE_VIEW, false)
    try configure(SQLITE_DBCONFIG_ENABLE_TRIGGER, false)
    try configure(SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, false)
    try configure(SQLITE_DBCONFIG_DQS_DML, false)
    try configure(SQLITE_DBCONFIG_DQS_DDL, false)
    // A value longer than this is told as a limit. What an app could put into its schema with the
    // engine's own limits is read; the sizes below only bound what hostile schemas cost.
    limit(SQLITE_LIMIT_LENGTH, to: Int32(clamping: InputLimits.current.valueBytes))
    limit(SQLITE_LIMIT_SQL_LENGTH, to: 16 << 20)
    limit(SQLITE_LIMIT_EXPR_DEPTH, to: 1000)
    limit(SQLITE_LIMIT_ATTACHED, to: 0)
    limit(SQLITE_LIMIT_TRIGGER_DEPTH, to: 1)
    limit(SQLITE_LIMIT_WORKER_THREADS, to: 0)
    try execute("PRAGMA cell_size_check = ON")
    try execute("PRAGMA mmap_size = 0")
    try execute("PRAGMA cache_size = -4096")
  }

  /// Keeps more pages at hand, for tables that are read several times over.
  ///
  /// - Throws: `SQLiteError` when the library refuses.
  package func widenCache() throws(SQLiteError) {
    try execute("PRAGMA cache_size = -24576")
  }

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

  /// Whether the database counts as hostile.
  var isHardened: Bool { unsafe rehome_sqlite3_is_defensive(handle) != 0 }

  private func configure(_ option: Int32, _ isOn: Bool) throws(SQLiteError) {
    try check(unsafe rehome_sqlite3_db_config_flag(handle, option, isOn ? 1 : 0))
  }

  private func limit(_ category: Int32, to value: Int32) {
    unsafe _ = sqlite3_limit(handle, category, value)
  }
}
