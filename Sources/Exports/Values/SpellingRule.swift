import Bytes
import Records

/// How freely the values of an export may be spelled.
package struct SpellingRule: Sendable, Equatable {
  /// Whether values are taken only as this tool writes them: the content hash covers each byte.
  let isCanonical: Bool
  /// What stands before the fraction of a number, and between its thousands where that is said.
  var decimal = UInt8(ascii: ".")
  var thousands: UInt8?
  /// How times are spelled where that is told.
  var dates: Corrections.DateForm?

  static let canonical = SpellingRule(isCanonical: true)
  /// Also as other programs write the same value; what has no one meaning is rejected.
  static let common = SpellingRule(isCanonical: false)

  /// Whether a point stands before a fraction; where a comma does, it means thousands.
  var takesPointOfFraction: Bool { decimal == UInt8(ascii: ".") }

  /// The rules of so many columns; `dates` is how times are spelled in some of them.
  func rules(ofColumns count: Int, dates: [Int: Corrections.DateForm]) -> [SpellingRule] {
    (0..<count).map { column in
      var rule = self
      rule.dates = dates[column]
      return rule
    }
  }
}

/// Reads a truth value: `true` or `false`, else a word or digit that means the same.
func parseBoolean(_ text: Span<UInt8>, rule: SpellingRule) -> Bool? {
  switch text.count {
  case 4 where text.isEqual(to: "true"): return true
  case 5 where text.isEqual(to: "false"): return false
  default: break
  }
  guard !rule.isCanonical else { return nil }
  if let word = TruthWord(text) { return word.isTrue }
  guard text.count == 1 else { return nil }
  switch text[0] {
  case UInt8(ascii: "1"), UInt8(ascii: "t"), UInt8(ascii: "T"), UInt8(ascii: "y"),
    UInt8(ascii: "Y"):
    return true
  case UInt8(ascii: "0"), UInt8(ascii: "f"), UInt8(ascii: "F"), UInt8(ascii: "n"),
    UInt8(ascii: "N"):
    return false
  default: return nil
  }
}

/// A word for a truth value, in small or capital letters.
package enum TruthWord: String, CaseIterable {
  case `true`, `false`, yes, no

  /// Reads the word; nil for any other text.
  package init?(_ text: Span<UInt8>) {
    guard (2...5).contains(text.count) else { return nil }
    for word in TruthWord.allCases where word.matches(text) {
      self = word
      return
    }
    return nil
  }

  private func matches(_ text: Span<UInt8>) -> Bool {
    let word = rawValue.utf8
    guard word.count == text.count else { return false }
    var place = 0
    for byte in word {
      guard text[place] | 0x20 == byte else { return false }
      place += 1
    }
    return true
  }

  /// Whether it is `true` or `yes`.
  package var isTrue: Bool { self == .true || self == .yes }

  /// Whether it is one of the pair `true` and `false`.
  var isTrueOrFalse: Bool { self == .true || self == .false }
}

/// Whether text is a whole number in its one spelling: no plus sign, no needless zero.
func isJSONInteger(_ text: Span<UInt8>) -> Bool {
  let start = text.count > 0 && text[0] == UInt8(ascii: "-") ? 1 : 0
  guard start < text.count else { return false }
  if text[start] == UInt8(ascii: "0") { return text.count == 1 }
  for place in start..<text.count where text[place] &- 48 > 9 { return false }
  return true
}

/// Whether text is the one spelling of a real number, which it was read as.
func isShortestReal(_ text: Span<UInt8>, _ number: Double) -> Bool {
  // Different decimals of up to 15 digits never share a double, so one of them is the shortest.
  if text.count <= 16, hasPlainFraction(text) { return true }
  var spelled: [UInt8] = []
  spelled.appendReal(number)
  return text.isEqual(to: spelled.span)
}

/// Whether a text is a number so near to zero that it was read as zero.
func isTooSmall(_ text: Span<UInt8>, _ number: Double) -> Bool {
  guard number == 0 else { return false }
  for place in text.indices {
    if text[place] &- 49 < 9 { return true }
    if text[place] | 0x20 == UInt8(ascii: "e") { return false }
  }
  return false
}

/// Whether a number has a fraction without a needless zero, and so that no exponent is due.
private func hasPlainFraction(_ text: Span<UInt8>) -> Bool {
  let end = text.count - 1
  let first = text[0] == UInt8(ascii: "-") ? 1 : 0
  var point = 0
  for place in text.indices {
    if text[place] == UInt8(ascii: ".") { point = place }
    if text[place] | 0x20 == UInt8(ascii: "e") { return false }
  }
  guard point > 0 else { return false }
  let isSmall = text[first] == UInt8(ascii: "0") && text[first + 2] == UInt8(ascii: "0")
  return !isSmall
    && (text[end] != UInt8(ascii: "0") || point == end - 1)
}

/// The digits of a number with the decimal point and the thousands of a rule, as JSON spells it;
/// nil where it is none.
///
/// Thousands stand in groups of three behind one to three digits, or not at all.
func spelledPlainly(_ text: Span<UInt8>, _ rule: SpellingRule) -> [UInt8]? {
  // What has no digits has neither of the two.
  if text.isEqual(to: "Infinity") || text.isEqual(to: "-Infinity") { return [UInt8](copying: text) }
  var digits: [UInt8] = []
  var place = 0
  if text.count > 0, text[0] == UInt8(ascii: "-") {
    digits.append(text[0])
    place = 1
  }
  var groups = 0
  var size = 0
  while place < text.count {
    let byte = text[place]
    if byte == rule.thousands, groups == 0 ? (1...3).contains(size) : size == 3 {
      groups += 1
      size = 0
    } else if byte &- 48 < 10 {
      digits.append(byte)
      size += 1
    } else {
      break
    }
    place += 1
  }
  guard size > 0, groups == 0 || size == 3 else { return nil }
  if place < text.count {
    guard text[place] == rule.decimal || text[place] | 0x20 == UInt8(ascii: "e") else { return nil }
    digits.append(text[place] == rule.decimal ? UInt8(ascii: ".") : text[place])
    // What follows must be what JSON allows there, which the parser of numbers tells.
    for rest in place + 1..<text.count {
      guard text[rest] != rule.thousands, text[rest] != UInt8(ascii: ".") else { return nil }
      digits.append(text[rest])
    }
  }
  return digits
}
