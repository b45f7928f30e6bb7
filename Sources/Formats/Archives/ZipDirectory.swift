package import Bytes

/// The directory of a ZIP archive, which alone tells what is in it.
///
/// It may have a million entries, of which none is kept.
package struct ZipDirectory: Sendable {
  /// Where the directory begins; no data may reach it.
  package let start: Int
  /// Whether something follows the archive that is no part of it.
  package let hasRest: Bool
  private let end: Int
  private let shift: Int

  /// Reads the directory of an archive once.
  ///
  /// - Throws: `.truncated` without an end record, `.invalid` where records contradict each other or
  ///   the file, `.unsupported` for several disks, `.limit` for too many entries.
  package init(_ file: PositionedFile) throws(FormatError) {
    let end = try ZipDirectory.End(file)
    guard end.count <= InputLimits.current.members else { throw Self.excess(at: end.offset) }
    shift = end.offset - end.directorySize - end.directoryOffset
    guard shift >= 0 else {
      throw FormatError(
        .invalid, at: end.offset,
        "the archive's directory lies beyond its end; archives above 4 GiB of the Mac's Archive "
          + "Utility are so, and can be unpacked on a Mac")
    }
    start = end.directoryOffset + shift
    hasRest = end.hasRest
    self.end = start + end.directorySize
    try checkCount(end, file)
  }

  /// Throws where the directory has not as many entries as the archive says.
  ///
  /// Programs that know nothing of ZIP64 count on from zero behind 65,535.
  private func checkCount(_ end: End, _ file: PositionedFile) throws(FormatError) {
    let most = end.mayHaveMore ? InputLimits.current.members : end.count
    var count = 0
    var records = records(of: file, from: start)
    while count <= most, try records.next(shift: shift) != nil { count += 1 }
    if end.mayHaveMore {
      guard count <= most else { throw Self.excess(at: start) }
      if count > end.count, count % 0x10000 == end.count { return }
    }
    guard count <= end.count else {
      throw FormatError(.invalid, at: start, "the directory has more entries than it says")
    }
    guard count == end.count else {
      throw FormatError(.invalid, at: start, "the directory has fewer entries than it says")
    }
  }

  private static func excess(at place: Int) -> FormatError {
    FormatError(
      .limit, at: place, "the archive has more than \(InputLimits.current.members) entries",
      passing: .members)
  }

  /// Whether a file ends as an archive does, also as one that is refused: a part of several, or one with
  /// too many entries.
  package static func ends(_ file: PositionedFile) -> Bool {
    do throws(FormatError) {
      _ = try ZipDirectory(file)
      return true
    } catch {
      return [.unsupported, .limit].contains(error.code)
    }
  }

  /// Whether an archive ends at a place: its end record stands there with its comment.
  static func endsArchive(at place: Int, of file: PositionedFile) throws(FormatError) -> Bool {
    let length = min(place, End.longest)
    let tail = try ZipRecords.bytes(of: file, at: place - length, count: length)
    return End.endRecord(in: tail.span) != nil
  }

  private func records(of file: PositionedFile, from place: Int) -> ZipRecords {
    ZipRecords(file, from: place, to: end)
  }

  /// Lends one entry after the other.
  func forEachEntry(
    of file: PositionedFile, _ body: (ZipEntry) -> Void
  ) throws(FormatError) {
    var records = records(of: file, from: start)
    while let entry = try records.next(shift: shift) { body(entry) }
  }

  /// The entry whose record stands at a place; nil at the end of the directory.
  func entry(at place: Int, of file: PositionedFile) throws(FormatError) -> ZipEntry? {
    var records = records(of: file, from: place)
    return try records.next(shift: shift)
  }

  /// What the records at the end of an archive say.
  fileprivate struct End {
    var offset: Int
    var count: Int
    var directorySize: Int
    var directoryOffset: Int
    var hasRest = false
    /// Whether the count has room for 65,535 only, and the directory for more.
    var mayHaveMore = false

    private static let size = 22
    /// The longest record, with its comment.
    static let longest = size + 0xFFFF

    init(_ file: PositionedFile) throws(FormatError) {
      let length = min(file.size, Self.longest)
      let base = file.size - length
      let tail = try ZipRecords.bytes(of: file, at: base, count: length)
      var found = Self.endRecord(in: tail.span)
      if found == nil {
        found = try Self.earlierEndRecord(in: tail.span, at: base, of: file)
        hasRest = true
      }
      guard let place = found else {
        throw FormatError(.truncated, at: file.size, "the archive has no end record")
      }
      offset = base + place
      func field(_ at: Int, _ bytes: Int) -> Int? {
        ZipFields.number(tail.span, at: place + at, bytes: bytes)
      }
      guard let disk = field(4, 2), let first = field(6, 2), let count = field(10, 2),
        let here = field(8, 2), let size = field(12, 4), let start = field(16, 4)
      else { throw FormatError(.truncated, at: offset, "the archive's end record is cut") }
      (self.count, directorySize, directoryOffset) = (count, size, start)
      mayHaveMore = size >= 46 * 0x10000
      let isSplit = (disk != 0 && disk != 0xFFFF) || (first != 0 && first != 0xFFFF)
      guard !isSplit, here == count || here == 0xFFFF else {
        throw FormatError(.unsupported, at: offset, "the archive is one of several parts")
      }
      try takeLongRecord(file)
    }

    /// The last end record whose comment ends exactly where the file does.
    ///
    /// One of an empty archive in the comment of another would hide all that there is.
    static func endRecord(in tail: Span<UInt8>) -> Int? {
      var place = tail.count - size
      var empty: Int?
      while place >= 0 {
        if tail[place] == 0x50, tail[place + 1] == 0x4B, tail[place + 2] == 5, tail[place + 3] == 6,
          ZipFields.number(tail, at: place + 20, bytes: 2) == tail.count - place - size
        {
          let tellsNothing = (8..<20).allSatisfy { tail[place + $0] == 0 }
          guard tellsNothing else { return place }
          empty = empty ?? place
        }
        place -= 1
      }
      return empty
    }

    /// The last end record right before which a directory lies, where something follows the archive; as
    /// a gateway of mails that adds a line, or what fills the last block of a tape.
    ///
    /// The directory lies where the record says: an archive inside of one that was cut has it elsewhere.
    private static func earlierEndRecord(
      in tail: Span<UInt8>, at base: Int, of file: PositionedFile
    ) throws(FormatError) -> Int? {
      let isArchive = try ZipRecords.bytes(of: file, at: 0, count: min(4, file.size))
        .elementsEqual([0x50, 0x4B, 3, 4])
      guard isArchive else { return nil }
      var place = tail.count - size
      while place >= 0 {
        if ZipFields.number(tail, at: place, bytes: 4) == 0x0605_4B50,
          let length = ZipFields.number(tail, at: place + 12, bytes: 4), length >= 46,
          ZipFields.number(tail, at: place + 16, bytes: 4) == base + place - length,
          try ZipRecords.bytes(of: file, at: base + place - length, count: 4)
            .elementsEqual([0x50, 0x4B, 1, 2])
        {
          return place
        }
        place -= 1
      }
      return nil
    }

    /// Takes the numbers of the ZIP64 record, where there is one.
    private mutating func takeLongRecord(_ file: PositionedFile) throws(FormatError) {
      guard offset >= 20 else { return }
      let locator = try ZipRecords.bytes(of: file, at: offset - 20, count: 20)
      guard locator.starts(with: [0x50, 0x4B, 6, 7]) else { return }
      guard let told = ZipFields.number(locator.span, at: 8, bytes: 8) else {
        throw FormatError(.invalid, at: offset, "the archive's ZIP64 record lies beyond its end")
      }
      // Where bytes were put in front of the archive, the record stands right before its locator.
      for place in [told, offset - 20 - 56] where place >= 0 && place <= offset - 20 - 56 {
        let record = try ZipRecords.bytes(of: file, at: place, count: 56)
        guard record.starts(with: [0x50, 0x4B, 6, 6]),
          let count = ZipFields.number(record.span, at: 32, bytes: 8),
          let size = ZipFields.number(record.span, at: 40, bytes: 8),
          let start = ZipFields.number(record.span, at: 48, bytes: 8),
          size <= file.size, start <= file.size
        else { continue }
        (self.count, directorySize, directoryOffset, offset) = (count, size, start, place)
        mayHaveMore = false
        return
      }
      throw FormatError(.invalid, at: offset, "the archive's ZIP64 record is missing or damaged")
    }
  }
}

