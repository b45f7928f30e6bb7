import Bytes

/// A strict reader of JSON from a stream, token by token, in flat memory.
///
/// It reads one document, or a sequence of them with one a line. Repeated keys are the one rule
/// that it leaves to its caller, who knows which keys there can be; `readValue` checks it.
package struct JSONReader {
  /// What comes next; the text of keys, strings and numbers is then in `text`.
  package enum Token: Sendable, Equatable {
    case beginObject
    case endObject
    case beginArray
    case endArray
    case key
    case string
    case number
    case boolean(Bool)
    case null
  }

  private enum Expectation {
    case value
    case elementOrEnd
    case keyOrEnd
    case commaOrEnd
    case lineEnd
    case end
  }

  /// The text of the current key, string or number, escapes resolved.
  package internal(set) var text: [UInt8] = []
  /// The byte at which the current token starts, from 0.
  package private(set) var tokenOffset = 0
  /// The line of the next token, from 1.
  package private(set) var line = 1
  private let stream: ByteStream
  private let isSequence: Bool
  private var buffer: [UInt8] = []
  private var place = 0
  private var base = 0
  private var isObject: [Bool] = []
  private var expected = Expectation.value

  private let maxDepth = InputLimits.current.depth ?? 512
  private let maxTextBytes = InputLimits.current.valueBytes

  /// Reads a document, or a sequence of documents with one a line, from the byte `offset` on.
  package init(_ stream: ByteStream, isSequence: Bool = false, offset: Int = 0) {
    base = offset
    self.stream = stream
    self.isSequence = isSequence
  }

  /// How many objects and arrays are open.
  package var depth: Int { isObject.count }

  /// The next token; nil at the end of input that was whole.
  ///
  /// - Throws: `.truncated`, `.invalid` or `.limit` with the byte where the trouble is.
  package mutating func next() throws(FormatError) -> Token? {
    guard var byte = try skipLayout() else {
      let isWhole = expected == .end || isSequence && isObject.isEmpty
      guard isWhole else { throw error(.truncated, "document ends early") }
      return nil
    }
    tokenOffset = base + place
    switch expected {
    case .end: throw error(.invalid, "something follows the document")
    case .lineEnd: throw error(.invalid, "something follows the value of a line")
    case .value: return try readValue(byte)
    case .keyOrEnd: return byte == UInt8(ascii: "}") ? close() : try readKey(byte)
    case .elementOrEnd: return byte == UInt8(ascii: "]") ? close() : try readValue(byte)
    case .commaOrEnd:
      let isInObject = isObject.last == true
      if byte == (isInObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) { return close() }
      guard byte == UInt8(ascii: ",") else {
        throw error(.invalid, "a comma or closing bracket is missing")
      }
      place += 1
      byte = try skipLayout().orTruncated(at: base + place)
      tokenOffset = base + place
      return isInObject ? try readKey(byte) : try readValue(byte)
    }
  }

  /// An error at the current token.
  package func unexpected(_ message: String) -> FormatError {
    FormatError(.invalid, at: tokenOffset, message)
  }

  private mutating func close() -> Token {
    place += 1
    let wasObject = isObject.removeLast()
    endValue()
    return wasObject ? .endObject : .endArray
  }

  private mutating func endValue() {
    expected = isObject.isEmpty ? (isSequence ? .lineEnd : .end) : .commaOrEnd
  }

  private mutating func open(object: Bool) throws(FormatError) -> Token {
    guard isObject.count < maxDepth else {
      throw error(.limit, "document is too deep", passing: .depth)
    }
    place += 1
    isObject.append(object)
    expected = object ? .keyOrEnd : .elementOrEnd
    return object ? .beginObject : .beginArray
  }

  private mutating func readKey(_ byte: UInt8) throws(FormatError) -> Token {
    guard byte == UInt8(ascii: "\"") else { throw error(.invalid, "a key is missing") }
    try readString()
    guard try skipLayout() == UInt8(ascii: ":") else {
      throw try peek() == nil
        ? error(.truncated, "document ends early") : error(.invalid, "a colon is missing")
    }
    place += 1
    expected = .value
    return .key
  }

  private mutating func readValue(_ byte: UInt8) throws(FormatError) -> Token {
    switch byte {
    case UInt8(ascii: "{"): return try open(object: true)
    case UInt8(ascii: "["): return try open(object: false)
    case UInt8(ascii: "\""):
      try readString()
      endValue()
      return .string
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      try readNumber()
      endValue()
      return .number
    case UInt8(ascii: "t"): return try readWord("true", .boolean(true))
    case UInt8(ascii: "f"): return try readWord("false", .boolean(false))
    case UInt8(ascii: "n"): return try readWord("null", .null)
    default: throw error(.invalid, "a value is missing")
    }
  }

  private mutating func readWord(_ word: String, _ token: Token) throws(FormatError) -> Token {
    for expected in word.utf8 {
      let byte = try peek().orTruncated(at: base + place)
      guard byte == expected else { throw error(.invalid, "a value is missing") }
      place += 1
    }
    endValue()
    return token
  }

  private mutating func readNumber() throws(FormatError) {
    text.removeAll(keepingCapacity: true)
    while let first = try peek(), isNumberByte(first) {
      let start = place
      while place < buffer.count, isNumberByte(buffer[place]) { place += 1 }
      text += buffer[start..<place]
      guard text.count <= 1 << 16 else { throw error(.limit, "number is too long") }
    }
    let isCut = try peek() == nil && !isObject.isEmpty
    guard isJSONNumber(text.span) else {
      throw FormatError(isCut ? .truncated : .invalid, at: tokenOffset, "number is no JSON number")
    }
  }

  private func isNumberByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"),
      UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
      true
    default: false
    }
  }

  private mutating func readString() throws(FormatError) {
    text.removeAll(keepingCapacity: true)
    place += 1
    // A second reference, because a span of the buffer would keep all of this value occupied.
    let bytes = buffer
    let end = endOfPlainJSON(in: bytes.span, from: place)
    if end < bytes.count, bytes[end] == UInt8(ascii: "\""), end - place <= maxTextBytes {
      text.append(bytes.span.extracting(place..<end))
      place = end + 1
      return try checkText()
    }
    try readLongString()
  }

  private func checkText() throws(FormatError) {
    guard isValidUTF8(text.span) else {
      throw FormatError(.invalid, at: tokenOffset, "text is not UTF-8")
    }
  }

  /// Reads a string that has escapes or goes on behind the buffer.
  private mutating func readLongString() throws(FormatError) {
    while true {
      _ = try peek().orTruncated(at: base + place)
      let start = place
      place = endOfPlainJSON(in: buffer.span, from: place)
      text += buffer[start..<place]
      guard text.count <= maxTextBytes else {
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

  /// Collects one escape, a surrogate pair being one, and lets the scanner of documents read it.
  private mutating func readEscape() throws(FormatError) {
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
      text.append(utf8: try scanner.string(in: escape.span))
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

  /// Moves to the next byte that is not white space, and returns it.
  @inline(__always)
  private mutating func skipLayout() throws(FormatError) -> UInt8? {
    if place < buffer.count, buffer[place] > 0x20 { return buffer[place] }
    return try passLayout()
  }

  private mutating func passLayout() throws(FormatError) -> UInt8? {
    while let byte = try peek() {
      switch byte {
      case 0x20, 0x0D, 0x09: place += 1
      case 0x0A:
        if isSequence { try passLineEnd() }
        place += 1
        line += 1
      default: return byte
      }
    }
    return nil
  }

  private mutating func passLineEnd() throws(FormatError) {
    guard isObject.isEmpty else { throw error(.truncated, "a line ends inside its value") }
    guard expected == .lineEnd else { throw error(.invalid, "a line is empty") }
    expected = .value
  }

  /// The next byte; nil at the end.
  @inline(__always)
  private mutating func peek() throws(FormatError) -> UInt8? {
    if place < buffer.count { return buffer[place] }
    base += buffer.count
    buffer.removeAll(keepingCapacity: true)
    place = 0
    guard try stream.read(into: &buffer) > 0 else { return nil }
    return buffer[0]
  }

  private func error(
    _ code: FormatError.Code, _ message: String, passing limit: InputLimit? = nil
  ) -> FormatError {
    FormatError(code, at: base + place, message, passing: limit)
  }
}

extension UInt8? {
  /// The byte, which must be there.
  fileprivate func orTruncated(at offset: Int) throws(FormatError) -> UInt8 {
    guard let self else { throw FormatError(.truncated, at: offset, "document ends early") }
    return self
  }
}
