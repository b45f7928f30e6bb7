extension [UInt8] {
  /// Appends the decimal digits of an unsigned number.
  @inlinable
  package mutating func appendDecimal(_ value: UInt64) {
    if value < 10 { return append(48 &+ UInt8(truncatingIfNeeded: value)) }
    let count = DecimalDigits.count(value)
    // `write` fills exactly the `count` bytes it is given.
    unsafe append(size: count) { unsafe DecimalDigits.write(value, count: count, at: $0) }
  }

  /// Appends the decimal digits of a number, with a minus sign in front of a negative one.
  @inlinable
  package mutating func appendDecimal(_ value: Int64) {
    if value < 0 { append(UInt8(ascii: "-")) }
    appendDecimal(value.magnitude)
  }

  /// Appends the decimal digits of a count or an index.
  @inlinable
  package mutating func appendDecimal(_ value: Int) {
    appendDecimal(Int64(value))
  }
}
