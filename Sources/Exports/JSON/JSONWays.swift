/// The ways through a JSON document to the rows of its tables.
///
/// A way is the names of members, one inside the other. Arrays on it are gone through.
struct JSONWays: Sendable {
  private struct Node {
    var table: Int?
    var children: [[UInt8]: Int] = [:]
  }

  private var nodes: [Node] = []

  /// The document itself, or its elements, are the rows of the only table.
  static let root = JSONWays([[]])

  /// The ways to several tables, of which none goes through the rows of another.
  init(_ ways: [[[UInt8]]]) {
    nodes = [Node()]
    for (table, way) in ways.enumerated() {
      var node = 0
      for name in way {
        if let child = nodes[node].children[name] {
          node = child
        } else {
          nodes[node].children[name] = nodes.count
          node = nodes.count
          nodes.append(Node())
        }
      }
      nodes[node].table = table
    }
  }

  /// The table whose rows stand at a node, which is counted from the document's own, 0.
  func table(at node: Int) -> Int? { nodes[node].table }

  /// Where a member leads; nil where no way goes on with it.
  func child(of node: Int, named name: [UInt8]) -> Int? { nodes[node].children[name] }
}

/// A way as a person writes it: `$.data.items`.
enum JSONPath {
  /// Reads names behind `$`, each behind a point or in brackets and quotes.
  ///
  /// - Returns: nil where it is none.
  static func names(of path: some StringProtocol) -> [[UInt8]]? {
    var rest = Array(path.utf8)[...]
    guard rest.popFirst() == UInt8(ascii: "$") else { return nil }
    var names: [[UInt8]] = []
    while let byte = rest.popFirst() {
      // Arrays are gone through whether the path says so or not.
      if byte == UInt8(ascii: "["), rest.starts(with: Array("*]".utf8)) {
        rest = rest.dropFirst(2)
        continue
      }
      guard let name = byte == UInt8(ascii: ".") ? plain(&rest) : quoted(byte, &rest),
        !name.isEmpty
      else { return nil }
      names.append(name)
    }
    return names
  }

  static func text(_ names: [[UInt8]]) -> String {
    names.reduce("$") { path, name in
      let text = String(decoding: name, as: UTF8.self)
      let isPlain = !name.isEmpty && !name.contains { ".[]'\"".utf8.contains($0) || $0 <= 0x20 }
      // What is told stands in single quotes, for a shell.
      let quote = text.contains("\"]") ? "'" : "\""
      return path + (isPlain ? "." + text : "[\(quote)\(text)\(quote)]")
    }
  }

  private static func plain(_ rest: inout ArraySlice<UInt8>) -> [UInt8]? {
    let name = rest.prefix { $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: "[") }
    rest = rest.dropFirst(name.count)
    return Array(name)
  }

  /// What stands in `['…']` or `["…"]`; the closing quote is the one before the next `]`.
  private static func quoted(_ bracket: UInt8, _ rest: inout ArraySlice<UInt8>) -> [UInt8]? {
    guard bracket == UInt8(ascii: "["), let quote = rest.popFirst(),
      quote == UInt8(ascii: "'") || quote == UInt8(ascii: "\""),
      let end = rest.indices.first(where: {
        rest[$0] == quote && $0 + 1 < rest.endIndex && rest[$0 + 1] == UInt8(ascii: "]")
      })
    else { return nil }
    let name = Array(rest[..<end])
    rest = rest[(end + 2)...]
    return name
  }
}
