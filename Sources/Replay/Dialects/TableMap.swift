/// How a server calls the tables.
package struct TableMap: Sendable, Equatable {
  private var names: [String: String] = [:]

  /// A map without entries: every table keeps its name.
  package init() {}

  /// Names a table on the server; a name that begins with a slash is its whole path.
  package mutating func map(_ table: String, to name: String) {
    names[table] = name
  }

  /// The name that was given for a table.
  package subscript(table: String) -> String? { names[table] }
}
