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

  /// Copies `files` into a new folder inside `parent` that only the owner can enter.
  static func make(of files: SourceFiles, in parent: String) throws(SQLiteError) -> PrivateCopy {
    // Should a file not be copied, the value ends here and takes the folder with it.
    let copy = PrivateCopy(folder: try makeFolder(in: parent))
    try copy.take(files)
    return copy
  }

  /// Makes an empty file instead of a copy, in a folder like that.
  ///
  /// - Throws: `SQLiteError` when the folder or the file cannot be made.
  static func makeEmpty(in parent: String) throws(SQLiteError) -> PrivateCopy {
    let copy = PrivateCopy(folder: try makeFolder(in: parent))
    do {
      try OutputFile(creating: copy.path).close()
    } catch {
      throw SQLiteError(error)
    }
    return copy
  }

  private init(folder: String) {
    let path = Paths.join(folder, "store")
    self.folder = folder
    self.path = path
    // Files come first, so that the folder is empty when its turn comes.
    tokens = (Self.endings.map { path + $0 } + [folder]).map { TemporaryPaths.register($0) }
  }

  private func take(_ files: SourceFiles) throws(SQLiteError) {
    for (file, ending) in [(files.main, ""), (files.wal, "-wal"), (files.journal, "-journal")] {
      guard let file, file.size > 0 || ending.isEmpty else { continue }
      do {
        if ending == "-journal" {
          try Self.copyJournal(from: file.path, to: path + ending)
        } else {
          try copyFile(from: file.path, to: path + ending)
        }
      } catch {
        throw SQLiteError(error)
      }
    }
  }

  /// Copies a journal that is to be used, so that no other file is touched when the engine does.
  private static func copyJournal(from path: String, to copy: String) throws(FileError) {
    let named = try SuperJournal(namedByFileAt: path)
    guard named?.isThere(beside: path) ?? true else { return }
    try copyFile(from: path, to: copy)
    try SuperJournal.forget(inFileAt: copy)
  }

  deinit {
    for ending in Self.endings { unsafe _ = unlink(path + ending) }
    unsafe _ = rmdir(folder)
    for token in tokens { TemporaryPaths.unregister(token) }
  }

  private static func makeFolder(in parent: String) throws(SQLiteError) -> String {
    do {
      return try makePrivateFolder(in: parent)
    } catch {
      throw SQLiteError(
        .inputOutput, error.kind, error.message, path: parent, hint: error.hint)
    }
  }
}
