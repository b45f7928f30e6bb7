import Records

/// Finds the table of the catalogue that a queue means.
struct TableNames: Sendable {
  private var names: [String: String] = [:]
  /// The names of the app's tables as the store spells them, in the catalogue's order.
  let sources: [String]

  /// The app's tables; ASCII case does not matter, as in SQL.
  init(_ catalogue: Catalogue) {
    sources = catalogue.tables.map(\.sourceTable)
    for table in catalogue.tables { names[asciiLowercased(table.sourceTable)] = table.name }
  }

  /// The canonical name, or the name itself where there is no such table.
  func canonical(_ name: String?) -> String? {
    name.map { names[asciiLowercased($0)] ?? $0 }
  }

  /// Takes apart what was joined with `_`, at the end of the longest table name that fits.
  ///
  /// Where none fits, the first `_` separates.
  func splitKey(_ key: String) -> (table: String, query: String) {
    let folded = asciiLowercased(key)
    let fitting = sources.filter { folded.hasPrefix(asciiLowercased($0) + "_") }
    let length =
      fitting.map(\.utf8.count).max() ?? key.utf8.prefix { $0 != UInt8(ascii: "_") }.count
    // Both ends are at ASCII characters or at the end of a whole text.
    let table = String(decoding: key.utf8.prefix(length), as: UTF8.self)
    let query = String(decoding: key.utf8.dropFirst(length + 1), as: UTF8.self)
    return (table, query)
  }
}
