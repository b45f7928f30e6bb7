extension Timestamp {
  /// Reads `yyyy-MM-ddTHH:mm:ss`, up to nine digits of a fraction, and `Z` or an offset.
  ///
  /// Offsets are `+HH:MM` or `+HHMM`. Anything else, and any day, time or year that does not
  /// exist, gives `nil`.
  package init?(parsing text: Span<UInt8>) {
    var syntax = TimestampSyntax()
    guard let date = syntax.date(in: text), syntax.skip(UInt8(ascii: "T"), in: text),
      let time = syntax.time(in: text),
      let nanoseconds = syntax.fraction(in: text, allowsSurplusZeros: false),
      let offset = syntax.zone(in: text, isOptional: false)
    else { return nil }
    self.init(date, time - offset, nanoseconds)
  }

  /// Reads what `init(parsing:)` reads, and looser spellings of the same.
  ///
  /// A blank may stand for the `T`, surplus digits of the fraction may be zeros, and the zone may
  /// be left out, which means UTC.
  package init?(parsingLeniently text: Span<UInt8>) {
    var syntax = TimestampSyntax()
    guard let date = syntax.date(in: text),
      syntax.skip(UInt8(ascii: "T"), in: text) || syntax.skip(UInt8(ascii: " "), in: text),
      let time = syntax.time(in: text),
      let nanoseconds = syntax.fraction(in: text, allowsSurplusZeros: true),
      let offset = syntax.zone(in: text, isOptional: true)
    else { return nil }
    self.init(date, time - offset, nanoseconds)
  }

  /// Reads what `init(parsingLeniently:)` reads, and dates and times as tables have them.
  ///
  /// The time may be left out, and so may its seconds; an offset may be whole hours alone, as in
  /// `+02`.
  package init?(parsingFreely text: Span<UInt8>) {
    var syntax = TimestampSyntax()
    guard let date = syntax.date(in: text) else { return nil }
    guard !syntax.isAtEnd(of: text) else {
      self.init(date, 0, 0)
      return
    }
    guard syntax.skip(UInt8(ascii: "T"), in: text) || syntax.skip(UInt8(ascii: " "), in: text),
      let time = syntax.time(in: text, needsSeconds: false),
      let nanoseconds = syntax.fraction(in: text, allowsSurplusZeros: true),
      let offset = syntax.zone(in: text, isOptional: true, needsMinutes: false)
    else { return nil }
    self.init(date, time - offset, nanoseconds)
  }

  private init?(_ date: CivilDate, _ secondOfDay: Int, _ nanoseconds: Int32) {
    self.init(
      wholeSecondsSince1970: Int64(date.daysSince1970 * 86_400 + secondOfDay),
      nanoseconds: nanoseconds)
  }
}
