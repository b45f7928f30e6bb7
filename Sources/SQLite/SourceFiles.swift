package import Bytes
import Glibc

/// What the file system says about one file; two equal states mean that nobody wrote to it.
package struct FileState: Sendable, Equatable {
  /// Where the file is.
  package let path: String
  /// Its size in bytes.
  package let size: Int
  private let device: UInt
  private let inode: UInt
  private let modified: [Int]
  private let changed: [Int]

  /// Looks at `path`; nil when there is no such file, as where the name of a database leaves no room for
  /// the ending of a side file.
  ///
  /// A side file is a plain one: what a link beside a store leads to may lie anywhere, and the engine
  /// follows none there either.
  ///
  /// - Throws: `SQLiteError` when it is no regular file or may not be looked at.
  package init?(path: String, isSideFile: Bool = false) throws(SQLiteError) {
    var status = stat()
    // The call fills the structure it is given, or fails.
    guard unsafe (isSideFile ? lstat(path, &status) : stat(path, &status)) == 0 else {
      if errno == ENOENT || errno == ENOTDIR || isSideFile && errno == ENAMETOOLONG { return nil }
      throw SQLiteError(FileError(operation: "look at", path: path, errno: errno))
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      if isSideFile { return nil }
      throw Self.error(ofKind: status.st_mode & S_IFMT, path)
    }
    self.path = path
    size = Int(status.st_size)
    device = UInt(status.st_dev)
    inode = UInt(status.st_ino)
    modified = [status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
    changed = [status.st_ctim.tv_sec, status.st_ctim.tv_nsec]
  }

  private static func error(ofKind kind: mode_t, _ path: String) -> SQLiteError {
    let (what, hint) =
      switch kind {
      case S_IFDIR:
        (
          "is a folder",
          "name the file or files in it; 'rehome find' lists the stores in a folder, and "
            + "'rehome convert' unites them"
        )
      case S_IFIFO:
        (
          "is a pipe, which is not a regular file",
          "give - in its place, and the pipe as standard input"
        )
      default: ("is not a regular file", "name the store itself")
      }
    return SQLiteError(.cannotOpen, .notAStore, what, path: path, hint: hint)
  }
}

/// A database file and the side files that belong to it.
package struct SourceFiles: Sendable, Equatable {
  /// The database itself.
  package let main: FileState
  /// Changes that are not in the main file yet.
  package let wal: FileState?
  /// The way back from a change that was not finished.
  let journal: FileState?
  /// The shared memory of a WAL; never read, but a lone one tells that a WAL is missing.
  package let sharedMemory: FileState?

  /// The database's own path when `main` is a symbolic link: side files lie beside that.
  package let realPath: String

  /// Looks at a database and beside it.
  ///
  /// - Throws: `SQLiteError` when the main file is missing, no file, or may not be looked at.
  package init(of path: String) throws(SQLiteError) {
    guard let main = try FileState(path: path) else {
      throw SQLiteError(
        .cannotOpen, .missing, "there is no such file", path: path,
        hint: FileError.hint(onMissing: path))
    }
    self.main = main
    realPath = Self.realPath(of: path)
    wal = try FileState(path: realPath + "-wal", isSideFile: true)
    journal = try FileState(path: realPath + "-journal", isSideFile: true)
    sharedMemory = try FileState(path: realPath + "-shm", isSideFile: true)
  }

  /// The path without symbolic links where the last part is one, as the engine itself does it.
  package static func realPath(of path: String) -> String {
    Paths.isSymbolicLink(path) ? Paths.resolved(path) ?? path : path
  }

  /// Whether nobody wrote to the database: one who only reads makes and removes what has no content.
  package static func == (one: Self, two: Self) -> Bool { one.withContent == two.withContent }

  /// The files whose contents make up the database, the main file first.
  package var withContent: [FileState] {
    [main] + [wal, journal].compactMap(\.self).filter { $0.size > 0 }
  }

  /// How the side file ends that belongs to the database, where it has one or seems to lack one; a
  /// journal of a change that has ended says nothing.
  package var sideEnding: String {
    // Of a journal that cannot be read another error tells.
    let journal = try? SourceDatabase.rollbackJournal(journal)
    return journal?.isEnded == false ? "-journal" : "-wal"
  }

  /// Whether the main file alone is not the whole truth.
  package var hasSideContent: Bool { withContent.count > 1 }

  /// What an error is told as that came up while these files were read; nil where it holds, since
  /// they are as they were.
  ///
  /// What somebody writes to meanwhile looks damaged, or lost.
  package func change(behind error: some Failure) -> SourceChange? {
    // What cannot be looked at any more is not as it was.
    guard error.kind.mayComeOfChange, (try? SourceFiles(of: main.path)) != self else { return nil }
    return SourceChange(of: main.path)
  }

  /// Whether something is called as the log that is no plain file, and so not read.
  package var hasStrangeWAL: Bool { wal == nil && Paths.exists(realPath + "-wal") }

  /// The same of the journal; a link that leads to none, or to an empty one, is as good as none.
  package var hasStrangeJournal: Bool {
    journal == nil && Paths.leadsToContent(realPath + "-journal")
  }

  /// Whether a WAL seems to have been left behind: its shared memory is here, but it is not.
  package var seemsToLackWAL: Bool { sharedMemory != nil && wal == nil }
}
