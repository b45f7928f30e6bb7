extension Timestamp {
  /// A stored number of seconds since 2001-01-01; `nil` outside the years 1 to 9999.
  ///
  /// A number that is the nearest double to whole milliseconds, counted from 2001 or from 1970,
  /// means exactly these. Any other is rounded to nanoseconds. Foundation's distant past is the
  /// first moment of the year 1.
  package init?(secondsSince2001 seconds: Double) {
    if seconds == Double(Self.distantPastSince2001) {
      self.init(wholeSecondsSince2001: Self.distantPastSince2001)
    } else {
      self.init(seconds, origin: Self.secondsFrom1970To2001, otherOrigin: 0)
    }
  }

  /// A stored number of seconds since 1970-01-01; `nil` outside the years 1 to 9999.
  ///
  /// Whole milliseconds are recognised as in `init(secondsSince2001:)`.
  package init?(secondsSince1970 seconds: Double) {
    self.init(seconds, origin: 0, otherOrigin: Self.secondsFrom1970To2001)
  }

  /// A stored number of milliseconds since 1970-01-01; `nil` outside the years 1 to 9999.
  ///
  /// Parts of a millisecond are rounded to nanoseconds.
  package init?(fractionalMillisecondsSince1970 milliseconds: Double) {
    // Far outside what can be represented, but small enough for all that follows.
    guard milliseconds.magnitude < 1e15 else { return nil }
    let (whole, nanoseconds) = nearestNanoseconds(milliseconds, perUnit: 1_000_000)
    let (seconds, rest) = whole.quotientAndRemainder(dividingBy: 1000)
    // Division rounds towards zero; seconds round down.
    let borrows = rest < 0
    let moment = Self(
      wholeSecondsSince1970: borrows ? seconds - 1 : seconds,
      nanoseconds: Int32(borrows ? rest + 1000 : rest) * 1_000_000 + nanoseconds)
    guard let moment else { return nil }
    self = milliseconds == milliseconds.rounded() ? moment : moment.rounded()
  }

  /// Reads seconds counted from `origin`, both origins being seconds after 1970.
  @inline(__always)
  private init?(_ seconds: Double, origin: Int64, otherOrigin: Int64) {
    // Far outside what can be represented, but small enough for all that follows.
    guard seconds.magnitude < 1e12 else { return nil }
    let shift = origin - otherOrigin
    if let milliseconds = wholeMilliseconds(seconds) {
      self.init(millisecondsSince1970: milliseconds + origin * 1000)
    } else if let milliseconds = wholeMilliseconds(seconds, shiftedBy: Double(shift)) {
      self.init(millisecondsSince1970: milliseconds + otherOrigin * 1000)
    } else {
      let (whole, nanoseconds) = nearestNanoseconds(seconds, perUnit: 1_000_000_000)
      guard let moment = Self(wholeSecondsSince1970: whole + origin, nanoseconds: nanoseconds)
      else { return nil }
      self = moment.rounded()
    }
  }
}

/// The whole milliseconds to which `seconds` is the nearest double.
@inline(__always)
private func wholeMilliseconds(_ seconds: Double) -> Int64? {
  // Below 1e12 seconds the product is off by less than half a millisecond, and both operands of
  // the division are exact, so the quotient is the nearest double.
  let milliseconds = nearestWhole(seconds * 1000)
  return milliseconds / 1000 == seconds ? Int64(milliseconds) : nil
}

/// The whole milliseconds from another origin, `shift` seconds away, that `seconds` stands for.
///
/// It does when it is what moving the nearest double to them back to this origin gave, which is how
/// the SDKs made it.
@inline(__always)
private func wholeMilliseconds(_ seconds: Double, shiftedBy shift: Double) -> Int64? {
  let milliseconds = nearestWhole((seconds + shift) * 1000)
  return milliseconds / 1000 - shift == seconds ? Int64(milliseconds) : nil
}

/// Whole units, rounded down, and the exact rest rounded to nanoseconds, ties to even.
private func nearestNanoseconds(
  _ value: Double, perUnit scale: Int64
) -> (whole: Int64, nanoseconds: Int32) {
  let towardZero = value.rounded(.towardZero)
  let rest = (value - towardZero).magnitude
  let product = rest * Double(scale)
  // Product and error together are the exact value.
  let error = (-product).addingProduct(rest, Double(scale))
  var rounded = product.rounded(.toNearestOrEven)
  // Only when the rounded product looks like a tie can the error decide.
  if product - product.rounded(.down) == 0.5, error != 0 {
    rounded = product.rounded(error > 0 ? .up : .down)
  }
  var whole = Int64(towardZero)
  var nanoseconds = value < 0 ? -Int64(rounded) : Int64(rounded)
  if nanoseconds < 0 {
    whole -= 1
    nanoseconds += scale
  } else if nanoseconds == scale {
    whole += 1
    nanoseconds = 0
  }
  return (whole, Int32(nanoseconds))
}
