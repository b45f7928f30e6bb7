import Glibc

/// A file that is read from its start.
package struct InputFile: ~Copyable {
  private let descriptor: FileDescriptor

  /// Opens a file without touching its access time where the system allows that.
  ///
  /// - Throws: `FileError` also for a folder, a device or a pipe: opening one could wait forever,
  ///   and reading one might never end.
  package init(opening path: String, followingLinks: Bool = true) throws(FileError) {
    // Without waiting, for a pipe that nobody writes to; of no meaning for files.
    let flags = O_RDONLY | O_NONBLOCK | (followingLinks ? 0 : O_NOFOLLOW)
    descriptor = try Self.openPlainFile(path, flags)
  }

  /// Reads what somebody else opened and will close, be it a pipe; `path` stands for it in errors.
  package init(borrowing number: Int32, path: String) {
    descriptor = FileDescriptor(borrowing: number, path: path)
  }

  /// Waits so long for bytes, or for the end; false when neither has come.
  package func isReadable(withinMilliseconds time: Int32) -> Bool {
    descriptor.isReadable(withinMilliseconds: time)
  }

  private static func openPlainFile(
    _ path: String, _ flags: Int32
  ) throws(FileError) -> FileDescriptor {
    let file = try FileDescriptor(reading: path, flags)
    try file.expectFile()
    return file
  }

  /// How many bytes the file has now.
  var size: Int {
    get throws(FileError) { try descriptor.size() }
  }

  /// Appends up to `atMost` bytes to the buffer and returns how many; zero at the end.
  package mutating func read(
    into buffer: inout [UInt8], atMost: Int
  ) throws(FileError) -> Int {
    var size = 0
    try buffer.append(addingCapacity: atMost) { (output) throws(FileError) in
      // The descriptor writes at most `atMost` bytes into the free room, and says how many.
      try unsafe output.withUnsafeMutableBufferPointer { (room, count) throws(FileError) in
        size = try unsafe descriptor.read(into: UnsafeMutableRawBufferPointer(room))
        count = size
      }
    }
    return size
  }
}

/// Reads a whole file; one larger than `limit` bytes is an error.
package func readFile(
  _ path: String, limit: Int, followingLinks: Bool = true
) throws(FileError) -> [UInt8] {
  var file = try InputFile(opening: path, followingLinks: followingLinks)
  let size = try file.size
  guard size <= limit else { throw FileError(operation: "read", path: path, errno: EFBIG) }
  var bytes: [UInt8] = []
  bytes.reserveCapacity(size + 1)
  // The system's own files say that they have no bytes, and others may grow meanwhile.
  while try file.read(into: &bytes, atMost: max(1 << 12, size + 1 - bytes.count)) > 0 {
    if bytes.count > limit { throw FileError(operation: "read", path: path, errno: EFBIG) }
  }
  return bytes
}

/// Reads all that comes from a file, a pipe or a terminal; nil stands for standard input.
///
/// Whoever writes into a pipe is waited for. What is longer than `limit` bytes is an error.
package func readStream(_ path: String?, limit: Int) throws(FileError) -> [UInt8] {
  let descriptor =
    if let path { try FileDescriptor(reading: path, O_RDONLY) } else {
      FileDescriptor(borrowing: STDIN_FILENO, path: "standard input")
    }
  try descriptor.expectStream()
  var bytes: [UInt8] = []
  while true {
    var size = 0
    try bytes.append(addingCapacity: 1 << 16) { (output) throws(FileError) in
      // The descriptor writes no more than the free room holds, and says how much.
      try unsafe output.withUnsafeMutableBufferPointer { (room, count) throws(FileError) in
        size = try unsafe descriptor.read(into: UnsafeMutableRawBufferPointer(room))
        count = size
      }
    }
    if size == 0 { return bytes }
    if bytes.count > limit {
      throw FileError(operation: "read", path: descriptor.path, errno: EFBIG)
    }
  }
}

/// Reads the first `count` bytes of a file, or all of a shorter one.
package func readPrefix(of path: String, count: Int) throws(FileError) -> [UInt8] {
  var file = try InputFile(opening: path)
  var bytes: [UInt8] = []
  while bytes.count < count, try file.read(into: &bytes, atMost: count - bytes.count) > 0 {}
  return bytes
}

extension FileDescriptor {
  /// Opens a file without touching its access time where the system allows that.
  init(reading path: String, _ flags: Int32) throws(FileError) {
    guard !path.utf8.contains(0) else {
      throw FileError(operation: "open", path: path, errno: EINVAL)
    }
    try self.init(reading: systemPath(path), shown: path, flags)
  }

  /// Opens a file whose path need not be UTF-8, likewise.
  init(
    reading path: SystemPath, shown: String, _ flags: Int32
  ) throws(FileError) {
    do {
      try self.init(opening: path, shown: shown, flags | keepAccessTime)
    } catch {
      // Only a file's owner may keep the access time.
      guard error.errno == EPERM else { throw error }
      try self.init(opening: path, shown: shown, flags)
    }
  }
}

/// Linux's `O_NOATIME`, which the module does not show; the value is that of `asm-generic`.
private let keepAccessTime: Int32 = 0o1_000_000

/// A file that is read from any place, by several threads at once.
package final class PositionedFile: Sendable {
  private let descriptor: FileDescriptor

  /// How many bytes the file had when it was opened.
  package let size: Int

  /// Opens a file without touching its access time where the system allows that.
  package convenience init(opening path: String, followingLinks: Bool = true) throws(FileError) {
    let flags = O_RDONLY | O_NONBLOCK | (followingLinks ? 0 : O_NOFOLLOW)
    try self.init(FileDescriptor(reading: path, flags))
  }

  init(_ file: consuming FileDescriptor) throws(FileError) {
    try file.expectFile()
    size = try file.size()
    descriptor = file
  }

  /// The path, for errors.
  package var path: String { descriptor.path }

  /// Appends as many bytes from a place in the file; fails where the file ends before.
  package func read(
    at offset: Int, count: Int, appendingTo bytes: inout [UInt8]
  ) throws(FileError) {
    try descriptor.read(at: offset, count: count, appendingTo: &bytes)
  }
}
