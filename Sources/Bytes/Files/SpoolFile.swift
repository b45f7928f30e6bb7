import Glibc
import Synchronization

/// A file without a name, for bytes that are too many for memory; it is gone when it is closed.
package final class SpoolFile: Sendable {
  private let descriptor: FileDescriptor
  /// How many bytes were added.
  private let added = Mutex(0)
  /// Why something could not be kept in any such file or read back from it, if anything could not.
  ///
  /// Whoever reads goes on with nothing in its place, so whatever this process makes from then on may
  /// lack something, wherever it comes from.
  private static let failure = Mutex<FileError?>(nil)

  /// Where large temporary files belong, as the file system hierarchy says.
  private static let folder = "/var/tmp"
  /// `O_TMPFILE` of Linux, which the C library's headers hide without its extensions.
  private static let unnamed: Int32 = 0o20_000_000 | O_DIRECTORY

  /// Makes the file in the folder for temporary files; only this process can ever read it.
  package init() throws(FileError) {
    descriptor = try FileDescriptor(
      opening: Self.folder, Self.unnamed | O_RDWR | O_EXCL, operation: "create")
  }

  /// How many bytes are free where such files are.
  package static var freeBytes: Int { Bytes.freeBytes(in: folder) ?? .max }

  /// Writes behind what the file holds.
  package func append(_ bytes: Span<UInt8>) throws(FileError) {
    try descriptor.write(bytes)
  }

  /// Writes behind what was added so before, and tells where; several may add at once.
  package func add(_ bytes: [UInt8]) throws(FileError) -> Int {
    let written = added.withLock { end in
      Result { () throws(FileError) in
        try write(bytes.span, at: end)
        defer { end += bytes.count }
        return end
      }
    }
    return try written.get()
  }

  /// Writes at a place, whatever was written before.
  package func write(_ bytes: Span<UInt8>, at offset: Int) throws(FileError) {
    try descriptor.write(bytes, at: offset)
  }

  /// Reads as many bytes from a place; fails where the file ends before.
  package func read(at offset: Int, count: Int) throws(FileError) -> [UInt8] {
    var bytes: [UInt8] = []
    do throws(FileError) {
      try descriptor.read(at: offset, count: count, appendingTo: &bytes)
      return bytes
    } catch {
      Self.note(error)
      throw error
    }
  }

  /// Notes that something could not be set aside, where nobody can be told at once.
  package static func note(_ error: FileError) {
    failure.withLock { $0 = $0 ?? error }
  }

  /// Fails where anything could not be set aside by this process, or not be read back.
  package static func checkReading() throws(FileError) {
    if let failure = failure.withLock(\.self) { throw failure }
  }
}

/// How many bytes are free in the file system of a folder; nil where it does not tell.
package func freeBytes(in folder: String) -> Int? {
  var status = statvfs()
  // The call fills the structure it is given, or fails.
  guard unsafe statvfs(folder, &status) == 0 else { return nil }
  let free = status.f_bavail.multipliedReportingOverflow(by: status.f_frsize)
  return free.overflow ? .max : Int(clamping: free.partialValue)
}
