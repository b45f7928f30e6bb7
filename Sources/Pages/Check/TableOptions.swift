/// The words behind the bracket that closes the columns of a `CREATE TABLE` statement.
///
/// Names, strings and comments hold whatever they like, so only a look at each token tells which
/// words are options.
struct TableOptions {
  /// Whether the rows have no row ids.
  private(set) var isWithoutRowID = false

  private let sql: [UInt8]
  private var place = 0

  /// Reads a statement as the schema keeps it.
  init(of statement: String) {
    sql = Array(statement.utf8)
    skipColumns()
    var last: [UInt8] = []
    while let word = nextWord() {
      if last == Self.without, word == Self.rowID { isWithoutRowID = true }
      last = word
    }
  }

  private static let without = Array("without".utf8)
  private static let rowID = Array("rowid".utf8)

  /// Moves behind the bracket that closes the first one.
  private mutating func skipColumns() {
    var depth = 0
    while let byte = nextToken() {
      if byte == UInt8(ascii: "(") { depth += 1 }
      if byte == UInt8(ascii: ")") {
        depth -= 1
        if depth <= 0 { return }
      }
    }
  }

  /// The next word in lower case; empty for anything else, nil at the end.
  private mutating func nextWord() -> [UInt8]? {
    guard let first = nextToken() else { return nil }
    guard Self.isPartOfWord(first) else { return [] }
    var word = [first]
    while place < sql.count, Self.isPartOfWord(sql[place]) {
      word.append(sql[place])
      place += 1
    }
    return word.map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 }
  }

  /// The next byte that is neither blank nor in a comment, and moves behind it, or behind the whole
  /// of what is quoted; nil at the end, which is also where the engine sees a zero.
  private mutating func nextToken() -> UInt8? {
    while place < sql.count, sql[place] != 0 {
      let byte = sql[place]
      if starts(with: "--") {
        skip(past: "\n")
      } else if starts(with: "/*") {
        place += 2
        skip(past: "*/")
      } else {
        place += 1
        guard !Self.blanks.contains(byte) else { continue }
        if let end = Self.closing[byte] { skip(past: end) }
        return byte
      }
    }
    return nil
  }

  /// Blank characters as the engine has them.
  private static let blanks: Set<UInt8> = [9, 10, 12, 13, 32]

  /// What ends a name or string, by what begins it; a doubled mark begins the next one at once.
  private static let closing: [UInt8: String] = [
    UInt8(ascii: "'"): "'", UInt8(ascii: "\""): "\"", UInt8(ascii: "`"): "`",
    UInt8(ascii: "["): "]",
  ]

  private func starts(with mark: String) -> Bool { sql[place...].starts(with: mark.utf8) }

  private mutating func skip(past mark: String) {
    while place < sql.count, !starts(with: mark) { place += 1 }
    place = min(place + mark.utf8.count, sql.count)
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
