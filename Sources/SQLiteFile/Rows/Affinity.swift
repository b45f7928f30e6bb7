/// What SQLite makes of a declared type: the class that it would like the values to have.
package enum Affinity: Sendable, Equatable {
  case integer
  case text
  case blob
  case real
  case numeric

  /// Reads a declared type by the rules of section 3.1 of "Datatypes In SQLite", in their order; no
  /// type at all is `blob`.
  ///
  /// Only ASCII letters have a case here: `ﬂoat` is no `float`.
  package init(declaredType: String) {
    var type = Array(declaredType.utf8)
    for index in type.indices where type[index] &- 0x41 < 26 { type[index] |= 0x20 }
    let has = { (words: [String]) in words.contains { Self.contains(type, Array($0.utf8)) } }
    if has(["int"]) {
      self = .integer
    } else if has(["char", "clob", "text"]) {
      self = .text
    } else if type.isEmpty || has(["blob"]) {
      self = .blob
    } else if has(["real", "floa", "doub"]) {
      self = .real
    } else {
      self = .numeric
    }
  }

  private static func contains(_ type: [UInt8], _ word: [UInt8]) -> Bool {
    type.indices.contains { type[$0...].starts(with: word) }
  }
}
