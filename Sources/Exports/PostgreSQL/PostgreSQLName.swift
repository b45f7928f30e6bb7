import Bytes

/// Names and texts as PostgreSQL takes them.
enum PostgreSQLName {
  /// The server cuts longer names, and then two of them may be one.
  private static let mostBytes = 63

  /// Columns that every table has already.
  private static let taken: Set<String> = ["tableoid", "xmin", "cmin", "xmax", "cmax", "ctid"]

  /// A name between quotes.
  static func quoted(_ name: String) -> String {
    "\"" + name.replacing("\"", with: "\"\"") + "\""
  }

  /// A text between quotes; a NUL, which no text of the server holds, is left out.
  static func literal(_ text: String) -> String {
    "'" + text.replacing("\0", with: "").replacing("'", with: "''") + "'"
  }

  /// Makes names fit for the server, and different from each other.
  static func fitting(_ names: [String], reserved: Set<String> = taken) -> [String] {
    var used = reserved
    return names.map { name in
      var plain = name.replacing("\0", with: "")
      if plain.isEmpty { plain = "_" }
      var candidate = cut(plain, to: mostBytes)
      var number = 1
      while !used.insert(candidate).inserted {
        let ending = "_\(number)"
        candidate = cut(plain, to: mostBytes - ending.utf8.count) + ending
        number += 1
      }
      return candidate
    }
  }

  /// The beginning of a name that has at most so many bytes, and whole characters.
  private static func cut(_ name: String, to count: Int) -> String {
    var result = ""
    var size = 0
    for scalar in name.unicodeScalars {
      size += UTF8.width(scalar)
      guard size <= count else { break }
      result.unicodeScalars.append(scalar)
    }
    return result
  }
}
