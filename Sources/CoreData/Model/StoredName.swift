/// How names of a model are spelled as names of tables and columns.
enum StoredName {
  /// The columns that every table of objects starts with.
  static let leadingColumns: Set<String> = ["Z_PK", "Z_ENT", "Z_OPT"]
  /// The second column of a join table whose relationship is its own inverse.
  static let reflexiveColumn = "REFLEXIVE"

  static func table(_ entity: String) -> String { "Z" + entity.uppercased() }

  /// The column of an attribute, or the key of a to-one relationship.
  static func column(_ property: String) -> String { "Z" + property.uppercased() }

  static func entityColumn(_ relationship: String, destination: Int64) -> String {
    "Z\(destination)_" + relationship.uppercased()
  }

  /// The column of an object's position within the other side of a to-one relationship.
  static func positionColumn(_ relationship: String) -> String {
    "Z_FOK_" + relationship.uppercased()
  }

  /// The column that holds the owner of a to-many relationship without inverse.
  static func ownerColumn(_ relationship: String, owner: Int64) -> String {
    "Z\(owner)" + relationship.uppercased()
  }

  /// The position column of an ordered to-many relationship that has no column of its own.
  ///
  /// In the destination's table the number is the owner's, in a join table the target's.
  static func positionColumn(_ relationship: String, number: Int64) -> String {
    "Z_FOK_\(number)" + relationship.uppercased()
  }

  /// A join table, or a key column in one.
  static func join(_ relationship: String, number: Int64) -> String {
    "Z_\(number)" + relationship.uppercased()
  }

  /// The form in which names are compared when no exact match exists.
  ///
  /// Upper-casing first makes letters meet whose upper case is longer, such as the sharp s.
  static func folded(_ name: String) -> String { name.uppercased().lowercased() }

  /// Whether a name is another one with nothing but digits added.
  static func isSuffixed(_ name: String, of base: String) -> Bool {
    name.hasPrefix(base) && name.utf8.count > base.utf8.count
      && name.utf8.dropFirst(base.utf8.count).allSatisfy { isDigit($0) }
  }

  /// A name without the digits at its end.
  static func withoutTrailingDigits(_ name: String) -> String {
    let digits = name.utf8.reversed().prefix { isDigit($0) }.count
    return String(name.dropLast(digits))
  }

  /// The number in front of a name and what follows it; nil without digits or with too many.
  static func leadingNumber(_ name: Substring) -> (number: Int64, rest: String)? {
    let digits = name.prefix { $0.isASCII && $0.isNumber }
    guard let number = Int64(digits) else { return nil }
    return (number, String(name.dropFirst(digits.count)))
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }
}

/// A name as it is sorted: without regard to case, and by spelling where that is not enough.
struct CaselessName: Comparable, Hashable, Sendable {
  /// The form that is compared first.
  let folded: String
  let spelling: String

  /// Prepares a name for many comparisons.
  init(_ spelling: String) {
    folded = spelling.lowercased()
    self.spelling = spelling
  }

  /// Orders names as the framework does.
  static func < (left: Self, right: Self) -> Bool {
    left.folded == right.folded ? left.spelling < right.spelling : left.folded < right.folded
  }
}

/// A property and the entity that defines it.
package struct PropertyName: Sendable, Hashable, Comparable, CustomStringConvertible {
  let entity: String
  let property: String

  /// The form that people read and that relationships are sorted by.
  package var description: String { "\(entity).\(property)" }

  /// Orders names by their written form.
  package static func < (left: Self, right: Self) -> Bool { left.description < right.description }
}
