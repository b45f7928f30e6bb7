extension JSONNumber {
  /// Whether both have the same value: exactly for integers of 64 bits, else as doubles.
  func means(_ other: JSONNumber) -> Bool {
    if let left = integer, let right = other.integer { return left == right }
    if let left = real, let right = other.real { return left == right }
    return self == other
  }

  /// Whether another number is what a server makes of this one without losing a digit.
  ///
  /// A real number of up to 17 digits may be a double, of which there are several spellings.
  func isKept(as other: JSONNumber) -> Bool {
    guard let left = Digits(self), let right = Digits(other) else {
      return self == other
    }
    if left == right { return true }
    let isReal = text.utf8.contains { ".eE".utf8.contains($0) }
    return isReal && left.digits.count <= 17 && real != nil && real == other.real
  }
}

extension JSONNumber {
  /// A number as its digits without zeros at either end, and the power of ten behind them.
  fileprivate struct Digits: Equatable {
    var isNegative = false
    var digits: [UInt8] = []
    var exponent = 0

    /// Takes a number apart; nil where its exponent is beyond all measure.
    init?(_ number: JSONNumber) {
      let parts = number.text.lowercased().split(separator: "e", maxSplits: 1)
      guard let mantissa = parts.first else { return nil }
      if parts.count > 1 {
        guard let given = Int32(parts[1].drop { $0 == "+" }) else { return nil }
        exponent = Int(given)
      }
      var isFraction = false
      for byte in mantissa.utf8 {
        switch byte {
        case UInt8(ascii: "-"): isNegative = true
        case UInt8(ascii: "."): isFraction = true
        default:
          digits.append(byte)
          // A text has far fewer digits than an exponent of 32 bits leaves room for.
          if isFraction { exponent -= 1 }
        }
      }
      while digits.last == UInt8(ascii: "0") {
        digits.removeLast()
        exponent += 1
      }
      digits = Array(digits.drop { $0 == UInt8(ascii: "0") })
      if digits.isEmpty { (isNegative, exponent) = (false, 0) }
    }
  }
}
