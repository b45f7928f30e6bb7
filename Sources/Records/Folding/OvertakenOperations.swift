import Bytes

/// The operations of a queue that wait although a later one of another device on their item is done.
///
/// A device's own operations never overtake each other.
package struct OvertakenOperations: Sendable {
  /// The place of each, and that of the last operation on the item that is done.
  private var places = PackedPairs()

  /// None.
  package init() {}

  /// Finds them in a queue, given which operations wait, which are done, and a hash of the item of
  /// each, which is nil where it has none.
  package init(
    of operations: OperationList, hash: (borrowing PendingOperation) -> UInt64?,
    isWaiting: (borrowing PendingOperation) -> Bool, isDone: (borrowing PendingOperation) -> Bool
  ) {
    var sources: Set<Int32> = []
    var lastDone = -1
    operations.lendEach { place, operation in
      if isDone(operation) {
        lastDone = place
        sources.insert(operation.source)
      } else if isWaiting(operation) {
        sources.insert(operation.source)
      }
    }
    guard sources.count > 1 else { return }
    // The last operation that is done, by the hash of the item, where one that waits is before it.
    var done: [UInt64: (place: Int, source: Int32)] = [:]
    operations.lendEach(in: 0..<lastDone + 1) { _, operation in
      guard isWaiting(operation), let hash = hash(operation) else { return }
      done[hash] = (-1, operation.source)
    }
    guard !done.isEmpty else { return }
    operations.lendEach(in: 0..<lastDone + 1) { place, operation in
      guard isDone(operation), let hash = hash(operation), done[hash] != nil else { return }
      done[hash] = (place, operation.source)
    }
    operations.lendEach(in: 0..<lastDone + 1) { place, operation in
      guard isWaiting(operation), let hash = hash(operation), let last = done[hash],
        last.place > place, last.source != operation.source
      else { return }
      places.append(place, last.place)
    }
  }

  /// Whether there are none.
  package var isEmpty: Bool { places.count == 0 }

  /// The place of the operation that is done behind the one at a place; nil where none is.
  package func later(than place: Int) -> Int? {
    let position = places.firstPosition(from: place)
    guard position < places.count, places[position].0 == place else { return nil }
    return places[position].1
  }
}
