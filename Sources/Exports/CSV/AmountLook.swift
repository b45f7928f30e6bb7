import Bytes

/// Whether a spreadsheet would take a text for a number that is written as people write amounts.
///
/// It may have marks between thousands or before the fraction, a currency, a percent sign, a sign at
/// either end, or brackets, which mean less than zero.
func looksLikeAmount(_ text: Span<UInt8>) -> Bool {
  guard text.count <= 255 else { return false }
  var (digits, letters) = (0, 0)
  for place in text.indices {
    digits += isDigit(text[place]) ? 1 : 0
    letters += (text[place] | 0x20) &- UInt8(ascii: "a") < 26 ? 1 : 0
  }
  // Most texts have no digit, or more letters than a currency and an exponent.
  guard digits > 0, letters <= 4 else { return false }
  return AmountLook(text).isTaken
}

/// Reads an amount: `(5)`, `$5`, `5 %`, `1.234,50 €`, `-1'000`, `CHF 5`.
private struct AmountLook {
  /// Whether all of the text is an amount.
  private(set) var isTaken = false
  private let text: [Unicode.Scalar]
  private var place = 0
  /// What was met that may come once.
  private var met: Set<Part> = []

  private enum Part {
    case sign, currency, percent, openingBracket, closingBracket
  }

  init(_ bytes: Span<UInt8>) {
    let bytes = bytes.indices.map { bytes[$0] }
    text = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
    while takeDress() {}
    guard takeNumber() else { return }
    takeExponent()
    while takeDress() {}
    isTaken =
      place == text.count && met.contains(.openingBracket) == met.contains(.closingBracket)
  }

  /// Takes what may stand before or behind the number; false at anything else.
  private mutating func takeDress() -> Bool {
    guard place < text.count else { return false }
    if isBlank(text[place]) {
      place += 1
      return true
    }
    guard let (part, length) = dress(), met.insert(part).inserted else { return false }
    place += length
    return true
  }

  private func dress() -> (Part, length: Int)? {
    switch text[place] {
    case "+", "-", "\u{2212}": return (.sign, 1)
    case "%": return (.percent, 1)
    case "(": return (.openingBracket, 1)
    case ")": return met.contains(.openingBracket) ? (.closingBracket, 1) : nil
    case let scalar where scalar.properties.generalCategory == .currencySymbol:
      return (.currency, 1)
    default:
      let word = text[place...].prefix { $0.properties.isAlphabetic || $0 == "$" }
      let name = String(String.UnicodeScalarView(word)).lowercased()
      return currencies.contains(name) ? (.currency, word.count) : nil
    }
  }

  /// Takes digits, with marks between thousands and before the fraction.
  private mutating func takeNumber() -> Bool {
    let whole = digits(from: place)
    place += whole
    var group: Unicode.Scalar?
    while place < text.count, separators.contains(text[place]) || isBlank(text[place]) {
      let mark = text[place]
      let count = digits(from: place + 1)
      let end = place + 1 + count
      if (1...3).contains(whole), group == nil || group == mark,
        count == 3 || count == 2 && isIndian(mark, end)
      {
        group = mark
      } else if mark == "." || mark == ",", group != mark, whole + count > 0 {
        place = end
        return true
      } else {
        break
      }
      place = end
    }
    return whole > 0
  }

  /// Whether a mark is one of those in India, where groups of two stand before the last one of three.
  private func isIndian(_ mark: Unicode.Scalar, _ end: Int) -> Bool {
    mark == "," && end < text.count && text[end] == ","
  }

  private mutating func takeExponent() {
    guard place < text.count, text[place] == "e" || text[place] == "E" else { return }
    let hasSign = place + 1 < text.count && (text[place + 1] == "+" || text[place + 1] == "-")
    let start = place + (hasSign ? 2 : 1)
    let count = digits(from: start)
    // Without digits it is the first letter of a currency.
    if count > 0 { place = start + count }
  }

  private func digits(from start: Int) -> Int {
    text.dropFirst(start).prefix { ("0"..."9").contains($0) }.count
  }
}

private func isBlank(_ scalar: Unicode.Scalar) -> Bool {
  scalar.properties.generalCategory == .spaceSeparator
}

/// What stands between thousands or before a fraction, besides blanks.
private let separators: Set<Unicode.Scalar> = [".", ",", "'", "\u{2019}"]

/// Names of currencies; signs are known by Unicode.
private let currencies: Set = [
  "eur", "usd", "gbp", "chf", "jpy", "cny", "inr", "aud", "cad", "nzd", "sek", "nok", "dkk", "isk",
  "pln", "czk", "huf", "ron", "bgn", "rub", "uah", "try", "brl", "mxn", "zar", "krw", "hkd", "sgd",
  "kr", "kč", "zł", "ft", "fr", "sfr", "lei", "dm", "us$", "r$", "a$", "c$", "hk$", "nz$", "tl",
]
