import Bytes

/// A text that is found in whatever way JSON, an address or a page may spell each of its characters.
///
/// There are too many ways to list them: a library may write any character as `\u003d`, `%3D` or
/// `&#x3D;`, or JSON as a text of other JSON; and what was spelled so may be spelled once more.
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
      if let end = Self.spellings(at: place, of: other).first(where: { $0.value == byte })?.end {
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

  /// The bytes that may be spelled otherwise at a place, each with where its spelling ends.
  private static func spellings(
    at place: Int, of other: [UInt8]
  ) -> [(value: UInt8, end: Int)] {
    guard isEscape(other[place]) else { return [] }
    let plain = spelling(led: other[place], by: place, of: other)
    // The sign that leads a spelling may itself be spelled, as in `%252B` and `\u0026amp;`.
    let twice = plain.flatMap { plain in
      plain.value == UInt8(ascii: "\\")
        ? nil : spelling(led: plain.value, by: plain.end - 1, of: other)
    }
    return [twice, plain].compactMap(\.self)
  }

  /// The byte that is spelled by a sign, which ends at a place, and what follows.
  private static func spelling(
    led sign: UInt8, by place: Int, of other: [UInt8]
  ) -> (value: UInt8, end: Int)? {
    switch sign {
    case UInt8(ascii: "\\"): inJSON(other, from: place)
    case UInt8(ascii: "%"): number(other, from: place + 1, digits: 2)
    case UInt8(ascii: "&"): inPage(other, from: place + 1)
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

  /// `&#47;`, `&#x2F;` or `&sol;`, behind the first sign.
  private static func inPage(_ other: [UInt8], from place: Int) -> (value: UInt8, end: Int)? {
    guard let end = other[place...].prefix(12).firstIndex(of: UInt8(ascii: ";")) else { return nil }
    let name = String(decoding: other[place..<end], as: UTF8.self)
    guard name.hasPrefix("#") else { return names[name].map { ($0, end + 1) } }
    let digits = name.dropFirst()
    let isHexadecimal = digits.lowercased().hasPrefix("x")
    return UInt8(
      isHexadecimal ? digits.dropFirst() : digits, radix: isHexadecimal ? 16 : 10
    )
    .map { ($0, end + 1) }
  }

  /// What pages call signs that secrets may have.
  private static let names: [String: UInt8] = [
    "amp": UInt8(ascii: "&"), "lt": UInt8(ascii: "<"), "gt": UInt8(ascii: ">"),
    "quot": UInt8(ascii: "\""), "apos": UInt8(ascii: "'"), "plus": UInt8(ascii: "+"),
    "sol": UInt8(ascii: "/"), "equals": UInt8(ascii: "="), "lowbar": UInt8(ascii: "_"),
    "period": UInt8(ascii: "."), "colon": UInt8(ascii: ":"), "percnt": UInt8(ascii: "%"),
  ]

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
