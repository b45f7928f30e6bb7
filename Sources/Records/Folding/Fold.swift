/// Folds the operations on each item into as few effects as the SDKs' collapse tables allow.
///
/// Only operations that may still be sent take part: completed and dropped ones are not pending.
/// Operations that no SDK would have queued behind each other, such as an insert after a delete,
/// stay effects of their own, in order, and are marked.
package struct Fold: Sendable {
  /// The effects, in the order of the first operation of each.
  package private(set) var effects: [Effect] = []
  private var openEffects: [ItemKey: Int] = [:]
  private var waiting: [ItemKey: [Int64]] = [:]

  /// Folds operations that come in push order; takes time in proportion to their number.
  package init(_ operations: [PendingOperation]) {
    openEffects.reserveCapacity(operations.count)
    for index in operations.indices where operations[index].state.isPending {
      add(operations[index])
    }
  }

  private mutating func add(_ operation: PendingOperation) {
    guard let key = ItemKey(operation) else {
      // Without table or id nothing tells which item it is, so nothing folds into it.
      if let effect = Effect(operation) { effects.append(effect) }
      return
    }
    let open = openEffects[key]
    guard operation.kind != nil else {
      if let open {
        effects[open].undecoded.append(operation.sequence)
      } else {
        waiting[key, default: []].append(operation.sequence)
      }
      return
    }
    if let open, effects[open].fold(operation) { return }
    guard var effect = Effect(operation) else { return }
    effect.followsOddly = open != nil
    effect.undecoded = waiting.isEmpty ? [] : waiting.removeValue(forKey: key) ?? []
    openEffects[key] = effects.count
    effects.append(effect)
  }
}

extension OperationState {
  /// Whether the operation may still have to be sent.
  package var isPending: Bool {
    switch self {
    case .pending, .attempted, .failed: true
    case .completed, .dropped: false
    }
  }
}
