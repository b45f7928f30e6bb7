import Bytes

/// How long a server asks to be left alone, in milliseconds; nil when its words are no time.
///
/// `Retry-After` holds seconds or a date in one of the three spellings of RFC 9110.
func retryAfter(_ header: String, at now: Int64) -> Int64? {
  let words = header.split { ", -:".contains($0) }.map(String.init)
  if words.count == 1 {
    guard words[0] == header.drop(while: { $0 == " " }),
      words[0].utf8.allSatisfy({ (48...57).contains($0) })
    else { return nil }
    // A wait that no number holds is a very long one, and no wait may pass the longest allowed.
    let (wait, overflows) = (Int64(words[0]) ?? .max).multipliedReportingOverflow(by: 1000)
    return overflows ? .max : wait
  }
  guard let date = date(words, at: now) else { return nil }
  let (wait, overflows) = date.subtractingReportingOverflow(now)
  return overflows ? nil : max(0, wait)
}

/// The moment of a date, its words apart, in milliseconds since 1970.
private func date(_ words: [String], at now: Int64) -> Int64? {
  guard words.count == 7 || words.count == 8 else { return nil }
  // `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT`, `Sun Nov  6 08:49:37 1994`
  if words.count == 8, words[7] == "GMT" {
    return moment(year(words[3], at: now), words[2], words[1], words[4...6])
  }
  return words.count == 7 ? moment(words[6], words[1], words[2], words[3...5]) : nil
}

/// A year of two digits is the one that lies less than fifty years ahead.
private func year(_ text: String, at now: Int64) -> String {
  guard text.utf8.count == 2, let short = Int64(text),
    let today = Timestamp(millisecondsSince1970: now)
  else { return text }
  // Within the years 1 to 9999 a rough year is near enough.
  let current = 1970 + today.secondsSince1970 / 31_556_952
  let year = current / 100 * 100 + short
  return String(year > current + 50 ? year - 100 : year)
}

private func moment(
  _ year: String, _ month: String, _ day: String, _ time: ArraySlice<String>
) -> Int64? {
  let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
  guard let number = months.firstIndex(of: month), year.utf8.count == 4 else { return nil }
  let date = [year, padded(String(number + 1)), padded(day)].joined(separator: "-")
  let text = Array((date + "T" + time.joined(separator: ":") + "Z").utf8)
  guard let moment = Timestamp(parsing: text.span) else { return nil }
  // Seconds of the years 1 to 9999 stay far from the largest number.
  return moment.secondsSince1970 * 1000
}

private func padded(_ digits: String) -> String {
  digits.utf8.count == 1 ? "0" + digits : digits
}
