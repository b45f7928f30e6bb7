import Bytes
import Records

/// How a server calls the tables.
package struct TableMap: Sendable, Equatable {
  private var names: [ExactText: String] = [:]
  private var ownNames: [ExactText: String] = [:]
  private var types: [ExactText: String] = [:]

  /// A map without entries: every table keeps its name.
  package init() {}

  /// Tells what the app calls a table that has another name here; it counts where it can be part of
  /// an address.
  package mutating func setOwnName(of table: String, to name: String) {
    if isPathSegment(name) { ownNames[ExactText(table)] = name }
  }

  /// Tells the type of a table's items, after which newer servers are asked for the table.
  package mutating func setType(of table: String, to type: String) {
    if types[ExactText(table)] == nil, isPathSegment(lastPart(of: type)) {
      types[ExactText(table)] = type
    }
  }

  /// Names a table on the server; a name that begins with a slash is its whole path.
  ///
  /// - Returns: whether it can be part of an address.
  package mutating func map(_ table: String, to name: String) -> Bool {
    let segments = name.hasPrefix("/") ? Paths.parts(of: name) : [name[...]]
    guard !segments.isEmpty, segments.allSatisfy({ isPathSegment(String($0)) }),
      !name.utf8.contains(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") })
    else { return false }
    names[ExactText(table)] = name
    return true
  }

  /// The tables that were given a name, in the order of their bytes.
  package var mappedTables: [String] { names.keys.sorted().map(\.wrappedValue) }

  /// The name that was given for a table.
  package subscript(table: String) -> String? { names[ExactText(table)] }

  /// The name of a table on the server: the one that was given, otherwise the app's own.
  func name(of table: String) -> String { self[table] ?? ownNames[ExactText(table)] ?? table }

  /// What a server is asked for where no person has given a name: in the newer dialects that is the
  /// last part of the name of the type that a table's items have.
  func route(of table: String, _ dialect: Dialect) -> String {
    let type = dialect.lowersTables ? types[ExactText(table)] : nil
    return type.map(lastPart) ?? name(of: table)
  }
}

/// The last part of a full type name such as `App.Data.TodoItem`; nested types follow a `+`.
private func lastPart(of type: String) -> String {
  type.split { $0 == "." || $0 == "+" }.last.map(String.init) ?? type
}
