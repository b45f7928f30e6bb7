import Bytes
import Records
import SyncSDKs

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
    /// It is no failure, but the item of a delete that the queue does not have.
    case deletedItem
  }

  /// How the error and the queue fit together.
  package let bond: Bond
  /// Why the operation failed.
  package let cause: FailureCause

  init(_ error: OperationError, in input: ErrorContext) {
    cause = FailureCause(error)
    let operation = input.operation(error.operation)
    if let operation {
      let isSame = error.kind == nil || operation.kind == nil || error.kind == operation.kind
      bond = isSame && !input.changed.contains(operation.sequence) ? .current : .stale
    } else if error.isDeletedItem {
      bond = .deletedItem
    } else {
      bond = input.isKnown(originalID: error.originalOperationID) ? .stale : .orphan
    }
  }
}

/// The operations that errors are about, found by `sequence` and by the SDK's own id.
struct ErrorContext: Sendable {
  /// The places of those operations, where their numbers do not tell.
  private var places: [Int64: Int] = [:]
  private var knownIDs: Set<ExactText> = []
  private let operations: OperationList
  private let decimals: DecimalFields
  /// What is true of the SDKs of the devices.
  let sdks: DeviceSDKs
  /// What the operations come to.
  let effects: Fold.Effects
  /// Operations that were changed after their errors had been written down.
  let changed: Set<Int64>

  init(
    _ queue: Queue, in catalogue: Catalogue, _ sdks: DeviceSDKs, _ effects: Fold.Effects,
    changed: Set<Int64>
  ) {
    self.sdks = sdks
    self.effects = effects
    operations = queue.operations
    decimals = DecimalFields(in: catalogue)
    self.changed = changed
    guard !queue.errors.isEmpty else { return }
    if !operations.isNumbered { findPlaces(queue.errors) }
    // Of an error that has its operation nobody asks whether its id is known.
    var ids: Set<ExactText> = []
    for error in queue.errors where place(error.operation) == nil {
      if let id = error.originalOperationID { ids.insert(ExactText(id)) }
    }
    guard !ids.isEmpty else { return }
    for operation in operations {
      if let id = operation.originalID.map({ ExactText($0) }), ids.contains(id) {
        knownIDs.insert(id)
      }
    }
  }

  private mutating func findPlaces(_ errors: ErrorList) {
    let sequences = Set(errors.lazy.compactMap(\.operation))
    for (place, sequence) in operations.lazy.map(\.sequence).enumerated()
    where sequences.contains(sequence) && places[sequence] == nil {
      places[sequence] = place
    }
  }

  /// The place of the operation with this `sequence`.
  private func place(_ sequence: Int64?) -> Int? {
    sequence.flatMap { operations.isNumbered ? operations.place(numbered: $0) : places[$0] }
  }

  /// The operation with this `sequence`.
  func operation(_ sequence: Int64?) -> PendingOperation? { place(sequence).map { operations[$0] } }

  /// Where the device's copy and the server's differ; nil when one of them is not known.
  ///
  /// The device's is what would be sent now: the payload or the current row, else what was sent then.
  func differences(_ error: OperationError, _ rows: AttachedRows) -> [FieldDifference]? {
    guard let server = error.serverItem else { return nil }
    let operation = operation(error.operation)
    let device = operation.flatMap { $0.item ?? rows.row(of: $0) } ?? error.item
    let comparison = comparison(ofTable: operation?.table ?? error.table)
    return device.flatMap { comparison.differences(device: $0, server: server) }
  }

  /// What compares two copies of an item of a table.
  func comparison(ofTable table: String?) -> ItemComparison {
    decimals.comparison(ofTable: table)
  }

  /// Whether an operation has this id of the SDK's; 0 means that none was written.
  func isKnown(originalID: String?) -> Bool {
    originalID.map { $0 != "0" && knownIDs.contains(ExactText($0)) } ?? false
  }
}
