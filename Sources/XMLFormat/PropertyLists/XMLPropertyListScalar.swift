import Bytes

/// How the numbers, dates and bytes of a property list are spelled in XML.
enum XMLPropertyListScalar {
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
