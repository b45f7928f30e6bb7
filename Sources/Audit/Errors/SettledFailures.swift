import Records

extension StoreAudit {
  /// How many failures of operations as these stand were settled by a replay since.
  package var settledFailures: Int {
    guard !queue.deliveries.isEmpty else { return 0 }
    return zip(queue.errors, assessments).count { error, assessment in
      assessment.bond == .current && error.operation.map(isSettled) ?? false
    }
  }

  /// How many operations have failed, and how many of them no replay has settled since.
  var failedOperations: (all: Int, open: Int) {
    let failed = Set(queue.errors.lazy.compactMap(\.operation))
    return (
      failed.count,
      queue.deliveries.isEmpty ? failed.count : failed.count { !isSettled($0) }
    )
  }

  /// Whether nothing is left to do of an operation for the latest server.
  private func isSettled(_ operation: Int64) -> Bool {
    queue.deliveries.latest(of: operation)?.outcome.isFinal ?? false
  }
}
