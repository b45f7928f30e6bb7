/// The first 100 bytes of a database file, as far as they tell what state it is in.
package struct DatabaseHeader: Sendable, Equatable {
  /// How many bytes the header has.
  package static let size = 100

  /// The size of a page in bytes.
  package let pageSize: Int
  /// The size of the file in pages as the file says; nil when it says nothing reliable.
  package let pageCount: Int?
  /// Whether changes are written to a `-wal` file first.
  package let usesWAL: Bool
  /// The version of the format that an engine must know to read the file; nil where what never changes
  /// says otherwise than ever, so that this may be damage, too.
  let readVersion: UInt8?

  /// Reads the header; nil when the bytes do not begin a database.
  package init?(parsing bytes: Span<UInt8>) {
    guard bytes.count >= Self.size, Self.hasMagic(bytes) else { return nil }
    let rawPageSize = Int(bytes[16]) << 8 | Int(bytes[17])
    pageSize = rawPageSize == 1 ? 65536 : rawPageSize
    guard pageSize >= 512, pageSize & (pageSize - 1) == 0 else { return nil }
    let count = Self.number(bytes, at: 28)
    // The count is only right when the same change wrote it and the version that it is valid for.
    let isReliable = Self.number(bytes, at: 24) == Self.number(bytes, at: 92) && count > 0
    pageCount = isReliable ? count : nil
    usesWAL = bytes[18] == 2 || bytes[19] == 2
    let isWhole = bytes[21] == 64 && bytes[22] == 32 && bytes[23] == 32
    readVersion = isWhole ? bytes[19] : nil
  }

  /// Whether bytes begin a database but for some that are damaged: most of the mark is right, or what
  /// stands behind it in every database.
  package static func isDamaged(_ bytes: [UInt8]) -> Bool {
    guard bytes.count >= size, !hasMagic(bytes.span) else { return false }
    let right = zip("SQLite format 3\0".utf8, bytes).count { $0 == $1 }
    guard right < 12 else { return bytes[..<size].contains(0) }
    let pageSize = Int(bytes[16]) << 8 | Int(bytes[17])
    return (pageSize == 1 || pageSize >= 512 && pageSize & (pageSize - 1) == 0)
      && (1...2).contains(bytes[18]) && (1...2).contains(bytes[19])
      && bytes[21...23].elementsEqual([64, 32, 32])
  }

  private static func hasMagic(_ bytes: Span<UInt8>) -> Bool {
    var index = 0
    for byte in "SQLite format 3\0".utf8 {
      guard bytes[index] == byte else { return false }
      index += 1
    }
    return true
  }

  private static func number(_ bytes: Span<UInt8>, at offset: Int) -> Int {
    (0..<4).reduce(0) { $0 << 8 | Int(bytes[offset + $1]) }
  }
}
