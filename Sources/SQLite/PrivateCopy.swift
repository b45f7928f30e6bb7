import Bytes
import Glibc

/// A copy of a database and its side files in a folder of our own, removed when the value ends.
struct PrivateCopy: ~Copyable {
  /// The copy of the main file.
  let path: String
  private let folder: String
  private let tokens: [TemporaryPaths.Token]

  /// The endings of all files that the engine may keep beside a database.
  private static let endings = ["", "-wal", "-journal", "-shm"]

  /// Copies `files` into a new folder inside `parent` that only the owner can enter, and marks the pages
  /// that none of them has, as a look at the log or the journal shows.
  static func make(
    of files: SourceFiles, _ wal: WALSummary?, in parent: String
  ) throws(SQLiteError) -> PrivateCopy {
    try make(insteadOf: files, in: parent) { (copy) throws(FileError) in
      try copy.take(files)
      try wal?.missingPages.mark(inFileAt: copy.path)
      guard let journal = files.journal, journal.size > 0 else { return }
      try RollbackJournal.missingPages(ofFileAt: journal.path).mark(inFileAt: copy.path)
    }
  }

  /// Makes an empty file instead of a copy of `files`, in a folder like that.
  ///
  /// - Throws: `SQLiteError` when the folder or the file cannot be made.
  static func makeEmpty(
    insteadOf files: SourceFiles, in parent: String
  ) throws(SQLiteError) -> PrivateCopy {
    try make(insteadOf: files, in: parent) { (copy) throws(FileError) in
      try OutputFile(creating: copy.path).close()
    }
  }

  /// Makes a folder and fills it; what goes wrong is told of the database, unless it is about another
  /// file of it.
  private static func make(
    insteadOf files: SourceFiles, in parent: String,
    _ fill: (borrowing PrivateCopy) throws(FileError) -> Void
  ) throws(SQLiteError) -> PrivateCopy {
    do {
      // Should a file not be copied, the value ends here and takes the folder with it.
      let copy = PrivateCopy(folder: try makePrivateFolder(in: parent))
      try fill(copy)
      return copy
    } catch {
      let own = error.ofPrivateFile
      guard own.kind == .noSpace else { throw SQLiteError(error) }
      throw SQLiteError(
        .inputOutput, own.kind, own.description, path: files.main.path, hint: own.hint)
    }
  }

  private init(folder: String) {
    let path = Paths.join(folder, "store")
    self.folder = folder
    self.path = path
    // Files come first, so that the folder is empty when its turn comes.
    tokens = (Self.endings.map { path + $0 } + [folder]).map { TemporaryPaths.register($0) }
  }

  private func take(_ files: SourceFiles) throws(FileError) {
    for (file, ending) in [(files.main, ""), (files.wal, "-wal"), (files.journal, "-journal")] {
      guard let file, file.size > 0 || ending.isEmpty else { continue }
      if ending == "-journal" {
        try Self.copyJournal(from: file.path, to: path + ending)
      } else {
        try copyFile(from: file.path, to: path + ending)
      }
    }
  }

  /// Copies a journal that is to be used, so that no other file is touched when the engine does.
  private static func copyJournal(from path: String, to copy: String) throws(FileError) {
    let named = try SuperJournal(namedByFileAt: path)
    guard named?.isThere(beside: path) ?? true else { return }
    try copyFile(from: path, to: copy)
    try SuperJournal.forget(inFileAt: copy)
    try RollbackJournal.limitSize(inFileAt: copy, asOf: path)
  }

  deinit {
    for ending in Self.endings { unsafe _ = unlink(path + ending) }
    unsafe _ = rmdir(folder)
    for token in tokens { TemporaryPaths.unregister(token) }
  }
}
