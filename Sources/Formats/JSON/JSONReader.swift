import Bytes

/// A strict reader of JSON from a stream or from memory, token by token.
///
/// Repeated keys are the one rule that it leaves to its caller, who knows which keys there can be;
/// `readValue` checks it.
package struct JSONReader {
  /// How many documents there are, and what lies between them.
  package enum Framing: Sendable {
    case document
    /// Any number of documents, one a line, and none of the lines is empty.
    case fullLines
    /// Any number of documents, one a line; empty lines say nothing.
    case lines
    /// Any number of documents, one behind the other.
    case documents
  }

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

  /// The byte at which the current token starts, from 0.
  package private(set) var tokenOffset = 0
  /// The line of the next token, from 1.
  package private(set) var line = 1
  /// Whether a byte order mark came first.
  package private(set) var hasMark = false
  /// How many lines said nothing.
  package private(set) var blankLines = 0
  /// Nil where the whole document is in the buffer.
  private let stream: ByteStream?
  private let framing: Framing
  private let hasLines: Bool
  /// What was read of the stream and is needed still.
  private(set) var buffer: [UInt8] = []
  /// The next byte of the buffer.
  var place = 0
  /// Where the buffer begins in the file.
  private(set) var base = 0
  /// Where the text of the current token lies in the buffer; nil where that is in `kept`.
  var plain: Range<Int>?
  /// The text of a token that has escapes, or did not lie in the buffer as a whole.
  var kept: [UInt8] = []
  private var isObject: [Bool] = []
  private var expected = Expectation.value

  private let maxDepth: Int
  /// The most bytes of a key or string, and of a number.
  let maxTextBytes: Int
  let maxNumberBytes: Int
  /// Whether text need not be checked again.
  let isKnownUTF8: Bool

  /// Reads what a stream has, which begins at the byte `offset` of its file.
  package init(_ stream: ByteStream, framing: Framing = .document, offset: Int = 0) {
    base = offset
    self.stream = stream
    self.framing = framing
    hasLines = framing == .lines || framing == .fullLines
    maxDepth = InputLimits.current.depth ?? 512
    maxTextBytes = InputLimits.current.valueBytes
    maxNumberBytes = 1 << 16
    isKnownUTF8 = false
  }

  /// Reads one document in memory, whose length, depth and encoding are for the caller to check.
  init(checked bytes: [UInt8]) {
    stream = nil
    framing = .document
    hasLines = false
    buffer = bytes
    (maxDepth, maxTextBytes, maxNumberBytes) = (.max, .max, .max)
    isKnownUTF8 = true
  }

  /// How many objects and arrays are open.
  package var depth: Int { isObject.count }

  /// The next token; nil at the end of input that was whole.
  ///
  /// - Throws: `.truncated`, `.invalid` or `.limit` with the byte where the trouble is.
  package mutating func next() throws(FormatError) -> Token? {
    guard var byte = try skipLayout() else {
      let isWhole = expected == .end || framing != .document && isObject.isEmpty
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
    expected = isObject.isEmpty ? endOfDocument : .commaOrEnd
  }

  private var endOfDocument: Expectation {
    switch framing {
    case .document: .end
    case .fullLines, .lines: .lineEnd
    case .documents: .value
    }
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

  /// Moves past the next key and its colon, if they are the one at `index` of `keys` in its usual
  /// spelling, and makes the key the current token.
  ///
  /// - Returns: false where nothing was taken, because there is more to look at.
  package mutating func takeKey(_ index: Int, of keys: SpelledKeys) -> Bool {
    var start = place
    if expected == .commaOrEnd, isObject.last == true {
      guard start < buffer.count, buffer[start] == UInt8(ascii: ",") else { return false }
      start += 1
    } else {
      guard expected == .keyOrEnd else { return false }
    }
    if start < buffer.count, buffer[start] == 0x20 { start += 1 }
    guard let size = keys.size(ofPrefix: buffer.span.extracting(start...), index),
      size &- 3 <= maxTextBytes
    else { return false }
    tokenOffset = base + start
    plain = start + 1..<start + size - 2
    place = start + size
    expected = .value
    return true
  }

  private mutating func readKey(_ byte: UInt8) throws(FormatError) -> Token {
    guard byte == UInt8(ascii: "\"") else { throw missingKey() }
    try readString()
    guard try skipLayout() == UInt8(ascii: ":") else {
      throw try peek() == nil
        ? error(.truncated, "document ends early") : error(.invalid, "a colon is missing")
    }
    place += 1
    expected = .value
    return .key
  }

  private mutating func readValue(_ byte: UInt8) throws(FormatError) -> Token? {
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
    case 0xEF where base + place == 0:
      try skipMark()
      return try next()
    default: throw missingValue()
    }
  }

  /// Moves past the byte order mark of UTF-8.
  private mutating func skipMark() throws(FormatError) {
    for expected in [0xEF, 0xBB, 0xBF] as [UInt8] {
      guard try peek() == expected else { throw error(.invalid, "a value is missing") }
      place += 1
    }
    hasMark = true
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
        if hasLines { try passLineEnd() }
        place += 1
        line += 1
      default: return byte
      }
    }
    return nil
  }

  private mutating func passLineEnd() throws(FormatError) {
    guard isObject.isEmpty else { throw error(.truncated, "a line ends inside its value") }
    if expected != .lineEnd {
      guard framing == .lines else { throw error(.invalid, "a line is empty") }
      blankLines += 1
    }
    expected = .value
  }

  /// The next byte; nil at the end.
  @inline(__always)
  mutating func peek() throws(FormatError) -> UInt8? {
    if place < buffer.count { return buffer[place] }
    return try readOn()
  }

  private mutating func readOn() throws(FormatError) -> UInt8? {
    if let plain {
      kept = Array(buffer[plain])
      self.plain = nil
    }
    base += buffer.count
    buffer.removeAll(keepingCapacity: true)
    place = 0
    guard let stream, try stream.read(into: &buffer) > 0 else { return nil }
    return buffer[0]
  }

  /// An error at the next byte.
  func error(
    _ code: FormatError.Code, _ message: String, passing limit: InputLimit? = nil
  ) -> FormatError {
    FormatError(code, at: base + place, message, passing: limit)
  }
}

extension UInt8? {
  /// The byte, which must be there.
  func orTruncated(at offset: Int) throws(FormatError) -> UInt8 {
    guard let self else { throw FormatError(.truncated, at: offset, "document ends early") }
    return self
  }
}
