import Glibc

/// Buffered output to a file that appears under its final name only when it is complete.
package struct StagedOutput: ~Copyable {
  private let staged: StagedFile
  private var file: OutputFile

  /// Begins a file for `destination`.
  ///
  /// - Throws: `FileError` when the destination exists and may not be replaced, or the file cannot
  ///   be made.
  package init(for destination: String, replacing: Bool) throws(FileError) {
    let staged = try StagedFile(for: destination, replacing: replacing)
    let file = try OutputFile(appendingTo: staged.temporaryPath, isDurable: true)
    self.staged = staged
    self.file = file
  }

  /// Adds bytes to the file.
  package mutating func write(_ bytes: Span<UInt8>) throws(FileError) {
    do {
      try file.write(bytes)
    } catch {
      throw error.named(staged.destination)
    }
  }

  /// Writes what is left and gives the file its name.
  package consuming func publish() throws(FileError) {
    do {
      try file.close()
    } catch {
      throw error.named(staged.destination)
    }
    try staged.publish()
  }
}

extension FileError {
  /// The same error with the name that a person knows, not the one that stands in for it.
  fileprivate func named(_ destination: String) -> FileError {
    FileError(operation: operation, path: destination, errno: errno)
  }
}

/// A new hidden name beside `destination`: `.<name>.<random>.rehome-part`.
func stagingName(for destination: String) throws(FileError) -> String {
  let name = Paths.fileName(of: destination)
  // A zero byte would end the path early; the root and the dots are no names.
  guard !destination.utf8.contains(0), !name.isEmpty, name != ".", name != ".." else {
    throw FileError(operation: "create", path: destination, errno: EINVAL)
  }
  // File systems allow 255 bytes; the rest of the name and a side file's ending need 38.
  let start = Substring(shortened(name.utf8, to: longestStart))
  let random = String(UInt64.random(in: .min ... .max), radix: 16)
  return Paths.join(Paths.folder(of: destination), ".\(start).\(random)\(stagingEnding)")
}

/// How many bytes of a name the hidden one begins with at most, and how it ends.
let longestStart = 200
let stagingEnding = ".rehome-part"

/// The endings of the files that SQLite keeps beside a database.
let sideFileEndings = ["-journal", "-wal", "-shm"]

/// The longest start of at most `limit` bytes that does not cut a character's bytes apart.
func shortened(_ name: String.UTF8View, to limit: Int) -> Substring.UTF8View {
  var start = name.prefix(limit)
  while start.count < name.count, name[start.endIndex] & 0xC0 == 0x80 { start.removeLast() }
  return start
}

/// The kinds of renaming that only Linux's `renameat2(2)` offers.
enum RenameFlags: UInt32 {
  /// Fail with `EEXIST` when the new name is taken.
  case noReplace = 1
  /// Let the two names change places in one step.
  case exchange = 2
}

/// Renames with a flag and returns zero or the system's error number.
///
/// The number is `ENOSYS` or `EINVAL` where the system or the file system cannot do this.
func rename(_ old: String, _ new: String, _ flags: RenameFlags) -> Int32 {
  typealias Call =
    @convention(c) (
      Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32
    ) -> Int32
  // The module does not show the function, so it is looked up by name. Its type is the one that
  // the manual gives, and the strings are valid for the length of the call.
  guard let symbol = unsafe dlsym(nil, "renameat2") else { return ENOSYS }
  let call = unsafe unsafeBitCast(symbol, to: Call.self)
  return unsafe call(AT_FDCWD, old, AT_FDCWD, new, flags.rawValue) == 0 ? 0 : errno
}

/// Whether an error number of `rename` says that this kind of renaming is not available.
func isUnsupportedRename(_ errno: Int32) -> Bool {
  errno == ENOSYS || errno == EINVAL || errno == ENOTSUP
}
