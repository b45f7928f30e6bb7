/// Reads the tokens of JSON text whose encoding has been checked.
///
/// It keeps only its place; the bytes are lent to each call.
struct JSONScanner {
  /// The next byte to read.
  private(set) var offset = 0

  /// The next byte, which must exist.
  func peek(in bytes: Span<UInt8>) throws(FormatError) -> UInt8 {
    guard offset < bytes.count else {
      throw FormatError(.truncated, at: offset, "document ends early")
    }
    return bytes[offset]
  }

  /// Moves past the byte that was looked at.
  mutating func advance() {
    offset += 1
  }

  /// Moves to the next byte that is not white space.
  mutating func skipWhitespace(in bytes: Span<UInt8>) {
    while offset < bytes.count {
      switch bytes[offset] {
      case 0x20, 0x0A, 0x0D, 0x09: offset += 1
      default: return
      }
    }
  }

  /// Reads one of the three literal names.
  mutating func literal(_ name: StaticString, in bytes: Span<UInt8>) throws(FormatError) {
    let start = offset
    for expected in name.description.utf8 {
      guard try peek(in: bytes) == expected else {
        throw FormatError(.invalid, at: start, "a value is missing")
      }
      offset += 1
    }
  }

  /// Reads a number, which starts here.
  mutating func number(in bytes: Span<UInt8>) throws(FormatError) -> JSONNumber {
    let start = offset
    if try peek(in: bytes) == UInt8(ascii: "-") { offset += 1 }
    if try peek(in: bytes) == UInt8(ascii: "0") {
      offset += 1
      if offset < bytes.count, bytes[offset].isASCIIDigit {
        throw FormatError(.invalid, at: start, "number has a leading zero")
      }
    } else {
      try digits(in: bytes)
    }
    if offset < bytes.count, bytes[offset] == UInt8(ascii: ".") {
      offset += 1
      try digits(in: bytes)
    }
    if offset < bytes.count, bytes[offset] | 0x20 == UInt8(ascii: "e") {
      offset += 1
      let sign = try peek(in: bytes)
      if sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { offset += 1 }
      try digits(in: bytes)
    }
    return JSONNumber(verified: try text(of: start..<offset, in: bytes))
  }

  private mutating func digits(in bytes: Span<UInt8>) throws(FormatError) {
    guard try peek(in: bytes).isASCIIDigit else {
      throw FormatError(.invalid, at: offset, "number has a digit missing")
    }
    while offset < bytes.count, bytes[offset].isASCIIDigit { offset += 1 }
  }

  /// Copies text that is known to be UTF-8.
  func text(of range: Range<Int>, in bytes: Span<UInt8>) throws(FormatError) -> String {
    do {
      return String(copying: try UTF8Span(validating: bytes.extracting(range)))
    } catch {
      throw FormatError(.invalid, at: range.lowerBound, "text is not UTF-8")
    }
  }
}

extension UInt8 {
  /// Whether this is one of the digits 0 to 9 in ASCII.
  var isASCIIDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }
}
