import Bytes
import Records

/// What earlier runs did, as far as it decides about what is left.
extension ReplayPlan {
  /// The operations that follow one of an earlier run on their item which the server took: the place
  /// of each, and that of the other.
  static func settled(
    before queue: OperationList, _ history: ReplayHistory, _ habits: FoldHabits
  ) -> PackedPairs {
    var pairs = PackedPairs()
    let isOpen = { (operation: borrowing PendingOperation) in
      operation.state.isPending && !history.isDone(operation.sequence)
    }
    // A run that has nothing left to do need not know what would follow what.
    guard queue.contains(where: { isOpen($0) }) else { return pairs }
    let previous = ItemChains(queue, exactSources: habits.exactSources).previous
    queue.lendEach { place, operation in
      // What was given up says nothing about the item that the server kept.
      guard let before = previous[place], history.isThere(queue.sequence(at: before)),
        isOpen(operation)
      else { return }
      pairs.append(place, before)
    }
    return pairs
  }

  /// What is done about an effect where an earlier run has sent another device's change behind it;
  /// `earlier` tells which operations of that run others follow.
  func verdict(
    on number: Int, _ overtaken: OvertakenChanges, _ queue: OperationList,
    _ history: ReplayHistory, _ earlier: PackedPairs
  ) -> OvertakenChanges.Verdict? {
    guard !overtaken.isEmpty else { return nil }
    var places: [Int] = []
    fold.effects.forEachPlace(fold.effects.places(at: number)) { places.append($0) }
    guard let later = overtaken.later(than: places) else { return nil }
    let known = fold.effects[number]
    var version = known.baseVersion
    let follower = earlier.firstPosition(from: places[0])
    if follower < earlier.count, earlier[follower].0 == places[0] {
      version = history.version(after: queue.sequence(at: earlier[follower].1))
    }
    return overtaken.verdict(on: known, behind: later, version: version)
  }

  /// The operations that are held back or dropped for the first time, where a later device's change of
  /// their item may be sent.
  func passedOver(
    in queue: OperationList, _ history: ReplayHistory,
    _ hash: (borrowing PendingOperation) -> UInt64?
  ) -> OperationSequences {
    guard let source = queue.first?.source, queue.contains(where: { $0.source != source })
    else { return [] }
    let held = KeySet(held.lazy.map(\.sequence))
    let overtaken = OvertakenOperations(
      of: queue, hash: hash,
      isWaiting: { _, operation in
        // A person may let what is dropped be sent after all.
        (operation.state == .dropped || held.contains(operation.sequence))
          && history.state(of: operation.sequence) == nil
      },
      isSent: { $1.state.isPending && !held.contains($1.sequence) }
    )
    var numbers = OperationSequences()
    for place in overtaken.all { numbers.append(queue.sequence(at: place)) }
    return numbers
  }
}
