package import Bytes

/// The bytes of a file from its start, unpacked where it is packed with gzip, and as UTF-8 where
/// it is text of another encoding.
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
  /// Nil where the bytes are handed on as they are.
  private var decoder: TextDecoder?
  /// How many bytes the file itself gave so far.
  package private(set) var fileSize = 0
  /// How many bytes were handed on.
  private(set) var offset = 0

  /// Opens a file; its hash is computed on the way if it is asked for.
  package init(
    opening path: String, hashing: Bool = false, followingLinks: Bool = true
  ) throws(FileError) {
    file = try InputFile(opening: path, followingLinks: followingLinks)
    hash = hashing ? SHA256() : nil
  }

  /// Opens a text file, which is handed on as UTF-8 without a mark.
  package convenience init(opening path: String, as encoding: TextEncoding) throws(FileError) {
    try self.init(opening: path)
    decoder = TextDecoder(encoding)
  }

  /// Hands on bytes: as they are, or as UTF-8 where they are text of an encoding.
  package init(_ bytes: [UInt8], as encoding: TextEncoding? = nil) {
    head = bytes
    isStarted = true
    decoder = encoding.map(TextDecoder.init)
  }

  /// The hash of the file once it was read to its end.
  package func finishHash() -> SHA256Digest? {
    hash?.finish()
  }

  /// Appends some more bytes and returns how many; zero at the end.
  ///
  /// - Throws: `.unreadable` when the file cannot be read, and what `GzipReader` throws; also when
  ///   it is no text of its encoding.
  package func read(into buffer: inout [UInt8], atMost size: Int = 1 << 16) throws(FormatError)
    -> Int
  {
    guard decoder != nil else { return try readBytes(into: &buffer, atMost: size) }
    let before = buffer.count
    while buffer.count == before {
      var bytes: [UInt8] = []
      let count = try readBytes(into: &bytes, atMost: size)
      try decoder?.decode(bytes, into: &buffer)
      if count == 0 { break }
    }
    if decoder?.isDone == true { decoder = nil }
    return buffer.count - before
  }

  private func readBytes(into buffer: inout [UInt8], atMost size: Int) throws(FormatError) -> Int {
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
