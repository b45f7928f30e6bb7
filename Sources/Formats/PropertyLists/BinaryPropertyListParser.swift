import Bytes

/// Parses a binary property list object by object, as the offset table lists them.
///
/// No two objects share bytes in an honest file. Objects are therefore charged for the bytes they
/// take, so that many table entries for one large object cannot multiply it.
struct BinaryPropertyListParser {
  /// Sizes and places.
  let trailer: BinaryPropertyListParser.Trailer
  private var bytesLeft: Int

  private init(_ trailer: BinaryPropertyListParser.Trailer) {
    self.trailer = trailer
    bytesLeft = trailer.offsetTable - BinaryPropertyListParser.Trailer.headerSize
  }

  /// Parses one property list that fills the bytes.
  static func parse(
    _ bytes: Span<UInt8>, limits: FormatLimits
  ) throws(FormatError) -> PropertyList {
    guard bytes.count <= limits.maxBytes else {
      throw FormatError(
        .limit, at: limits.maxBytes, "property list is too long", passing: .valueBytes)
    }
    let trailer = try BinaryPropertyListParser.Trailer(parsing: bytes)
    guard trailer.objectCount <= limits.maxObjects else {
      throw FormatError(.limit, at: trailer.offsetTable, "property list has too many objects")
    }
    var parser = BinaryPropertyListParser(trailer)
    var nodes: [PropertyListNode] = []
    var offsets: [Int] = []
    nodes.reserveCapacity(trailer.objectCount)
    offsets.reserveCapacity(trailer.objectCount)
    for index in 0..<trailer.objectCount {
      let offset = try parser.objectOffset(index, in: bytes)
      nodes.append(try parser.object(at: offset, in: bytes))
      offsets.append(offset)
    }
    return PropertyList(root: trailer.root, nodes: nodes, offsets: offsets, limits: limits)
  }

  private func objectOffset(
    _ index: Int, in bytes: Span<UInt8>
  ) throws(FormatError) -> Int {
    let entry = trailer.offsetTable + index * trailer.offsetSize
    let offset = bigEndian(bytes, at: entry, size: trailer.offsetSize)
    guard offset >= UInt64(BinaryPropertyListParser.Trailer.headerSize),
      offset < UInt64(trailer.offsetTable)
    else {
      throw FormatError(.invalid, at: entry, "object lies outside the property list")
    }
    return Int(offset)
  }

  /// Reads the object that starts at an offset, which is before the offset table.
  private mutating func object(
    at offset: Int, in bytes: Span<UInt8>
  ) throws(FormatError) -> PropertyListNode {
    let marker = bytes[offset]
    let low = Int(marker & 0x0F)
    switch marker >> 4 {
    case 0x0, 0x1, 0x2, 0x3, 0x8:
      let size = try scalarSize(of: marker, at: offset)
      let start = try take(size, from: offset, headerSize: 1)
      return try scalar(marker, in: bytes, start..<start + size)
    case 0x4, 0x5, 0x6, 0xA, 0xB, 0xC, 0xD:
      let (count, headerSize) = try count(low, at: offset, in: bytes)
      return try collection(marker, count, headerSize, at: offset, in: bytes)
    case 0x7:
      throw FormatError(.unsupported, at: offset, "property list has text in an unknown encoding")
    default:
      throw FormatError(.invalid, at: offset, "property list has an object of unknown kind")
    }
  }

  /// How many bytes follow the marker of a number, date or similar.
  private func scalarSize(of marker: UInt8, at offset: Int) throws(FormatError) -> Int {
    switch marker {
    case 0x00, 0x08, 0x09, 0x0F: return 0
    case 0x10...0x14, 0x22, 0x23, 0x33: return 1 << Int(marker & 0x0F)
    case 0x80...0x8F: return Int(marker & 0x0F) + 1
    default: throw FormatError(.invalid, at: offset, "property list has an object of unknown kind")
    }
  }

  /// Reads the count of a string or container: in the marker, or in an integer that follows.
  private func count(
    _ low: Int, at offset: Int, in bytes: Span<UInt8>
  ) throws(FormatError) -> (count: Int, headerSize: Int) {
    guard low == 0x0F else { return (low, 1) }
    // The trailer follows all objects, so these bytes exist, even if they are not the object's.
    let marker = bytes[offset + 1]
    guard 0x10...0x13 ~= marker else {
      throw FormatError(.invalid, at: offset + 1, "property list has a count of unknown kind")
    }
    let size = 1 << Int(marker & 0x0F)
    guard let count = Int(exactly: bigEndian(bytes, at: offset + 2, size: size)) else {
      throw FormatError(.invalid, at: offset + 1, "property list has an impossible count")
    }
    return (count, 2 + size)
  }

  /// Reads text, bytes or references: `count` items of a size that depends on the kind.
  private mutating func collection(
    _ marker: UInt8, _ count: Int, _ headerSize: Int, at offset: Int, in bytes: Span<UInt8>
  ) throws(FormatError) -> PropertyListNode {
    let kind = marker >> 4
    let itemSize =
      switch kind {
      case 0x4, 0x5: 1
      case 0x6: 2
      case 0xD: 2 * trailer.referenceSize
      default: trailer.referenceSize
      }
    let (size, overflow) = count.multipliedReportingOverflow(by: itemSize)
    guard !overflow else {
      throw FormatError(.invalid, at: offset, "property list has an impossible count")
    }
    let start = try take(size, from: offset, headerSize: headerSize)
    switch kind {
    case 0x4: return .data(copy(bytes, start..<start + size))
    case 0x5: return .string(try asciiText(bytes, start..<start + size))
    case 0x6: return .string(try utf16Text(bytes, at: start, count: count))
    case 0xA: return .array(try references(count, at: start, in: bytes))
    case 0xD: return .dictionary(try entries(count, at: start, in: bytes))
    default: return .set(try references(count, at: start, in: bytes))
    }
  }

  /// Charges an object for its bytes and returns where its content starts.
  private mutating func take(
    _ size: Int, from offset: Int, headerSize: Int
  ) throws(FormatError) -> Int {
    let start = offset + headerSize
    guard start <= trailer.offsetTable, size <= trailer.offsetTable - start else {
      throw FormatError(.invalid, at: offset, "object lies outside the property list")
    }
    guard headerSize + size <= bytesLeft else {
      throw FormatError(.limit, at: offset, "objects of the property list overlap")
    }
    bytesLeft -= headerSize + size
    return start
  }

  /// The last 32 bytes of a binary property list, which say where everything else is.
  struct Trailer {
    /// How many bytes the trailer takes.
    static let size = 32
    /// How many bytes the header takes.
    static let headerSize = 8

    /// How many bytes an entry of the offset table takes.
    let offsetSize: Int
    /// How many bytes a reference to an object takes.
    let referenceSize: Int
    let objectCount: Int
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
}

/// Reads an unsigned number of 1 to 8 bytes, all of which must be inside.
func bigEndian(_ bytes: Span<UInt8>, at offset: Int, size: Int) -> UInt64 {
  var value: UInt64 = 0
  for index in offset..<offset + size { value = value << 8 | UInt64(bytes[index]) }
  return value
}
