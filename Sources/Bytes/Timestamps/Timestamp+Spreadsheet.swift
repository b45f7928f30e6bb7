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
}
