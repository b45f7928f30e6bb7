/// The leading 128 bits of the powers of ten that a double can need, rounded up.
///
/// Entry `e` is 10^e, scaled by a power of two so that its top bit is set; an inexact value is
/// the next larger integer, as the Schubfach algorithm asks. The table is computed, exactly, when
/// the first number needs it: that takes microseconds and keeps 617 constants out of the source.
enum PowersOfTen {
  /// The exponents in the table.
  static let exponents = -292...324

  private static let table: [UInt128] = negativePowers() + positivePowers()

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
