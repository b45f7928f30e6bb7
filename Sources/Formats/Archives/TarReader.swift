import Bytes

/// Reads a tar archive of any of its forms from its first block to its last.
package struct TarReader {
  private let stream: PackedStream
  private var buffer: [UInt8] = []
  private var place = 0
  /// How many bytes of the current member's data and its padding were not taken yet.
  private var left = 0
  private var padding = 0
  private var sparse: TarReader.Sparse?
  private var piece = 0
  private var written = 0
  private var count = 0
  private let start: Int
  /// Whether nothing but zeros may follow the end.
  private let endsForGood: Bool
  /// How much of the stream was there, plain and packed, when the current member began.
  private var memberStart = (plain: 0, packed: 0)
  /// Where the headers of the current member begin, unpacked.
  package private(set) var memberOffset = 0
  /// Whether the empty blocks that end an archive were there.
  private(set) var hasEnd = false
  /// Whether something else follows them.
  private var hasRest = false
  /// How many bytes of the archive were taken, unpacked.
  var offset: Int { start + stream.plainCount - (buffer.count - place) }

  /// What is odd about the end of the archive, once it is reached; nil where nothing is.
  package var remark: String? {
    if !hasEnd { return "the archive does not say where it ends, so that more may have been there" }
    return hasRest || stream.hasTrailingBytes ? "something else follows the archive" : nil
  }

  /// Whether the checksum of packed data, once it is reached, is that of other bytes.
  package var failsChecksum: Bool { stream.failsChecksum }

  private static let longestExtension = 1 << 20
  /// More bytes than any member has; sums with as many cannot overflow.
  private static let mostBytes = 1 << 60

  /// Reads what a stream hands on, which begins at a place of the archive.
  ///
  /// Where nothing may follow the end, anything that does tells that the end was found in a member.
  package init(_ stream: PackedStream, at start: Int = 0, endsForGood: Bool = false) {
    self.stream = stream
    self.start = start
    self.endsForGood = endsForGood
  }

  /// Whether the bytes begin like an archive.
  package static func isArchive(startingWith bytes: [UInt8]) -> Bool {
    bytes.count >= TarHeader.size && bytes[0] != 0 && TarHeader.isHeader(bytes.span)
  }

  /// Passes over what is left of the current member, and begins the next; nil at the end.
  ///
  /// What is wrong with one member alone is said by the member.
  ///
  /// - Throws: what the stream throws, `.truncated` where the archive ends within a member,
  ///   `.checksum` where no header follows, `.invalid` and `.unsupported` for headers that cannot be
  ///   used, `.limit` for too many members.
  package mutating func next() throws(FormatError) -> TarReader.Member? {
    try skip(left, padding: padding)
    (left, padding, sparse, piece, written) = (0, 0, nil, 0, 0)
    var names = LongNames()
    while let header = try nextHeader() {
      if names.isEmpty { memberOffset = offset - TarHeader.size }
      memberStart = (stream.plainCount, stream.packedCount)
      left = header.size
      padding = (TarHeader.size - header.size % TarHeader.size) % TarHeader.size
      if try take(header, into: &names) { continue }
      count += 1
      let most = InputLimits.current.members
      guard count <= most else {
        throw FormatError(
          .limit, at: offset, "the archive has more than \(most) members", passing: .members)
      }
      return try member(header, names)
    }
    guard !names.expectsMember else { throw endsEarly }
    return nil
  }

  /// Appends some more bytes of the current member and returns how many; zero at its end.
  ///
  /// - Throws: what the stream throws, `.truncated` where the archive ends before, and `.limit` where the
  ///   member unpacks to far more than it is.
  package mutating func read(
    into output: inout [UInt8], atMost size: Int = 1 << 16
  ) throws(FormatError) -> Int {
    guard let sparse else { return try readStored(into: &output, atMost: min(size, left)) }
    guard written < sparse.size else { return 0 }
    let next = piece < sparse.pieces.count ? sparse.pieces[piece] : (offset: sparse.size, count: 0)
    let count: Int
    if written < next.offset {
      count = min(size, next.offset - written)
      output.append(contentsOf: repeatElement(0, count: count))
    } else {
      count = try readStored(into: &output, atMost: min(size, next.offset + next.count - written))
      guard count > 0 else {
        throw FormatError(.invalid, at: offset, "a file with holes has less data than it says")
      }
      if written + count == next.offset + next.count { piece += 1 }
    }
    written += count
    return count
  }

  private mutating func readStored(
    into output: inout [UInt8], atMost size: Int
  ) throws(FormatError) -> Int {
    guard size > 0 else { return 0 }
    try fill(1)
    try checkExpansion()
    let count = min(size, left, buffer.count - place)
    output.append(contentsOf: buffer[place..<place + count])
    place += count
    left -= count
    return count
  }

  /// Throws where a member unpacks to far more than it is.
  private func checkExpansion(_ limits: ExpansionLimits = ExpansionLimits()) throws(FormatError) {
    let (plain, packed) = (
      stream.plainCount - memberStart.plain, stream.packedCount - memberStart.packed
    )
    if let excess = limits.excess(plain: plain, packed: packed, at: offset) { throw excess }
  }

  /// What is passed over takes no room, but time.
  private func checkPassedOver() throws(FormatError) { try checkExpansion(.passedOver) }

  // MARK: Headers

  /// What the members before a member say about it.
  private struct LongNames {
    var path: [UInt8]?
    var link: [UInt8]?
    var records: [String: [UInt8]] = [:]
    /// Why not all of it is known.
    var failure: FormatError?
    /// Whether nothing was said yet, so that the next header is the first of its member.
    var isEmpty = true
    /// Whether something was said of one member, which must follow.
    var expectsMember: Bool { path != nil || link != nil || !records.isEmpty }

    /// Takes lines of a size, a blank, a key, `=` and a value; false where one is damaged, behind which
    /// nothing is known.
    ///
    /// Android's recovery writes marks that have no value.
    mutating func take(records bytes: [UInt8]) -> Bool {
      var start = 0
      while start < bytes.count, bytes[start] != 0 {
        guard let blank = bytes[start...].firstIndex(of: 0x20),
          let size = Int(String(decoding: bytes[start..<blank], as: UTF8.self)),
          size > blank - start + 2, size <= bytes.count - start, bytes[start + size - 1] == 0x0A
        else { return false }
        let record = bytes[blank + 1..<start + size - 1]
        start += size
        guard let equals = record.firstIndex(of: UInt8(ascii: "=")) else { continue }
        let value = record[(equals + 1)...]
        // An empty value takes back what was said before, so that the header counts.
        records[String(decoding: record[..<equals], as: UTF8.self)] =
          value.isEmpty ? nil : Array(value)
      }
      return true
    }
  }

  /// The next header; nil where the archive ends.
  private mutating func nextHeader() throws(FormatError) -> TarHeader? {
    var empty = 0
    while true {
      guard try peek(TarHeader.size) else { return nil }
      if buffer[place..<place + TarHeader.size].allSatisfy({ $0 == 0 }) {
        place += TarHeader.size
        empty += 1
        // Some archives go on after their end, as those that were put together of several.
        if empty >= 2 {
          hasEnd = true
          guard try continuesAfterEnd() else { return nil }
        }
        continue
      }
      let block = Array(buffer[place..<place + TarHeader.size])
      guard TarHeader.isHeader(block.span) else {
        throw TarHeader.wrongChecksum(of: block.span, at: offset)
      }
      guard let header = TarHeader(block) else {
        throw FormatError(.invalid, at: offset, "a member's size makes no sense")
      }
      place += TarHeader.size
      hasEnd = false
      return header
    }
  }

  /// Whether a header follows the empty blocks at the end, before anything else does.
  private mutating func continuesAfterEnd() throws(FormatError) -> Bool {
    while try peek(TarHeader.size) {
      let block = Array(buffer[place..<place + TarHeader.size])
      guard block.allSatisfy({ $0 == 0 }) else {
        if TarHeader.isHeader(block.span) { return true }
        try readRest()
        return false
      }
      place += TarHeader.size
    }
    hasRest = buffer[place...].contains { $0 != 0 }
    return false
  }

  /// Reads what else follows the archive to its end, where packed data tells whether it is whole.
  ///
  /// - Throws: `.checksum` where a member follows, or another end: then the empty blocks stand in
  ///   the place of a header that is lost.
  private mutating func readRest() throws(FormatError) {
    hasRest = true
    let lost = TarHeader.wrongChecksum(
      of: Array(buffer[place..<place + TarHeader.size]).span, at: offset)
    guard !endsForGood else { throw lost }
    var empty = 0
    while try peek(TarHeader.size) {
      let block = Array(buffer[place..<place + TarHeader.size])
      if TarHeader.isHeader(block.span) { throw lost }
      empty = block.allSatisfy({ $0 == 0 }) ? empty + 1 : 0
      place += TarHeader.size
    }
    if empty >= 2 { throw lost }
  }

  /// Takes what a header says about the next member; false where it begins a member itself.
  private mutating func take(
    _ header: TarHeader, into names: inout LongNames
  ) throws(FormatError) -> Bool {
    switch header.type {
    case UInt8(ascii: "L"):
      names.path = Array(try takeExtension().prefix { $0 != 0 })
    case UInt8(ascii: "K"):
      names.link = Array(try takeExtension().prefix { $0 != 0 })
    case UInt8(ascii: "x"):
      if !names.take(records: try takeExtension()) {
        names.failure = FormatError(.invalid, at: offset, "a member's description is damaged")
      }
    case UInt8(ascii: "g"), UInt8(ascii: "V"), UInt8(ascii: "N"):
      try skip(left, padding: padding)
    case UInt8(ascii: "M"):
      throw FormatError(.unsupported, at: offset, "the archive goes on from another volume")
    default:
      return false
    }
    (left, padding) = (0, 0)
    names.isEmpty = false
    return true
  }

  private mutating func takeExtension() throws(FormatError) -> [UInt8] {
    guard left <= Self.longestExtension else {
      throw FormatError(.limit, at: offset, "a member's description is larger than 1 MiB")
    }
    var bytes: [UInt8] = []
    while left > 0 { _ = try readStored(into: &bytes, atMost: left) }
    try skip(0, padding: padding)
    return bytes
  }

  // MARK: Members

  private mutating func member(
    _ header: TarHeader, _ names: LongNames
  ) throws(FormatError) -> TarReader.Member {
    var failure = names.failure
    if let text = names.records["size"] {
      if let size = Int(String(decoding: text, as: UTF8.self)), (0...Self.mostBytes) ~= size {
        left = size
        padding = (TarHeader.size - size % TarHeader.size) % TarHeader.size
      } else {
        failure = failure ?? FormatError(.invalid, at: offset, "a member's size makes no sense")
      }
    }
    let raw = names.records["GNU.sparse.name"] ?? names.records["path"] ?? names.path ?? header.name
    let path = ArchiveName.text(raw)
    let link = names.records["linkpath"] ?? names.link ?? header.link
    let kind = kind(of: header, path, linkedTo: link)
    // Some writers give others than files a size; there is no data all the same.
    if !kind.hasData { (left, padding) = (0, 0) }
    let noMap = try beginSparse(header, names)
    failure = failure ?? noMap
    // What a map of holes says costs nothing to write down, but its zeros are written out.
    let (size, stored) = sparse.map { ($0.size, $0.stored) } ?? (left, left)
    failure = failure ?? ExpansionLimits().excess(plain: size, packed: stored, at: offset)
    return TarReader.Member(
      path: path, kind: kind, size: size, time: time(of: header, names), failure: failure)
  }

  /// When a member was changed, with the parts of a second where they are told.
  private func time(of header: TarHeader, _ names: LongNames) -> Double {
    let told = names.records["mtime"].flatMap { Double(String(decoding: $0, as: UTF8.self)) }
    return told.flatMap { $0.isFinite ? $0 : nil } ?? Double(header.time)
  }

  private func kind(
    of header: TarHeader, _ path: String, linkedTo link: [UInt8]
  ) -> TarReader.Member.Kind {
    switch header.type {
    case 0 where path.utf8.last == UInt8(ascii: "/"): .folder
    case 0, UInt8(ascii: "0"), UInt8(ascii: "7"), UInt8(ascii: "S"): .file
    case UInt8(ascii: "1"): .hardLink(to: ArchiveName.text(link))
    case UInt8(ascii: "2"): .link
    case UInt8(ascii: "3"), UInt8(ascii: "4"), UInt8(ascii: "6"): .special
    case UInt8(ascii: "5"): .folder
    default: .unknown(header.type)
    }
  }

  /// Reads where the data of a file with holes belongs.
  ///
  /// - Returns: why that is not to be had; nil where it is, and for files without holes.
  private mutating func beginSparse(
    _ header: TarHeader, _ names: LongNames
  ) throws(FormatError) -> FormatError? {
    let map: TarReader.Sparse?
    if header.type == UInt8(ascii: "S") {
      map = try oldSparse(header)
    } else {
      guard names.records.keys.contains(where: { $0.hasPrefix("GNU.sparse.") }) else { return nil }
      guard names.records["GNU.sparse.major"] == Array("1".utf8) else {
        return FormatError(.unsupported, at: offset, "a file with holes has an old form")
      }
      map = try paxSparse(names.records["GNU.sparse.realsize"])
    }
    guard let map, map.stored <= left else {
      return FormatError(.invalid, at: offset, "a file with holes is damaged")
    }
    sparse = map
    return nil
  }

  /// The table in the header, and in the blocks that follow it, all of which are passed over; nil
  /// where it makes no sense.
  private mutating func oldSparse(_ header: TarHeader) throws(FormatError) -> TarReader.Sparse? {
    let size = TarHeader.number(header.block.span.extracting(483..<495))
    var map = TarReader.Sparse(size: size ?? 0)
    var isSound = map.takePairs(header.block, at: 386, count: 4)
    var goesOn = header.block[482] != 0
    while goesOn {
      guard try peek(TarHeader.size) else { throw endsEarly }
      let block = Array(buffer[place..<place + TarHeader.size])
      place += TarHeader.size
      isSound = isSound && map.takePairs(block, at: 0, count: 21)
      goesOn = block[504] != 0
    }
    return isSound && size != nil ? map : nil
  }

  /// The table at the start of the data: lines of numbers, padded to whole blocks; nil where it
  /// makes no sense.
  private mutating func paxSparse(_ told: [UInt8]?) throws(FormatError) -> TarReader.Sparse? {
    let before = left
    guard let told, let size = Int(String(decoding: told, as: UTF8.self)), size >= 0,
      let count = try tableNumber()
    else { return nil }
    var map = TarReader.Sparse(size: size)
    for _ in 0..<count {
      guard let offset = try tableNumber(), let count = try tableNumber(),
        map.add(offset: offset, count: count)
      else { return nil }
    }
    let rest = (TarHeader.size - (before - left) % TarHeader.size) % TarHeader.size
    guard rest <= left else { return nil }
    try skip(rest, padding: 0)
    left -= rest
    return map
  }

  private mutating func tableNumber() throws(FormatError) -> Int? {
    var digits: [UInt8] = []
    var byte: [UInt8] = []
    while digits.count < 20, left > 0 {
      byte.removeAll(keepingCapacity: true)
      _ = try readStored(into: &byte, atMost: 1)
      guard let byte = byte.first, byte != 0x0A else { break }
      digits.append(byte)
    }
    return Int(String(decoding: digits, as: UTF8.self)).flatMap { $0 < 0 ? nil : $0 }
  }

  // MARK: Bytes

  /// Whether that many bytes are there; throws where some are, but not as many.
  private mutating func peek(_ count: Int) throws(FormatError) -> Bool {
    while buffer.count - place < count {
      compact()
      guard try stream.read(into: &buffer) > 0 else {
        guard buffer.count == place || hasEnd else { throw endsEarly }
        return false
      }
    }
    return true
  }

  /// Whether data of the current member was not taken yet, as where the archive ends before.
  package var isInMember: Bool { left > 0 }

  /// Makes sure that some bytes are there.
  private mutating func fill(_ count: Int) throws(FormatError) {
    guard try peek(count) else { throw endsEarly }
  }

  private var endsEarly: FormatError {
    FormatError(.truncated, at: offset, "the archive ends early")
  }

  private mutating func compact() {
    buffer.removeFirst(place)
    place = 0
  }

  /// Passes over data and its padding.
  ///
  /// Some archives lack the padding of their last member, but then all of it.
  private mutating func skip(_ count: Int, padding: Int) throws(FormatError) {
    guard try passOver(count) == count else { throw endsEarly }
    guard try [0, padding].contains(passOver(padding)) else { throw endsEarly }
  }

  /// Passes over bytes, and returns how many were there.
  private mutating func passOver(_ count: Int) throws(FormatError) -> Int {
    var passed = min(count, buffer.count - place)
    place += passed
    while passed < count {
      try checkPassedOver()
      let step = min(count - passed, Self.stepOfSkipping)
      let there = try stream.skip(step)
      passed += there
      if there < step { break }
    }
    return passed
  }

  private static let stepOfSkipping = 64 << 20

  /// One member of a tar archive.
  package struct Member: Sendable {
    /// What the member stands for.
    package enum Kind: Sendable, Equatable {
      case file
      case folder
      case link
      /// Another name of an earlier member.
      case hardLink(to: String)
      case special
      case unknown(UInt8)

      fileprivate var hasData: Bool {
        switch self {
        case .file, .unknown: true
        case .folder, .link, .hardLink, .special: false
        }
      }
    }

    /// The path as it stands in the archive.
    package let path: String
    /// What it stands for.
    package let kind: Kind
    /// How many bytes it has, with its holes.
    package let size: Int
    /// When it was changed, in seconds since the start of 1970.
    package let time: Double
    /// Why its bytes are not to be had whole; where it is `.limit`, they can be read all the same.
    package let failure: FormatError?
  }
}
