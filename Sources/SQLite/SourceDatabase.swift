package import Bytes

/// A database that is evidence: opened so that no byte and no folder entry of it changes.
///
/// When no side file has content, the original is read without locks or side files. When one has,
/// the engine works on a private copy, because opening the original would change it, and ignoring
/// the side file would hide rows or show unfinished changes. So it does where the path is too long
/// for it.
package struct SourceDatabase: ~Copyable {
  /// The connection to the original or to its copy; hardened.
  package let connection: Connection
  /// The original's files as they were when they were opened.
  package let files: SourceFiles
  /// What the `-wal` holds; nil where there is none with content.
  package let wal: WALSummary?
  /// Why an unfinished change may be undone in part only; nil where it is undone, or there is none.
  package let journalTrouble: JournalTrouble?
  /// Whether the original says that its changes go to a `-wal` first.
  package let usesWAL: Bool
  /// The very file that the connection reads, for whoever reads its pages.
  package let file: PositionedFile
  /// How many rows each table has, by the root page of its tree, where somebody has counted.
  package var rowCounts: [UInt32: Int] = [:]
  /// How many pages besides those of its tree each table has for long values, likewise.
  package var overflowCounts: [UInt32: Int] = [:]
  /// Whether only the engine understands the pages of the file.
  package var needsEngine = false
  private let copy: PrivateCopy?

  /// Opens the database at `path`; copies, where needed, go below `temporaryFolder`.
  ///
  /// - Throws: `SQLiteError` when the file is missing, is no database, is truncated, is changed
  ///   meanwhile, or the system does not let us.
  package init(opening path: String, temporaryFolder: String) throws(SQLiteError) {
    let files = try SourceFiles(of: path)
    do {
      try self.init(opening: files, temporaryFolder: temporaryFolder)
    } catch {
      throw files.change(behind: error).map { SQLiteError($0) } ?? error
    }
  }

  /// Opens the database of these files, which the caller has looked at before all else, and looks at
  /// again where this fails.
  package init(opening files: SourceFiles, temporaryFolder: String) throws(SQLiteError) {
    let path = files.main.path
    let wal = try Self.summary(ofLogOf: files)
    try Self.checkHeader(of: files, wal)
    if files.hasSideContent {
      let copy = try PrivateCopy.make(of: files, wal, in: temporaryFolder)
      let connection = try Self.connect(toCopyAt: copy.path, of: files, wal)
      try self.init(connection: connection, files: files, wal: wal, copy: copy)
    } else if EnginePath.isTooLong(path) {
      let copy = try PrivateCopy.make(of: files, nil, in: temporaryFolder)
      let connection = try Self.connect(to: copy.path, mode: .immutable, original: path)
      try self.init(connection: connection, files: files, wal: nil, copy: copy)
    } else {
      let connection = try Self.connect(to: path, mode: .immutable, original: path)
      try self.init(connection: connection, files: files, wal: nil, copy: nil)
    }
  }

  init(
    connection: consuming Connection, files: SourceFiles, wal: WALSummary?,
    copy: consuming PrivateCopy?
  ) throws(SQLiteError) {
    let trouble = try files.hasStrangeJournal ? .notPlain : Self.trouble(of: files.journal)
    do {
      file = try PositionedFile(opening: connection.path)
    } catch {
      throw SQLiteError(error)
    }
    connection.fixSchema()
    self.connection = connection
    self.files = files
    self.wal = wal
    journalTrouble = trouble
    self.copy = copy
    // A beginning that cannot be read, of a store that is salvaged, says nothing.
    let start = try? readPrefix(of: files.main.path, count: DatabaseHeader.size)
    usesWAL =
      (start.flatMap { DatabaseHeader(parsing: $0.span) }
      ?? (try? Self.sideHeader(of: files, wal)))?.usesWAL ?? false
  }

  /// Whether the original is as it was when it was opened.
  package func isUnchanged() throws(SQLiteError) -> Bool {
    try SourceFiles(of: files.main.path) == files
  }

  /// Whether a side file of a file, if there is one, has the first page of a database.
  package static func sideHasFirstPage(ofFileAt path: String) -> Bool {
    // What cannot be read is told by whoever opens the store next.
    guard let files = try? SourceFiles(of: path) else { return false }
    return (try? sideHeader(of: files, summary(ofLogOf: files))) != nil
  }

  /// What the first page begins with that the engine takes from a side file, whatever the file has in its
  /// place: of a log, or of a journal of a change that it undoes before it looks for one.
  private static func sideHeader(
    of files: SourceFiles, _ wal: WALSummary?
  ) throws(SQLiteError) -> DatabaseHeader? {
    if let header = wal?.header { return header }
    // Beside an empty file the engine uses none.
    return files.main.size > 0 ? try rollbackJournal(files.journal)?.header : nil
  }

  static func summary(ofLogOf files: SourceFiles) throws(SQLiteError) -> WALSummary? {
    guard let wal = files.wal, wal.size > 0 else { return nil }
    do {
      return try WALSummary(ofFileAt: wal.path, besideFileOf: files.main.size)
    } catch {
      throw SQLiteError(error)
    }
  }

  static func trouble(of journal: FileState?) throws(SQLiteError) -> JournalTrouble? {
    try rollbackJournal(journal)?.trouble
  }

  static func rollbackJournal(
    _ journal: FileState?
  ) throws(SQLiteError) -> RollbackJournal? {
    guard let journal, journal.size > 0 else { return nil }
    do {
      return try RollbackJournal(ofFileAt: journal.path)
    } catch {
      throw SQLiteError(error)
    }
  }

  /// A connection to a copy that has taken in its side files; what they make of a database that is none
  /// or is empty is damage.
  private static func connect(
    toCopyAt copy: String, of files: SourceFiles, _ wal: WALSummary?
  ) throws(SQLiteError) -> Connection {
    let path = files.main.path
    let words: String
    do {
      let connection = try connect(to: copy, mode: .readWrite, original: path)
      if try connection.integer("PRAGMA page_count") > 0 { return connection }
      words = "its -journal says that it was empty before a change that was not finished"
    } catch {
      switch error.code.primary {
      case .notADatabase where isDatabase(path):
        words = "it is no database with its \(files.sideEnding) file"
      case .cannotOpen where wal?.trouble == .notALog:
        words = "its -wal is of a version that the engine does not know"
      default: throw error
      }
    }
    throw SQLiteError(
      .notADatabase, .damaged, words, path: path, hint: "copy all of its files again")
  }

  /// Whether the engine takes a file for a database without those beside it.
  private static func isDatabase(_ path: String) -> Bool {
    do {
      _ = try connect(to: path, mode: .immutable, original: path)
      return true
    } catch {
      return false
    }
  }

  /// A hardened connection to the original or to a copy of it, which errors do not name.
  static func connect(
    to path: String, mode: Connection.Mode, original: String
  ) throws(SQLiteError) -> Connection {
    do {
      let connection = try Connection(opening: path, mode: mode)
      try connection.harden()
      // The first read finds out whether the file can be read at all, and takes in side files.
      _ = try connection.integer("SELECT count(*) FROM sqlite_schema")
      if mode == .readWrite { try connection.mergeLog() }
      try connection.learnEncoding()
      return connection
    } catch {
      var error = error
      error.path = original
      if path != original { error.hint = error.hintOnCopy }
      throw error
    }
  }

  /// Refuses what does not begin as a database, also where a side file has the beginning.
  private static func checkHeader(
    of files: SourceFiles, _ wal: WALSummary?
  ) throws(SQLiteError) {
    let path = files.main.path
    guard files.main.size > 0 else {
      let hasLog = files.hasSideContent
      throw SQLiteError(
        .notADatabase, hasLog ? .damaged : .notAStore,
        hasLog ? "the file is empty, but its side files are not" : "the file is empty", path: path,
        hint: hasLog
          ? "copy all of them again"
          : "copy it again: a store has at least one page, a text file with rows at least a line")
    }
    let bytes: [UInt8]
    do {
      bytes = try readPrefix(of: path, count: DatabaseHeader.size)
    } catch {
      throw SQLiteError(error)
    }
    let own = DatabaseHeader(parsing: bytes.span)
    // A journal is read from end to end, so only where the file itself does not do.
    let isReadable = own.map { $0.readVersion ?? 1 <= 2 } ?? false
    let side = isReadable ? wal?.header : try sideHeader(of: files, wal)
    guard let header = own ?? side else {
      throw SQLiteError(foreignFileAt: path, size: files.main.size, prefix: bytes)
    }
    if let version = (side ?? header).readVersion, version > 2 {
      throw SQLiteError(
        .notADatabase, .unsupported,
        "the store says that it is of version \(version) \(SQLiteError.laterFormatWords)",
        path: path,
        hint: "copy it again; if it says so still, --salvage reads what can be read of it")
    }
    try checkSize(of: files, header: header)
  }

  private static func checkSize(
    of files: SourceFiles, header: DatabaseHeader
  ) throws(SQLiteError) {
    guard !files.hasSideContent, let pageCount = header.pageCount else { return }
    let expected = pageCount * header.pageSize
    guard files.main.size < expected else { return }
    throw SQLiteError(
      .corrupt, .damaged, "the file is cut off: \(files.main.size) of \(expected) bytes are here",
      path: files.main.path, hint: "copy it again from the device, or take an older copy")
  }
}

extension Connection {
  /// Brings all changes of a private copy into its main file, and allows no others.
  ///
  /// Whoever reads the file itself then sees what the engine sees.
  fileprivate func mergeLog() throws(SQLiteError) {
    // Nobody needs the copy after a crash, so nothing waits for the disk.
    try execute("PRAGMA synchronous = OFF")
    guard try integer("PRAGMA wal_checkpoint(TRUNCATE)") == 0 else {
      throw SQLiteError(.busy, "somebody else uses the private copy", path: path)
    }
    try execute("PRAGMA query_only = ON")
  }
}
