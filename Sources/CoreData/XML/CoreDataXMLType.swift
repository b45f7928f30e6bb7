/// The kinds of values that attributes of an XML store have.
package enum CoreDataXMLType: String, Sendable, CaseIterable {
  case string
  case int16
  case int32
  case int64
  case float
  case double
  case decimal
  /// `0` or `1`.
  case bool
  /// Seconds since 2001-01-01 00:00:00 UTC, as a decimal number.
  case date
  /// Base64 with line breaks.
  case binary
  /// A word that is none of these, or no word at all.
  case unknown

  /// The kind that a word stands for.
  init(word: String) { self = Self(rawValue: word) ?? .unknown }
}

/// How many targets a relationship of an XML store may have.
struct CoreDataXMLBounds: Sendable, Hashable {
  /// The least number.
  let least: Int64
  /// The largest number; 0 means no limit.
  let most: Int64

  /// Whether there may be several.
  var isToMany: Bool { most != 1 }

  /// Reads `0/1` and the like; nil for anything else.
  init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let least = Int64(parts[0]), let most = Int64(parts[1]) else {
      return nil
    }
    self.least = least
    self.most = most
  }

  /// No bounds, which is what a relationship without them has.
  static let none = CoreDataXMLBounds(least: 0, most: 0)

  private init(least: Int64, most: Int64) {
    self.least = least
    self.most = most
  }
}
