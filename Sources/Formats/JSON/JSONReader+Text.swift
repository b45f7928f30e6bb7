import Bytes

extension JSONReader {
  /// The text of the current key, string or number, escapes resolved.
  package var text: [UInt8] { plain.map { Array(buffer[$0]) } ?? kept }

  /// Lends the text, which costs no copy.
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
    if end < buffer.count, end &- place <= Self.maxNumberBytes {
      plain = place..<end
      place = end
    } else {
      try readLongNumber()
      isCut = try peek() == nil && depth > 0
    }
    var isNumber = false
    withText { isNumber = isJSONNumber($0) }
    guard isNumber else {
      throw FormatError(isCut ? .truncated : .invalid, at: tokenOffset, "number is no JSON number")
    }
  }

  private static var maxNumberBytes: Int { 1 << 16 }

  /// Reads a number that goes on behind the buffer.
  private mutating func readLongNumber() throws(FormatError) {
    keepText()
    while let first = try peek(), isNumberByte(first) {
      let start = place
      place = endOfNumber
      kept += buffer[start..<place]
      guard kept.count <= Self.maxNumberBytes else { throw error(.limit, "number is too long") }
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

  /// Begins a text that is put together.
  private mutating func keepText() {
    plain = nil
    kept.removeAll(keepingCapacity: true)
  }

  private func checkText() throws(FormatError) {
    var isValid = false
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
    if place + 1 < buffer.count, let byte = JSONScanner.meaning(ofEscaped: buffer[place + 1]) {
      kept.append(byte)
      place += 2
    } else {
      try readLongEscape()
    }
  }

  /// Collects one escape, a surrogate pair being one, and lets the scanner of documents read it.
  private mutating func readLongEscape() throws(FormatError) {
    let start = base + place
    var escape: [UInt8] = [UInt8(ascii: "\"")]
    try take(2, into: &escape)
    if escape.last == UInt8(ascii: "u") {
      try take(4, into: &escape)
      let isHigh = escape[3] | 0x20 == UInt8(ascii: "d") && "89abAB".utf8.contains(escape[4])
      if isHigh { try take(6, into: &escape) }
    }
    escape.append(UInt8(ascii: "\""))
    var scanner = JSONScanner()
    do {
      kept.append(utf8: try scanner.string(in: escape.span))
    } catch {
      throw FormatError(.invalid, at: start, error.message)
    }
    guard scanner.offset == escape.count else {
      throw FormatError(.invalid, at: start, "string has an unknown escape")
    }
  }

  private mutating func take(_ count: Int, into bytes: inout [UInt8]) throws(FormatError) {
    for _ in 0..<count {
      bytes.append(try peek().orTruncated(at: base + place))
      place += 1
    }
  }
}
