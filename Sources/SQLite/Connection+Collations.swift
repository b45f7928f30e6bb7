import CSQLite
import Glibc

extension Connection {
  /// Lets the engine compare bytes where a table asks for an order that only its app knows.
  ///
  /// It is for new tables: an index that was made in another order would be searched in vain.
  ///
  /// - Throws: `SQLiteError` when the library refuses.
  package func compareBytesForUnknownCollations() throws(SQLiteError) {
    // The library calls it with the connection and a name that ends with a zero.
    let result = unsafe sqlite3_collation_needed(handle, nil) { _, database, _, name in
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