/// Reads the records of a directory through a buffer.
struct ZipRecords {
  private let file: PositionedFile
  private var offset: Int
  private let end: Int
  private var buffer: [UInt8] = []
  private var place = 0

  init(_ file: PositionedFile, from start: Int, to end: Int) {
    self.file = file
    offset = start
    self.end = min(end, file.size)
  }

  static func bytes(
    of file: PositionedFile, at offset: Int, count: Int
  ) throws(FormatError) -> [UInt8] {
    var bytes: [UInt8] = []
    do {
      try file.read(at: offset, count: count, appendingTo: &bytes)
    } catch {
      throw FormatError(.unreadable(error.kind), at: offset, error.message)
    }
    return bytes
  }

  /// The next entry; nil at the end of the directory.
  mutating func next(shift: Int) throws(FormatError) -> ZipEntry? {
    guard try have(46) else {
      guard buffer.count == place else {
        throw FormatError(.invalid, at: offset, "the archive's directory is cut")
      }
      return nil
    }
    guard field(0, 4) == 0x0201_4B50 else {
      throw FormatError(.invalid, at: offset, "the archive's directory is damaged")
    }
    let (nameSize, extraSize) = (field(28, 2), field(30, 2))
    let size = 46 + nameSize + extraSize + field(32, 2)
    guard try have(size) else {
      throw FormatError(.invalid, at: offset, "the archive's directory is cut")
    }
    let entry = try entry(nameSize, extraSize, shift: shift)
    place += size
    return entry
  }

