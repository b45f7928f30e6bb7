import Bytes
package import Records

/// Finds the table of the catalogue that a queue means.
package struct TableNames: Sendable {
  /// The canonical names by the store's own, in lower case.
  private var names: [ExactText: String] = [:]
  /// The canonical names by the store's own, as they are spelled.
  private let exact: [ExactText: String]
  /// The store's own names by the canonical ones.
  private let own: [ExactText: String]
  /// The canonical names of all tables, by the physical table, a slash and the app's name.
  private let parts: [ExactText: String]
  /// The lengths that the store's own names have, longest first.
  private let lengths: [Int]

  /// The app's tables; ASCII case does not matter, as in SQL.
  package init(_ catalogue: Catalogue) {
    for table in catalogue.tables {
      names[ExactText(sqlName: table.sourceTable)] = table.name
    }
    exact = Dictionary(keepingFirst: catalogue.tables.map { (ExactText($0.sourceTable), $0.name) })
    own = Dictionary(keepingFirst: catalogue.tables.map { (ExactText($0.name), $0.sourceTable) })
    parts = Dictionary(
      keepingFirst: catalogue.tables.map {
        (ExactText("\($0.sourceTable)/\($0.sourceName)"), $0.name)
      })
    lengths = Set(catalogue.tables.map(\.sourceTable.utf8.count)).sorted(by: >)
  }

  /// The canonical name, or the name itself where there is no such table.
  package func canonical(_ name: String?) -> String? {
    name.map { self[$0] ?? $0 }
  }

  /// The canonical name; nil where there is no such table.
  package subscript(_ name: String) -> String? { names[ExactText(sqlName: name)] }

  /// The canonical name of a table of this very spelling; nil where there is none.
  package subscript(exactly name: String) -> String? { exact[ExactText(name)] }

  /// The canonical name of a table of this very spelling, or the name itself where there is none.
  package func canonical(exactly name: String?) -> String? {
    name.map { self[exactly: $0] ?? $0 }
  }

  /// What the store itself calls a table of this canonical name, or the name where there is none.
  package func own(_ name: String?) -> String? { name.map { own[ExactText($0)] ?? $0 } }

  /// The canonical name of what the app calls so and a physical table holds among others; nil where
  /// that holds no such rows.
  package func canonical(_ name: String, partOf table: String) -> String? {
    parts[ExactText("\(table)/\(name)")]
  }

  /// Takes apart what was joined with `_`, at the end of the longest table name that fits.
  ///
  /// Where none fits, the first `_` separates.
  package func splitKey(_ key: String) -> (table: String, query: String) {
    let bytes = Array(key.utf8)
    let separator = UInt8(ascii: "_")
    let length = lengths.first { length in
      guard length < bytes.count, bytes[length] == separator else { return false }
      return self[String(decoding: bytes[..<length], as: UTF8.self)] != nil
    }
    let end = length ?? bytes.firstIndex(of: separator) ?? bytes.count
    return (
      String(decoding: bytes[..<end], as: UTF8.self),
      String(decoding: bytes.dropFirst(end + 1), as: UTF8.self)
    )
  }
}
