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
  /// The operations on items on which another device has later ones.
  private(set) var superseded: KeySet = []

  /// Plans for operations in push order, of several devices or one; takes time in proportion to their
  /// number.
  ///
  /// Those of `exactSources` come from SDKs to which ids that differ only in letter case are two items.
  init(_ operations: OperationList, exactSources: Set<Int32>, isOfSeveral: Bool = false) {
    // The new store is that of one device, whatever devices the operations come from.
    chains = ItemChains(operations, joiningSources: true, exactSources: exactSources)
    self.operations = operations
    let held = Self.placesBesideUndecoded(chains)
    if isOfSeveral {
      superseded = Self.placesBeforeOtherDevices(chains, operations, besides: held)
    }
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
        guard !held.contains(Int64(place)) else {
          besideUndecoded += 1
          continue
        }
        guard !superseded.contains(Int64(place)) else { continue }
        if let previous = chains.previous[place], !superseded.contains(Int64(previous)) {
          joined += 1
        } else {
          waiting.append(place)
        }
      }
    }
  }

  /// The operations on items of which nobody can tell what becomes of them.
  private static func placesBesideUndecoded(_ chains: ItemChains) -> KeySet {
    var places: KeySet = []
    for neighbour in chains.undecoded.lazy.compactMap(chains.neighbour(ofUndecoded:))
    where !places.contains(Int64(neighbour)) {
      var place: Int? = neighbour
      while let before = place.flatMap({ chains.previous[$0] }) { place = before }
      while let next = place {
        places.insert(Int64(next))
        place = chains.next[next]
      }
    }
    return places
  }

  /// The operations behind which another device has some on the item.
  ///
  /// What one device says of an item and what another one does are no single change, and the toolkit
  /// sends only one: that of the device that comes last, which would stay on the server.
  private static func placesBeforeOtherDevices(
    _ chains: ItemChains, _ operations: OperationList, besides held: KeySet
  ) -> KeySet {
    var found: KeySet = []
    for end in operations.indices where chains.next[end] == nil && !held.contains(Int64(end)) {
      guard var place = chains.previous[end] else { continue }
      let device = operations[end].source
      var isOther = false
      while true {
        isOther = isOther || operations[place].source != device
        if isOther { found.insert(Int64(place)) }
        guard let previous = chains.previous[place] else { break }
        place = previous
      }
    }
    return found
  }

  /// Lends the places of the operations of a step, in push order.
  func forEachPlace(of step: Step, _ body: (Int) -> Void) {
    var place: Int? = step.first
    while let current = place {
      body(current)
      place = current == step.source ? nil : chains.next[current]
    }
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
