/// How far stores that were read can tell what waits to be sent: whether they keep a queue at all, and
/// whether some of it may be missing.
package struct QueueCoverage: Sendable {
  private var stores = 0
  private var withQueue = 0
  /// In how many stores changes may be missing.
  package private(set) var lacking = 0

  /// What no store tells.
  package init() {}

  /// What a store tells, in which findings with some codes were made.
  package init(of source: SourceDescription, codes: some Sequence<String>) {
    self.init(keepsQueue: source.keepsQueue, codes: codes)
  }

  /// As the other one, for a store of which only this is known.
  package init(keepsQueue: Bool, codes: some Sequence<String>) {
    stores = 1
    withQueue = keepsQueue ? 1 : 0
    lacking = codes.contains(where: Finding.codesOfMissingChanges.contains) ? 1 : 0
  }

  /// Takes what other stores tell.
  package mutating func add(_ others: QueueCoverage) {
    stores += others.stores
    withQueue += others.withQueue
    lacking += others.lacking
  }

  /// Whether some store keeps changes that wait.
  package var keepsQueue: Bool { withQueue > 0 }

  /// What can be said where no operation waits; `counted` is in how many stores changes may be missing,
  /// with its noun.
  package func nothingWaits(_ counted: String) -> String {
    let caveat = caveat(counted).map { "\($0): see the findings." }
    switch (keepsQueue, stores == 1) {
    case (true, _):
      return caveat.map { "Nothing waits to be sent in what is here, but \($0)" }
        ?? "Nothing waits to be sent."
    case (false, true):
      return "The store has no queue of changes, "
        + (caveat.map { "and \($0)" } ?? "so it does not tell what reached a server.")
    case (false, false):
      return "No store has a queue of changes, "
        + (caveat.map { "and \($0)" } ?? "so they do not tell what reached a server.")
    }
  }

  /// What is to be said beside any count of what waits; nil where nothing is missing.
  package func caveat(_ counted: String) -> String? {
    guard lacking > 0 else { return nil }
    return "changes may be missing" + (stores == 1 ? "" : " in \(counted)")
  }
}

extension Finding {
  /// Those that tell that changes may be missing from what was read, which the app has made.
  fileprivate static let codesOfMissingChanges: Set = [
    "wal-missing", "wal-damaged", "journal-damaged", "store-damaged", "table-salvaged",
  ]

  /// Whether it tells that changes may be missing from what was read.
  package var tellsOfMissingChanges: Bool { Self.codesOfMissingChanges.contains(code) }
}

extension SourceDescription {
  /// What can be said of a store in which no operation waits.
  package func nothingWaits(_ codes: some Sequence<String>) -> String {
    QueueCoverage(of: self, codes: codes).nothingWaits("the store")
  }

  /// Whether whatever wrote the store keeps the changes that wait to be sent.
  fileprivate var keepsQueue: Bool {
    let layouts = earlier.isEmpty ? [] : earlier.map(\.source.layout)
    return (layouts.isEmpty ? [origin.flatMap(Layout.init(rawValue:)) ?? layout] : layouts)
      .contains(where: \.keepsQueue)
  }
}

extension Layout {
  /// Whether such a store can hold changes that wait to be sent.
  fileprivate var keepsQueue: Bool {
    switch self {
    case .coreData, .coreDataXML, .sqlite, .csv, .json, .ndjson, .xml: false
    default: true
    }
  }
}
