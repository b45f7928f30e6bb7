/// How a server calls the tables.
package struct TableMap: Sendable, Equatable {
  private var names: [String: String] = [:]

  /// A map without entries: every table keeps its name.
  package init() {}

  /// Names a table on the server; a name that begins with a slash is its whole path.
  ///
  /// - Returns: whether it can be part of an address.
  package mutating func map(_ table: String, to name: String) -> Bool {
    let segments = name.hasPrefix("/") ? name.dropFirst().split(separator: "/") : [name[...]]
    guard !segments.isEmpty, segments.allSatisfy({ isPathSegment(String($0)) }),
      !name.utf8.contains(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") })
    else { return false }
    names[table] = name
    return true
  }

  /// The name that was given for a table.
  package subscript(table: String) -> String? { names[table] }

  /// The path of a table, encoded, without a slash in front.
  func path(of table: String, _ dialect: Dialect) -> String {
    guard let name = names[table] else {
      return "tables/" + encodedSegment(dialect.lowersTables ? table.lowercased() : table)
    }
    if name.hasPrefix("/") {
      return encodedPath(name.split(separator: "/").joined(separator: "/"))
    }
    return "tables/" + encodedSegment(name)
  }
}
