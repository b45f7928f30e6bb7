package import Records

/// What many stores are compared by: a few numbers about each.
package struct StoreSummary: Sendable {
  /// The store's name, or the path under which it was named.
  package let name: String
  /// The device that it is of, where that is known.
  package let device: String?
  /// Why it cannot be read, in a word; nil where it can.
  package let failure: String?
  /// How many operations wait to be sent.
  package let waiting: Int
  /// How many of the operations failed.
  package let failed: Int
  /// How many findings are errors.
  package let errors: Int
  /// How many are warnings.
  package let warnings: Int
  /// The most serious finding.
  package let worst: Finding?
  /// The newest change of the server's that the store knows of.
  package let lastPull: String?

  /// Sums up an audit.
  package init(_ audit: StoreAudit, name: String) {
    self.name = name
    device = audit.source.givenDevice
    failure = nil
    waiting = audit.queue.operations.count { $0.state.isPending }
    failed = Set(audit.queue.errors.compactMap(\.operation)).count
    errors = audit.findings.count(of: .error)
    warnings = audit.findings.count(of: .warning)
    worst = audit.findings.first
    lastPull = audit.queue.tokens.compactMap(\.updatedAt).max()
  }

  /// Sums up what cannot be read.
  package init(_ store: UnreadableStore) {
    name = store.name
    device = store.device
    failure = store.code
    (waiting, failed, errors, warnings, worst, lastPull) = (0, 0, 0, 0, nil, nil)
  }

  /// The places of summaries, the worst first: those that cannot be
  /// read, then by errors, then warnings, then what waits.
  package static func worstFirst(_ summaries: [StoreSummary]) -> [Int] {
    summaries.indices.sorted { first, second in
      let (left, right) = (summaries[first], summaries[second])
      let (leftRank, rightRank) = (left.failure == nil ? 1 : 0, right.failure == nil ? 1 : 0)
      return (leftRank, right.errors, right.warnings, right.waiting, left.name, first)
        < (rightRank, left.errors, left.warnings, left.waiting, right.name, second)
    }
  }
}
