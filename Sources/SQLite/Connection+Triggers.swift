import CSQLite

extension Connection {
  /// Lets triggers run although the database is hardened; the functions of these names, which only
  /// the framework that made the triggers has, do nothing in them.
  ///
  /// - Throws: `SQLiteError` when the library refuses.
  package func allowTriggers(idleFunctions names: [String]) throws(SQLiteError) {
    try check(
      unsafe rehome_sqlite3_db_config_flag(handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 1))
    // A trigger may set off those of the rows that it changes.
    unsafe _ = sqlite3_limit(handle, SQLITE_LIMIT_TRIGGER_DEPTH, 8)
    // Without the last flag a function may not be used from a schema that is not trusted.
    let flags = SQLITE_UTF8 | SQLITE_INNOCUOUS
    for name in names {
      // The function uses neither its arguments nor any state, and a result that is not set is NULL.
      try check(
        unsafe sqlite3_create_function_v2(
          handle, name, -1, flags, nil, { _, _, _ in }, nil, nil, nil))
    }
  }
}
