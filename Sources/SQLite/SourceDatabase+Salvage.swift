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
    let wal = try Self.summary(ofLogOf: files)
    let new = try PrivateCopy.makeEmpty(insteadOf: files, in: temporaryFolder)
    do {
      try Self.fill(new.path) { (connection) throws(SQLiteError) in
        guard files.hasSideContent else { return try rebuild(path, false, connection) }
        let journal = try Self.rollbackJournal(files.journal)
        if let journal {
          let damaged = try PrivateCopy.make(of: files, wal, in: temporaryFolder)
          if try Self.undoUnfinishedChange(damaged.path) {
            return try rebuild(damaged.path, journal.trouble != nil, connection)
          }
        }
        // An engine that trips over the damage may have taken a side file away, so it gets no hold of this.
        let damaged = try PrivateCopy.make(of: files, wal, in: temporaryFolder)
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
    // What is put in place by and by cannot be taken back.
    guard try fits(summary, to: path) else { return false }
    var frames = try WALFrames(ofFileAt: path + "-wal")
    let file = try GrowingFile(opening: path)
    var pageCount = 0
    for _ in 0..<summary.committedFrames {
      guard let frame = try frames.next() else { return false }
      try file.replace(at: (Int(frame.page) - 1) * frames.pageSize, with: frame.bytes.span)
      if frame.isCommit { pageCount = Int(frame.pageCount) }
    }
    if pageCount > 0 { try file.cut(to: pageCount * frames.pageSize) }
    return true
  }

  /// Whether the pages of a log may be those of a database.
  private static func fits(_ summary: WALSummary, to path: String) throws(FileError) -> Bool {
    var frames = try WALFrames(ofFileAt: path + "-wal")
    let pageSize = frames.pageSize
    let size = try PositionedFile(opening: path).size
    let start = try readPrefix(of: path, count: DatabaseHeader.size)
    guard pageSize > 0,
      DatabaseHeader(parsing: start.span)?.mayHavePages(of: pageSize, inFileOf: size) ?? true
    else { return false }
    // Whoever writes pages leaves no gaps, which could be larger than any disk.
    let mostPages = size / pageSize + summary.committedFrames + 1
    for _ in 0..<summary.committedFrames {
      guard let frame = try frames.next(), frame.page <= mostPages,
        // What begins no database would take the list of the tables away.
        frame.page > 1 || DatabaseHeader(parsing: frame.bytes.span) != nil
      else { return false }
    }
    return true
  }
}

extension DatabaseHeader {
  /// Whether pages are of a size: as the header says, or where that is damaged, since the file is not
  /// as large as it says, and would not be smaller with that size.
  fileprivate func mayHavePages(of size: Int, inFileOf fileSize: Int) -> Bool {
    guard size != pageSize, let pageCount else { return true }
    return pageCount * pageSize != fileSize && pageCount * size <= fileSize
  }
}
