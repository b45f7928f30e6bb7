import Bytes

/// Gives each table of a bundle a file name that every system takes, whatever the table's name.
///
/// A name of ASCII letters, digits, `_` and `-` stays as it is. Any other, one that a system
/// reserves, and one that differs from an earlier one only in case, becomes its harmless letters
/// and 16 digits of its SHA-256 hash. The manifest tells which file belongs to which table.
package struct MemberNames: Sendable {
  private var taken: Set<String> = []

  /// How long a name may be before it is shortened.
  private static let longest = 64

  /// No name is taken but those that every bundle uses itself.
  package init() {
    taken = ["manifest", "operations", "errors", "tokens", "rejects"]
  }

  /// The file name for a table, without its ending.
  package mutating func claim(_ table: String) -> String {
    if Self.isHarmless(table), taken.insert(table.lowercased()).inserted { return table }
    let stem = Self.harmlessPart(of: table) + "-" + Self.hash(of: table)
    var name = stem
    var number = 2
    // Only a table that is named like another one's hash can come here twice.
    while !taken.insert(name.lowercased()).inserted {
      name = "\(stem)-\(number)"
      number += 1
    }
    return name
  }

  private static func isHarmless(_ name: String) -> Bool {
    guard let first = name.utf8.first, first != UInt8(ascii: "-"), name.utf8.count <= longest
    else { return false }
    return name.utf8.allSatisfy(isHarmless) && !isReserved(name)
  }

  private static func isHarmless(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
      return true
    default:
      return false
    }
  }

  /// Whether Windows takes the name for a device, whatever its ending.
  private static func isReserved(_ name: String) -> Bool {
    let name = name.uppercased()
    if ["CON", "PRN", "AUX", "NUL"].contains(name) { return true }
    return (name.hasPrefix("COM") || name.hasPrefix("LPT")) && name.utf8.count == 4
      && name.utf8.last.map { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") } == true
  }

  private static func harmlessPart(of name: String) -> String {
    let bytes = name.utf8.prefix(longest / 2).filter(isHarmless).drop { $0 == UInt8(ascii: "-") }
    return bytes.isEmpty ? "table" : String(decoding: bytes, as: UTF8.self)
  }

  private static func hash(of name: String) -> String {
    let bytes = Array(name.utf8)
    var hash = SHA256()
    hash.update(bytes.span)
    return String(hash.finish().hexadecimal.prefix(16))
  }
}