  /// A number of the current record.
  private func field(_ at: Int, _ bytes: Int) -> Int {
    ZipFields.number(buffer.span, at: place + at, bytes: bytes) ?? 0
  }

  private func entry(
    _ nameSize: Int, _ extraSize: Int, shift: Int
  ) throws(FormatError) -> ZipEntry {
    let flags = UInt16(field(8, 2))
    let maker = field(5, 1)
    let name = Array(buffer[place + 46..<place + 46 + nameSize])
    let extraStart = place + 46 + nameSize
    let extra = Array(buffer[extraStart..<extraStart + extraSize])
    let mode = field(38, 4) >> 16
    let isUnix = maker == 3 || maker == 19
    let path = ZipName.path(name, flags: flags, extra: extra.span, madeByDOS: maker == 0)
    var entry = ZipEntry(
      path: path, kind: .file, method: field(10, 2), isEncrypted: flags & 0x2041 != 0,
      crc: UInt32(field(16, 4)), packedSize: field(20, 4), size: field(24, 4),
      headerOffset: field(42, 4), place: offset - buffer.count + place, rawName: name)
    if isUnix, mode & 0o170000 == 0o120000 { entry.kind = .link }
    try entry.takeLongNumbers(extra.span)
    // A folder has no bytes; what has some is a file that is called as one.
    if path.utf8.last == UInt8(ascii: "/"), entry.size == 0 { entry.kind = .folder }
    entry.headerOffset += shift
    return entry
  }

  /// Whether that many bytes of the directory are there from the current place on.
  private mutating func have(_ count: Int) throws(FormatError) -> Bool {
    guard buffer.count - place < count else { return true }
    buffer.removeFirst(place)
    place = 0
    while buffer.count < count, offset < end {
      let piece = min(1 << 16, end - offset)
      buffer += try Self.bytes(of: file, at: offset, count: piece)
      offset += piece
    }
    return buffer.count >= count
  }
}

extension ZipEntry {
  /// Takes the numbers that do not fit the record itself.
  fileprivate mutating func takeLongNumbers(_ extra: Span<UInt8>) throws(FormatError) {
    let isLong = { (value: Int) in value == 0xFFFF_FFFF }
    guard isLong(size) || isLong(packedSize) || isLong(headerOffset) else { return }
    guard let field = ZipFields.extra(1, in: extra) else { return }
    var numbers = [size, packedSize, headerOffset]
    var place = 0
    for (index, number) in numbers.enumerated() where isLong(number) {
      guard let long = ZipFields.number(field.span, at: place, bytes: 8), long < Int.max / 4 else {
        throw FormatError(.invalid, at: headerOffset, "an entry's ZIP64 numbers are missing")
      }
      numbers[index] = long
      place += 8
    }
    (size, packedSize, headerOffset) = (numbers[0], numbers[1], numbers[2])
  }
}

/// The little-endian numbers and extra fields of ZIP records.
enum ZipFields {
  /// The number in some bytes; nil where it ends beyond them or is above what an `Int` holds.
  static func number(_ bytes: Span<UInt8>, at offset: Int, bytes count: Int) -> Int? {
    guard offset >= 0, offset <= bytes.count - count else { return nil }
    var value: UInt64 = 0
    for place in 0..<count { value |= UInt64(bytes[offset + place]) << UInt64(8 * place) }
    return Int(exactly: value)
  }

  /// A copy of the extra field with a number; nil where there is none or it does not fit.
  static func extra(_ id: Int, in extra: Span<UInt8>) -> [UInt8]? {
    var start = 0
    while let found = number(extra, at: start, bytes: 2),
      let size = number(extra, at: start + 2, bytes: 2), start + 4 + size <= extra.count
    {
      if found == id {
        var copy: [UInt8] = []
        for place in start + 4..<start + 4 + size { copy.append(extra[place]) }
        return copy
      }
      start += 4 + size
    }
    return nil
  }
}
