// The SQLite C library, and the variadic or pointer-cast parts of it that Swift cannot call.
#ifndef REHOME_CSQLITE_SHIM_H
#define REHOME_CSQLITE_SHIM_H

#include <sqlite3.h>

/// Has the library count no memory, for which all threads would take one lock at every allocation;
/// to be called before anything else of the library.
static inline int rehome_sqlite3_count_no_memory(void) {
  return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

/// Sets one boolean option of a connection; the library's own function is variadic.
static inline int rehome_sqlite3_db_config_flag(sqlite3 *connection, int option, int value) {
  return sqlite3_db_config(connection, option, value, (int *)0);
}

/// Whether a connection is in defensive mode, which is asked through the same function.
static inline int rehome_sqlite3_is_defensive(sqlite3 *connection) {
  int is_on = 0;
  sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, -1, &is_on);
  return is_on;
}

/// Binds a copy of the text; a null pointer is the empty text, not NULL.
static inline int rehome_sqlite3_bind_text_copy(
    sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
  return sqlite3_bind_text64(
      statement, index, bytes ? (const char *)bytes : "", count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

/// Binds a copy of a text in UTF-16, in the order that its first two bytes tell.
static inline int rehome_sqlite3_bind_text16_copy(
    sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
  return sqlite3_bind_text64(
      statement, index, (const char *)bytes, count, SQLITE_TRANSIENT, SQLITE_UTF16);
}

/// Binds a copy of the bytes; a null pointer is the empty blob, not NULL.
static inline int rehome_sqlite3_bind_blob_copy(
    sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
  return sqlite3_bind_blob64(statement, index, bytes ? bytes : "", count, SQLITE_TRANSIENT);
}

/// Binds text without a copy: the bytes must stay where they are until the statement has run.
static inline int rehome_sqlite3_bind_text_static(
    sqlite3_stmt *statement, int index, const void *bytes, int count) {
  return sqlite3_bind_text(statement, index, (const char *)bytes, count, SQLITE_STATIC);
}

/// Binds a blob without a copy: the bytes must stay where they are until the statement has run.
static inline int rehome_sqlite3_bind_blob_static(
    sqlite3_stmt *statement, int index, const void *bytes, int count) {
  return sqlite3_bind_blob(statement, index, bytes, count, SQLITE_STATIC);
}

#endif
