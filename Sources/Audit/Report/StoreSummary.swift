package import Records

/// What many stores are compared by: a few numbers about each.
package struct StoreSummary: Sendable {
  /// The store's name, or the path under which it was named.
  package let name: String
  /// The device that it is from, where somebody knows.
  package let device: String?
  /// What the store is: its layout and generation, and the model's version where it tells one.
  let layout: String
  /// How many operations wait to be sent.
  package let waiting: Int
  /// How far the store tells what waits.
  package let coverage: QueueCoverage
  /// How many of the operations failed.
  package let failed: Int
  /// How many of these no replay has settled since.
  private let unsettled: Int
  /// What can still become of the changes.
  let fates: FateCounts
  /// How many findings are errors.
  package let errors: Int
  /// How many are warnings.
  package let warnings: Int
  /// The most serious finding.
  package let worst: Finding?
  /// The codes of the findings, each once.
  let codes: [String]
  /// The newest change of the server's that the store knows of.
  let lastPull: String?
  /// Whether a store before it has the same bytes.
  let isTwin: Bool
  /// Why the store could not be read; nil where it could.
  package let trouble: String?
  /// What to try where it could not.
  let hint: String?

  /// Sums up an audit.
  package init(
    _ audit: StoreAudit, name: String, fates: FateCounts? = nil
  ) {
    self.name = name
    device = audit.source.givenDevice
    layout = audit.source.layoutAndVersion
    waiting = audit.effects.traits.pending.count
    (failed, unsettled) = audit.failedOperations
    self.fates = fates ?? audit.changes.counts
    errors = audit.findings.count(of: .error)
    warnings = audit.findings.count(of: .warning)
    worst = audit.findings.first
    lastPull = audit.queue.tokens.lazy.compactMap(\.updatedAt).max()
    codes = audit.findings.codes
    coverage = QueueCoverage(of: audit.source, codes: codes)
    isTwin = audit.twin != nil
    (trouble, hint) = (nil, nil)
  }

  /// A store that could not be read.
  package init(_ store: UnreadableStore) {
    name = store.name
    device = store.device
    layout = "not readable"
    (waiting, failed, unsettled, errors, warnings) = (0, 0, 0, 0, 0)
    fates = FateCounts()
    (worst, lastPull, codes) = (nil, nil, [])
    coverage = QueueCoverage()
    isTwin = false
    (trouble, hint) = (store.message, store.hint)
  }

  /// Whether somebody should look at the store: it could not be read, something failed that no replay
  /// has settled or cannot be sent, changes may be missing, or something worse than a note was found.
  package var isProblem: Bool {
    trouble != nil || unsettled > 0 || errors > 0 || warnings > 0 || fates[.decide] > 0
      || fates[.lost] > 0 || coverage.lacking > 0
  }

  /// Whether it tells what waits: of a store that keeps no queue a nought would say that nothing does.
  package var tellsWhatWaits: Bool { coverage.keepsQueue || waiting > 0 }

  /// The places of summaries, the worst first: those that could not be read, then by errors,
  /// warnings, and what waits.
  package static func worstFirst(_ summaries: [StoreSummary]) -> [Int] {
    summaries.indices.sorted { first, second in
      let (left, right) = (summaries[first], summaries[second])
      guard (left.trouble == nil) == (right.trouble == nil) else { return left.trouble != nil }
      return (right.errors, right.warnings, right.waiting, left.name, first)
        < (left.errors, left.warnings, left.waiting, right.name, second)
    }
  }
}

extension SourceDescription {
  /// The layout with its generation, and the version of the app's model where the store tells it.
  fileprivate var layoutAndVersion: String {
    let version = distinctMetadata.first { $0.key == "NSStoreModelVersionIdentifiers" }?.value
    return [layout.rawValue, generation, version.flatMap { $0.isEmpty ? nil : "model \($0)" }]
      .compactMap(\.self).joined(separator: ", ")
  }
}
