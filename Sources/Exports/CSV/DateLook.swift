import Bytes

/// Whether a spreadsheet would take a text for a date, a time, a fraction or a truth value.
///
/// It need not be one that there is: a text that only looks so loses nothing as a formula. Words are
/// those of English, German and French.
func looksLikeDateOrTruth(_ text: Span<UInt8>) -> Bool {
  guard (3...40).contains(text.count) else { return false }
  if text.count <= 6, truthWords.contains(lowercased(text)) { return true }
  // Most texts have no digit.
  guard text.indices.contains(where: { isDigit(text[$0]) }), let look = DateLook(text) else {
    return false
  }
  return look.isTaken
}

/// What a text has of a date, a time or a fraction: `1/2`, `3-4`, `1.2.2024`, `MAR1`, `9:30 pm`.
private struct DateLook {
  private var numbers = 0
  private var hasMonth = false
  private var isHalfOfDay = false
  private var hasBlank = false
  /// How often `/`, `-` or `.` stands in the date, or in front of it.
  private var joints = 0
  private var colons = 0

  /// Goes through the text; nil where it has something that none of them has.
  init?(_ text: Span<UInt8>) {
    var place = 0
    while place < text.count {
      let start = place
      if isDigit(text[place]) {
        while place < text.count, isDigit(text[place]) { place += 1 }
        // A duration may have any number of hours.
        let isHours = numbers == 0 && place < text.count && text[place] == UInt8(ascii: ":")
        guard takeNumber(ofDigits: place - start) || isHours else { return nil }
      } else if isLetter(text[place]) {
        while place < text.count, isLetter(text[place]) { place += 1 }
        guard takeWord(lowercased(text.extracting(start..<place))) else { return nil }
      } else {
        guard takeSign(text[place]) else { return nil }
        place += 1
      }
    }
  }

  /// Whether that is enough: two parts with something between them, or a number with a word.
  var isTaken: Bool {
    guard joints <= 2, colons <= 2, numbers > 0 else { return false }
    return hasMonth || isHalfOfDay || numbers > 1 && joints + colons > 0
  }

  private mutating func takeNumber(ofDigits count: Int) -> Bool {
    numbers += 1
    switch count {
    case 1, 2, 4: return true
    // The parts of a fraction behind a whole number.
    case 3 where hasBlank: return true
    // What a time has of a second.
    default: return colons > 0 && count <= 9
    }
  }

  private mutating func takeWord(_ word: String) -> Bool {
    if months.contains(word) {
      defer { hasMonth = true }
      return !hasMonth
    }
    // `12a` is the number of a house.
    isHalfOfDay = ["am", "pm", "a", "p"].contains(word) && hasBlank && numbers > 0
    return isHalfOfDay
  }

  private mutating func takeSign(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: " "): hasBlank = true
    case UInt8(ascii: ","): break
    case UInt8(ascii: ":"): colons += 1
    case UInt8(ascii: "."): joints += colons == 0 ? 1 : 0
    case UInt8(ascii: "/"), UInt8(ascii: "-"): joints += 1
    default: return false
    }
    return true
  }
}

private let truthWords: Set = ["true", "false", "wahr", "falsch", "vrai", "faux"]

private let months = Set(
  """
  jan feb mar apr may jun jul aug sep sept oct nov dec january february march april june july august \
  september october november december mai okt dez januar februar märz maerz mär mrz jänner jän juni \
  juli oktober dezember janvier janv février fevrier févr fevr mars avril avr juin juillet juil août \
  aout septembre octobre novembre décembre decembre déc
  """.split(separator: " ").map(String.init))

private func isDigit(_ byte: UInt8) -> Bool { byte &- 48 < 10 }

/// Whether a byte belongs to a letter; all beyond ASCII do.
private func isLetter(_ byte: UInt8) -> Bool {
  byte >= 0x80 || (byte | 0x20) &- UInt8(ascii: "a") < 26
}

/// A word in small letters, those of the languages that have the months included.
private func lowercased(_ word: Span<UInt8>) -> String {
  let bytes = word.indices.map { place in
    // The second byte of À to Þ has the bit of capital letters, as those of ASCII have.
    let hasCase = word[place] &- UInt8(ascii: "A") < 26 || word[place] &- 0x80 < 0x20
    return hasCase ? word[place] | 0x20 : word[place]
  }
  return String(decoding: bytes, as: UTF8.self)
}
