import Records

/// How much waits in the queues of all sources.
struct QueueCounts: Sendable {
  private(set) var operations = 0
  private(set) var byKind: [OperationKind: Int] = [:]
  private(set) var errors = 0
  private(set) var tokens = 0

  /// Takes the queue of one source into account.
  mutating func add(_ queue: Queue) {
    operations += queue.operations.count
    for kind in OperationKind.allCases { byKind[kind, default: 0] += queue.count(of: kind) }
    errors += queue.errors.count
    tokens += queue.tokens.count
  }
}
