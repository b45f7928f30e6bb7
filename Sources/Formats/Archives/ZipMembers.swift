package import Bytes

/// The data of a ZIP archive's entries, found through the headers that stand before it.
package struct ZipMembers: Sendable {
  private let file: PositionedFile
  private let directory: ZipDirectory
  private let limits: ExpansionLimits
  /// Where the data of each entry begins, or why it cannot be read.
  private let places: [Result<Int, FormatError>]

  /// The entries in the order of the directory.
  package var entries: [ZipEntry] { directory.entries }

  /// Finds the data of all entries.
  ///
  /// - Throws: what `ZipDirectory` throws, and `.overlap` where the data of two entries does.
  package init(
    _ file: PositionedFile, limits: ExpansionLimits = ExpansionLimits()
  ) throws(FormatError) {
    self.file = file
    self.limits = limits
    directory = try ZipDirectory(file)
    var places: [Result<Int, FormatError>] = []
    places.reserveCapacity(directory.entries.count)
    for entry in directory.entries {
      do throws(FormatError) {
        places.append(.success(try Self.dataStart(of: entry, in: file, before: directory.start)))
      } catch {
        places.append(.failure(error))
      }
    }
    self.places = places
    try checkOverlaps()
  }

  /// Opens the plain data of an entry.
  ///
  /// - Throws: `FormatError` where it needs a password, is packed in a way that is not read, or
  ///   its header contradicts the directory.
  package func open(_ place: Int) throws(FormatError) -> PackedStream {
    let entry = directory.entries[place]
    let start = try places[place].get()
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

  private static func dataStart(
    of entry: ZipEntry, in file: PositionedFile, before end: Int
  ) throws(FormatError) -> Int {
    let offset = entry.headerOffset
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

  /// Data that is shared by two entries is how small archives unpack to endless ones.
  private func checkOverlaps() throws(FormatError) {
    var ranges: [(start: Int, end: Int, entry: Int)] = []
    for (place, start) in places.enumerated() {
      guard case .success(let start) = start else { continue }
      let entry = directory.entries[place]
      ranges.append((entry.headerOffset, start + entry.packedSize, place))
    }
    ranges.sort { $0.start < $1.start }
    for (one, other) in zip(ranges, ranges.dropFirst()) where other.start < one.end {
      let names = [one, other].map { "'\(directory.entries[$0.entry].path)'" }
      throw FormatError(
        .overlap, at: other.start, "the data of \(names.joined(separator: " and ")) overlaps")
    }
  }
}
