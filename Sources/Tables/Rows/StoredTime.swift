package import Bytes

/// How a layout stores a time: as a number, as a text, or as either.
package struct StoredTime: Sendable, Equatable {
  /// What a number counts; nil where a number is no time.
  var unit: Unit?
  /// How a text spells the time; nil where a text is none.
  var spelling: Spelling?

  /// Takes all its parts.
  package init(unit: Unit? = nil, spelling: Spelling? = nil) {
    self.unit = unit
    self.spelling = spelling
  }

  /// What a number counts since 1970.
  package enum Unit: Sendable {
    case seconds
    case milliseconds
    /// Seconds where the number is small and milliseconds else, in a file of two SDKs.
    ///
    /// Milliseconds between November 1966 and March 1973 are taken for seconds, and seconds from the
    /// year 5138 on for milliseconds, other than those of the last second of 9999.
    case either
    /// Milliseconds where the number is too large for days or seconds; a smaller one is no time, as
    /// nothing tells what it counts.
    case largeMilliseconds
  }

  /// From this number on, either way from 0, `either` and `largeMilliseconds` count milliseconds.
  private static let leastMilliseconds: Double = 100_000_000_000

  /// The seconds of the last time that .NET knows, which stands for no end.
  private static let lastSecond: Double = 253_402_300_799

  /// Whether a number is none of milliseconds, where it may count seconds as well.
  private static func mayBeSeconds(_ value: Double) -> Bool {
    value.magnitude < leastMilliseconds || value.rounded(.down) == lastSecond
  }

  /// The spellings of a time as text.
  package enum Spelling: Sendable {
    /// ISO 8601 with a zone.
    case iso
    /// The same, perhaps with the quotes of a JSON string around it.
    case perhapsQuoted
    /// The date, a blank or `T`, and the time; the zone is UTC where it is left out.
    case lenient
    /// The same, also without the time or its seconds, as tables have them.
    case free
  }

  /// The time that a whole number stands for; nil outside the years 1 to 9999.
  package func time(_ value: Int64) -> Timestamp? {
    switch unit {
    case .seconds: Timestamp(wholeSecondsSince1970: value)
    case .milliseconds: Timestamp(millisecondsSince1970: value)
    case .either where Self.mayBeSeconds(Double(value)): Timestamp(wholeSecondsSince1970: value)
    case .largeMilliseconds where Self.mayBeSeconds(Double(value)): nil
    case .either, .largeMilliseconds: Timestamp(millisecondsSince1970: value)
    case nil: nil
    }
  }

  /// The time that a number stands for; nil outside the years 1 to 9999.
  func time(_ value: Double) -> Timestamp? {
    switch unit {
    case .seconds: Timestamp(secondsSince1970: value)
    case .milliseconds: Timestamp(fractionalMillisecondsSince1970: value)
    case .either where Self.mayBeSeconds(value): Timestamp(secondsSince1970: value)
    case .largeMilliseconds where Self.mayBeSeconds(value): nil
    case .either, .largeMilliseconds: Timestamp(fractionalMillisecondsSince1970: value)
    case nil: nil
    }
  }

  /// The time that a text spells; nil when it spells none.
  func time(_ text: Span<UInt8>) -> Timestamp? {
    switch spelling {
    case .iso: return Timestamp(parsing: text)
    case .perhapsQuoted:
      let quote = UInt8(ascii: "\"")
      let isQuoted = text.count > 1 && text[0] == quote && text[text.count - 1] == quote
      return Timestamp(parsing: isQuoted ? text.extracting(1..<(text.count - 1)) : text)
    case .lenient: return Timestamp(parsingLeniently: text)
    case .free: return Timestamp(parsingFreely: text)
    case nil: return nil
    }
  }
}
