/// Whether a text is a UUID of 32 hexadecimal digits in either case, with its four hyphens.
package func isUUID(_ text: Span<UInt8>) -> Bool {
  guard text.count == 36 else { return false }
  for place in text.indices {
    let byte = text[place]
    let isDigit = byte &- 48 < 10 || (byte | 32) &- UInt8(ascii: "a") < 6
    let isHyphenPlace = place == 8 || place == 13 || place == 18 || place == 23
    guard isHyphenPlace ? byte == UInt8(ascii: "-") : isDigit else { return false }
  }
  return true
}
