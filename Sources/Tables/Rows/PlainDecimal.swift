import Bytes

/// Whether a text is a decimal number: a sign, digits and a fraction, without an exponent.
package func isPlainDecimal(_ text: Span<UInt8>) -> Bool {
  var index = 0
  if index < text.count, text[index] == UInt8(ascii: "-") { index += 1 }
  let whole = digitCount(text, from: index)
  guard whole > 0 else { return false }
  index += whole
  guard index < text.count else { return true }
  guard text[index] == UInt8(ascii: ".") else { return false }
  let fraction = digitCount(text, from: index + 1)
  return fraction > 0 && index + 1 + fraction == text.count
}

private func digitCount(_ text: Span<UInt8>, from start: Int) -> Int {
  var index = start
  while index < text.count, text[index] &- UInt8(ascii: "0") < 10 { index += 1 }
  return index - start
}
