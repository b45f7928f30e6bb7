import Bytes

// The content of single objects. All ranges have been checked to be inside the bytes.
extension BinaryPropertyListParser {
  /// Reads a number, date, truth value or archive reference.
  func scalar(
    _ marker: UInt8, in bytes: Span<UInt8>, _ range: Range<Int>
  ) throws(FormatError) -> PropertyListNode {
    let low = bigEndian(bytes, at: range.lowerBound, size: min(range.count, 8))
    switch marker {
    case 0x08: return .boolean(false)
    case 0x09: return .boolean(true)
    case 0x10...0x13: return .integer(Int64(bitPattern: low))
    case 0x14: return try wideInteger(bytes, range)
    case 0x22: return .real(Double(Float(bitPattern: UInt32(truncatingIfNeeded: low))))
    case 0x23: return .real(Double(bitPattern: low))
    case 0x33: return .date(Double(bitPattern: low))
    case 0x80...0x8F:
      guard range.count <= 8, let number = Int(exactly: low) else {
        throw FormatError(.unsupported, at: range.lowerBound, "archive reference is too large")
      }
      return .uid(number)
    default: return .null
    }
  }

  /// Reads a number of 128 bits that fits 64.
  private func wideInteger(
    _ bytes: Span<UInt8>, _ range: Range<Int>
  ) throws(FormatError) -> PropertyListNode {
    let high = bigEndian(bytes, at: range.lowerBound, size: 8)
    let low = bigEndian(bytes, at: range.lowerBound + 8, size: 8)
    if high == 0 {
      return Int64(exactly: low).map { .integer($0) } ?? .unsigned(low)
    }
    let number = Int64(bitPattern: low)
    guard high == .max, number < 0 else {
      throw FormatError(.unsupported, at: range.lowerBound, "integer needs more than 64 bits")
    }
    return .integer(number)
  }

  /// Copies bytes out.
  func copy(_ bytes: Span<UInt8>, _ range: Range<Int>) -> [UInt8] {
    var copied: [UInt8] = []
    appendBytes(of: bytes, in: range, to: &copied)
    return copied
  }

  /// Reads text of which every byte must be ASCII.
  func asciiText(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(FormatError) -> String {
    for offset in range where bytes[offset] >= 0x80 {
      throw FormatError(.invalid, at: offset, "text of the property list is not ASCII")
    }
    return String(decoding: copy(bytes, range), as: UTF8.self)
  }

  /// Reads big-endian UTF-16 text without lone surrogates, which no UTF-8 text can carry.
  func utf16Text(
    _ bytes: Span<UInt8>, at start: Int, count: Int
  ) throws(FormatError) -> String {
    var units: [UInt16] = []
    units.reserveCapacity(count)
    for index in 0..<count {
      units.append(UInt16(truncatingIfNeeded: bigEndian(bytes, at: start + 2 * index, size: 2)))
    }
    guard let text = String(validating: units, as: UTF16.self) else {
      throw FormatError(.invalid, at: start, "text of the property list is not UTF-16")
    }
    return text
  }

  /// Reads references to objects, all of which must exist.
  func references(
    _ count: Int, at start: Int, in bytes: Span<UInt8>
  ) throws(FormatError) -> [PropertyList.ObjectID] {
    var references: [PropertyList.ObjectID] = []
    references.reserveCapacity(count)
    for index in 0..<count {
      references.append(try reference(at: start + index * trailer.referenceSize, in: bytes))
    }
    return references
  }

  /// Reads a dictionary: references to all keys, then to all values.
  func entries(
    _ count: Int, at start: Int, in bytes: Span<UInt8>
  ) throws(FormatError) -> [(key: PropertyList.ObjectID, value: PropertyList.ObjectID)] {
    let values = start + count * trailer.referenceSize
    var entries: [(key: PropertyList.ObjectID, value: PropertyList.ObjectID)] = []
    entries.reserveCapacity(count)
    for index in 0..<count {
      let place = index * trailer.referenceSize
      entries.append(
        (
          key: try reference(at: start + place, in: bytes),
          value: try reference(at: values + place, in: bytes)
        ))
    }
    return entries
  }

  private func reference(
    at offset: Int, in bytes: Span<UInt8>
  ) throws(FormatError) -> PropertyList.ObjectID {
    let number = bigEndian(bytes, at: offset, size: trailer.referenceSize)
    guard number < UInt64(trailer.objectCount), let id = PropertyList.ObjectID(number) else {
      throw FormatError(.invalid, at: offset, "property list refers to an object it does not have")
    }
    return id
  }
}
