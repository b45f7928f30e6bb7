/// How many bytes the decimal digits of a number take at most, with its sign.
@inlinable package var decimalSize: Int { 20 }

extension OutputSpan<UInt8> {
  /// Appends the decimal digits of an unsigned number; `decimalSize` bytes are room enough.
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
}

extension ByteRoom {
  /// Appends the decimal digits of a number, with a minus sign in front of a negative one.
  ///
  /// There must be room for `decimalSize` bytes.
  @inlinable
  package mutating func appendDecimal(_ value: Int64) {
    // A sign and all digits of any number are within the bytes taken; those left are given back.
    let start = unsafe take(decimalSize).bindMemory(to: UInt8.self, capacity: decimalSize)
    let magnitude = value.magnitude
    unsafe start[0] = UInt8(ascii: "-")
    let digits = unsafe value < 0 ? start + 1 : start
    let count = DecimalDigits.count(magnitude)
    unsafe DecimalDigits.write(magnitude, count: count, at: digits)
    unsafe next = UnsafeMutableRawPointer(digits + count)
  }
}

extension [UInt8] {
  /// Appends the decimal digits of an unsigned number.
  package mutating func appendDecimal(_ value: UInt64) {
    append(addingCapacity: decimalSize) { $0.appendDecimal(value) }
  }

  /// Appends the decimal digits of a number, with a minus sign in front of a negative one.
  package mutating func appendDecimal(_ value: Int64) {
    append(addingCapacity: decimalSize) { $0.appendDecimal(value) }
  }

  /// Appends the decimal digits of a count or an index.
  package mutating func appendDecimal(_ value: Int) {
    appendDecimal(Int64(value))
  }
}
