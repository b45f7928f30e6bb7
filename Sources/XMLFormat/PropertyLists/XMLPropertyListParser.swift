import Bytes

/// Turns the elements of a property list into its values.
///
/// How deep lists go is bounded by the reader's limit on the depth of elements.
struct XMLPropertyListParser {
  private var text: [UInt8] = []

  /// Reads the one value of the `plist` element that has just started, and that element's end.
  mutating func parseList(_ reader: inout XMLReader) throws(XMLError) -> XMLPropertyList {
    guard try Self.nextElement(&reader) else {
      throw reader.unexpected("a property list has no value")
    }
    let value = try parseValue(&reader)
    if try Self.nextElement(&reader) {
      throw reader.unexpected("a property list has more than one value")
    }
    return value
  }

  /// Goes on to the next start tag, or to the end tag of the element around it: then false.
  private static func nextElement(_ reader: inout XMLReader) throws(XMLError) -> Bool {
    while let event = try reader.next() {
      switch event {
      case .startElement: return true
      case .endElement: return false
      case .text where reader.hasBlankText: continue
      case .text: throw reader.unexpected("text stands between the values of a property list")
      }
    }
    return false
  }

  /// Reads the value whose element has just started, and that element's end.
  private mutating func parseValue(_ reader: inout XMLReader) throws(XMLError) -> XMLPropertyList {
    switch reader.name {
    case "dict": return .dictionary(try parseEntries(&reader))
    case "array": return .array(try parseElements(&reader))
    case "string": return .string(try reader.readText())
    case "true": return try parseEmpty(&reader, .boolean(true))
    case "false": return try parseEmpty(&reader, .boolean(false))
    default: return try parseScalar(&reader, reader.name)
    }
  }

  private mutating func parseEntries(
    _ reader: inout XMLReader
  ) throws(XMLError) -> [XMLPropertyList.Entry] {
    var entries: [XMLPropertyList.Entry] = []
    var keys: Set<ExactText> = []
    while try Self.nextElement(&reader) {
      guard reader.name == "key" else { throw reader.unexpected("a value has no key") }
      let key = try reader.readText()
      guard keys.insert(ExactText(key)).inserted else {
        throw reader.unexpected("a key comes twice")
      }
      guard try Self.nextElement(&reader) else { throw reader.unexpected("a key has no value") }
      entries.append(.init(key: key, value: try parseValue(&reader)))
    }
    return entries
  }

  private mutating func parseElements(
    _ reader: inout XMLReader
  ) throws(XMLError) -> [XMLPropertyList] {
    var elements: [XMLPropertyList] = []
    while try Self.nextElement(&reader) { elements.append(try parseValue(&reader)) }
    return elements
  }

  private mutating func parseEmpty(
    _ reader: inout XMLReader, _ value: XMLPropertyList
  ) throws(XMLError) -> XMLPropertyList {
    guard try reader.readText().isEmpty else { throw reader.unexpected("a truth value has text") }
    return value
  }

  private mutating func parseScalar(
    _ reader: inout XMLReader, _ name: String
  ) throws(XMLError) -> XMLPropertyList {
    text.removeAll(keepingCapacity: true)
    try reader.readText(into: &text)
    let value: XMLPropertyList? =
      switch name {
      case "integer": XMLPropertyListParser.Scalar.integer(text.span)
      case "real": XMLPropertyListParser.Scalar.real(text.span)
      case "date": XMLPropertyListParser.Scalar.date(text.span)
      case "data": XMLPropertyListParser.Scalar.data(text.span)
      default: nil
      }
    guard let value else {
      throw reader.unexpected("a value of a property list is not of a known kind or spelling")
    }
    return value
  }

  /// How the numbers, dates and bytes of a property list are spelled in XML.
  enum Scalar {
    /// Reads a whole number, decimal or after `0x` hexadecimal.
    static func integer(_ text: Span<UInt8>) -> XMLPropertyList? {
      let word = word(text)
      if word.hasPrefix("0x") || word.hasPrefix("0X") {
        let digits = word.dropFirst(2)
        return digits.first == "+" ? nil : UInt64(digits, radix: 16).map { number($0) }
      }
      return Int64(word).map { .integer($0) } ?? UInt64(word).map { number($0) }
    }

    /// Reads a floating-point number, or one of the words for infinity and for no number.
    static func real(_ text: Span<UInt8>) -> XMLPropertyList? {
      let word = word(text).lowercased()
      switch word {
      case "nan": return .real(.nan)
      case "inf", "+inf", "infinity", "+infinity": return .real(.infinity)
      case "-inf", "-infinity": return .real(-.infinity)
      default:
        guard word.allSatisfy({ "0123456789+-.e".contains($0) }), let value = Double(word) else {
          return nil
        }
        return .real(value)
      }
    }

    /// Reads a date such as `2001-01-01T00:00:00Z`.
    static func date(_ text: Span<UInt8>) -> XMLPropertyList? {
      guard let moment = Timestamp(parsing: text.extracting(wordBounds(text))) else { return nil }
      let seconds = Double(moment.secondsSince1970 - secondsFrom1970To2001)
      return .date(seconds + Double(moment.nanoseconds) / 1e9)
    }

    /// Reads base64, in lines or not.
    static func data(_ text: Span<UInt8>) -> XMLPropertyList? {
      var bytes: [UInt8] = []
      return decodeBase64(ignoringWhitespace: text, into: &bytes) ? .data(bytes) : nil
    }

    /// The distance between the two reference dates.
    private static let secondsFrom1970To2001: Int64 = 978_307_200

    private static func number(_ value: UInt64) -> XMLPropertyList {
      Int64(exactly: value).map { .integer($0) } ?? .unsigned(value)
    }

    private static func word(_ text: Span<UInt8>) -> String {
      var bytes: [UInt8] = []
      bytes.append(text.extracting(wordBounds(text)))
      return String(decoding: bytes, as: UTF8.self)
    }

    /// Where the text is without white space around it.
    private static func wordBounds(_ text: Span<UInt8>) -> Range<Int> {
      var start = 0
      var end = text.count
      while start < end, isBlank(text[start]) { start += 1 }
      while end > start, isBlank(text[end - 1]) { end -= 1 }
      return start..<end
    }
  }
}
