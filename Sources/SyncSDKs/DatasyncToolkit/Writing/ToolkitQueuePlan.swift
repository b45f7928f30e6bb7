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

  private let operations: OperationList
  private let chains: ItemChains
  /// The first operations on items, and those that are complete.
  private var waiting = PlaceList()
  private var completed = PlaceList()
  private(set) var undecoded = 0
  /// How many operations are on an item with one that cannot be decoded.
  private(set) var besideUndecoded = 0
  private(set) var dropped = 0
  /// How many operations have become a part of another one.
  private(set) var joined = 0

  /// Plans for operations in push order, of which those of `exactSources` come from SDKs to which ids
  /// that differ only in letter case are two items; takes time in proportion to their number.
  init(_ operations: OperationList, exactSources: Set<Int32>) {
    // The new store is that of one device, whatever devices the operations come from.
    chains = ItemChains(operations, joiningSources: true, exactSources: exactSources)
    self.operations = operations
    let held = Self.placesBesideUndecoded(chains)
    for (place, operation) in operations.enumerated() {
      guard operation.kind != nil else {
        undecoded += 1
        continue
      }
      switch operation.state {
      case .dropped: dropped += 1
      case .completed:
        completed.append(place)
      case .pending, .attempted, .failed:
        guard !held.contains(place) else {
          besideUndecoded += 1
          continue
        }
        guard chains.previous[place] == nil else {
          joined += 1
          continue
        }
        waiting.append(place)
      }
    }
  }

  /// The operations on items of which nobody can tell what becomes of them.
  private static func placesBesideUndecoded(_ chains: ItemChains) -> Set<Int> {
    var places: Set<Int> = []
    for neighbour in chains.undecoded.compactMap({ $0.before ?? $0.after })
    where !places.contains(neighbour) {
      var place: Int? = neighbour
      while let before = place.flatMap({ chains.previous[$0] }) { place = before }
      while let next = place, places.insert(next).inserted { place = chains.next[next] }
    }
    return places
  }

  /// What is to be written: what waits comes first, then what is complete.
  var steps: some Sequence<Step> {
    let parts = [(waiting, false), (completed, true)].lazy.map { places, isComplete in
      places.lazy.compactMap { place -> Step? in
        // Only operations that can be decoded are among them.
        guard let kind = operations[place].kind else { return nil }
        return isComplete
          ? Step(first: place, source: place, kind: kind, state: .completed)
          : step(from: place, kind)
      }
    }
    return parts.joined()
  }

  /// Joins all operations on an item: a delete at the end wins, and an insert at the beginning
  /// stays one.
  private func step(from first: Int, _ kind: OperationKind) -> Step {
    var last = first
    while let next = chains.next[last] { last = next }
    let isDeleted = operations[last].kind == .delete
    let joint: OperationKind = isDeleted ? .delete : kind == .insert ? .insert : .update
    return Step(
      first: first, source: last, kind: last == first ? kind : joint,
      state: operations[last].state)
  }
}
