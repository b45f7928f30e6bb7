/// A decimal number of any length in the one spelling that its value has.
package struct ExactDecimal: Equatable {
  private var isNegative = false
  /// The digits without zeros at either end; none for zero.
  private var digits: ArraySlice<UInt8> = []
  /// By which power of ten the digits are multiplied.
  private var exponent = 0

  /// Reads digits with an optional sign, fraction and exponent; nil for anything else.
  package init?(_ text: Span<UInt8>) {
    var place = 0
    if let sign = text.byte(at: 0), sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
      isNegative = sign == UInt8(ascii: "-")
      place = 1
    }
    var all = text.digits(from: &place)
    if text.byte(at: place) == UInt8(ascii: ".") {
      place += 1
      let fraction = text.digits(from: &place)
      all += fraction
      exponent = -fraction.count
    }
    guard !all.isEmpty else { return nil }
    if let mark = text.byte(at: place) {
      guard mark | 0x20 == UInt8(ascii: "e") else { return nil }
      place += text.byte(at: place + 1) == UInt8(ascii: "+") ? 2 : 1
      // More than a million places are no number that anybody stores.
      guard let power = parseDecimal(text.extracting(place...)),
        (-1_000_000...1_000_000).contains(power)
      else { return nil }
      exponent += Int(power)
    }
    digits = all[...].drop { $0 == UInt8(ascii: "0") }
    while digits.last == UInt8(ascii: "0") {
      digits.removeLast()
      exponent += 1
    }
    if digits.isEmpty { (isNegative, exponent) = (false, 0) }
  }

  /// How many digits there are from the first to the last that is no zero.
  package var digitCount: Int { digits.count }

  /// The number where it is whole and fits 64 bits.
  package var integer: Int64? {
    guard (0...19).contains(exponent) else { return nil }
    var spelled = isNegative ? [UInt8(ascii: "-")] : []
    spelled += digits.isEmpty ? [UInt8(ascii: "0")] : Array(digits)
    spelled += Array(repeating: UInt8(ascii: "0"), count: exponent)
    return parseDecimal(spelled.span)
  }

  /// The number times a power of ten, rounded to the nearest whole number, ties to even; nil where that
  /// has very many digits.
  func nearestWhole(timesTenTo power: Int) -> (number: Int128, isExact: Bool)? {
    let places = exponent + power
    guard digits.count + places <= 36 else { return nil }
    var magnitude: Int128 = 0
    let wholeCount = max(0, digits.count + min(0, places))
    for digit in digits.prefix(wholeCount) {
      magnitude = magnitude * 10 + Int128(digit - UInt8(ascii: "0"))
    }
    for _ in 0..<max(0, digits.isEmpty ? 0 : places) { magnitude *= 10 }
    let rest = digits.dropFirst(wholeCount)
    let half = UInt8(ascii: "5")
    // As none of the last digits is zero, any behind a 5 makes it more than half; where zeros would
    // stand between the point and the digits, these are less.
    if let first = rest.first, digits.count + places >= 0,
      first > half || first == half && (rest.count > 1 || magnitude % 2 == 1)
    {
      magnitude += 1
    }
    return (isNegative ? -magnitude : magnitude, rest.isEmpty)
  }

  /// Sign, digits and exponent, which are a number in JSON's grammar.
  package var text: [UInt8] {
    var text = isNegative ? [UInt8(ascii: "-")] : []
    text.append(contentsOf: digits.isEmpty ? [UInt8(ascii: "0")] : digits)
    text.append(UInt8(ascii: "e"))
    text.appendDecimal(exponent)
    return text
  }

  package static func == (left: ExactDecimal, right: ExactDecimal) -> Bool {
    left.isNegative == right.isNegative && left.exponent == right.exponent
      && left.digits.elementsEqual(right.digits)
  }
}

extension Span<UInt8> {
  /// The byte at a place; nil behind the end.
  fileprivate func byte(at place: Int) -> UInt8? { place < count ? self[place] : nil }

  /// The digits from a place on, which moves behind them.
  fileprivate func digits(from place: inout Int) -> [UInt8] {
    var digits: [UInt8] = []
    while let digit = byte(at: place), digit &- 48 < 10 {
      digits.append(digit)
      place += 1
    }
    return digits
  }
}
