import Bytes

/// The operations of a queue that wait although a later one of another device on their item was sent.
///
/// A device's own operations never overtake each other.
package struct OvertakenOperations: Sendable {
  /// An operation that was sent, and of which device it is.
  private typealias Sent = (place: Int, source: Int32)

  /// The place of each, and that of the last operation on the item that was sent.
  private var places = PackedPairs()

  /// None.
  package init() {}

  /// Finds them in a queue, given which operations wait, which were sent, and a hash of the item of
  /// each, which is nil where it has none.
  ///
  /// Where devices send parts of items, `areApart` tells of two places whether one has nothing of what
  /// the other has.
  package init(
    of operations: OperationList, hash: (borrowing PendingOperation) -> UInt64?,
    isWaiting: (Int, borrowing PendingOperation) -> Bool,
    isSent: (Int, borrowing PendingOperation) -> Bool,
    areApart: ((Int, Int) -> Bool)? = nil
  ) {
    var sources: Set<Int32> = []
    var lastSent = -1
    operations.lendEach { place, operation in
      if isSent(place, operation) {
        lastSent = place
        sources.insert(operation.source)
      } else if isWaiting(place, operation) {
        sources.insert(operation.source)
      }
    }
    guard sources.count > 1 else { return }
    // The last operation that was sent, by the hash of the item, where one that waits is before it.
    var last: [UInt64: Sent] = [:]
    operations.lendEach(in: 0..<lastSent + 1) { place, operation in
      guard isWaiting(place, operation), let hash = hash(operation) else { return }
      last[hash] = (-1, operation.source)
    }
    guard !last.isEmpty else { return }
    // The one before each on its item, where that may be the one that matters.
    var previous: [Int: Sent] = [:]
    operations.lendEach(in: 0..<lastSent + 1) { place, operation in
      guard isSent(place, operation), let hash = hash(operation), let before = last[hash]
      else { return }
      if areApart != nil { previous[place] = before }
      last[hash] = (place, operation.source)
    }
    operations.lendEach(in: 0..<lastSent + 1) { place, operation in
      guard isWaiting(place, operation), let hash = hash(operation), var sent = last[hash]
      else { return }
      while sent.place > place, let areApart, areApart(place, sent.place) {
        sent = previous[sent.place] ?? (-1, sent.source)
      }
      guard sent.place > place, sent.source != operation.source else { return }
      places.append(place, sent.place)
    }
  }

  /// Whether there are none.
  package var isEmpty: Bool { places.count == 0 }

  /// The places of all, in their order.
  package var all: [Int] { (0..<places.count).map { places[$0].0 } }

  /// The place of the operation that was sent behind the one at a place; nil where none is.
  package func later(than place: Int) -> Int? {
    let position = places.firstPosition(from: place)
    guard position < places.count, places[position].0 == place else { return nil }
    return places[position].1
  }
}
