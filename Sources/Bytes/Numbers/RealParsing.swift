/// Reads a number in JSON's grammar, or `Infinity` or `-Infinity`, as the nearest double.
///
/// A finite number too large for a double gives `nil`; one too small gives zero.
package func parseReal(_ text: Span<UInt8>) -> Double? {
  if let number = RealSyntax(text) {
    if let value = number.exactValue { return value }
    guard let value = correctlyRounded(text), value.isFinite else { return nil }
    return value
  }
  if matches(text, "Infinity") { return .infinity }
  return matches(text, "-Infinity") ? -.infinity : nil
}

private func matches(_ text: Span<UInt8>, _ word: String) -> Bool {
  guard text.count == word.utf8.count else { return false }
  var place = 0
  for byte in word.utf8 {
    if text[place] != byte { return false }
    place += 1
  }
  return true
}

/// The slow way, which rounds any number of digits correctly whatever the locale.
private func correctlyRounded(_ text: Span<UInt8>) -> Double? {
  var copy: [UInt8] = []
  copy.append(text)
  return Double(String(decoding: copy, as: UTF8.self))
}

/// What a number consists of, once its spelling has been found to be JSON's.
private struct RealSyntax {
  private var isNegative = false
  private var mantissa: UInt64 = 0
  private var exponent = 0

  /// Reads the text; `nil` when it is not a number.
  init?(_ text: Span<UInt8>) {
    var place = 0
    if text.count > 0, text[0] == UInt8(ascii: "-") {
      isNegative = true
      place = 1
    }
    let first = place
    let whole = digits(text, &place)
    guard whole > 0, whole == 1 || text[first] != UInt8(ascii: "0") else { return nil }
    if place < text.count, text[place] == UInt8(ascii: ".") {
      place += 1
      let fraction = digits(text, &place)
      guard fraction > 0 else { return nil }
      exponent -= fraction
    }
    guard readExponent(text, &place), place == text.count else { return nil }
  }

  /// The value, when one exact operation on two exact doubles gives it.
  var exactValue: Double? {
    guard mantissa <= 1 << 53 else { return nil }
    let magnitude = Double(mantissa)
    let value: Double
    if mantissa == 0 || exponent == 0 {
      value = magnitude
    } else if (1...22).contains(exponent) {
      value = magnitude * exactPowersOfTen[exponent]
    } else if (-22 ... -1).contains(exponent) {
      value = magnitude / exactPowersOfTen[-exponent]
    } else {
      return nil
    }
    return isNegative ? -value : value
  }

  /// Reads digits into the mantissa, which sticks at its largest value once it would overflow.
  private mutating func digits(_ text: Span<UInt8>, _ place: inout Int) -> Int {
    let start = place
    while place < text.count {
      let digit = text[place] &- 48
      guard digit < 10 else { break }
      mantissa = mantissa < UInt64.max / 10 - 1 ? mantissa &* 10 &+ UInt64(digit) : .max
      place += 1
    }
    return place - start
  }

  private mutating func readExponent(_ text: Span<UInt8>, _ place: inout Int) -> Bool {
    guard place < text.count, text[place] | 0x20 == UInt8(ascii: "e") else { return true }
    place += 1
    var isBelowOne = false
    if place < text.count, text[place] == UInt8(ascii: "+") || text[place] == UInt8(ascii: "-") {
      isBelowOne = text[place] == UInt8(ascii: "-")
      place += 1
    }
    let start = place
    var size = 0
    while place < text.count {
      let digit = text[place] &- 48
      guard digit < 10 else { break }
      // Past this size only "not the quick way" matters.
      size = min(size * 10 + Int(digit), 1_000_000)
      place += 1
    }
    exponent += isBelowOne ? -size : size
    return place > start
  }
}

/// 10^0 to 10^22, the powers of ten that a double holds exactly.
private let exactPowersOfTen: [Double] = [
  1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
  1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
]
