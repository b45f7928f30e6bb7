import Records

extension StoreAudit {
  /// How many failures of operations as these stand were settled by a replay since.
  package var settledFailures: Int {
    guard !queue.deliveries.isEmpty else { return 0 }
    return zip(queue.errors, assessments).count { $1.bond == .current && isSettled($0) }
  }

  /// How many operations have failed and were settled by no replay.
  var operationsWithOpenFailure: Int {
    Set(queue.errors.lazy.filter { !isSettled($0) }.compactMap(\.operation)).count
  }

  /// Whether the operation of an error has nothing left to do for the latest server.
  private func isSettled(_ error: OperationError) -> Bool {
    error.operation.flatMap { queue.deliveries.latest(of: $0) }?.outcome.isFinal ?? false
  }
}
