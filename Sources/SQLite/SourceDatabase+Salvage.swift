import Bytes

extension SourceDatabase {
  /// Opens, in place of a damaged database, a new private one with what can be read of it.
  ///
  /// `rebuild` gets the path of the database, or of a private copy that its side files have been
  /// brought into, whether that could not be done, and a connection to the new database.
  ///
  /// - Throws: `SQLiteError` of `rebuild`, or when the new database cannot be made.
  package init(
    salvaging path: String, temporaryFolder: String,
    rebuild: (
      _ damaged: String, _ lacksSideChanges: Bool, _ new: borrowing Connection
    ) throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    let files = try SourceFiles(of: path)
    let new = try PrivateCopy.makeEmpty(in: temporaryFolder)
    try Self.fill(new.path) { (connection) throws(SQLiteError) in
      guard files.hasSideContent else { return try rebuild(path, false, connection) }
      let damaged = try PrivateCopy.make(of: files, in: temporaryFolder)
      try rebuild(damaged.path, !Self.bringTogether(damaged.path), connection)
    }
    let connection = try Self.connect(to: new.path, mode: .immutable, original: path)
    try self.init(connection: connection, files: files, wal: nil, copy: new)
  }

  private static func fill(
    _ path: String, _ body: (borrowing Connection) throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    let connection = try Connection(opening: path, mode: .create)
    try connection.harden()
    try body(connection)
  }

  /// Brings the changes of side files into a private copy; false when the damage prevents it.
  private static func bringTogether(_ path: String) -> Bool {
    do {
      let connection = try Connection(opening: path, mode: .readWrite)
      try connection.harden()
      // The first read undoes an unfinished change; the second line takes in a log.
      _ = try connection.integer("PRAGMA schema_version")
      return try connection.integer("PRAGMA wal_checkpoint(TRUNCATE)") == 0
    } catch {
      // What is in the main file is salvaged all the same, and the account says what is not.
      return false
    }
  }
}
