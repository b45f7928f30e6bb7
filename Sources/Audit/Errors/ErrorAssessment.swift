import Records

/// What an error says about its operation, once both are held against each other.
package struct ErrorAssessment: Sendable {
  /// How the error and the queue fit together.
  package enum Bond: Sendable, Equatable {
    /// It is about an operation as that stands.
    case current
    /// It is about what the operation was before it changed, or about another operation whose id
    /// was given out again.
    case stale
    /// No operation in the queue is meant.
    case orphan
  }

  /// How the error and the queue fit together.
  package let bond: Bond
  /// Why the operation failed.
  package let cause: FailureCause
  /// Where the device's copy and the server's differ; nil when one of them is not known.
  package let differences: [FieldDifference]?

  init(_ error: OperationError, in input: ErrorContext, rows: AttachedRows) {
    cause = FailureCause(error)
    let operation = input.operation(error.operation)
    if let operation {
      let isSame = error.kind == nil || operation.kind == nil || error.kind == operation.kind
      bond = isSame && !input.changed.contains(operation.sequence) ? .current : .stale
    } else {
      bond = input.isKnown(originalID: error.originalOperationID) ? .stale : .orphan
    }
    differences = error.serverItem.flatMap { server in
      Self.deviceCopy(error, operation, rows).flatMap {
        ItemComparison.differences(device: $0, server: server)
      }
    }
  }

  /// What would be sent now: the payload or the current row, else what was sent then.
  private static func deviceCopy(
    _ error: OperationError, _ operation: PendingOperation?, _ rows: AttachedRows
  ) -> [UInt8]? {
    guard let operation else { return error.item }
    if let item = operation.item { return item }
    return rows.row(of: operation) ?? error.item
  }
}

/// The operations that errors are about, found by `sequence` and by the SDK's own id.
struct ErrorContext {
  private var places: [Int64: Int] = [:]
  private var knownIDs: Set<String> = []
  private let operations: OperationList
  /// Operations that were changed after their errors had been written down.
  let changed: Set<Int64>

  init(_ queue: Queue, changed: Set<Int64> = []) {
    operations = queue.operations
    self.changed = changed
    guard !queue.errors.isEmpty else { return }
    let sequences = Set(queue.errors.compactMap(\.operation))
    let ids = Set(queue.errors.compactMap(\.originalOperationID))
    for (place, operation) in operations.enumerated() {
      let sequence = operation.sequence
      if sequences.contains(sequence), places[sequence] == nil { places[sequence] = place }
      if !ids.isEmpty, let id = operation.originalID, ids.contains(id) { knownIDs.insert(id) }
    }
  }

  /// The operation with this `sequence`.
  func operation(_ sequence: Int64?) -> PendingOperation? {
    sequence.flatMap { places[$0] }.map { operations[$0] }
  }

  /// Whether an operation has this id of the SDK's; 0 means that none was written.
  func isKnown(originalID: String?) -> Bool {
    originalID.map { $0 != "0" && knownIDs.contains($0) } ?? false
  }
}
