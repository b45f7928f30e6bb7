/// How many bytes the spelling of a moment takes at most.
@inlinable package var timestampSize: Int { 30 }

extension OutputSpan<UInt8> {
  /// Appends a moment as `2016-10-01T09:15:30.123Z`.
  ///
  /// The fraction has three digits when they say all there is, otherwise nine. There must be room
  /// for `timestampSize` bytes.
  package mutating func appendTimestamp(_ timestamp: Timestamp) {
    // Seconds lie in the years 1 to 9999, so the sum is positive and division rounds down.
    let seconds = UInt64(truncatingIfNeeded: timestamp.secondsSince1970 &+ 62_135_596_800)
    let days = seconds / 86_400
    let second = UInt32(truncatingIfNeeded: seconds &- days &* 86_400)
    let date = CivilDate(daysSince1970: Int(truncatingIfNeeded: days) &- 719_162)
    let milliseconds = UInt32(truncatingIfNeeded: timestamp.nanoseconds) / 1_000_000
    let isShort = timestamp.isWholeMilliseconds
    // The parts fill places 0...19, the fraction 3 or 9 more, and `Z` the last.
    unsafe append(size: isShort ? 24 : 30) { target in
      unsafe write(date, at: target)
      unsafe write(secondOfDay: second, at: target + 10)
      if isShort {
        unsafe DecimalDigits.writePair(Int(milliseconds / 10), at: target + 20)
        unsafe target[22] = 48 &+ UInt8(truncatingIfNeeded: milliseconds % 10)
      } else {
        unsafe DecimalDigits.write(UInt64(timestamp.nanoseconds), count: 9, at: target + 20)
      }
      unsafe target[isShort ? 23 : 29] = UInt8(ascii: "Z")
    }
  }
}

extension [UInt8] {
  /// Appends a moment as `2016-10-01T09:15:30.123Z`, as an `OutputSpan` does.
  package mutating func appendTimestamp(_ timestamp: Timestamp) {
    append(addingCapacity: timestampSize) { $0.appendTimestamp(timestamp) }
  }
}

