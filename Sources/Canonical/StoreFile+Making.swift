import Records
import SQLite
import Tables

extension StoreFile {
  static let pageSize = 8192

  /// Makes the bookkeeping of a file that nobody sees before it is complete: no journal, no
  /// waiting.
  static func make(_ path: String, merging: Bool) throws(StoreError) -> StoreFile {
    let connection = try storeErrors { () throws(SQLiteError) in
      let connection = try Connection(opening: path, mode: .readWrite)
      try connection.execute(
        """
        PRAGMA page_size = \(pageSize);
        PRAGMA auto_vacuum = NONE;
        PRAGMA journal_mode = OFF;
        PRAGMA synchronous = OFF;
        PRAGMA cache_size = -8192;
        PRAGMA temp_store = FILE;
        PRAGMA application_id = \(CanonicalSchema.applicationID);
        PRAGMA user_version = \(CanonicalSchema.version);
        """)
      return connection
    }
    var file = try StoreFile(connection)
    try file.useEngine()
    try storeErrors { () throws(SQLiteError) in
      for statement in CanonicalSchema.creations(merging: merging) {
        try file.connection.execute(statement)
      }
      try file.connection.write([SourceDescription.Fact("format", "1")], to: CanonicalSchema.facts)
    }
    return file
  }
}
