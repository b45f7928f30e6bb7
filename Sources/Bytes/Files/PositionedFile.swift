import Glibc

/// A file that is read from any place, by several threads at once.
package final class PositionedFile: Sendable {
  private let descriptor: FileDescriptor

  /// How many bytes the file had when it was opened.
  package let size: Int

  /// Opens a file without touching its access time where the system allows that.
  package init(opening path: String) throws(FileError) {
    let file = try FileDescriptor(reading: path, O_RDONLY | O_NONBLOCK)
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
