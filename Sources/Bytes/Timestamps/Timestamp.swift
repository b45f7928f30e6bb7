import Glibc

/// A moment in the years 1 to 9999, UTC, to the nanosecond.
package struct Timestamp: Sendable, Hashable {
  /// Whole seconds since 1970-01-01, rounded down.
  package let secondsSince1970: Int64

  /// What comes on top of the whole seconds: 0 to 999,999,999.
  package let nanoseconds: Int32

  /// Whether nothing smaller than a millisecond was left out or rounded away.
  ///
  /// A stored number that is merely close to a whole millisecond is not one.
  private(set) var isWholeMilliseconds: Bool

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
  package func rounded() -> Timestamp {
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

extension Timestamp {
  /// The present moment, to the millisecond.
  package static var now: Timestamp {
    var time = timespec()
    // The call fills the structure it is given; this clock always exists.
    unsafe _ = clock_gettime(CLOCK_REALTIME, &time)
    let nanoseconds = Int32(time.tv_nsec / 1_000_000 * 1_000_000)
    return Timestamp(wholeSecondsSince1970: Int64(time.tv_sec), nanoseconds: nanoseconds)
      ?? Timestamp.epoch
  }
}

/// Lets the time pass, at most a minute; a signal may end it early.
package func pause(milliseconds: Int) {
  _ = usleep(UInt32(max(0, min(milliseconds, 60_000)) * 1000))
}

extension Timestamp {
  /// A moment as the days that Excel counts from 1900, with the time as the fraction of the day.
  ///
  /// Day 1 is 1900-01-01. Excel, after Lotus 1-2-3, counts a 29 February 1900 as day 60, which
  /// there never was; it gives `nil`, as does day 0 and what lies beyond the year 9999. The time is
  /// rounded to milliseconds, which is what fifteen digits can say.
  package init?(spreadsheetDays days: Double) {
    guard days >= 1, days < 2_958_466, !(days >= 60 && days < 61) else { return nil }
    let whole = days.rounded(.down)
    let milliseconds = Int64(((days - whole) * 86_400_000).rounded())
    // From day 61 on the count is one too high.
    let first: Int64 = whole < 60 ? 25_568 : 25_569
    self.init(millisecondsSince1970: (Int64(whole) - first) * 86_400_000 + milliseconds)
  }

  /// The days of a spreadsheet that `init(spreadsheetDays:)` reads as this moment, for one that it
  /// gives.
  package var spreadsheetDays: Double {
    let milliseconds = secondsSince1970 * 1000 + Int64(nanoseconds) / 1_000_000
    let days = Double(milliseconds) / 86_400_000 + 25_569
    return days < 61 ? days - 1 : days
  }
}

/// A day of the proleptic Gregorian calendar, in the years 1 to 9999.
///
/// The arithmetic counts years from 1 March, so that the leap day is the last of its year; see
/// Howard Hinnant, "chrono-compatible low-level date algorithms".
struct CivilDate: Equatable {
  var year: Int
  var month: Int
  var day: Int
}

extension CivilDate {
  /// The day so many days after 1970-01-01, which must lie in the years 1 to 9999.
  ///
  /// Divisions are multiplications and shifts that give the same in this range; see Cassio Neri and
  /// Lorenz Schneider, "Euclidean affine functions and their application to calendar algorithms".
  @inline(__always)
  init(daysSince1970: Int) {
    // Within the years 1 to 9999 every intermediate value is small and not negative.
    let days = UInt32(truncatingIfNeeded: daysSince1970 &+ 719_468)
    let quarterDays = 4 &* days &+ 3
    let century = quarterDays / 146_097
    let dayOfCentury = quarterDays % 146_097 / 4
    // The upper half is the year of the century, the lower half the part of it that has passed.
    let years = 2_939_745 &* UInt64(4 &* dayOfCentury &+ 3)
    let dayOfYear = UInt32(truncatingIfNeeded: years) / 2_939_745 / 4
    // As above, for months of 30.6 days, counted so that March is 3.
    let months = 2141 &* dayOfYear &+ 197_913
    let isNextYear = dayOfYear >= 306
    day = Int(months % 65_536 / 2141 &+ 1)
    month = Int(isNextYear ? months / 65_536 &- 12 : months / 65_536)
    year = Int(100 &* century &+ UInt32(truncatingIfNeeded: years >> 32) &+ (isNextYear ? 1 : 0))
  }

  /// How many days lie between 1970-01-01 and this one.
  var daysSince1970: Int {
    let yearFromMarch = month <= 2 ? year - 1 : year
    let era = yearFromMarch / 400
    let yearOfEra = yearFromMarch - era * 400
    let monthFromMarch = month > 2 ? month - 3 : month + 9
    let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  /// Whether the calendar has such a day, in the years 1 to 9999.
  var exists: Bool {
    guard (1...9999).contains(year), (1...12).contains(month), day >= 1 else { return false }
    return day <= daysInMonth
  }

  private var daysInMonth: Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}
