/// The last 32 bytes of a binary property list, which say where everything else is.
struct BinaryPropertyListTrailer {
  /// How many bytes the trailer takes.
  static let size = 32
  /// How many bytes the header takes.
  static let headerSize = 8

  /// How many bytes an entry of the offset table takes.
  let offsetSize: Int
  /// How many bytes a reference to an object takes.
  let referenceSize: Int
  /// How many objects there are.
  let objectCount: Int
  /// The object that contains the others.
  let root: PropertyList.ObjectID
  /// Where the offset table starts, right after the last object.
  let offsetTable: Int

  /// Reads header and trailer, and checks that the parts fill the bytes exactly.
  init(parsing bytes: Span<UInt8>) throws(FormatError) {
    try Self.checkHeader(bytes)
    let start = bytes.count - Self.size
    offsetSize = Int(bytes[start + 6])
    referenceSize = Int(bytes[start + 7])
    guard 1...8 ~= offsetSize, 1...8 ~= referenceSize else {
      throw FormatError(.invalid, at: start + 6, "property list has impossible sizes")
    }
    let count = bigEndian(bytes, at: start + 8, size: 8)
    let top = bigEndian(bytes, at: start + 16, size: 8)
    let table = bigEndian(bytes, at: start + 24, size: 8)
    // The table lies inside the bytes, so its place and length fit an integer.
    guard table > UInt64(Self.headerSize), table < UInt64(start), count > 0,
      count == (UInt64(start) - table) / UInt64(offsetSize),
      (UInt64(start) - table) % UInt64(offsetSize) == 0
    else {
      throw FormatError(.invalid, at: start + 8, "property list has an impossible offset table")
    }
    guard top < count, let root = PropertyList.ObjectID(top) else {
      throw FormatError(.invalid, at: start + 16, "property list has no top object")
    }
    objectCount = Int(count)
    offsetTable = Int(table)
    self.root = root
  }

  private static func checkHeader(_ bytes: Span<UInt8>) throws(FormatError) {
    let magic = Array("bplist00".utf8)
    for index in 0..<min(bytes.count, magic.count) where bytes[index] != magic[index] {
      let isOtherVersion = index >= 6
      throw FormatError(
        isOtherVersion ? .unsupported : .invalid, at: index,
        isOtherVersion ? "unknown version of property list" : "not a binary property list")
    }
    guard bytes.count >= headerSize + size + 2 else {
      throw FormatError(.truncated, at: bytes.count, "property list ends early")
    }
  }
}

/// Reads an unsigned number of 1 to 8 bytes, all of which must be inside.
func bigEndian(_ bytes: Span<UInt8>, at offset: Int, size: Int) -> UInt64 {
  var value: UInt64 = 0
  for index in offset..<offset + size { value = value << 8 | UInt64(bytes[index]) }
  return value
}
