/// The place reached in a timestamp's text, whose parts are read from left to right.
struct TimestampSyntax {
  private var place = 0

  /// Steps over one byte if it is the next.
  mutating func skip(_ byte: UInt8, in text: Span<UInt8>) -> Bool {
    guard place < text.count, text[place] == byte else { return false }
    place += 1
    return true
  }

  /// Whether all of the text was read.
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
  /// The minutes of an offset may be left out where not needed.
  mutating func zone(
    in text: Span<UInt8>, isOptional: Bool, needsMinutes: Bool = true
  ) -> Int? {
    if place == text.count { return isOptional ? 0 : nil }
    if skip(UInt8(ascii: "Z"), in: text) { return place == text.count ? 0 : nil }
    let isWest = skip(UInt8(ascii: "-"), in: text)
    guard isWest || skip(UInt8(ascii: "+"), in: text), let hours = number(in: text, digits: 2),
      hours < 24
    else { return nil }
    if !needsMinutes, place == text.count { return isWest ? -hours * 3600 : hours * 3600 }
    _ = skip(UInt8(ascii: ":"), in: text)
    guard let minutes = number(in: text, digits: 2), minutes < 60, place == text.count else {
      return nil
    }
    let seconds = hours * 3600 + minutes * 60
    return isWest ? -seconds : seconds
  }

  /// Reads exactly so many digits.
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
