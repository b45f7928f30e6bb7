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

/// Writes numbers as decimal digits, two at a time, into memory the caller owns.
@usableFromInline
enum DecimalDigits {
  /// The 100 pairs from `00` to `99`, one after the other.
  @inlinable
  static var pairs: UnsafePointer<UInt8> {
    let digits: StaticString = """
      00010203040506070809101112131415161718192021222324\
      25262728293031323334353637383940414243444546474849\
      50515253545556575859606162636465666768697071727374\
      75767778798081828384858687888990919293949596979899
      """
    // A literal this long always has a pointer representation, valid for the whole process.
    return unsafe digits.utf8Start
  }

  /// How many digits `value` has, at least one.
  @inlinable
  static func count(_ value: UInt64) -> Int {
    var rest = value
    var count = 1
    while true {
      if rest < 10 { return count }
      if rest < 100 { return count &+ 1 }
      if rest < 1000 { return count &+ 2 }
      if rest < 10_000 { return count &+ 3 }
      rest /= 10_000
      count &+= 4
    }
  }

  /// Writes the digits of a number below 100, always two of them.
  @inlinable
  static func writePair(_ value: Int, at target: UnsafeMutablePointer<UInt8>) {
    // Callers pass 0...99, so the read stays inside the 200 digits; they own two bytes here.
    let pair = unsafe UnsafeRawPointer(pairs).loadUnaligned(
      fromByteOffset: value &* 2, as: UInt16.self)
    unsafe UnsafeMutableRawPointer(target).storeBytes(of: pair, as: UInt16.self)
  }

  /// Writes exactly `count` digits of `value`, with zeros in front where it has fewer.
  @inlinable
  static func write(_ value: UInt64, count: Int, at target: UnsafeMutablePointer<UInt8>) {
    var rest = value
    var place = count
    // `place` never passes below zero, so every write stays within the caller's `count` bytes.
    while place >= 2 {
      let (high, pair) = rest.quotientAndRemainder(dividingBy: 100)
      place &-= 2
      unsafe writePair(Int(truncatingIfNeeded: pair), at: target + place)
      rest = high
    }
    if place == 1 { unsafe target[0] = 48 &+ UInt8(truncatingIfNeeded: rest % 10) }
  }
}

/// Reads a whole number: an optional minus sign and decimal digits, nothing else.
///
/// Leading zeros are allowed; a number that does not fit gives `nil`.
package func parseDecimal(_ text: Span<UInt8>) -> Int64? {
  let isNegative = text.count > 0 && text[0] == UInt8(ascii: "-")
  let start = isNegative ? 1 : 0
  guard start < text.count else { return nil }
  var value: Int64 = 0
  for place in start..<text.count {
    let digit = text[place] &- 48
    guard digit < 10 else { return nil }
    let (scaled, tooLarge) = value.multipliedReportingOverflow(by: 10)
    // Counting downwards for negative numbers reaches the smallest one too.
    let signed = isNegative ? -Int64(digit) : Int64(digit)
    let (sum, overflows) = scaled.addingReportingOverflow(signed)
    if tooLarge || overflows { return nil }
    value = sum
  }
  return value
}

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

/// The digits of a decimal number without its exponent; nil for a text that is none, and for one that
/// stands for more than some hundreds of digits.
package func writtenOutDecimal(_ text: Span<UInt8>) -> [UInt8]? {
  var end = 0
  while end < text.count, text[end] | 0x20 != UInt8(ascii: "e") { end += 1 }
  let mantissa = text.extracting(0..<end)
  guard end < text.count, isPlainDecimal(mantissa) else { return nil }
  var power = text.extracting((end + 1)...)
  if power.count > 1, power[0] == UInt8(ascii: "+"), power[1] != UInt8(ascii: "-") {
    power = power.extracting(1...)
  }
  guard let exponent = parseDecimal(power), exponent.magnitude <= 400 else { return nil }
  return writtenOut(mantissa, timesTenTo: Int(exponent))
}

/// The digits of a number without exponent, of which the point moves.
private func writtenOut(_ mantissa: Span<UInt8>, timesTenTo exponent: Int) -> [UInt8] {
  let zero = UInt8(ascii: "0")
  var digits: [UInt8] = []
  for place in 0..<mantissa.count where mantissa[place] &- zero < 10 {
    digits.append(mantissa[place])
  }
  let isNegative = mantissa[0] == UInt8(ascii: "-")
  var wholeDigits = digitCount(mantissa, from: isNegative ? 1 : 0) + exponent
  if wholeDigits < 1 {
    digits.insert(contentsOf: repeatElement(zero, count: 1 - wholeDigits), at: 0)
    wholeDigits = 1
  }
  if digits.count < wholeDigits {
    digits.append(contentsOf: repeatElement(zero, count: wholeDigits - digits.count))
  }
  let leading = digits.prefix(wholeDigits - 1).prefix { $0 == zero }.count
  var text = isNegative ? [UInt8(ascii: "-")] : []
  text += digits[leading..<wholeDigits]
  if digits.count > wholeDigits { text += [UInt8(ascii: ".")] + digits[wholeDigits...] }
  return text
}

private func digitCount(_ text: Span<UInt8>, from start: Int) -> Int {
  var index = start
  while index < text.count, text[index] &- UInt8(ascii: "0") < 10 { index += 1 }
  return index - start
}

extension BinaryInteger {
  /// The number with the words that depend on it, as in `1 row is` or `12345 rows are`: in messages,
  /// which may be searched for a number.
  package func counting(_ one: String, _ several: String) -> String {
    "\(self) \(self == 1 ? one : several)"
  }
}

extension Int {
  /// The number with commas between its thousands, as in `12,345`.
  package var grouped: String {
    var digits = String(magnitude)
    var place = digits.utf8.count - 3
    while place > 0 {
      digits.insert(",", at: digits.utf8.index(digits.startIndex, offsetBy: place))
      place -= 3
    }
    return self < 0 ? "-" + digits : digits
  }

  /// The number with the words that depend on it, as in `1 row` or `12,345 rows`: in summaries, which
  /// people read.
  package func counted(_ one: String, _ several: String) -> String {
    "\(grouped) \(self == 1 ? one : several)"
  }
}
