/// The first 100 bytes of a database file, as section 1.3 of the file format describes them.
package struct FileHeader: Sendable, Equatable {
  /// How texts are written in every table of the file.
  package enum Encoding: UInt32, CaseIterable, Sendable {
    case utf8 = 1
    case utf16LittleEndian = 2
    case utf16BigEndian = 3
  }

  /// How many bytes the header has.
  static let size = 100

  /// The size of a page in bytes.
  package let pageSize: Int
  /// How many bytes of a page are for its contents; extensions keep the rest for themselves.
  let usableSize: Int
  /// How texts are written.
  package let encoding: Encoding
  /// Whether changes go to a `-wal` file first.
  let usesWAL: Bool
  /// The size of the file in pages as the last change wrote it; nil when it says nothing reliable.
  let pageCount: Int?
  /// The first trunk page of the list of free pages, or 0.
  let freelistTrunk: UInt32
  /// How many pages are free.
  let freelistCount: UInt32
  /// The largest root page where pointer maps are kept, or 0 where none are.
  let largestRoot: UInt32
  /// Whether free pages are given back only on demand, which needs pointer maps.
  let isIncremental: Bool

  /// A number for the application's own use, kept by `PRAGMA user_version`.
  package let userVersion: Int32
  /// What kind of file the application says this is, kept by `PRAGMA application_id`.
  package let applicationID: Int32
  /// Whether nothing of this was read, because the file has lost its beginning.
  let isAssumed: Bool

  /// Reads the header; nil when the bytes do not begin a database that an engine would open.
  ///
  /// Of a damaged file the first words may be lost, and the numbers behind them be whole.
  init?(parsing bytes: Span<UInt8>, needingMagic: Bool = true) {
    guard bytes.count >= Self.size, !needingMagic || Self.hasMagic(bytes) else { return nil }
    let rawPageSize = Int(bytes[16]) << 8 | Int(bytes[17])
    pageSize = rawPageSize == 1 ? 65536 : rawPageSize
    guard pageSize >= 512, pageSize & (pageSize - 1) == 0 else { return nil }
    usableSize = pageSize - Int(bytes[20])
    // The fractions at 21 to 23 never changed, and a version above 2 is for other engines to read.
    guard usableSize >= 480, bytes[21] == 64, bytes[22] == 32, bytes[23] == 32, bytes[19] <= 2
    else { return nil }
    usesWAL = bytes[18] == 2 || bytes[19] == 2
    // The engine looks at two bits, and takes zero, of a database that is still empty, for UTF-8.
    encoding = Encoding(rawValue: word(bytes, at: 56) & 3) ?? .utf8
    let count = word(bytes, at: 28)
    pageCount = count > 0 && word(bytes, at: 24) == word(bytes, at: 92) ? Int(count) : nil
    freelistTrunk = word(bytes, at: 32)
    freelistCount = word(bytes, at: 36)
    largestRoot = word(bytes, at: 52)
    isIncremental = word(bytes, at: 64) != 0
    userVersion = Int32(bitPattern: word(bytes, at: 60))
    applicationID = Int32(bitPattern: word(bytes, at: 68))
    isAssumed = false
  }

  /// What a header that is lost is taken to have said.
  init(assumingPageSize pageSize: Int) {
    self.pageSize = pageSize
    usableSize = pageSize
    encoding = .utf8
    usesWAL = false
    pageCount = nil
    freelistTrunk = 0
    freelistCount = 0
    largestRoot = 0
    isIncremental = false
    userVersion = 0
    applicationID = 0
    isAssumed = true
  }

  private static func hasMagic(_ bytes: Span<UInt8>) -> Bool {
    var index = 0
    for byte in "SQLite format 3\0".utf8 {
      guard bytes[index] == byte else { return false }
      index += 1
    }
    return true
  }
}

/// The big-endian number of four bytes; `offset + 4` must be inside.
@inline(__always)
func word(_ bytes: Span<UInt8>, at offset: Int) -> UInt32 {
  UInt32(bytes[offset]) << 24 | UInt32(bytes[offset &+ 1]) << 16
    | UInt32(bytes[offset &+ 2]) << 8 | UInt32(bytes[offset &+ 3])
}

/// The big-endian number of two bytes; `offset + 2` must be inside.
@inline(__always)
func halfWord(_ bytes: Span<UInt8>, at offset: Int) -> Int {
  Int(bytes[offset]) << 8 | Int(bytes[offset &+ 1])
}

/// Reads a number of one to nine bytes and moves on; nil when the bytes end before it does.
@inline(__always)
func varint(_ bytes: Span<UInt8>, at position: inout Int) -> UInt64? {
  guard position < bytes.count else { return nil }
  let first = bytes[position]
  if first < 0x80 {
    position &+= 1
    return UInt64(first)
  }
  return longVarint(bytes, at: &position)
}

/// The numbers that take more than one byte: seven bits of each of eight, then all of the ninth.
private func longVarint(_ bytes: Span<UInt8>, at position: inout Int) -> UInt64? {
  var value: UInt64 = 0
  for index in 0..<8 {
    guard position < bytes.count else { return nil }
    let byte = bytes[position]
    position &+= 1
    value = value << 7 | UInt64(byte & 0x7F)
    if byte < 0x80 { return value }
    if index == 7, position < bytes.count {
      value = value << 8 | UInt64(bytes[position])
      position &+= 1
      return value
    }
  }
  return nil
}
