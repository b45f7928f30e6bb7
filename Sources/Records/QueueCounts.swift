/// How much waits in the queues of all sources.
package struct QueueCounts: Sendable {
  /// How many operations there are, those of no kind among them.
  package private(set) var operations = 0
  /// How many there are of each kind.
  package private(set) var byKind: [OperationKind: Int] = [:]
  /// How many failures are told.
  package var errors = 0
  /// How many delta tokens there are.
  package var tokens = 0

  /// Counts of nothing.
  package init() {
    for kind in OperationKind.allCases { byKind[kind] = 0 }
  }

  /// Takes the queue of one source into account.
  package init(_ queue: Queue) {
    self.init()
    // A long queue is read from its file, so once for all kinds.
    for operation in queue.operations { addOperation(operation.kind) }
    errors = queue.errors.count
    tokens = queue.tokens.count
  }

  /// Counts one more operation.
  package mutating func addOperation(_ kind: OperationKind?) {
    operations += 1
    if let kind { byKind[kind, default: 0] += 1 }
  }

  /// Takes what others have counted into account.
  package mutating func add(_ other: QueueCounts) {
    operations += other.operations
    byKind.merge(other.byKind, uniquingKeysWith: +)
    errors += other.errors
    tokens += other.tokens
  }
}
