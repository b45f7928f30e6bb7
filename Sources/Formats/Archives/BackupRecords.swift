package import Bytes

/// Reads `Manifest.mbdb`, the list of files of a backup of iOS 4 to 9.
package struct BackupRecords {
  private let stream: PackedStream
  private var buffer: [UInt8] = []
  private var place = 0
  private var count = 0
  private var consumed = 0

  /// What the list begins with.
  package static let mark: [UInt8] = [0x6D, 0x62, 0x64, 0x62, 5, 0]
  private static let maxRecords = 10_000_000

  /// Reads the list in a file.
  ///
  /// - Throws: `.invalid` where it does not begin like one.
  package init(_ file: PositionedFile) throws(FormatError) {
    stream = try PackedStream(file, from: 0, count: file.size, .none)
    guard try bytes(Self.mark.count) == Self.mark else {
      throw FormatError(.invalid, at: 0, "the backup's list of files does not begin like one")
    }
  }

  /// The next record; nil at the end.
  ///
  /// - Throws: `.invalid` where it is cut, `.limit` for too many.
  package mutating func next() throws(FormatError) -> BackupRecords.Record? {
    if buffer.count == place {
      buffer.removeAll(keepingCapacity: true)
      place = 0
      guard try stream.read(into: &buffer) > 0 else { return nil }
    }
    count += 1
    guard count <= Self.maxRecords else {
      throw FormatError(.limit, at: consumed, "the backup lists more than \(Self.maxRecords) files")
    }
    let domain = try string() ?? []
    let path = try string() ?? []
    _ = try string()
    _ = try string()
    let key = try string()
    let mode = try number(2)
    // The inode, the owner, the group, and three times.
    _ = try bytes(8 + 4 + 4 + 12)
    let size = try number(8)
    _ = try number(1)
    for _ in 0..<(try number(1)) {
      _ = try string()
      _ = try string()
    }
    return BackupRecords.Record(
      domain: domain, path: path, mode: mode, size: size, hasKey: !(key ?? []).isEmpty)
  }

  private mutating func string() throws(FormatError) -> [UInt8]? {
    let size = try number(2)
    return size == 0xFFFF ? nil : try bytes(size)
  }

  private mutating func number(_ size: Int) throws(FormatError) -> Int {
    var value: UInt64 = 0
    for byte in try bytes(size) { value = value << 8 | UInt64(byte) }
    return Int(clamping: value)
  }

  private mutating func bytes(_ size: Int) throws(FormatError) -> [UInt8] {
    while buffer.count - place < size {
      buffer.removeFirst(place)
      place = 0
      guard try stream.read(into: &buffer) > 0 else {
        throw FormatError(
          .invalid, at: nil,
          "the backup's list of files is cut at byte \(consumed), after "
            + max(0, count - 1).counting("file", "files"),
          advice: "copy the backup again; its end is missing")
      }
    }
    defer {
      place += size
      consumed += size
    }
    return Array(buffer[place..<place + size])
  }

  /// A file, a folder or a link in the list of a backup of iOS 4 to 9.
  package struct Record: Sendable {
    /// The domain and the path inside of it, as bytes.
    package let domain: [UInt8]
    package let path: [UInt8]
    /// The kind of file and its permissions.
    let mode: Int
    /// How many bytes it has.
    package let size: Int
    let hasKey: Bool

    /// Whether it is a plain file.
    package var isFile: Bool { mode & 0xE000 == 0x8000 }

    /// Whether it is a link, which has no content.
    package var isLink: Bool { mode & 0xF000 == 0xA000 }
  }
}
