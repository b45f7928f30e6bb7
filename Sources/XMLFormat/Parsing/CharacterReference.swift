import Bytes

/// A reference to a character, as `&lt;` and `&#233;`.
enum CharacterReference {
  /// A reference is no longer, unless it is odd.
  static let longest = 12

  /// What the reference at a place stands for, in UTF-8, and where it ends.
  ///
  /// - Returns: nil where it does not end within the text or means no character.
  static func find(in text: Span<UInt8>, at place: Int) -> ([UInt8], end: Int)? {
    var end = place + 1
    while end < min(text.count, place + longest), text[end] != UInt8(ascii: ";") { end += 1 }
    guard end < text.count, text[end] == UInt8(ascii: ";"), end > place + 1 else { return nil }
    let name = text.extracting((place + 1)..<end)
    if name[0] == UInt8(ascii: "#") {
      return character(name.extracting(1...)).map { ($0, end + 1) }
    }
    for (known, byte) in named where name.isEqual(to: known) { return ([byte], end + 1) }
    return nil
  }

  private static let named: [(StaticString, UInt8)] = [
    ("amp", 0x26), ("lt", 0x3C), ("gt", 0x3E), ("quot", 0x22), ("apos", 0x27),
  ]

  /// The character with a number, which stands in decimal digits or, behind `x`, others.
  private static func character(_ digits: Span<UInt8>) -> [UInt8]? {
    let isHexadecimal = digits.count > 0 && digits[0] == UInt8(ascii: "x")
    let digits = digits.extracting((isHexadecimal ? 1 : 0)...)
    guard digits.count > 0, digits.count <= 7 else { return nil }
    var number: UInt32 = 0
    for place in digits.indices {
      guard let digit = digit(digits[place]), isHexadecimal || digit < 10 else { return nil }
      number = number * (isHexadecimal ? 16 : 10) + digit
    }
    guard isCharacter(number), let scalar = Unicode.Scalar(number) else { return nil }
    return UTF8.encode(scalar).map { Array($0) }
  }

  private static func digit(_ byte: UInt8) -> UInt32? {
    switch byte {
    case 0x30...0x39: UInt32(byte) - 0x30
    case 0x41...0x46: UInt32(byte) - 0x37
    case 0x61...0x66: UInt32(byte) - 0x57
    default: nil
    }
  }

  /// Whether a number is that of a character which documents may have.
  private static func isCharacter(_ number: UInt32) -> Bool {
    number == 0x09 || number == 0x0A || number == 0x0D
      || number >= 0x20 && number != 0xFFFE
        && number != 0xFFFF
  }
}
