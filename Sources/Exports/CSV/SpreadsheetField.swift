import Bytes
import Formats
import Records

/// What a file begins with, so that spreadsheets take it for UTF-8.
package let byteOrderMark = TextEncoding.utf8.mark

/// How many bytes a spreadsheet field has beside twice its text: `"=""` and `"""`.
let spreadsheetFrame = 7

extension OutputSpan<UInt8> {
  /// Appends a cell as a field that a spreadsheet shows as it is.
  ///
  /// There must be room for `csvSize` of its text and for `spreadsheetFrame`.
  mutating func appendSpreadsheet(_ cell: Cell, type: LogicalType, arena: Span<UInt8>) {
    var text: [UInt8] = []
    text.appendPlain(cell, type: type, arena: arena)
    switch cell.kind {
    case .null: return
    case .real where cell.real.isNaN: return
    case .real where cell.real.isInfinite: appendFormula(text.span)
    case .real: append(text.span)
    case .integer where type == .boolean: append(text.span)
    case .integer: appendSpreadsheet(text.span, isNumber: true)
    case .text where type == .timestamp:
      if !appendTime(text.span) { appendSpreadsheet(text.span, isNumber: false) }
    case .text, .binary: appendSpreadsheet(text.span, isNumber: type == .decimal)
    }
  }

  /// Appends text or digits, as a formula whose value is this text where a spreadsheet would make
  /// something else of it.
  mutating func appendSpreadsheet(_ text: Span<UInt8>, isNumber: Bool) {
    guard let number = NumberLook(text) ?? (isNumber ? nil : NumberLook(withComma: text)) else {
      guard !isNumber, looksLikeDateOrTruth(text) else { return appendCSV(text, isSafe: true) }
      return appendFormula(text)
    }
    guard number.isChanged(asNumber: isNumber) else { return append(text) }
    // A formula takes no longer text.
    guard text.count <= 255 else { return appendMarked(text) }
    appendFormula(text)
  }

  private mutating func appendFormula(_ text: Span<UInt8>) {
    append("\"=\"\"")
    append(text)
    append("\"\"\"")
  }

  /// Appends a time as a spreadsheet knows it, without its zone, which is always UTC; false where
  /// it is not in the canonical spelling.
  private mutating func appendTime(_ text: Span<UInt8>) -> Bool {
    guard text.count == 24 || text.count == 30, text[10] == UInt8(ascii: "T") else { return false }
    append(text.extracting(..<10))
    append(UInt8(ascii: " "))
    let isWhole = text.count == 24 && text.extracting(20..<23).isEqual(to: "000")
    append(text.extracting(11..<(isWhole ? 19 : text.count - 1)))
    return true
  }
}

extension [UInt8] {
  /// Appends a text of a list that is no table as such a field.
  package mutating func appendSpreadsheet(_ text: Span<UInt8>) {
    append(addingCapacity: csvSize(ofTextOf: text.count) + spreadsheetFrame) {
      $0.appendSpreadsheet(text, isNumber: false)
    }
  }
}

/// What a spreadsheet sees in a text that it takes for a number.
private struct NumberLook {
  private var digits = 0
  private var fraction = 0
  private var hasLeadingZero = false
  private var hasSign = false
  private var hasExponent = false
  private var endsOddly = false
  /// Whether it is a zero below zero, or has blanks around it, which a number has not.
  private var isOddText = false

  /// A spreadsheet keeps fifteen digits.
  private static let mostDigits = 15

  /// Takes digits with an optional sign, fraction and exponent, and blanks around them; nil for any
  /// other text.
  init?(_ field: Span<UInt8>) {
    let text = field.extracting(Self.withoutBlanks(field))
    var place = 0
    if !text.isEmpty, text[0] == UInt8(ascii: "-") || text[0] == UInt8(ascii: "+") {
      hasSign = text[0] == UInt8(ascii: "+")
      place = 1
    }
    let start = place
    digits = Self.digits(text, &place)
    hasLeadingZero = digits > 1 && text[start] == UInt8(ascii: "0")
    if place < text.count, text[place] == UInt8(ascii: ".") {
      place += 1
      fraction = Self.digits(text, &place)
      endsOddly = digits == 0 || text[place - 1] == UInt8(ascii: "0") || fraction == 0
    }
    guard digits + fraction > 0 else { return nil }
    if place < text.count, text[place] | 0x20 == UInt8(ascii: "e") {
      hasExponent = true
      place += 1
      if place < text.count, text[place] == UInt8(ascii: "-") || text[place] == UInt8(ascii: "+") {
        place += 1
      }
      guard Self.digits(text, &place) > 0 else { return nil }
    }
    guard place == text.count else { return nil }
    isOddText =
      text.count < field.count || text[0] == UInt8(ascii: "-") && Self.isZero(text.extracting(1...))
  }

  /// Takes digits, a decimal comma and digits of which the last is a zero, which is lost where a comma
  /// stands before a fraction; nil for any other text.
  init?(withComma text: Span<UInt8>) {
    guard (3...255).contains(text.count), text[text.count - 1] == UInt8(ascii: "0") else {
      return nil
    }
    var place = 0
    digits = Self.digits(text, &place)
    guard digits > 0, place < text.count, text[place] == UInt8(ascii: ",") else { return nil }
    place += 1
    fraction = Self.digits(text, &place)
    guard fraction > 0, place == text.count else { return nil }
    endsOddly = true
  }

  /// What a field has between blanks.
  private static func withoutBlanks(_ field: Span<UInt8>) -> Range<Int> {
    var (start, end) = (0, field.count)
    while start < end, field[start] == UInt8(ascii: " ") { start += 1 }
    while end > start, field[end - 1] == UInt8(ascii: " ") { end -= 1 }
    return start..<end
  }

  private static func isZero(_ number: Span<UInt8>) -> Bool {
    for place in number.indices
    where number[place] != UInt8(ascii: "0") && number[place] != UInt8(ascii: ".") {
      return false
    }
    return true
  }

  private static func digits(_ text: Span<UInt8>, _ place: inout Int) -> Int {
    let start = place
    while place < text.count, text[place] &- 48 < 10 { place += 1 }
    return place - start
  }

  /// Whether a spreadsheet would show or keep something else.
  ///
  /// Zeros at the end of a fraction are nothing to a number, but may be a part of a text; so are blanks.
  func isChanged(asNumber isNumber: Bool) -> Bool {
    if digits + fraction > Self.mostDigits || hasLeadingZero || hasSign { return true }
    return !isNumber && (hasExponent || endsOddly || isOddText)
  }
}

/// The time that a field is as a spreadsheet knows it, with its zone and zeros; nil where it is none.
///
/// Formulas are the texts that they give to whoever reads the file. What begins as one but is none has
/// the marker of safe fields before it.
func spreadsheetTime(_ field: Span<UInt8>) -> [UInt8]? {
  guard (19...29).contains(field.count), field[10] == 0x20 else { return nil }
  var text: [UInt8] = []
  text.append(field.extracting(..<10))
  text.append(UInt8(ascii: "T"))
  text.append(field.extracting(11...))
  text.append(field.count == 19 ? ".000Z" : "Z")
  return text
}
