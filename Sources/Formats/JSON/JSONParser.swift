import Bytes

/// Parses a JSON document: the grammar of arrays and objects, as a loop with an explicit stack.
struct JSONParser {
  private enum Expectation {
    case value
    case elementOrEnd
    case keyOrEnd
    case key
    case commaOrEnd
  }

  private var scanner = JSONScanner()
  private var builder: JSONBuilder
  private var expected = Expectation.value

  private init(limits: FormatLimits) {
    builder = JSONBuilder(limits: limits)
  }

  /// Parses one document that fills the bytes.
  static func parse(
    _ bytes: Span<UInt8>, limits: FormatLimits
  ) throws(FormatError) -> JSONValue {
    guard bytes.count <= limits.maxBytes else {
      throw FormatError(.limit, at: limits.maxBytes, "document is too long", passing: .valueBytes)
    }
    try checkEncoding(bytes)
    var parser = JSONParser(limits: limits)
    while true {
      parser.scanner.skipWhitespace(in: bytes)
      if let root = parser.builder.root {
        guard parser.scanner.offset == bytes.count else {
          throw FormatError(.invalid, at: parser.scanner.offset, "something follows the document")
        }
        return root
      }
      try parser.step(bytes)
    }
  }

  private static func checkEncoding(_ bytes: Span<UInt8>) throws(FormatError) {
    if bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF {
      throw FormatError(.invalid, at: 0, "a byte order mark is not allowed")
    }
    do {
      _ = try UTF8Span(validating: bytes)
    } catch {
      throw FormatError(.invalid, at: error.byteOffsets.lowerBound, "text is not UTF-8")
    }
  }

  /// Reads one token and decides what may follow it.
  private mutating func step(_ bytes: Span<UInt8>) throws(FormatError) {
    let byte = try scanner.peek(in: bytes)
    switch expected {
    case .value:
      try readValue(bytes, byte)
    case .elementOrEnd:
      try byte == UInt8(ascii: "]") ? close() : readValue(bytes, byte)
    case .keyOrEnd:
      try byte == UInt8(ascii: "}") ? close() : readKey(bytes)
    case .key:
      try readKey(bytes)
    case .commaOrEnd:
      try readSeparator(byte)
    }
  }

  private mutating func readValue(_ bytes: Span<UInt8>, _ byte: UInt8) throws(FormatError) {
    let start = scanner.offset
    switch byte {
    case UInt8(ascii: "["):
      try open(object: false)
      return
    case UInt8(ascii: "{"):
      try open(object: true)
      return
    case UInt8(ascii: "\""):
      try builder.add(.string(scanner.string(in: bytes)), at: start)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      try builder.add(.number(scanner.number(in: bytes)), at: start)
    case UInt8(ascii: "t"):
      try scanner.literal("true", in: bytes)
      try builder.add(.boolean(true), at: start)
    case UInt8(ascii: "f"):
      try scanner.literal("false", in: bytes)
      try builder.add(.boolean(false), at: start)
    case UInt8(ascii: "n"):
      try scanner.literal("null", in: bytes)
      try builder.add(.null, at: start)
    default:
      throw FormatError(.invalid, at: start, "a value is missing")
    }
    expected = .commaOrEnd
  }

  private mutating func readKey(_ bytes: Span<UInt8>) throws(FormatError) {
    guard try scanner.peek(in: bytes) == UInt8(ascii: "\"") else {
      throw FormatError(.invalid, at: scanner.offset, "a key is missing")
    }
    builder.setKey(try scanner.string(in: bytes))
    scanner.skipWhitespace(in: bytes)
    guard try scanner.peek(in: bytes) == UInt8(ascii: ":") else {
      throw FormatError(.invalid, at: scanner.offset, "a colon is missing")
    }
    scanner.advance()
    expected = .value
  }

  private mutating func readSeparator(_ byte: UInt8) throws(FormatError) {
    let isInObject = builder.isInObject == true
    if byte == UInt8(ascii: ",") {
      scanner.advance()
      expected = isInObject ? .key : .value
    } else if byte == (isInObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
      try close()
    } else {
      throw FormatError(.invalid, at: scanner.offset, "a comma or closing bracket is missing")
    }
  }

  private mutating func open(object isObject: Bool) throws(FormatError) {
    try builder.open(object: isObject, at: scanner.offset)
    scanner.advance()
    expected = isObject ? .keyOrEnd : .elementOrEnd
  }

  private mutating func close() throws(FormatError) {
    try builder.close()
    scanner.advance()
    expected = .commaOrEnd
  }
}
