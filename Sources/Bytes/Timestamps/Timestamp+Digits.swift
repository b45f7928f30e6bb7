extension Timestamp {
  /// The digits of a number of seconds since 1970-01-01, in JSON's grammar, rounded to
  /// nanoseconds; `nil` for anything else, and outside the years 1 to 9999.
  package init?(secondsSince1970 digits: Span<UInt8>) { self.init(digits, power: 9) }

  /// The digits of a number of milliseconds since 1970-01-01, likewise.
  package init?(millisecondsSince1970 digits: Span<UInt8>) { self.init(digits, power: 6) }

  /// The digits that `init(secondsSince1970:)` reads as this moment.
  package var digitsOfSeconds: [UInt8] { digits(power: 9) }

  /// The digits that `init(millisecondsSince1970:)` reads as this moment.
  package var digitsOfMilliseconds: [UInt8] { digits(power: 6) }

  private func digits(power: Int) -> [UInt8] {
    let all = Int128(secondsSince1970) * 1_000_000_000 + Int128(nanoseconds)
    var digits = Array(String(all.magnitude).utf8)
    if digits.count <= power {
      digits.insert(
        contentsOf: repeatElement(UInt8(ascii: "0"), count: power + 1 - digits.count), at: 0)
    }
    // What was rounded to whole milliseconds must be rounded again.
    let isRounded = nanoseconds % 1_000_000 == 0 && !isWholeMilliseconds
    let fraction = digits.suffix(power) + (isRounded ? [UInt8(ascii: "1")] : [])
    let kept = fraction.lastIndex { $0 != UInt8(ascii: "0") }.map { fraction[...$0] } ?? []
    digits.removeLast(power)
    if !kept.isEmpty { digits += [UInt8(ascii: ".")] + kept }
    return (all < 0 ? [UInt8(ascii: "-")] : []) + digits
  }

  /// Reads a number of what is ten to a power of nanoseconds; their parts are rounded, ties to even.
  private init?(_ digits: Span<UInt8>, power: Int) {
    guard parseReal(digits) != nil, let number = ExactDecimal(digits),
      let (all, isExact) = number.nearestWhole(timesTenTo: power)
    else { return nil }
    let (quotient, rest) = all.quotientAndRemainder(dividingBy: 1_000_000_000)
    // Division rounds towards zero; seconds round down.
    let seconds = rest < 0 ? quotient - 1 : quotient
    guard let whole = Int64(exactly: seconds) else { return nil }
    let moment = Self(
      wholeSecondsSince1970: whole, nanoseconds: Int32(rest < 0 ? rest + 1_000_000_000 : rest))
    guard let moment else { return nil }
    self = isExact ? moment : moment.rounded()
  }
}
