import Bytes

/// Where the bytes of a document come from.
enum XMLSource: ~Copyable {
  /// Bytes at hand, and how many of them were handed out.
  case bytes([UInt8], Int)
  /// A file that is read to its end.
  case file(InputFile)
  /// Something that appends some bytes, and none at the end.
  case closure((inout [UInt8]) throws -> Void)

  /// Appends some more bytes, or none at the end of the document.
  mutating func read(into buffer: inout [UInt8], atMost size: Int) throws(XMLError) {
    switch consume self {
    case .bytes(let bytes, let used):
      let count = min(size, bytes.count - used)
      buffer.append(bytes.span.extracting(used..<used + count))
      self = .bytes(bytes, used + count)
    case .file(var file):
      let result = Result { () throws(FileError) in try file.read(into: &buffer, atMost: size) }
      self = .file(file)
      if case .failure(let error) = result { throw XMLError(source: error) }
    case .closure(let read):
      self = .closure(read)
      do { try read(&buffer) } catch { throw XMLError(source: error) }
    }
  }
}