extension Timestamp {
  /// The moment's canonical spelling, as `appendTimestamp` writes it.
  package var text: String {
    var bytes: [UInt8] = []
    bytes.appendTimestamp(self)
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// Writes `yyyy-MM-dd`, ten bytes.
@inline(__always)
private func write(_ date: CivilDate, at target: UnsafeMutablePointer<UInt8>) {
  unsafe DecimalDigits.writePair(date.year / 100, at: target)
  unsafe DecimalDigits.writePair(date.year % 100, at: target + 2)
  unsafe target[4] = UInt8(ascii: "-")
  unsafe DecimalDigits.writePair(date.month, at: target + 5)
  unsafe target[7] = UInt8(ascii: "-")
  unsafe DecimalDigits.writePair(date.day, at: target + 8)
}

/// Writes `THH:mm:ss.`, ten bytes.
@inline(__always)
private func write(secondOfDay second: UInt32, at target: UnsafeMutablePointer<UInt8>) {
  unsafe target[0] = UInt8(ascii: "T")
  unsafe DecimalDigits.writePair(Int(second / 3600), at: target + 1)
  unsafe target[3] = UInt8(ascii: ":")
  unsafe DecimalDigits.writePair(Int(second / 60 % 60), at: target + 4)
  unsafe target[6] = UInt8(ascii: ":")
  unsafe DecimalDigits.writePair(Int(second % 60), at: target + 7)
  unsafe target[9] = UInt8(ascii: ".")
}

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
  /// The time may be left out, and so may its seconds; the letters may be small ones. An offset may
  /// be whole hours alone, as in `+02`, and it may stand behind a blank, as SQL Server and .NET write
  /// it; there `UTC` and `GMT` may stand for the Z.
  package init?(parsingFreely text: Span<UInt8>) {
    var syntax = TimestampSyntax()
    guard let date = syntax.date(in: text) else { return nil }
    guard !syntax.isAtEnd(of: text) else {
      self.init(date, 0, 0)
      return
    }
    let isParted = "T t".utf8.contains { syntax.skip($0, in: text) }
    guard isParted, let time = syntax.time(in: text, needsSeconds: false),
      let nanoseconds = syntax.fraction(in: text, allowsSurplusZeros: true),
      let offset = syntax.zone(in: text, isOptional: true, isFree: true)
    else { return nil }
    self.init(date, time - offset, nanoseconds)
  }

  /// Reads what `init(parsingFreely:)` reads, and dates with the year at the end, such as `31.12.2024`,
  /// `1/2/2024 1:05 PM` or `01-02-2024 09:15`, whose first number is the day or the month.
  package init?(parsingFreely text: Span<UInt8>, isMonthFirst: Bool) {
    guard let turned = yearFirst(text, isMonthFirst: isMonthFirst) else {
      self.init(parsingFreely: text)
      return
    }
    self.init(parsingFreely: turned.span)
  }

  private init?(_ date: CivilDate, _ secondOfDay: Int, _ nanoseconds: Int32) {
    self.init(
      wholeSecondsSince1970: Int64(date.daysSince1970 * 86_400 + secondOfDay),
      nanoseconds: nanoseconds)
  }
}

/// A date whose year comes last, as one whose year comes first, with what stands behind it; nil where it
/// is none.
private func yearFirst(_ text: Span<UInt8>, isMonthFirst: Bool) -> [UInt8]? {
  var place = 0
  let first = digits(in: text, at: &place)
  guard (1...2).contains(first.count), place < text.count, "./-".utf8.contains(text[place]) else {
    return nil
  }
  let separator = text[place]
  place += 1
  let second = digits(in: text, at: &place)
  guard (1...2).contains(second.count), place < text.count, text[place] == separator else {
    return nil
  }
  place += 1
  let year = digits(in: text, at: &place)
  guard year.count == 4 else { return nil }
  var turned: [UInt8] = []
  // A day, a month and an hour of one digit get a zero each.
  turned.reserveCapacity(text.count + 8)
  turned.append(text.extracting(year))
  for number in isMonthFirst ? [first, second] : [second, first] {
    turned.append(number.count == 1 ? "-0" : "-")
    turned.append(text.extracting(number))
  }
  turned.append(clock: text.extracting(place..<text.count))
  return turned
}

/// The digits at a place, behind which it then is.
private func digits(in text: Span<UInt8>, at place: inout Int) -> Range<Int> {
  let start = place
  while place < text.count, text[place] &- 48 < 10 { place += 1 }
  return start..<place
}

extension [UInt8] {
  /// Appends what stands behind a date; a time such as ` 9:15` or ` 1:05 PM` with two digits for its hour
  /// of twenty-four.
  fileprivate mutating func append(clock text: Span<UInt8>) {
    var end = text.count
    var half: Int?
    if end > 2, text[end - 1] | 0x20 == UInt8(ascii: "m"), "aApP".utf8.contains(text[end - 2]) {
      half = text[end - 2] | 0x20 == UInt8(ascii: "p") ? 12 : 0
      end -= 2
      while end > 0, text[end - 1] == UInt8(ascii: " ") { end -= 1 }
    }
    var place = 1
    var hour = 0
    while place < Swift.min(end, 3), text[place] &- 48 < 10 {
      hour = hour * 10 + Int(text[place] - 48)
      place += 1
    }
    guard place > 1, place < end, text[place] == UInt8(ascii: ":"),
      half == nil || (1...12).contains(hour)
    else { return append(text) }
    append(text[0])
    let ofDay = half.map { hour % 12 + $0 } ?? hour
    append(UInt8(48 + ofDay / 10))
    append(UInt8(48 + ofDay % 10))
    append(text.extracting(place..<end))
  }
}

/// The place reached in a timestamp's text, whose parts are read from left to right.
struct TimestampSyntax {
  private var place = 0

  /// Steps over one byte if it is the next.
  mutating func skip(_ byte: UInt8, in text: Span<UInt8>) -> Bool {
    guard place < text.count, text[place] == byte else { return false }
    place += 1
    return true
  }

