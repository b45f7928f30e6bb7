import Bytes
import Records

/// What a value is, to tell a header from rows.
enum CSVValueKind: Equatable {
  case number
  case time
  case word
  case uuid
  case address
  /// A number with a comma before its fraction.
  case commaNumber
  /// A day with the year behind.
  case day

  /// Whether values of this kind tell of rows only where all are so.
  var isOnlyASign: Bool { ![.number, .time, .word].contains(self) }

  init?(_ text: String) {
    let bytes = Array(text.utf8)
    if parseReal(bytes.span) != nil {
      self = .number
    } else if Timestamp(parsingFreely: bytes.span) != nil {
      self = .time
    } else if TruthWord(bytes.span) != nil {
      self = .word
    } else if isUUID(bytes.span) {
      self = .uuid
    } else if Self.isAddress(bytes) {
      self = .address
    } else if Self.isCommaNumber(bytes) {
      self = .commaNumber
    } else if Self.isDay(bytes) {
      self = .day
    } else {
      return nil
    }
  }

  /// Whether a text is the address of a mailbox.
  private static func isAddress(_ text: [UInt8]) -> Bool {
    let parts = text.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, !text.contains(where: { $0 <= 0x20 }),
      let dot = parts[1].lastIndex(of: UInt8(ascii: ".")), dot > parts[1].startIndex,
      !parts[1].contains(where: { ":/".utf8.contains($0) })
    else { return false }
    let top = parts[1][(dot + 1)...]
    return top.count > 1 && top.allSatisfy { ($0 | 0x20) &- 0x61 < 26 }
  }

  private static func isCommaNumber(_ text: [UInt8]) -> Bool {
    let digits = text.first == UInt8(ascii: "-") ? text.dropFirst() : text[...]
    return groups(of: digits, between: UInt8(ascii: ","))?.count == 2
  }

  /// Whether a text is a day with the year behind, and perhaps a time.
  private static func isDay(_ text: [UInt8]) -> Bool {
    if [false, true].contains(where: {
      Timestamp(parsingFreely: text.span, isMonthFirst: $0) != nil
    }) {
      return true
    }
    // Between points, two digits at the end may be those of a version.
    let parts = groups(of: text[...], between: UInt8(ascii: "/")) ?? []
    return parts.count == 3 && parts.allSatisfy { $0.count < 3 } && parts[2].count == 2
  }

  /// The groups of figures that a text is made of; nil where it is not.
  private static func groups(
    of text: ArraySlice<UInt8>, between sign: UInt8
  ) -> [ArraySlice<UInt8>]? {
    let parts = text.split(separator: sign, omittingEmptySubsequences: false)
    let areFigures = parts.allSatisfy { !$0.isEmpty && $0.allSatisfy { $0 &- 0x30 < 10 } }
    return areFigures ? parts : nil
  }

  /// What all values are; nil where they differ, or are of no kind.
  init?(ofAll values: [String]) {
    guard let first = values.first.flatMap(CSVValueKind.init),
      values.allSatisfy({ CSVValueKind($0) == first })
    else { return nil }
    self = first
  }

  /// Whether a number may name a column of figures.
  static func isYear(_ text: String) -> Bool {
    text.utf8.count == 4 && Int(text).map { (1000...2999).contains($0) } ?? false
  }
}
