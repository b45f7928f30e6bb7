import Records

/// What becomes of a queue where an item may have only one operation.
struct ToolkitQueuePlan {
  struct Step {
    /// The place of the first operation on the item, which gives the order and the version.
    let first: Int
    /// The place of the one whose row or payload counts.
    let source: Int
    let kind: OperationKind
    let state: OperationState
  }

  /// What waits comes first, then what is complete.
  private(set) var steps: [Step] = []
  private(set) var undecoded = 0
  private(set) var dropped = 0
  /// How many operations have become a part of another one.
  private(set) var joined = 0

  /// Plans for operations in push order; takes time in proportion to their number.
  init(_ operations: OperationList) {
    // The new store is that of one device, whatever devices the operations come from.
    let chains = ItemChains(operations, joiningSources: true)
    var completed: [Step] = []
    for place in operations.indices {
      let operation = operations[place]
      guard let kind = operation.kind else {
        undecoded += 1
        continue
      }
      switch operation.state {
      case .dropped: dropped += 1
      case .completed:
        completed.append(Step(first: place, source: place, kind: kind, state: .completed))
      case .pending, .attempted, .failed:
        guard chains.previous[place] == nil else {
          joined += 1
          continue
        }
        steps.append(Self.step(from: place, kind, operations, chains))
      }
    }
    steps += completed
  }

  /// Joins all operations on an item: a delete at the end wins, and an insert at the beginning
  /// stays one.
  private static func step(
    from first: Int, _ kind: OperationKind, _ operations: OperationList,
    _ chains: ItemChains
  ) -> Step {
    var last = first
    while let next = chains.next[last] { last = next }
    let isDeleted = operations[last].kind == .delete
    let joint: OperationKind = isDeleted ? .delete : kind == .insert ? .insert : .update
    return Step(
      first: first, source: last, kind: last == first ? kind : joint,
      state: operations[last].state)
  }
}