  /// Steps over a word if it is the next.
  private mutating func skip(_ word: StaticString, in text: Span<UInt8>) -> Bool {
    let end = place + word.utf8CodeUnitCount
    guard end <= text.count, text.extracting(place..<end).isEqual(to: word) else { return false }
    place = end
    return true
  }

  func isAtEnd(of text: Span<UInt8>) -> Bool { place == text.count }

  /// Reads `yyyy-MM-dd`, a day that exists.
  mutating func date(in text: Span<UInt8>) -> CivilDate? {
    guard let year = number(in: text, digits: 4), skip(UInt8(ascii: "-"), in: text),
      let month = number(in: text, digits: 2), skip(UInt8(ascii: "-"), in: text),
      let day = number(in: text, digits: 2)
    else { return nil }
    let date = CivilDate(year: year, month: month, day: day)
    return date.exists ? date : nil
  }

  /// Reads `HH:mm:ss` as a second of the day; the seconds may be left out where not needed.
  mutating func time(in text: Span<UInt8>, needsSeconds: Bool = true) -> Int? {
    guard let hour = number(in: text, digits: 2), hour < 24, skip(UInt8(ascii: ":"), in: text),
      let minute = number(in: text, digits: 2), minute < 60
    else { return nil }
    let minutes = hour * 60 + minute
    guard skip(UInt8(ascii: ":"), in: text) else {
      // Without seconds there is no fraction of one.
      let hasFraction = place < text.count && text[place] == UInt8(ascii: ".")
      return needsSeconds || hasFraction ? nil : minutes * 60
    }
    guard let second = number(in: text, digits: 2), second < 60 else { return nil }
    return minutes * 60 + second
  }

  /// Reads a point and digits, if there is one, as nanoseconds.
  mutating func fraction(in text: Span<UInt8>, allowsSurplusZeros: Bool) -> Int32? {
    guard skip(UInt8(ascii: "."), in: text) else { return 0 }
    var value: Int32 = 0
    var count = 0
    while place < text.count {
      let digit = text[place] &- 48
      guard digit < 10 else { break }
      // Nine digits fit; a tenth is never added.
      if count < 9 {
        value = value * 10 + Int32(digit)
      } else if !allowsSurplusZeros || digit != 0 {
        return nil
      }
      count += 1
      place += 1
    }
    guard count > 0 else { return nil }
    for _ in min(count, 9)..<9 { value *= 10 }
    return value
  }

  /// Reads `Z` or an offset up to the end of the text, as seconds east of Greenwich.
  ///
  /// Where it is free, the minutes of an offset may be left out, a blank may stand before it, and
  /// words behind that for `Z`.
  mutating func zone(in text: Span<UInt8>, isOptional: Bool, isFree: Bool = false) -> Int? {
    if place == text.count { return isOptional ? 0 : nil }
    if isFree, skip(UInt8(ascii: " "), in: text), skip("UTC", in: text) || skip("GMT", in: text) {
      return place == text.count ? 0 : nil
    }
    if skip(UInt8(ascii: "Z"), in: text) || isFree && skip(UInt8(ascii: "z"), in: text) {
      return place == text.count ? 0 : nil
    }
    let isWest = skip(UInt8(ascii: "-"), in: text)
    guard isWest || skip(UInt8(ascii: "+"), in: text), let hours = number(in: text, digits: 2),
      hours < 24
    else { return nil }
    if isFree, place == text.count { return isWest ? -hours * 3600 : hours * 3600 }
    _ = skip(UInt8(ascii: ":"), in: text)
    guard let minutes = number(in: text, digits: 2), minutes < 60, place == text.count else {
      return nil
    }
    let seconds = hours * 3600 + minutes * 60
    return isWest ? -seconds : seconds
  }

  private mutating func number(in text: Span<UInt8>, digits: Int) -> Int? {
    guard text.count - place >= digits else { return nil }
    var value = 0
    for index in place..<place + digits {
      let digit = text[index] &- 48
      guard digit < 10 else { return nil }
      value = value &* 10 &+ Int(digit)
    }
    place += digits
    return value
  }
}
