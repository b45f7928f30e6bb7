/// Spells a moment as ISO 8601 in UTC; nil outside the years 1 to 9999.
///
/// It has 3 digits of a second where the number is the nearest double to whole milliseconds,
/// counted from 2001 or from 1970, and 9 digits otherwise.
func timestampText(secondsSince2001 seconds: Double) -> String? {
  if seconds == distantPast { return "0001-01-01T00:00:00.000Z" }
  // About 31,700 years each way, and more than wide enough for arithmetic to be exact enough.
  guard seconds.isFinite, abs(seconds) < 1e12 else { return nil }
  if let milliseconds = wholeMilliseconds(seconds) {
    let (second, fraction) = milliseconds.quotientAndRemainder(flooringBy: 1000)
    return spell(second, fraction, digits: 3)
  }
  let whole = seconds.rounded(.down)
  let nanoseconds = Int(((seconds - whole) * 1e9).rounded())
  let carry = nanoseconds == 1_000_000_000
  return spell(Int(whole) + (carry ? 1 : 0), carry ? 0 : nanoseconds, digits: 9)
}

/// Foundation's distant past: the start of year 1 in the calendar with Julian leap years, which is
/// two days before it in the one used here.
private let distantPast = -63_114_076_800.0

/// Seconds from the start of 1970 to the start of 2001.
private let secondsTo2001 = 978_307_200

/// The whole milliseconds since 2001 whose nearest double is the number, if there are any.
private func wholeMilliseconds(_ seconds: Double) -> Int? {
  let from2001 = (seconds * 1000).rounded()
  if from2001 / 1000 == seconds { return Int(from2001) }
  let offset = Double(secondsTo2001)
  let from1970 = ((seconds + offset) * 1000).rounded()
  guard from1970 / 1000 - offset == seconds else { return nil }
  return Int(from1970) - secondsTo2001 * 1000
}

private func spell(_ second: Int, _ fraction: Int, digits: Int) -> String? {
  let (day, time) = (second + secondsTo2001).quotientAndRemainder(flooringBy: 86400)
  let (year, month, dayOfMonth) = date(day)
  guard (1...9999).contains(year) else { return nil }
  let clock = [time / 3600, time / 60 % 60, time % 60].map { padded($0, 2) }
  let calendar = [padded(year, 4), padded(month, 2), padded(dayOfMonth, 2)]
  return calendar.joined(separator: "-") + "T" + clock.joined(separator: ":") + "."
    + padded(fraction, digits) + "Z"
}

/// The proleptic Gregorian date of a day counted from 1970-01-01.
///
/// Years are taken to start in March, so that the leap day is the last day of a year.
private func date(_ day: Int) -> (year: Int, month: Int, day: Int) {
  let (era, dayOfEra) = (day + 719_468).quotientAndRemainder(flooringBy: 146_097)
  let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
  let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
  let monthFromMarch = (5 * dayOfYear + 2) / 153
  let dayOfMonth = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
  let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
  return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfMonth)
}

private func padded(_ value: Int, _ width: Int) -> String {
  let digits = String(value)
  return String(repeating: "0", count: max(0, width - digits.count)) + digits
}

extension Int {
  /// Divides so that the remainder is never negative.
  fileprivate func quotientAndRemainder(flooringBy divisor: Int) -> (Int, Int) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
