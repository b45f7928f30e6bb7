import Bytes
import Formats
import Records

/// Whether the first record of a table is a row rather than the names of its columns.
struct HeaderLook {
  /// Whether a field is surely a value, and those below it are of its kind.
  private var hasValue = false
  /// Whether a field is a plain number over numbers, which may name a column of figures.
  private var hasNumber = false
  /// Whether a word stands over values of some kind.
  private var hasName = false

  /// Whether it looks like a row.
  ///
  /// A word over numbers is a name, and beside one numbers may be names, too.
  var isRow: Bool { hasValue || hasNumber && !hasName }

  /// Looks at the first record and at those below it.
  init(_ records: [[String?]]) {
    for (place, field) in (records.first ?? []).enumerated() {
      let values = records.dropFirst().compactMap { place < $0.count ? $0[place] : nil }
      guard let field, let kind = ValueKind(ofAll: values) else { continue }
      look(at: field, over: kind)
    }
  }

  private mutating func look(at field: String, over kind: ValueKind) {
    let isPlain = parseReal(Array(field.utf8).span) != nil
    if let own = ValueKind(field), own.isOne(of: kind), !(isPlain && kind == .figures) {
      guard isPlain else {
        hasValue = true
        return
      }
      hasNumber = hasNumber || !Self.isYear(field)
    } else {
      hasName = hasName || Self.isWord(field)
    }
  }

  /// Whether a number may name a column of figures.
  private static func isYear(_ text: String) -> Bool {
    text.utf8.count == 4 && Int(text).map { (1000...2999).contains($0) } ?? false
  }

  /// Whether a text is a word that does not say that there is no value.
  private static func isWord(_ text: String) -> Bool {
    text.contains(where: \.isLetter) && !absent.contains(text.lowercased())
  }

  private static let absent: Set = [
    "unknown", "n/a", "na", "nan", "null", "nil", "none", "undefined", "missing",
  ]
}

/// What a value is, to tell a header from rows.
private enum ValueKind: Equatable {
  /// In any spelling, such as `00123`, `1,50`, `5%` or `$5`.
  case number
  case time
  case word
  /// Digits and signs, such as those of a telephone.
  case figures
  /// A UUID, or a long number of hexadecimal digits.
  case id
  case mail
  case link

  init?(_ text: String) {
    let bytes = Array(text.utf8)
    if parseReal(bytes.span) != nil || looksLikeAmount(bytes.span) {
      self = .number
    } else if TruthWord(bytes.span) != nil || looksLikeTruth(bytes.span) {
      self = .word
    } else if Timestamp(parsingFreely: bytes.span) != nil || looksLikeDate(bytes.span) {
      self = .time
    } else if isUUIDInAnyForm(bytes.span) || Self.isHexadecimal(text) {
      self = .id
    } else if bytes.contains(where: isDigit), !text.contains(where: \.isLetter) {
      self = .figures
    } else if Self.isMail(text) {
      self = .mail
    } else if Self.isLink(text) {
      self = .link
    } else {
      return nil
    }
  }

  /// What all values are; nil where they differ, or are of no kind.
  init?(ofAll values: [String]) {
    var common: ValueKind?
    for value in values {
      guard let kind = ValueKind(value), let joined = kind.joined(with: common) else { return nil }
      common = joined
    }
    guard let common else { return nil }
    self = common
  }

  /// What a value of this kind and those before it are together.
  private func joined(with other: ValueKind?) -> ValueKind? {
    guard let other, other != self else { return self }
    return isOne(of: .figures) && other.isOne(of: .figures) ? .figures : nil
  }

  /// Whether a value of this kind may stand among those of another.
  func isOne(of kind: ValueKind) -> Bool {
    self == kind || kind == .figures && (self == .number || self == .time)
  }

  private static func isHexadecimal(_ text: String) -> Bool {
    text.utf8.count >= 16 && text.allSatisfy { $0.isASCII && $0.isHexDigit }
      && text.utf8.contains(where: isDigit)
  }

  private static func isMail(_ text: String) -> Bool {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    return parts.count == 2 && !parts[0].isEmpty && parts[1].contains(".")
      && !text.contains(where: \.isWhitespace)
  }

  private static func isLink(_ text: String) -> Bool {
    let scheme = text.prefix { $0.isASCII && $0.isLetter }
    return !scheme.isEmpty && text.dropFirst(scheme.count).hasPrefix("://")
      && !text.contains(where: \.isWhitespace)
  }
}
