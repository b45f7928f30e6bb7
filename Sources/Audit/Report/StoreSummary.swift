package import Records

/// What many stores are compared by: a few numbers about each.
package struct StoreSummary: Sendable {
  /// The store's name, or the path under which it was named.
  package let name: String
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
    waiting = audit.queue.operations.count { $0.state.isPending }
    failed = Set(audit.queue.errors.compactMap(\.operation)).count
    errors = audit.findings.count(of: .error)
    warnings = audit.findings.count(of: .warning)
    worst = audit.findings.first
    lastPull = audit.queue.tokens.compactMap(\.updatedAt).max()
  }

  /// The places of summaries, the worst first: by errors, then warnings, then what waits.
  package static func worstFirst(_ summaries: [StoreSummary]) -> [Int] {
    summaries.indices.sorted { first, second in
      let (left, right) = (summaries[first], summaries[second])
      return (right.errors, right.warnings, right.waiting, left.name, first)
        < (left.errors, left.warnings, left.waiting, right.name, second)
    }
  }
}
