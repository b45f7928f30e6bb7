/// A moment in the years 1 to 9999, UTC, to the nanosecond.
package struct Timestamp: Sendable, Hashable {
  /// Whole seconds since 1970-01-01, rounded down.
  package let secondsSince1970: Int64

  /// What comes on top of the whole seconds: 0 to 999,999,999.
  package let nanoseconds: Int32

  /// Whether nothing smaller than a millisecond was left out or rounded away.
  ///
  /// A stored number that is merely close to a whole millisecond is not one.
  package private(set) var isWholeMilliseconds: Bool

  /// A moment given by whole seconds and what comes on top; `nil` outside the years 1 to 9999.
  @inline(__always)
  package init?(wholeSecondsSince1970 seconds: Int64, nanoseconds: Int32 = 0) {
    guard Self.representableSeconds.contains(seconds), (0..<1_000_000_000).contains(nanoseconds)
    else { return nil }
    secondsSince1970 = seconds
    self.nanoseconds = nanoseconds
    isWholeMilliseconds = nanoseconds % 1_000_000 == 0
  }

  /// The same moment, known to be the result of rounding to nanoseconds.
  func rounded() -> Timestamp {
    var moment = self
    moment.isWholeMilliseconds = false
    return moment
  }

  /// 1970-01-01, midnight.
  private init() {
    secondsSince1970 = 0
    nanoseconds = 0
    isWholeMilliseconds = true
  }

  /// The moment from which the system counts.
  package static let epoch = Timestamp()

  /// A moment counted in whole seconds from 2001-01-01; `nil` outside the years 1 to 9999.
  ///
  /// Foundation's distant past, too, is the first moment of the year 1.
  package init?(wholeSecondsSince2001 seconds: Int64) {
    let (sum, overflows) = seconds.addingReportingOverflow(Self.secondsFrom1970To2001)
    if overflows { return nil }
    let isDistantPast = seconds == Self.distantPastSince2001
    self.init(wholeSecondsSince1970: isDistantPast ? Self.representableSeconds.lowerBound : sum)
  }

  /// A moment counted in milliseconds from 1970-01-01; `nil` outside the years 1 to 9999.
  @inline(__always)
  package init?(millisecondsSince1970 milliseconds: Int64) {
    let (quotient, remainder) = milliseconds.quotientAndRemainder(dividingBy: 1000)
    // Division rounds towards zero; seconds round down, so that nanoseconds are never negative.
    let borrows = remainder < 0
    self.init(
      wholeSecondsSince1970: borrows ? quotient - 1 : quotient,
      nanoseconds: Int32((borrows ? remainder + 1000 : remainder) * 1_000_000))
  }

  /// From `0001-01-01T00:00:00Z` to `9999-12-31T23:59:59Z`.
  private static let representableSeconds: ClosedRange<Int64> = -62_135_596_800...253_402_300_799

  /// Foundation's distant past: the first moment of the year 1, but of the Julian calendar.
  ///
  /// The calendar used here would call it the 30 December of the year before.
  static let distantPastSince2001: Int64 = -63_114_076_800

  /// The distance between the two reference dates.
  static let secondsFrom1970To2001: Int64 = 978_307_200
}

extension Timestamp: Comparable {
  /// Whether one moment comes before another.
  package static func < (left: Timestamp, right: Timestamp) -> Bool {
    (left.secondsSince1970, left.nanoseconds) < (right.secondsSince1970, right.nanoseconds)
  }
}
