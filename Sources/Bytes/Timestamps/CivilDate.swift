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
