/// Turns UTF-16 into UTF-8, piece by piece.
struct UTF16Decoding {
  private let isBigEndian: Bool
  private var highSurrogate: UInt32?

  /// Starts before the first unit.
  init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

  /// Whether the last unit taken needs another one.
  var isInsideCharacter: Bool { highSurrogate != nil }

  /// Appends whole units as UTF-8 and returns how many bytes it used; nil for a lone surrogate.
  mutating func decode(_ bytes: Span<UInt8>, into output: inout [UInt8]) -> Int? {
    let size = bytes.count & ~1
    for place in stride(from: 0, to: size, by: 2) {
      let first = UInt32(bytes[place])
      let second = UInt32(bytes[place + 1])
      let unit = isBigEndian ? first << 8 | second : second << 8 | first
      guard append(unit, to: &output) else { return nil }
    }
    return size
  }

  private mutating func append(_ unit: UInt32, to output: inout [UInt8]) -> Bool {
    switch unit {
    case 0xD800..<0xDC00:
      guard highSurrogate == nil else { return false }
      highSurrogate = unit
    case 0xDC00..<0xE000:
      guard let high = highSurrogate else { return false }
      highSurrogate = nil
      Self.append(scalar: 0x1_0000 + (high - 0xD800) << 10 + (unit - 0xDC00), to: &output)
    default:
      guard highSurrogate == nil else { return false }
      Self.append(scalar: unit, to: &output)
    }
    return true
  }

  private static func append(scalar: UInt32, to output: inout [UInt8]) {
    // Only scalar values come here.
    guard let scalar = Unicode.Scalar(scalar) else { return }
    output.append(contentsOf: UTF8.encode(scalar) ?? Unicode.UTF8.encodedReplacementCharacter)
  }
}
