import Exports
import Records

/// Finds stores that come twice among the sources of a new one, byte for byte, also where one of
/// them came in a canonical store or an export that was made from it.
struct TwinSearch: Sendable {
  /// What a source brings of the stores that are in it.
  private struct Part: Sendable {
    let label: String
    let contents: Contents
  }

  /// What a source has: an export may have only some tables of a store.
  struct Contents: Sendable {
    /// The names of all tables.
    let tables: [String]
    /// The names of those with rows that are loaded.
    let filled: [String]
    /// Whether it has operations or stored errors.
    let hasQueue: Bool

    /// Whether there is nothing that could be there twice.
    var isEmpty: Bool { filled.isEmpty && !hasQueue }

    fileprivate func shares(_ other: Contents) -> Bool {
      hasQueue && other.hasQueue || !Set(filled).isDisjoint(with: other.filled)
    }
  }

  /// What the sources so far brought of the store that has these hashes of files, for a comparison with
  /// all would take its square.
  private var parts: [[String]: [Part]] = [:]

  /// What tells of the stores in a source that came before; that an empty one comes twice in every
  /// fleet of devices, and harms nobody.
  mutating func findings(of source: SourceDescription, _ contents: Contents) -> [Finding] {
    guard ExportFormat(rawValue: source.layout.rawValue) == nil else {
      return findings(ofPlainFiles: source, contents)
    }
    let known = parts[Self.hashes(of: source), default: []]
    if let twin = known.first(where: { contents.isEmpty || $0.contents.shares(contents) }) {
      return [
        contents.isEmpty
          ? Self.findingOfEmptyStore(twin.label) : Self.finding("the store", twin.label)
      ]
    }
    var stores = source.earlier.map { ($0.source, label: Self.label(of: $0.source, in: source)) }
    stores.append((source, label: source.label))
    // The hashes of what a store was made from are not always known.
    stores.removeAll { $0.0.files.isEmpty }
    // Those that come twice in one source were told when that was made.
    let findings = stores.compactMap { store, label in
      parts[Self.hashes(of: store)]?.first { $0.contents.shares(contents) }
        .map { Self.finding(label, $0.label) }
    }
    for (store, label) in stores {
      add(Part(label: label, contents: contents), of: Self.hashes(of: store))
    }
    return findings
  }

  /// Keeps what a source brings of a store, where none before has brought all of that.
  private mutating func add(_ part: Part, of store: [String]) {
    let isKnown = parts[store, default: []].contains { known in
      (known.contents.hasQueue || !part.contents.hasQueue)
        && Set(part.contents.filled).isSubset(of: known.contents.filled)
    }
    if !isKnown { parts[store, default: []].append(part) }
  }

  /// What tells of plain files that came before; of two with the same bytes, each may be a table of
  /// its own.
  private mutating func findings(
    ofPlainFiles source: SourceDescription, _ contents: Contents
  ) -> [Finding] {
    let own = Self.hashes(of: source) + contents.tables
    if let twin = parts[own]?.first { return [Self.finding(source.label, twin.label)] }
    parts[own] = [Part(label: source.label, contents: contents)]
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
        "the store has the same bytes as \(twin); it brings no rows and no operations")
  }

  private static func finding(
    _ store: String, _ twin: String,
    whose parts: String = "operations and rows that no id tells apart"
  ) -> Finding {
    Finding(
      "source-given-twice", .warning,
      message: "\(store) has the same bytes as \(twin); its \(parts), if it has any, are here twice"
    )
  }
}
