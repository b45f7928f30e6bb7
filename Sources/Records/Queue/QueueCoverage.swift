/// How far stores that were read can tell what waits to be sent: whether they keep a queue at all, and
/// whether some of it may be missing.
package struct QueueCoverage: Sendable {
  private var stores = 0
  private var withQueue = 0
  /// In how many stores with a queue changes may be missing.
  package private(set) var lacking = 0
  /// In how many others something is missing from what was read.
  private var lackingWithoutQueue = 0

  /// What no store tells.
  package init() {}

  /// What a store tells, in which findings with some codes were made.
  package init(of source: SourceDescription, codes: some Sequence<String>) {
    self.init(keepsQueue: source.keepsQueue, codes: codes)
  }

  /// As the other one, for a store of which only this is known.
  package init(keepsQueue: Bool, codes: some Sequence<String>) {
    let codes = Set(codes)
    // Whatever wrote it, there is one.
    let keepsQueue = keepsQueue || codes.contains("queue-not-read")
    stores = 1
    withQueue = keepsQueue ? 1 : 0
    let isLacking = !codes.isDisjoint(with: Finding.codesOfMissingChanges)
    lacking = keepsQueue && isLacking ? 1 : 0
    lackingWithoutQueue = !keepsQueue && isLacking ? 1 : 0
  }

  /// Takes what other stores tell.
  package mutating func add(_ others: QueueCoverage) {
    stores += others.stores
    withQueue += others.withQueue
    lacking += others.lacking
    lackingWithoutQueue += others.lackingWithoutQueue
  }

  /// Whether some store keeps changes that wait.
  package var keepsQueue: Bool { withQueue > 0 }

  /// What can be said of several stores where no operation waits; `counted` is in how many of them
  /// changes may be missing, with its noun.
  package func nothingWaits(_ counted: String) -> String {
    guard keepsQueue else {
      return "No store that was read has a queue of changes, so none tells what reached a server."
    }
    return caveat(counted).map {
      "Nothing waits to be sent in what is here, but \($0): see the findings."
    } ?? "Nothing waits to be sent."
  }

  /// The same of the only store that there is.
  fileprivate var nothingWaitsInOne: String {
    guard !keepsQueue else { return nothingWaits("") }
    return "The store has no queue of changes, "
      + (lackingWithoutQueue > 0
        ? "and changes may be missing: see the findings."
        : "so it does not tell what reached a server.")
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
    "backup-incomplete", "store-left-out", "queue-not-read", "not-in-store", "command-cache-beside",
    "leftover-upgrade",
  ]

  /// Whether it tells that changes may be missing from what was read.
  package var tellsOfMissingChanges: Bool { Self.codesOfMissingChanges.contains(code) }

  /// Whether it tells that rows were left out of what was read.
  package var tellsOfMissingRows: Bool { code == "rows-of-unknown-entity" }
}

extension SourceDescription {
  /// What is to be said beside the count of what waits in a store; nil where nothing is missing.
  package func caveat(_ codes: some Sequence<String>) -> String? {
    QueueCoverage(of: self, codes: codes).caveat("").map { "\($0): see the findings" }
  }

  /// What can be said of a store in which no operation waits.
  package func nothingWaits(_ codes: some Sequence<String>) -> String {
    QueueCoverage(of: self, codes: codes).nothingWaitsInOne
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
