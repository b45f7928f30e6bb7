package import Bytes

/// The lines before the data of an Android backup.
package struct AndroidBackup: Sendable {
  /// Whether a zlib stream follows, or a plain archive.
  package let isPacked: Bool
  /// How the data is encrypted; nil where it is not.
  package let encryption: String?
  /// Where the data begins.
  package let dataOffset: Int
  /// Whether nothing or an archive without members follows, as when nobody agreed on the device.
  package let isEmpty: Bool
  /// Whether the counts with which some devices hand pieces on were left in the data.
  package let hasChunkSizes: Bool

  /// What such a file begins with.
  package static let mark = Array("ANDROID BACKUP\n".utf8)

  /// What it begins with where it came through a terminal.
  package static let changedMark = Array("ANDROID BACKUP\r\n".utf8)
  /// What to try with what came through a terminal.
  package static let pullAgain =
    "a terminal has put a carriage return before each line feed: pull it again, with 'adb exec-out' "
    + "in place of 'adb shell'"

  /// Reads the header of a backup.
  ///
  /// - Throws: `.unsupported` for versions and forms that are not known, `.truncated` and `.invalid`
  ///   for headers that are none.
  package init(_ file: PositionedFile) throws(FormatError) {
    let head = try ZipRecords.bytes(of: file, at: 0, count: min(file.size, 10 << 10))
    guard !head.starts(with: Self.changedMark) else {
      throw FormatError(
        .invalid, at: Self.mark.count - 1, "the backup's lines have other ends than they should",
        advice: Self.pullAgain)
    }
    var start = Self.mark.count
    func line() throws(FormatError) -> String {
      guard let end = head[min(start, head.count)...].prefix(1 << 10).firstIndex(of: 0x0A) else {
        throw FormatError(.truncated, at: start, "the backup's header is cut")
      }
      defer { start = end + 1 }
      return String(decoding: head[start..<end], as: UTF8.self)
    }
    let version = try line()
    guard let number = Int(version) else {
      throw FormatError(.invalid, at: Self.mark.count, "the backup's version is no number")
    }
    guard (1...5).contains(number) else {
      throw FormatError(.unsupported, at: Self.mark.count, "the backup has version \(number)")
    }
    let packing = try line()
    guard packing == "0" || packing == "1" else {
      throw FormatError(.unsupported, at: start, "the backup is packed in an unknown way")
    }
    isPacked = packing == "1"
    let encryption = try line()
    self.encryption = encryption == "none" ? nil : encryption
    dataOffset = start
    isEmpty = try Self.isEmpty(file, from: start, isPacked: packing == "1")
    // The piece of the first header comes first.
    hasChunkSizes = isPacked && head[start...].starts(with: [0, 0, 2, 0])
  }

  /// Whether nothing stands behind the header, or the two empty blocks of an archive's end, deflated.
  private static func isEmpty(
    _ file: PositionedFile, from start: Int, isPacked: Bool
  ) throws(FormatError) -> Bool {
    let count = file.size - start
    guard isPacked, count == emptyArchiveSize else { return count == 0 }
    let stream = try PackedStream(file, from: start, count: count, .zlib)
    var bytes: [UInt8] = []
    while bytes.count <= 2 * TarHeader.size, try stream.read(into: &bytes) > 0 {}
    return bytes.elementsEqual(repeatElement(0, count: 2 * TarHeader.size))
  }

  /// How many bytes devices deflate an archive without members to.
  private static let emptyArchiveSize = 17
}
