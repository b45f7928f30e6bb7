/// The tokens of a statement as the schema keeps it, one after the other.
///
/// Names, strings and comments hold whatever they like, so only a look at each token tells which
/// words have a meaning.
package struct SQLTokens {
  /// One token.
  package enum Token: Equatable, Sendable {
    /// A name, keyword or number as it is written.
    case word(String)
    /// What is between quotation marks, of which doubled ones are single.
    case quoted(String)
    /// Anything else, a byte each.
    case mark(UInt8)

    /// A word that is not quoted, in lower case.
    package var keyword: String? {
      if case .word(let word) = self { asciiLowercased(word) } else { nil }
    }

    /// A name, quoted or not.
    package var text: String? {
      switch self {
      case .word(let text), .quoted(let text): text
      case .mark: nil
      }
    }
  }

  private let sql: [UInt8]
  private var place = 0

  /// The tokens of a statement.
  package init(of statement: String) { sql = Array(statement.utf8) }

  /// The next token; nil at the end, which is also where the engine sees a zero.
  package mutating func next() -> Token? {
    while place < sql.count, sql[place] != 0 {
      let byte = sql[place]
      if starts(with: "--") {
        skip(past: "\n")
      } else if starts(with: "/*") {
        place += 2
        skip(past: "*/")
      } else if let end = Self.closing[byte] {
        return .quoted(takeQuoted(until: end))
      } else if Self.isPartOfWord(byte) {
        return .word(takeWord())
      } else {
        place += 1
        if !Self.blanks.contains(byte) { return .mark(byte) }
      }
    }
    return nil
  }

  /// What stands between commas up to the bracket that closes the one before.
  package mutating func takeList() -> [[Token]] {
    var list: [[Token]] = [[]]
    var depth = 1
    while depth > 0, let token = next() {
      if token == .mark(UInt8(ascii: "(")) { depth += 1 }
      if token == .mark(UInt8(ascii: ")")) { depth -= 1 }
      if token == .mark(UInt8(ascii: ",")), depth == 1 {
        list.append([])
      } else if depth > 0 {
        list[list.count - 1].append(token)
      }
    }
    return list.filter { !$0.isEmpty }
  }

  /// A statement without what newer engines allow between the digits of a number.
  package static func withoutDigitSeparators(_ statement: String) -> String {
    let separator = UInt8(ascii: "_")
    var tokens = SQLTokens(of: statement)
    var plain: [UInt8] = []
    var taken = 0
    while let token = tokens.next() {
      guard case .word(let word) = token, let first = word.utf8.first,
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= first, word.utf8.contains(separator)
      else { continue }
      plain += tokens.sql[taken..<tokens.place - word.utf8.count]
      plain += word.utf8.filter { $0 != separator }
      taken = tokens.place
    }
    return taken == 0 ? statement : String(decoding: plain + tokens.sql[taken...], as: UTF8.self)
  }

  /// Moves behind the bracket that closes the first one; false where there is none.
  package mutating func skipBrackets() -> Bool {
    var depth = 0
    while let token = next() {
      if token == .mark(UInt8(ascii: "(")) { depth += 1 }
      if token == .mark(UInt8(ascii: ")")) {
        depth -= 1
        if depth <= 0 { return true }
      }
    }
    return false
  }

  /// Blank characters as the engine has them.
  private static let blanks: Set<UInt8> = [9, 10, 12, 13, 32]

  /// What ends a name or string, by what begins it.
  private static let closing: [UInt8: UInt8] = [
    UInt8(ascii: "'"): UInt8(ascii: "'"), UInt8(ascii: "\""): UInt8(ascii: "\""),
    UInt8(ascii: "`"): UInt8(ascii: "`"), UInt8(ascii: "["): UInt8(ascii: "]"),
  ]

  private func starts(with mark: String) -> Bool { sql[place...].starts(with: mark.utf8) }

  private mutating func skip(past mark: String) {
    while place < sql.count, !starts(with: mark) { place += 1 }
    place = min(place + mark.utf8.count, sql.count)
  }

  private mutating func takeWord() -> String {
    let start = place
    while place < sql.count, Self.isPartOfWord(sql[place]) { place += 1 }
    return String(decoding: sql[start..<place], as: UTF8.self)
  }

  private mutating func takeQuoted(until end: UInt8) -> String {
    var bytes: [UInt8] = []
    place += 1
    while place < sql.count {
      let byte = sql[place]
      place += 1
      if byte == end {
        guard end != UInt8(ascii: "]"), place < sql.count, sql[place] == end else { break }
        place += 1
      }
      bytes.append(byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func isPartOfWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
      true
    default: false
    }
  }
}
