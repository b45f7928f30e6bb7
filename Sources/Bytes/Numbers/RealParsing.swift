/// Reads a number in JSON's grammar, or `Infinity` or `-Infinity`, as the nearest double.
///
/// A finite number too large for a double gives `nil`; one too small gives zero.
package func parseReal(_ text: Span<UInt8>) -> Double? {
  if let number = RealSyntax(text) {
    if let value = number.exactValue ?? number.nearestValue { return value }
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
  Double(String(decoding: [UInt8](copying: text), as: UTF8.self))
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

  /// The nearest double, found with 128 bits of the power of ten; nil where these do not decide which
  /// of two neighbours is nearer, and for numbers that are very large or very small.
  ///
  /// The power is less than one in its last bit too large, so what is left of the product is off by
  /// less than one, too, whatever the mantissa.
  var nearestValue: Double? {
    guard mantissa != 0, mantissa != .max, PowersOfTen.exponents.contains(exponent) else {
      return nil
    }
    let shift = mantissa.leadingZeroBitCount
    let factor = mantissa << UInt64(shift)
    let power = PowersOfTen.scaled(exponent)
    let low = UInt64(truncatingIfNeeded: power).multipliedFullWidth(by: factor)
    let high = UInt64(truncatingIfNeeded: power >> 64).multipliedFullWidth(by: factor)
    // Both factors have their top bit, so the product of 192 bits has 191 or 192.
    let product = UInt128(high.high) << 64 + UInt128(high.low) + UInt128(low.high)
    let surplus = 75 - product.leadingZeroBitCount
    let half = UInt128(1) << UInt128(surplus - 1)
    let rest = product & (half << 1 - 1)
    guard rest > half + 1 || rest < half - 1 else { return nil }
    var digits = UInt64(truncatingIfNeeded: product >> UInt128(surplus)) + (rest > half ? 1 : 0)
    // The power is its 128 bits times two to its binary exponent less 127, and of the product the
    // lowest 64 bits have been dropped.
    var binary = PowersOfTen.binaryExponent(exponent) - 63 - shift + surplus + 52
    if digits == 1 << 53 {
      digits >>= 1
      binary += 1
    }
    guard -1022...1023 ~= binary else { return nil }
    let magnitude = Double(
      bitPattern: UInt64(binary + 1023) << 52 | digits & (1 << 52 - 1))
    return isNegative ? -magnitude : magnitude
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

/// The leading 128 bits of the powers of ten that a double can need, rounded up.
///
/// Entry `e` is 10^e, scaled by a power of two so that its top bit is set; an inexact value is
/// the next larger integer, as the Schubfach algorithm asks. The table is computed, exactly, when
/// the first number needs it: that takes microseconds and keeps 617 constants out of the source.
enum PowersOfTen {
  static let exponents = -292...324

  private static let table: [UInt128] = negativePowers() + positivePowers()

  /// The exponent of the largest power of two that is no larger than a power of ten.
  static func binaryExponent(_ exponent: Int) -> Int { (exponent * 1_741_647) >> 19 }

  /// The scaled power for an exponent inside `exponents`.
  static func scaled(_ exponent: Int) -> UInt128 {
    table[exponent - exponents.lowerBound]
  }

  /// 10^-292 to 10^-1: 2^1216 divided by ten again and again, which leaves exact floors.
  private static func negativePowers() -> [UInt128] {
    var digits = [UInt64](repeating: 0, count: 19) + [1]
    var powers: [UInt128] = []
    for _ in 1...(-exponents.lowerBound) {
      var remainder: UInt64 = 0
      for place in digits.indices.reversed() {
        (digits[place], remainder) = (10 as UInt64).dividingFullWidth((remainder, digits[place]))
      }
      // No negative power of ten is a binary fraction, so the value is always inexact.
      powers.append(leadingBits(of: digits).bits + 1)
    }
    return powers.reversed()
  }

  /// 10^0 to 10^324, exactly, in words of 64 bits.
  private static func positivePowers() -> [UInt128] {
    var digits: [UInt64] = [1] + [UInt64](repeating: 0, count: 17)
    var powers: [UInt128] = []
    for _ in 0...exponents.upperBound {
      let (bits, isExact) = leadingBits(of: digits)
      powers.append(isExact ? bits : bits + 1)
      var carry: UInt64 = 0
      for place in digits.indices {
        let product = UInt128(digits[place]) * 10 + UInt128(carry)
        digits[place] = UInt64(truncatingIfNeeded: product)
        carry = UInt64(truncatingIfNeeded: product >> 64)
      }
    }
    return powers
  }

  /// The top 128 bits of a number, least significant word first, and whether the rest is zero.
  private static func leadingBits(of digits: [UInt64]) -> (bits: UInt128, isExact: Bool) {
    let top = digits.lastIndex { $0 != 0 } ?? 0
    func word(_ place: Int) -> UInt64 { place < 0 ? 0 : digits[place] }
    let shift = word(top).leadingZeroBitCount
    let high = UInt128(word(top)) << 64 | UInt128(word(top - 1))
    let low = word(top - 2)
    // A shift by 64, when `shift` is zero, gives zero.
    let bits = high << UInt128(shift) | UInt128(low >> UInt64(64 - shift))
    let rest = (low << UInt64(shift)) | digits.prefix(max(0, top - 2)).reduce(0, |)
    return (bits, rest == 0)
  }
}

/// The nearest whole number, of two the even one, of a number whose magnitude is below 2^51.
///
/// Doubles of the size that the sum has leave no room for a fraction. What `rounded` gives is the
/// same, but on processors of the oldest kind, for which we build, it is a call. Of a larger number
/// the result is off, but not below 2^51.
@inline(__always)
func nearestWhole(_ value: Double) -> Double {
  (value + 0x1.8p52) - 0x1.8p52
}
