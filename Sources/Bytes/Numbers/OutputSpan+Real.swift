/// How many bytes the spelling of a real number takes at most: sign, 17 digits, point, exponent.
@inlinable package var realSize: Int { 26 }

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
      appendPositional(decimal, count: count)
    }
  }

  private mutating func appendScientific(_ digits: UInt64, count: Int, exponent: Int) {
    appendPoint(in: digits, count: count, after: 1)
    append(exponent < 0 ? "e-" : "e+")
    let size = exponent.magnitude
    if size < 10 { append(UInt8(ascii: "0")) }
    appendDecimal(UInt64(size))
  }

  private mutating func appendPositional(_ decimal: ShortestDecimal, count: Int) {
    let whole = count + decimal.exponent
    if decimal.exponent >= 0 {
      appendDecimal(decimal.digits)
      append(UInt8(ascii: "0"), times: decimal.exponent)
      append(".0")
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
