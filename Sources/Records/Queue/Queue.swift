/// Everything that a source knows about synchronisation besides its rows.
package struct Queue: Sendable, Equatable {
  /// The operations in push order.
  package var operations = OperationList()
  /// The failures that were written down.
  package var errors = ErrorList()
  /// How far pulls had come.
  package var tokens = TokenList()
  /// What people have decided about operations of a canonical store.
  package var marks = OperationMarks()
  /// What replays of a canonical store have done with its operations.
  package var deliveries = Deliveries()
  /// What only the SDK's own tables show about operations; it stays with the store's findings.
  package var findings: Findings {
    get { told.all }
    set { told = ListedFindings(newValue) }
  }
  private var told = ListedFindings()

  /// A queue with nothing in it.
  package init() {}

  /// Adds a finding; of very many with one code only the first are listed.
  package mutating func tell(_ finding: Finding) { told.append(finding) }

  /// Adds findings that come one behind the other.
  package mutating func tell(_ findings: some Sequence<Finding>) {
    told.append(contentsOf: findings)
  }

  /// How many operations have this kind.
  package func count(of kind: OperationKind) -> Int {
    operations.count { $0.kind == kind }
  }
}
