import Bytes

/// A text that is found in whatever way JSON, an address or a page may spell each of its characters.
///
/// There are too many ways to list them: a library may write any character as `\u003d`, `%3D` or
/// `&#x3D;`, or JSON as a text of other JSON.
struct HiddenText: Sendable {
  private let bytes: [UInt8]

  /// The text to be found, which is not empty.
  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Other bytes without the text.
  func replaced(by mark: [UInt8], in other: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var kept = 0
    var place = 0
    while place < other.count {
      guard let end = end(at: place, of: other) else {
        place += 1
        continue
      }
      result += other[kept..<place] + mark
      (place, kept) = (end, end)
    }
    return kept == 0 ? other : result + other[kept...]
  }

  /// Where the text ends that begins at a place; nil where it does not.
  private func end(at start: Int, of other: [UInt8]) -> Int? {
    guard other[start] == bytes.first || Self.isEscape(other[start]) else { return nil }
    if other[start...].starts(with: bytes) { return start + bytes.count }
    var place = start
    for byte in bytes {
      guard place < other.count else { return nil }
      if let (value, end) = Self.escaped(at: place, of: other), value == byte {
        place = end
      } else if other[place] == byte {
        place += 1
      } else {
        return nil
      }
    }
    return place
  }

  private static func isEscape(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "%") || byte == UInt8(ascii: "&")
  }

  /// The byte that is spelled otherwise at a place, and where its spelling ends.
  private static func escaped(at place: Int, of other: [UInt8]) -> (value: UInt8, end: Int)? {
    switch other[place] {
    case UInt8(ascii: "\\"): inJSON(other, from: place)
    case UInt8(ascii: "%"): number(other, from: place + 1, digits: 2)
    case UInt8(ascii: "&"): inPage(other, from: place)
    default: nil
    }
  }

  /// `\/`, `\"`, `\\` or `\u002F`; JSON in JSON doubles the backslashes.
  private static func inJSON(_ other: [UInt8], from place: Int) -> (value: UInt8, end: Int)? {
    // No more than a few, so that endless ones do not take endless time.
    let end = other[place...].prefix(64).firstIndex { $0 != UInt8(ascii: "\\") }
    guard let end else { return nil }
    let next = other[end]
    switch next {
    case UInt8(ascii: "u"): return number(other, from: end + 1, digits: 4)
    case UInt8(ascii: "/"), UInt8(ascii: "\""): return (next, end + 1)
    default: return end > place + 1 ? (UInt8(ascii: "\\"), end) : nil
    }
  }

  /// `&#47;` or `&#x2F;`.
  private static func inPage(_ other: [UInt8], from place: Int) -> (value: UInt8, end: Int)? {
    guard other[place...].starts(with: "&#".utf8),
      let end = other[place...].prefix(12).firstIndex(of: UInt8(ascii: ";"))
    else { return nil }
    let digits = String(decoding: other[(place + 2)..<end], as: UTF8.self)
    let isHexadecimal = digits.lowercased().hasPrefix("x")
    return UInt8(
      isHexadecimal ? String(digits.dropFirst()) : digits, radix: isHexadecimal ? 16 : 10
    )
    .map { ($0, end + 1) }
  }

  /// A byte in so many hexadecimal digits.
  private static func number(
    _ other: [UInt8], from start: Int, digits: Int
  ) -> (value: UInt8, end: Int)? {
    guard start + digits <= other.count else { return nil }
    var value = 0
    for byte in other[start..<(start + digits)] {
      guard let digit = Character(UnicodeScalar(byte)).hexDigitValue else { return nil }
      value = value << 4 | digit
    }
    return UInt8(exactly: value).map { ($0, start + digits) }
  }
}
