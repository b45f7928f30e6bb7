import Bytes

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

extension JSONScanner {
  /// Reads a string, whose opening quote is here.
  mutating func string(in bytes: Span<UInt8>) throws(FormatError) -> String {
    advance()
    let start = offset
    try skipPlainText(in: bytes)
    if try peek(in: bytes) == UInt8(ascii: "\"") {
      let text = try text(of: start..<offset, in: bytes)
      advance()
      return text
    }
    return try escapedString(from: start, in: bytes)
  }

  /// Reads the rest of a string that has escapes; its text up to here is plain.
  private mutating func escapedString(
    from start: Int, in bytes: Span<UInt8>
  ) throws(FormatError) -> String {
    var text: [UInt8] = []
    var runStart = start
    while true {
      appendBytes(of: bytes, in: runStart..<offset, to: &text)
      let byte = try peek(in: bytes)
      advance()
      if byte == UInt8(ascii: "\"") { return String(decoding: text, as: UTF8.self) }
      try escape(in: bytes, to: &text)
      runStart = offset
      try skipPlainText(in: bytes)
    }
  }

  /// Moves to the next quote or backslash.
  private mutating func skipPlainText(in bytes: Span<UInt8>) throws(FormatError) {
    while true {
      let byte = try peek(in: bytes)
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return }
      guard byte >= 0x20 else {
        throw FormatError(.invalid, at: offset, "string has a bare control character")
      }
      advance()
    }
  }

  /// Reads what follows a backslash.
  private mutating func escape(
    in bytes: Span<UInt8>, to text: inout [UInt8]
  ) throws(FormatError) {
    let byte = try peek(in: bytes)
    advance()
    if let meaning = Self.meaning(ofEscaped: byte) {
      text.append(meaning)
    } else if byte == UInt8(ascii: "u") {
      text.append(contentsOf: String(try escapedScalar(in: bytes)).utf8)
    } else {
      throw FormatError(.invalid, at: offset - 2, "string has an unknown escape")
    }
  }

  /// What a letter behind a backslash stands for; nil for `u` and for what is no escape.
  static func meaning(ofEscaped letter: UInt8) -> UInt8? {
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): letter
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "r"): 0x0D
    case UInt8(ascii: "t"): 0x09
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0C
    default: nil
    }
  }

  /// Reads the digits after `\u`, and the second half of a surrogate pair.
  private mutating func escapedScalar(in bytes: Span<UInt8>) throws(FormatError) -> Unicode.Scalar {
    let start = offset - 2
    let first = try hexUnit(in: bytes)
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard first < 0xDC00, try peek(in: bytes) == UInt8(ascii: "\\") else {
      throw loneSurrogate(at: start)
    }
    advance()
    guard try peek(in: bytes) == UInt8(ascii: "u") else { throw loneSurrogate(at: start) }
    advance()
    let second = try hexUnit(in: bytes)
    guard (0xDC00...0xDFFF).contains(second) else { throw loneSurrogate(at: start) }
    // Both halves are in range, so the sum is at most U+10FFFF.
    let value = 0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00)
    guard let scalar = Unicode.Scalar(value) else { throw loneSurrogate(at: start) }
    return scalar
  }

  private mutating func hexUnit(in bytes: Span<UInt8>) throws(FormatError) -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      let byte = try peek(in: bytes)
      guard let digit = hexDigit(byte) else {
        throw FormatError(.invalid, at: offset, "escape has a hexadecimal digit missing")
      }
      unit = unit << 4 | digit
      advance()
    }
    return unit
  }

  private func hexDigit(_ byte: UInt8) -> UInt16? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt16(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt16(byte - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt16(byte - UInt8(ascii: "A") + 10)
    default: nil
    }
  }

  private func loneSurrogate(at offset: Int) -> FormatError {
    FormatError(.invalid, at: offset, "string has half a surrogate pair")
  }
}
