package import Bytes

/// The data of a ZIP archive's entries, found through the headers that stand before it.
///
/// No entry is kept: each is read again where it is asked for.
package struct ZipMembers: Sendable {
  private let file: PositionedFile
  private let directory: ZipDirectory
  private let limits: ExpansionLimits

  /// How many bytes stand before the first entry, where they are an archive of which the directory tells
  /// nothing; nil where they are not.
  ///
  /// An entry alone that is not listed is nothing to be told of: programs that pack apps fill gaps so.
  package private(set) var unlistedBytes: Int?

  /// Whether something follows the archive that is no part of it.
  package var hasRest: Bool { directory.hasRest }

  /// Looks for the data of all entries; `seeing` is lent each of them.
  ///
  /// - Throws: what `ZipDirectory` throws, and `.overlap` where the data of two entries does.
  package init(
    _ file: PositionedFile, limits: ExpansionLimits = ExpansionLimits(),
    seeing: (ZipEntry) -> Void = { _ in }
  ) throws(FormatError) {
    self.file = file
    self.limits = limits
    directory = try ZipDirectory(file)
    var (end, isInOrder) = (0, true)
    var first = directory.start
    try forEachEntry { entry in
      seeing(entry)
      first = min(first, entry.headerOffset)
      guard let range = range(of: entry) else { return }
      isInOrder = isInOrder && range.start >= end
      end = range.end
    }
    if try Self.isArchive(file, before: first) { unlistedBytes = first }
    if !isInOrder { try checkOverlaps() }
  }

  /// Whether the bytes of a file before a place are an archive that is not empty.
  private static func isArchive(
    _ file: PositionedFile, before place: Int
  ) throws(FormatError) -> Bool {
    guard place > 4,
      try ZipRecords.bytes(of: file, at: 0, count: 4).elementsEqual([0x50, 0x4B, 3, 4])
    else { return false }
    return try ZipDirectory.endsArchive(at: place, of: file)
  }

  /// Lends one entry after the other in the order of the directory.
  package func forEachEntry(_ body: (ZipEntry) -> Void) throws(FormatError) {
    try directory.forEachEntry(of: file, body)
  }

  /// The entry whose record stands at a place; nil where there is none.
  package func entry(at place: Int) throws(FormatError) -> ZipEntry? {
    try directory.entry(at: place, of: file)
  }

  /// Opens the plain data of an entry.
  ///
  /// - Throws: `FormatError` where it needs a password, is packed in a way that is not read, or
  ///   its header contradicts the directory.
  package func open(_ entry: ZipEntry) throws(FormatError) -> PackedStream {
    let start = try dataStart(of: entry)
    guard !entry.isEncrypted, entry.method != 99 else {
      throw FormatError(.encrypted, at: start, "the file in the archive needs a password")
    }
    if let method = entry.foreignMethod {
      throw FormatError(.unsupported, at: start, "the file is packed with \(method)")
    }
    return try PackedStream(
      file, from: start, count: entry.packedSize, entry.method == 0 ? .none : .deflate,
      limits: limits)
  }

  private func dataStart(of entry: ZipEntry) throws(FormatError) -> Int {
    let (offset, end) = (entry.headerOffset, directory.start)
    guard offset >= 0, offset <= end - 30 else {
      throw FormatError(.invalid, at: offset, "an entry lies beyond the archive's directory")
    }
    let header = try ZipRecords.bytes(of: file, at: offset, count: 30)
    func field(_ at: Int, _ bytes: Int) -> Int {
      ZipFields.number(header.span, at: at, bytes: bytes) ?? 0
    }
    let (nameSize, extraSize) = (field(26, 2), field(28, 2))
    let start = offset + 30 + nameSize + extraSize
    guard field(0, 4) == 0x0403_4B50, field(8, 2) == entry.method, start <= end,
      try ZipRecords.bytes(of: file, at: offset + 30, count: nameSize) == entry.rawName
    else {
      throw FormatError(.invalid, at: offset, "an entry's header contradicts the directory")
    }
    guard entry.packedSize <= end - start else {
      throw FormatError(.invalid, at: offset, "an entry's data runs into the directory")
    }
    return start
  }

  /// The header and the data of an entry; nil where they cannot be read, which is told when it is
  /// opened.
  private func range(of entry: ZipEntry) -> (start: Int, end: Int)? {
    (try? dataStart(of: entry)).map { (entry.headerOffset, $0 + entry.packedSize) }
  }

  /// Data that is shared by two entries is how small archives unpack to endless ones.
  private func checkOverlaps() throws(FormatError) {
    var ranges: [(start: Int, end: Int, place: Int)] = []
    try forEachEntry { entry in
      if let range = range(of: entry) { ranges.append((range.start, range.end, entry.place)) }
    }
    ranges.sort { $0.start < $1.start }
    for (one, other) in zip(ranges, ranges.dropFirst()) where other.start < one.end {
      var names: [String] = []
      for range in [one, other] { names.append("'\(try entry(at: range.place)?.path ?? "")'") }
      throw FormatError(
        .overlap, at: other.start, "the data of \(names.joined(separator: " and ")) overlaps")
    }
  }
}
