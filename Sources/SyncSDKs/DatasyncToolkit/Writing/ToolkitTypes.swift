package import Bytes
package import Records

/// The full names of the .NET types by the tables that keep their items.
package struct ToolkitTypes: Sendable {
  private var types: [ExactText: String]

  /// What the user says about tables.
  package init(_ types: [ExactText: String]) {
    self.types = types
  }

  /// Takes what a source knows of the tables about which the user says nothing.
  package mutating func add(_ facts: [SourceDescription.Fact]) {
    for fact in facts {
      guard let table = fact.typedTable, types[ExactText(table)] == nil else { continue }
      types[ExactText(table)] = fact.value
    }
  }

  /// The types that are known, by table.
  var known: [ExactText: String] { types }

  /// The full name of a table's type; where nothing tells it, the table's own name.
  func type(ofTable table: String) -> String { types[ExactText(table)] ?? table }

  /// The last component of a type's name.
  static func simpleName(_ type: String) -> String {
    let last = type.utf8.split { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "+") }.last
    return last.map { String(decoding: $0, as: UTF8.self) } ?? type
  }
}
