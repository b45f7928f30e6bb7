import Glibc
import Synchronization

/// A file without a name, for bytes that are too many for memory; it is gone when it is closed.
package final class SpoolFile: Sendable {
  private let descriptor: FileDescriptor
  private let failure = Mutex<FileError?>(nil)

  /// Where large temporary files belong, as the file system hierarchy says.
  private static let folder = "/var/tmp"
  /// `O_TMPFILE` of Linux, which the C library's headers hide without its extensions.
  private static let unnamed: Int32 = 0o20_000_000 | O_DIRECTORY

  /// Makes the file in the folder for temporary files; only this process can ever read it.
  package init() throws(FileError) {
    descriptor = try FileDescriptor(
      opening: Self.folder, Self.unnamed | O_RDWR | O_EXCL, operation: "create")
  }

  /// Writes behind what the file holds.
  package func append(_ bytes: Span<UInt8>) throws(FileError) {
    try descriptor.write(bytes)
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
      failure.withLock { $0 = $0 ?? error }
      throw error
    }
  }

  /// Why something could not be read, if anything could not.
  package var readFailure: FileError? { failure.withLock { $0 } }
}
