import Exports
import Records

/// Finds stores that come twice among the sources of a new one, byte for byte, also where one of
/// them came in a canonical store or an export that was made from it.
struct TwinSearch: Sendable {
  /// What the first store is called that has these hashes of files, for a comparison with all would
  /// take its square.
  private var labels: [[String]: String] = [:]

  /// What tells of the stores in a source, which has these tables, that came before; that one
  /// `isEmpty` comes twice in every fleet of devices, and harms nobody.
  mutating func findings(
    of source: SourceDescription, tables: [String], isEmpty: Bool = false
  ) -> [Finding] {
    guard ExportFormat(rawValue: source.layout.rawValue) == nil else {
      return findings(ofPlainFiles: source, tables: tables)
    }
    let own = Self.hashes(of: source)
    if let twin = labels[own] {
      return [isEmpty ? Self.findingOfEmptyStore(twin) : Self.finding("the store", twin)]
    }
    var stores = source.earlier.map { ($0.source, label: Self.label(of: $0.source, in: source)) }
    stores.append((source, label: source.label))
    // The hashes of what a store was made from are not always known.
    stores.removeAll { $0.0.files.isEmpty }
    // Those that come twice in one source were told when that was made.
    let findings = stores.compactMap { store, label in
      labels[Self.hashes(of: store)].map { Self.finding(label, $0) }
    }
    for (store, label) in stores where labels[Self.hashes(of: store)] == nil {
      labels[Self.hashes(of: store)] = label
    }
    return findings
  }

  /// What tells of plain files that came before; of two with the same bytes, each may be a table of
  /// its own.
  private mutating func findings(
    ofPlainFiles source: SourceDescription, tables: [String]
  ) -> [Finding] {
    let own = Self.hashes(of: source) + tables
    if let twin = labels[own] { return [Self.finding(source.label, twin)] }
    labels[own] = source.label
    var names: [String: String] = [:]
    return source.files.compactMap { file in
      guard let twin = names[file.sha256] else {
        names[file.sha256] = file.name
        return nil
      }
      return Self.finding(
        file.name, twin, whose: "rows without an id or with a rejected value")
    }
  }

  /// What a store is called that came in another one, after which it is called where it was alone.
  private static func label(of store: SourceDescription, in source: SourceDescription) -> String {
    let own = store.label == source.label ? store.name : store.label
    return "\(own) in \(source.label)"
  }

  private static func hashes(of source: SourceDescription) -> [String] {
    source.files.map(\.sha256).sorted()
  }

  private static func findingOfEmptyStore(_ twin: String) -> Finding {
    Finding(
      "source-given-twice", .note,
      message:
        "the store has the same bytes as \(twin); there are no rows and no operations in them")
  }

  private static func finding(
    _ store: String, _ twin: String,
    whose parts: String = "operations and its rows that no id tells apart"
  ) -> Finding {
    Finding(
      "source-given-twice", .warning,
      message: "\(store) has the same bytes as \(twin); its \(parts) are here twice")
  }
}
