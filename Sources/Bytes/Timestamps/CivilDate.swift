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
  @inline(__always)
  init(daysSince1970: Int) {
    // Within the years 1 to 9999 every intermediate value is small and not negative.
    let days = daysSince1970 &+ 719_468
    let era = days / 146_097
    let dayOfEra = days &- era &* 146_097
    let leapless =
      dayOfEra &- dayOfEra / 1460 &+ dayOfEra / 36_524 &- dayOfEra / 146_096
    let yearOfEra = leapless / 365
    let dayOfYear = dayOfEra &- (365 &* yearOfEra &+ yearOfEra / 4 &- yearOfEra / 100)
    let monthFromMarch = (5 &* dayOfYear &+ 2) / 153
    day = dayOfYear &- (153 &* monthFromMarch &+ 2) / 5 &+ 1
    month = monthFromMarch < 10 ? monthFromMarch &+ 3 : monthFromMarch &- 9
    year = yearOfEra &+ era &* 400 &+ (month <= 2 ? 1 : 0)
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
