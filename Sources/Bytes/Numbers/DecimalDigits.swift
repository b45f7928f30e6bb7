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
