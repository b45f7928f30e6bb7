import Glibc

/// An existing file that grows at its end, and of which single places are read and replaced.
///
/// What was appended and not flushed is lost when the value goes away.
package struct GrowingFile: ~Copyable {
  private let descriptor: FileDescriptor
  private var buffer: [UInt8] = []
  private var flushedEnd = 0

  private static let capacity = 256 << 10

  /// Opens a file; what is appended overwrites it until `moveEnd` says where its end is.
  package init(opening path: String) throws(FileError) {
    descriptor = try FileDescriptor(opening: path, O_RDWR)
    buffer.reserveCapacity(Self.capacity)
  }

  /// Says where the file ends, after somebody else has changed it.
  package mutating func moveEnd(to offset: Int) throws(FileError) {
    try flush()
    flushedEnd = offset
  }

  /// Adds bytes to the end.
  package mutating func append(_ bytes: Span<UInt8>) throws(FileError) {
    if buffer.count + bytes.count > Self.capacity { try flush() }
    buffer.append(bytes)
  }

  /// Hands what was appended to the system.
  package mutating func flush() throws(FileError) {
    try descriptor.write(buffer.span, at: flushedEnd)
    flushedEnd += buffer.count
    buffer.removeAll(keepingCapacity: true)
  }

  /// Replaces bytes that were flushed before.
  package func replace(at offset: Int, with bytes: Span<UInt8>) throws(FileError) {
    try descriptor.write(bytes, at: offset)
  }

  /// Takes everything behind a place away; a file that is shorter stays as it is.
  package func cut(to size: Int) throws(FileError) {
    if try descriptor.size() > size { try descriptor.cut(to: size) }
  }

  /// The `count` bytes at a place.
  ///
  /// - Throws: `FileError` also when the file ends before them.
  package func read(at offset: Int, count: Int) throws(FileError) -> [UInt8] {
    var bytes: [UInt8] = []
    try descriptor.read(at: offset, count: count, appendingTo: &bytes)
    return bytes
  }
}
