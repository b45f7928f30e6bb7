/// How much waits in the queues of all sources.
package struct QueueCounts: Sendable {
  /// How many operations there are, those of no kind among them.
  package private(set) var operations = 0
  private var kinds = [Int](repeating: 0, count: OperationKind.allCases.count)
  /// How many failures are told, and deleted items beside them.
  package var errors = 0
  /// How many of these are deleted items.
  package private(set) var deletedItems = 0
  /// How many delta tokens there are.
  package var tokens = 0

  /// Counts of nothing.
  package init() {}

  /// Takes the queue of one source into account.
  package init(_ queue: Queue) {
    self.init()
    // A long queue is read from its file, so once for all kinds.
    queue.operations.lendEach { addOperation($1.kind) }
    errors = queue.errors.count
    deletedItems = queue.errors.count(where: \.isDeletedItem)
    tokens = queue.tokens.count
  }

  /// How many operations are of a kind.
  package func count(of kind: OperationKind) -> Int { kinds[kind.place] }

  /// Counts more operations, or fewer where some go again.
  package mutating func addOperation(_ kind: OperationKind?, count: Int = 1) {
    operations += count
    if let kind { kinds[kind.place] += count }
  }

  /// Takes what others have counted into account.
  package mutating func add(_ other: QueueCounts) {
    operations += other.operations
    for place in kinds.indices { kinds[place] += other.kinds[place] }
    errors += other.errors
    deletedItems += other.deletedItems
    tokens += other.tokens
  }
}

extension OperationKind {
  fileprivate var place: Int {
    switch self {
    case .insert: 0
    case .update: 1
    case .delete: 2
    }
  }
}
