import Bytes

extension SourceDatabase {
  /// Opens, in place of a damaged database, a new private one with what can be read of it.
  ///
  /// `rebuild` gets the path of the database, or of a private copy that its side files have been
  /// brought into, whether that could not be done, and a connection to the new database.
  ///
  /// - Throws: `SQLiteError` of `rebuild`, or when the new database cannot be made.
  package init(
    salvaging files: SourceFiles, temporaryFolder: String,
    rebuild: (
      _ damaged: String, _ lacksSideChanges: Bool, _ new: borrowing Connection
    ) throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    let path = files.main.path
    let wal = try Self.summary(of: files.wal)
    let new = try PrivateCopy.makeEmpty(insteadOf: files, in: temporaryFolder)
    do {
      try Self.fill(new.path) { (connection) throws(SQLiteError) in
        guard files.hasSideContent else { return try rebuild(path, false, connection) }
        let journal = try Self.rollbackJournal(files.journal)
        if let journal {
          let damaged = try PrivateCopy.make(of: files, in: temporaryFolder)
          if try Self.undoUnfinishedChange(damaged.path) {
            return try rebuild(damaged.path, journal.trouble != nil, connection)
          }
        }
        // An engine that trips over the damage may have taken a side file away, so it gets no hold of this.
        let damaged = try PrivateCopy.make(of: files, in: temporaryFolder)
        let isTogether = try Self.takeIn(wal, into: damaged.path) && journal?.isEnded ?? true
        try rebuild(damaged.path, !isTogether, connection)
      }
    } catch {
      var error = error
      // All that is written here is private.
      if error.kind == .noSpace { error.hint = error.hintOnCopy }
      if !files.withContent.contains(where: { $0.path == error.path }) { error.path = path }
      throw error
    }
    let connection = try Self.connect(to: new.path, mode: .immutable, original: path)
    try self.init(connection: connection, files: files, wal: wal, copy: new)
  }

  private static func fill(
    _ path: String, _ body: (borrowing Connection) throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    let connection = try Connection(opening: path, mode: .create)
    try connection.compareBytesForUnknownCollations()
    try body(connection)
  }

  /// Lets the engine use a journal, and a log beside it; false when the damage prevents it.
  private static func undoUnfinishedChange(_ path: String) throws(SQLiteError) -> Bool {
    do {
      let connection = try Connection(opening: path, mode: .readWrite)
      try connection.harden()
      // The first read undoes an unfinished change; the second line takes in a log.
      _ = try connection.integer("PRAGMA schema_version")
      guard try connection.integer("PRAGMA wal_checkpoint(TRUNCATE)") == 0 else { return false }
      // A journal that says that there was nothing before takes all away.
      return try connection.integer("PRAGMA page_count") > 0
    } catch {
      guard error.kind != .noSpace else { throw error }
      // What is in the main file is salvaged all the same, and the account says what is not.
      return false
    }
  }

  /// Brings the changes of a log into a private copy, without an engine; false when the damage prevents
  /// it.
  private static func takeIn(
    _ wal: WALSummary?, into path: String
  ) throws(SQLiteError) -> Bool {
    guard let wal else { return true }
    do {
      return try putPages(of: wal, into: path)
    } catch {
      throw SQLiteError(error)
    }
  }

  /// Puts the pages of a log in their places.
  private static func putPages(
    of summary: WALSummary, into path: String
  ) throws(FileError) -> Bool {
    var frames = try WALFrames(ofFileAt: path + "-wal")
    let pageSize = frames.pageSize
    guard pageSize > 0 else { return false }
    let size = try PositionedFile(opening: path).size
    // A log whose pages are of another size is that of another store, unless this one would be larger
    // than it is by what it says itself.
    let start = try readPrefix(of: path, count: DatabaseHeader.size)
    if let own = DatabaseHeader(parsing: start.span), own.pageSize != pageSize,
      own.pageCount.map({ $0 * own.pageSize <= size }) ?? true
    {
      return false
    }
    let file = try GrowingFile(opening: path)
    // Whoever writes pages leaves no gaps, which could be larger than any disk.
    let mostPages = size / pageSize + summary.committedFrames + 1
    var pageCount = 0
    for _ in 0..<summary.committedFrames {
      guard let frame = try frames.next(), frame.page <= mostPages,
        // What begins no database would take the list of the tables away.
        frame.page > 1 || DatabaseHeader(parsing: frame.bytes.span) != nil
      else { return false }
      try file.replace(at: (Int(frame.page) - 1) * pageSize, with: frame.bytes.span)
      if frame.isCommit { pageCount = Int(frame.pageCount) }
    }
    if pageCount > 0 { try file.cut(to: pageCount * pageSize) }
    return true
  }
}
