import Bytes

/// What a line of a schema describes, by the word that it begins with.
package enum SchemaWord: String, Sendable {
  case table
  case index
  case view
  case trigger

  /// The word as the engine takes it: up to a zero, whatever its case.
  init?(_ text: String) {
    self.init(rawValue: asciiLowercased(String(text.prefix { $0 != "\0" })))
  }

  /// What a `CREATE` statement makes, which the engine goes by; nil for any other text.
  init?(ofStatement sql: String) {
    var tokens = SQLTokens(of: sql)
    guard let word = tokens.skipToName() else { return nil }
    self = word
  }

  /// The name that a `CREATE` statement gives to what it makes; nil where there is none.
  static func name(inStatement sql: String) -> String? {
    var tokens = SQLTokens(of: sql)
    return tokens.skipToName() == nil ? nil : tokens.next()?.text
  }

  /// The words that may stand before.
  fileprivate static let between: Set = ["temp", "temporary", "unique", "virtual"]
}

extension SQLTokens {
  /// Moves behind the word that says what a `CREATE` statement makes.
  fileprivate mutating func skipToName() -> SchemaWord? {
    guard next()?.keyword == "create" else { return nil }
    while let keyword = next()?.keyword {
      if let word = SchemaWord(keyword) { return word }
      guard SchemaWord.between.contains(keyword) else { return nil }
    }
    return nil
  }
}
