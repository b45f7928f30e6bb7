/// The shortest decimal number that reads back to one given double.
///
/// The algorithm is Schubfach, from Raffaello Giulietti's paper "The Schubfach way to render
/// doubles" (2020); names follow the paper.
struct ShortestDecimal: Equatable {
  /// The significant digits; the last one is not zero, except in zero itself.
  var digits: UInt64

  /// The power of ten that `digits` is multiplied with.
  var exponent: Int

  /// Finds the digits of a finite number above zero.
  init(_ value: Double) {
    // Different decimals of up to 15 digits never share a double, so one that reads back to the
    // value is the only one; this is quicker than the general way.
    let hundredths = nearestWhole(value * 1e2)
    let millionths = nearestWhole(value * 1e6)
    if hundredths < 1e15, hundredths / 1e2 == value {
      (digits, exponent) = (UInt64(hundredths), -2)
    } else if millionths < 1e15, millionths / 1e6 == value {
      (digits, exponent) = (UInt64(millionths), -6)
    } else {
      (digits, exponent) = schubfach(value)
    }
    dropTrailingZeros()
  }

  private mutating func dropTrailingZeros() {
    while digits != 0 {
      let (quotient, remainder) = digits.quotientAndRemainder(dividingBy: 10)
      if remainder != 0 { return }
      digits = quotient
      exponent += 1
    }
  }
}

/// The digits and exponent for any double, possibly with zeros at the end.
private func schubfach(_ value: Double) -> (digits: UInt64, exponent: Int) {
  let fraction = value.significandBitPattern
  let biased = Int(value.exponentBitPattern)
  let isNormal = biased != 0
  let c = isNormal ? fraction | 1 << 52 : fraction
  let q = isNormal ? biased - 1075 : -1074
  // Below a power of two the neighbouring double is only half as far away.
  let isLowerCloser = fraction == 0 && biased > 1
  let k = (q * 1_262_611 - (isLowerCloser ? 524_031 : 0)) >> 22
  let h = q + ((-k * 1_741_647) >> 19) + 1

  let power = PowersOfTen.scaled(-k)
  let odd = c & 1
  let lower = roundToOdd(power, (4 * c - (isLowerCloser ? 1 : 2)) << UInt64(h)) + odd
  let middle = roundToOdd(power, (4 * c) << UInt64(h))
  let upper = roundToOdd(power, (4 * c + 2) << UInt64(h)) - odd
  return shortest(lower, middle, upper, exponent: k)
}

/// Picks the shortest number inside the rounding interval, and of two the nearer one.
///
/// The bounds and the value are four times as large as the digits.
private func shortest(
  _ lower: UInt64, _ middle: UInt64, _ upper: UInt64, exponent: Int
) -> (digits: UInt64, exponent: Int) {
  let s = middle / 4
  if s >= 10 {
    let tenth = s / 10
    let isBelowInside = lower <= 40 * tenth
    let isAboveInside = 40 * tenth + 40 <= upper
    if isBelowInside != isAboveInside {
      return (isAboveInside ? tenth + 1 : tenth, exponent + 1)
    }
  }
  let isBelowInside = lower <= 4 * s
  let isAboveInside = 4 * s + 4 <= upper
  if isBelowInside != isAboveInside { return (isAboveInside ? s + 1 : s, exponent) }
  let half = 4 * s + 2
  let roundsUp = middle > half || (middle == half && s & 1 == 1)
  return (roundsUp ? s + 1 : s, exponent)
}

/// The product's upper 64 bits, made odd when the bits below are not nearly zero.
private func roundToOdd(_ power: UInt128, _ factor: UInt64) -> UInt64 {
  let low = UInt64(truncatingIfNeeded: power).multipliedFullWidth(by: factor)
  let high = UInt64(truncatingIfNeeded: power >> 64).multipliedFullWidth(by: factor)
  let (middle, carries) = high.low.addingReportingOverflow(low.high)
  return (high.high &+ (carries ? 1 : 0)) | (middle > 1 ? 1 : 0)
}
