package import Bytes

/// The bytes of a file from its start, unpacked where it is packed with gzip.
///
/// A parser and the one who checks the file afterwards share it, so it has identity.
package final class ByteStream {
  /// Nil where the bytes are in memory.
  private var file: InputFile?
  private var hash: SHA256?
  private var gzip: GzipReader?
  private var packed: [UInt8] = []
  private var packedPlace = 0
  private var isFileAtEnd = false
  private var isStarted = false
  private var head: [UInt8] = []
  /// How many bytes the file itself gave so far.
  package private(set) var fileSize = 0
  /// How many bytes were handed on.
  package private(set) var offset = 0

  /// Opens a file; its hash is computed on the way if it is asked for.
  ///
  /// - Throws: `FileError` when it cannot be opened.
  package init(
    opening path: String, hashing: Bool = false, followingLinks: Bool = true
  ) throws(FileError) {
    file = try InputFile(opening: path, followingLinks: followingLinks)
    hash = hashing ? SHA256() : nil
  }

  /// Hands on bytes as they are.
  package init(_ bytes: [UInt8]) {
    head = bytes
    isStarted = true
  }

  /// The hash of the file once it was read to its end.
  package func finishHash() -> SHA256Digest? {
    hash?.finish()
  }

  /// Appends some more bytes and returns how many; zero at the end.
  ///
  /// - Throws: `.unreadable` when the file cannot be read, and what `GzipReader` throws.
  package func read(into buffer: inout [UInt8], atMost size: Int = 1 << 16) throws(FormatError)
    -> Int
  {
    if !isStarted { try start() }
    let count: Int
    if gzip != nil {
      count = try unpack(into: &buffer, atMost: size)
    } else if !head.isEmpty {
      count = head.count
      buffer.append(contentsOf: head)
      head = []
    } else {
      count = try readFile(into: &buffer, atMost: size)
    }
    offset += count
    return count
  }

  /// Passes over the first bytes, where they are these; false where they are not.
  ///
  /// - Throws: `.unreadable` when the file cannot be read.
  package func drop(prefix: [UInt8]) throws(FormatError) -> Bool {
    if !isStarted { try start() }
    guard gzip == nil else { return false }
    while head.count < prefix.count, try readFile(into: &head, atMost: 1 << 16) > 0 {}
    guard head.starts(with: prefix) else { return false }
    head.removeFirst(prefix.count)
    offset += prefix.count
    return true
  }

  /// Looks at the first two bytes, which tell whether the file is packed.
  private func start() throws(FormatError) {
    isStarted = true
    while head.count < 2, try readFile(into: &head, atMost: 1 << 16) > 0 {}
    guard head.count >= 2, head[0] == 0x1F, head[1] == 0x8B else { return }
    gzip = try GzipReader()
    packed = head
    head = []
  }

  private func unpack(into buffer: inout [UInt8], atMost size: Int) throws(FormatError) -> Int {
    let before = buffer.count
    while buffer.count == before {
      if packedPlace == packed.count {
        packed.removeAll(keepingCapacity: true)
        packedPlace = 0
        if !isFileAtEnd, try readFile(into: &packed, atMost: 1 << 16) == 0 { isFileAtEnd = true }
      }
      let used = try gzip?.unpack(
        packed.span.extracting(packedPlace...), room: size, into: &buffer)
      packedPlace += used ?? 0
      guard buffer.count == before, isFileAtEnd, packedPlace == packed.count else { continue }
      let finished = gzip.take()
      gzip = nil
      try finished?.finish()
      return 0
    }
    return buffer.count - before
  }

  private func readFile(into buffer: inout [UInt8], atMost size: Int) throws(FormatError) -> Int {
    let before = buffer.count
    do {
      let count = try file?.read(into: &buffer, atMost: size) ?? 0
      hash?.update(buffer.span.extracting(before...))
      fileSize += count
      return count
    } catch {
      throw FormatError(.unreadable(error.kind), at: fileSize, error.message)
    }
  }
}
