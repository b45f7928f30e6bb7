import Bytes

/// What OData says of the rows in its context.
extension JSONAnswer {
  /// The name of the rows' table that OData's context tells; nil where there is none.
  var tableName: String? { context.flatMap(Self.tableName(ofContext:)) }

  /// The name of the table to which a context of OData leads.
  static func tableName(ofContext context: [UInt8]) -> String? {
    let text = String(decoding: context, as: UTF8.self)
    guard let mark = text.lastIndex(of: "#") else { return nil }
    let path = text[text.index(after: mark)...].prefix { !"&?".contains($0) }
    let parts = parts(ofPath: path)
    // A collection of values has its type behind it. Of rows of a type that others go back to, the
    // type stands behind their name.
    let names = parts.map(\.name).filter { !$0.contains(".") }
    let isCollection = parts.first?.isCollection == true
    let name = isCollection ? parts.first?.inside : names.last ?? parts.last?.name
    // A namespace stands before the name, with a point between.
    return name?.split(separator: ".").last.map(String.init)
  }

  /// The parts of a path of OData that are names, with what stands in brackets behind them.
  private static func parts(
    ofPath path: Substring
  ) -> [(name: Substring, inside: Substring, isCollection: Bool)] {
    var parts: [(name: Substring, inside: Substring, isCollection: Bool)] = []
    var depth = 0
    for part in path.split(whereSeparator: { character in
      // What is chosen of rows may be a path, too.
      if character == "(" { depth += 1 }
      if character == ")" { depth -= 1 }
      return character == "/" && depth == 0
    }) {
      let name = part.prefix { $0 != "(" }
      guard let first = name.first, !"$@".contains(first) else { continue }
      let inside = part.dropFirst(name.count + 1).prefix { $0 != ")" }
      parts.append((name, inside, name == "Collection" && !inside.isEmpty))
    }
    return parts
  }

  /// Whether OData calls the rows what has changed since another answer.
  var tellsOfChanges: Bool { context?.contains("$delta".utf8) ?? false }
}
