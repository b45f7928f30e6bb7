/// How much a finding matters.
package enum Severity: String, Sendable, CaseIterable, Comparable {
  /// Worth knowing; nothing is wrong.
  case note
  /// Something may be missing or may surprise.
  case warning
  /// Something is lost, contradictory or cannot go on as it is.
  case error

  package static func < (left: Severity, right: Severity) -> Bool {
    left.rank < right.rank
  }

  private var rank: Int {
    switch self {
    case .note: 0
    case .warning: 1
    case .error: 2
    }
  }
}

/// Something that a person should know about a store; it does not stop the run.
package struct Finding: Sourced, Sendable, Equatable {
  /// The stable identifier that `explain` knows.
  package var code: String
  /// How much it matters.
  package var severity: Severity
  /// The table concerned.
  package var table: String?
  /// The item concerned.
  package var itemID: String?
  /// The `sequence` of the operation concerned.
  package var operation: Int64?
  /// One sentence for a person.
  package var message: String
  /// How many places it stands for: more than one where it tells of those that are not listed.
  package var count: Int
  /// The number of the source concerned in a store of several; 0 in others.
  package var source: Int32 = 0

  /// A finding; places that do not apply are left out.
  package init(
    _ code: String, _ severity: Severity, table: String? = nil, itemID: String? = nil,
    operation: Int64? = nil, message: String, count: Int = 1
  ) {
    self.code = code
    self.severity = severity
    self.table = table
    self.itemID = itemID
    self.operation = operation
    self.message = message
    self.count = count
  }
}

extension Sequence<Finding> {
  /// Whether changes that the app has made may be missing from what was read.
  var tellOfMissingChanges: Bool {
    let codes: Set = [
      "wal-missing", "wal-damaged", "journal-damaged", "store-damaged", "table-salvaged",
    ]
    return contains { codes.contains($0.code) }
  }
}

extension SourceDescription {
  /// What can be said of a store in which no operation waits.
  package func nothingWaits(_ findings: some Sequence<Finding>) -> String {
    let isWhole = !findings.tellOfMissingChanges
    switch (hasQueue, isWhole) {
    case (true, true): return "Nothing waits to be sent."
    case (true, false):
      return "Nothing waits to be sent in what is here, but changes may be missing: see the "
        + "findings."
    case (false, true):
      return "The store has no queue of changes, so it does not tell what reached a server."
    case (false, false):
      return "The store has no queue of changes, and some may be missing: see the findings."
    }
  }

  /// Whether whatever wrote the store keeps the changes that wait to be sent.
  private var hasQueue: Bool {
    let layouts = earlier.isEmpty ? [] : earlier.map(\.source.layout)
    return (layouts.isEmpty ? [origin.flatMap(Layout.init(rawValue:)) ?? layout] : layouts)
      .contains(where: \.hasQueue)
  }
}

extension Layout {
  /// Whether such a store can hold changes that wait to be sent.
  fileprivate var hasQueue: Bool {
    switch self {
    case .coreData, .coreDataXML, .sqlite, .csv, .json, .ndjson, .xml: false
    default: true
    }
  }
}
