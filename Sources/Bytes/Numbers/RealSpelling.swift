/// How many bytes the spelling of a real number takes at most: sign, 17 digits, point, exponent.
@inlinable package var realSize: Int { 26 }

/// How many bytes a real number takes at most that is spelled without an exponent: sign, point and
/// zeros before 17 digits of the smallest ones.
@inlinable package var writtenOutRealSize: Int { 327 }

extension OutputSpan<UInt8> {
  /// Appends the shortest digits that read back to the same double, with `.0` when whole.
  ///
  /// Very large and very small numbers have an exponent: `1e+16`, `5e-324`. A negative zero keeps
  /// its sign. Numbers that are none are `Infinity`, `-Infinity` and `NaN`. There must be room for
  /// `realSize` bytes.
  package mutating func appendReal(_ value: Double) {
    if value.isNaN { return append("NaN") }
    if value.sign == .minus { append(UInt8(ascii: "-")) }
    let magnitude = value.magnitude
    if magnitude.isInfinite { return append("Infinity") }
    if magnitude < 0x1p53, let whole = UInt64(exactly: magnitude) {
      appendDecimal(whole)
      return append(".0")
    }
    let decimal = ShortestDecimal(magnitude)
    let count = DecimalDigits.count(decimal.digits)
    // The exponent the number has with one digit in front of the point.
    let leading = decimal.exponent + count - 1
    if leading < -4 || magnitude > 0x1p53 {
      appendScientific(decimal.digits, count: count, exponent: leading)
    } else {
      appendPositional(decimal, count: count, wholeEnd: ".0")
    }
  }

  /// Appends the shortest digits that read back to the same finite double, without an exponent.
  ///
  /// A whole number has no fraction, and zero no sign. There must be room for `writtenOutRealSize`
  /// bytes; `realSize` are enough from a hundred-thousandth to 2⁵³.
  package mutating func appendWrittenOut(_ value: Double) {
    if value < 0 { append(UInt8(ascii: "-")) }
    let magnitude = value.magnitude
    if magnitude < 0x1p53, let whole = UInt64(exactly: magnitude) { return appendDecimal(whole) }
    let decimal = ShortestDecimal(magnitude)
    appendPositional(decimal, count: DecimalDigits.count(decimal.digits), wholeEnd: "")
  }

  private mutating func appendScientific(_ digits: UInt64, count: Int, exponent: Int) {
    appendPoint(in: digits, count: count, after: 1)
    append(exponent < 0 ? "e-" : "e+")
    let size = exponent.magnitude
    if size < 10 { append(UInt8(ascii: "0")) }
    appendDecimal(UInt64(size))
  }

  /// Appends digits without an exponent, and `wholeEnd` behind those of a whole number.
  private mutating func appendPositional(
    _ decimal: ShortestDecimal, count: Int, wholeEnd: StaticString
  ) {
    let whole = count + decimal.exponent
    if decimal.exponent >= 0 {
      appendDecimal(decimal.digits)
      append(UInt8(ascii: "0"), times: decimal.exponent)
      append(wholeEnd)
    } else if whole <= 0 {
      append("0.")
      append(UInt8(ascii: "0"), times: -whole)
      appendDecimal(decimal.digits)
    } else {
      appendPoint(in: decimal.digits, count: count, after: whole)
    }
  }

  /// Appends digits with a point behind the first `whole` of them, if any follow.
  private mutating func appendPoint(in digits: UInt64, count: Int, after whole: Int) {
    if count == whole { return appendDecimal(digits) }
    unsafe append(size: count + 1) { target in
      // `count + 1` bytes: the digits go to places 1...count, then the first ones move down by one
      // and the point takes the place that becomes free, which is within the same bytes.
      unsafe DecimalDigits.write(digits, count: count, at: target + 1)
      unsafe target.update(from: target + 1, count: whole)
      unsafe target[whole] = UInt8(ascii: ".")
    }
  }
}

extension [UInt8] {
  /// Appends the shortest digits that read back to the same double, as an `OutputSpan` does.
  package mutating func appendReal(_ value: Double) {
    append(addingCapacity: realSize) { $0.appendReal(value) }
  }
}

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
  let h = q + PowersOfTen.binaryExponent(-k) + 1

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
