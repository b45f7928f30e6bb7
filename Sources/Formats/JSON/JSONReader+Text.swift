import Bytes

extension JSONReader {
  /// The text of the current key, string or number, escapes resolved.
  package var text: [UInt8] { plain.map { Array(buffer[$0]) } ?? kept }

  var string: String {
    plain.map { String(decoding: buffer[$0], as: UTF8.self) }
      ?? String(decoding: kept, as: UTF8.self)
  }

  /// Hands out the text, which costs no copy.
  package func withText(_ body: (Span<UInt8>) -> Void) {
    if let plain { body(buffer.span.extracting(plain)) } else { body(kept.span) }
  }

  /// Appends the text.
  package func appendText(to output: inout [UInt8]) {
    if let plain { output.append(buffer.span.extracting(plain)) } else { output.append(kept.span) }
  }

  /// Reads a number, which starts here.
  mutating func readNumber() throws(FormatError) {
    let end = endOfNumber
    var isCut = false
    if end < buffer.count, end &- place <= maxNumberBytes {
      plain = place..<end
      place = end
    } else {
      try readLongNumber()
      isCut = try peek() == nil && !(kept.last?.isASCIIDigit ?? false)
    }
    var isNumber = false
    withText { isNumber = isJSONNumber($0) }
    guard isNumber else {
      throw FormatError(isCut ? .truncated : .invalid, at: tokenOffset, "number is no JSON number")
    }
  }

  /// Reads a number that goes on behind the buffer.
  private mutating func readLongNumber() throws(FormatError) {
    keepText()
    while let first = try peek(), isNumberByte(first) {
      let start = place
      place = endOfNumber
      kept += buffer[start..<place]
      guard kept.count <= maxNumberBytes else { throw error(.limit, "number is too long") }
    }
  }

  private var endOfNumber: Int {
    var end = place
    while end < buffer.count, isNumberByte(buffer[end]) { end &+= 1 }
    return end
  }

  private func isNumberByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"),
      UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
      true
    default: false
    }
  }

  /// Reads a string, whose opening quote is here.
  mutating func readString() throws(FormatError) {
    place += 1
    let end = endOfPlainText
    guard end < buffer.count, buffer[end] == UInt8(ascii: "\""), end &- place <= maxTextBytes
    else { return try readLongString() }
    plain = place..<end
    place = end + 1
    try checkText()
  }

  private var endOfPlainText: Int { endOfPlainJSON(in: buffer.span, from: place) }

  private mutating func keepText() {
    plain = nil
    kept.removeAll(keepingCapacity: true)
  }

  private func checkText() throws(FormatError) {
    var isValid = isKnownUTF8
    guard !isValid else { return }
    withText { isValid = isValidUTF8($0) }
    guard isValid else { throw FormatError(.invalid, at: tokenOffset, "text is not UTF-8") }
  }

  /// Reads a string that has escapes or goes on behind the buffer.
  private mutating func readLongString() throws(FormatError) {
    keepText()
    while true {
      _ = try peek().orTruncated(at: base + place)
      let start = place
      place = endOfPlainText
      kept += buffer[start..<place]
      guard kept.count <= maxTextBytes else {
        throw error(.limit, "string is too long", passing: .valueBytes)
      }
      guard place < buffer.count else { continue }
      switch buffer[place] {
      case UInt8(ascii: "\""):
        place += 1
        return try checkText()
      case UInt8(ascii: "\\"): try readEscape()
      default: throw error(.invalid, "string has a bare control character")
      }
    }
  }

  private mutating func readEscape() throws(FormatError) {
    if place + 1 < buffer.count, let byte = meaning(ofEscaped: buffer[place + 1]) {
      kept.append(byte)
      place += 2
    } else {
      try readRareEscape()
    }
  }

  /// Reads an escape that is cut by the end of the buffer, or that stands for a scalar.
  private mutating func readRareEscape() throws(FormatError) {
    let start = base + place
    _ = try take()
    let letter = try take()
    if let byte = meaning(ofEscaped: letter) { return kept.append(byte) }
    guard letter == UInt8(ascii: "u") else {
      throw FormatError(.invalid, at: start, "string has an unknown escape")
    }
    kept.append(contentsOf: String(try readScalar(at: start)).utf8)
  }

  /// Reads the digits after `\u`, and the second half of a surrogate pair.
  private mutating func readScalar(at start: Int) throws(FormatError) -> Unicode.Scalar {
    let half = FormatError(
      .invalid, at: start,
      "string has half a surrogate pair, as where a text was cut inside of a character")
    let first = try readHexUnit(at: start)
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard first < 0xDC00, try take() == UInt8(ascii: "\\"), try take() == UInt8(ascii: "u") else {
      throw half
    }
    let second = try readHexUnit(at: start)
    guard (0xDC00...0xDFFF).contains(second) else { throw half }
    // Both halves are in range, so the sum is at most U+10FFFF.
    let value = 0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00)
    guard let scalar = Unicode.Scalar(value) else { throw half }
    return scalar
  }

  private mutating func readHexUnit(at start: Int) throws(FormatError) -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      let byte = try take()
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw FormatError(.invalid, at: start, "escape has a hexadecimal digit missing")
      }
      unit = unit << 4 | UInt16(digit)
    }
    return unit
  }

  private mutating func take() throws(FormatError) -> UInt8 {
    let byte = try peek().orTruncated(at: base + place)
    place += 1
    return byte
  }
}

extension UInt8 {
  /// Whether this is one of the digits 0 to 9 in ASCII.
  var isASCIIDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }
}

/// What a letter behind a backslash stands for; nil for `u` and for what is no escape.
func meaning(ofEscaped letter: UInt8) -> UInt8? {
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
