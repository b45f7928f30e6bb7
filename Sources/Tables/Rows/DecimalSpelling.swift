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

extension [UInt8] {
  /// Appends the shortest digits that read back to the same finite double, without an exponent.
  ///
  /// A whole number has no fraction: a decimal of 2 is `2`, as when it is stored as an integer.
  mutating func appendDecimalDigits(of value: Double) {
    var spelled: [UInt8] = []
    spelled.appendReal(value.magnitude)
    let number = ScientificDigits(spelled)
    if value < 0 { append(UInt8(ascii: "-")) }
    append(contentsOf: number.plain)
  }
}

/// The significant digits of a spelled number and the place of its decimal point.
private struct ScientificDigits {
  private var digits: [UInt8] = []
  /// How many digits stand before the point; negative when zeros follow it first.
  private var pointPlace = 0

  /// Takes apart `12.5`, `1e+16` or `2.5e-07`; the bytes are our own spelling of a double.
  init(_ spelled: [UInt8]) {
    let parts = spelled.split(separator: UInt8(ascii: "e"), maxSplits: 1)
    let mantissa = parts.first ?? []
    let pieces = mantissa.split(
      separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
    let whole = pieces.first ?? []
    let fraction = pieces.count > 1 ? pieces[1] : []
    digits = Array(whole + fraction)
    pointPlace = whole.count
    if parts.count > 1 {
      let exponent = parts[1].filter { $0 != UInt8(ascii: "+") }
      pointPlace += Int(parseDecimal(exponent.span) ?? 0)
    }
    trim()
  }

  private mutating func trim() {
    while digits.last == UInt8(ascii: "0") { digits.removeLast() }
    let zeros = digits.prefix { $0 == UInt8(ascii: "0") }.count
    digits.removeFirst(zeros)
    pointPlace -= zeros
    if digits.isEmpty { pointPlace = 0 }
  }

  /// The number written out, with a zero before a leading point.
  var plain: [UInt8] {
    let zero = UInt8(ascii: "0")
    if digits.isEmpty { return [zero] }
    if pointPlace <= 0 {
      return [zero, UInt8(ascii: ".")] + Array(repeating: zero, count: -pointPlace) + digits
    }
    if pointPlace >= digits.count {
      return digits + Array(repeating: zero, count: pointPlace - digits.count)
    }
    return digits[..<pointPlace] + [UInt8(ascii: ".")] + digits[pointPlace...]
  }
}
