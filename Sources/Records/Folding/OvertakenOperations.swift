package import Bytes

/// The operations of a queue that wait although a later one of another device on their item was sent.
///
/// A device's own operations never overtake each other.
package struct OvertakenOperations: Sendable {
  /// An operation that was sent, and of which device it is.
  private typealias Sent = (place: Int, source: Int32)

  /// The last of the operations on an item that were sent.
  private struct LastSent {
    private(set) var ofAll: Sent?
    /// The last of those that may have every field.
    private var whole: Sent?
    private var byField: [ExactText: Sent] = [:]

    mutating func add(_ sent: Sent, _ fields: Set<ExactText>?) {
      ofAll = sent
      guard let fields else {
        whole = sent
        return
      }
      for field in fields { byField[field] = sent }
    }

    /// The last one that has something of what another operation has.
    func sharing(_ fields: Set<ExactText>?) -> Sent? {
      guard let fields else { return ofAll }
      var last = whole
      for field in fields {
        if let sent = byField[field], sent.place > last?.place ?? -1 { last = sent }
      }
      return last
    }
  }

  /// The place of each, and that of the last operation on the item that was sent.
  private var places = PackedPairs()

  /// None.
  package init() {}

  /// Finds them in a queue, given which operations wait, which were sent, and a hash of the item of
  /// each, which is nil where it has none.
  ///
  /// Where devices send parts of items, `fields` tells what an operation has of its item, and nil where
  /// that may be all: those that have nothing in common do not overtake each other.
  package init(
    of operations: OperationList, hash: (borrowing PendingOperation) -> UInt64?,
    isWaiting: (Int, borrowing PendingOperation) -> Bool,
    isSent: (Int, borrowing PendingOperation) -> Bool,
    fields: (borrowing PendingOperation) -> Set<ExactText>? = { _ in nil }
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
    // What was sent, by the hash of the item, where an operation that waits is before it.
    var last: [UInt64: LastSent] = [:]
    operations.lendEach(in: 0..<lastSent + 1) { place, operation in
      guard isWaiting(place, operation), let hash = hash(operation) else { return }
      last[hash] = LastSent()
    }
    guard !last.isEmpty else { return }
    operations.lendEach(in: 0..<lastSent + 1) { place, operation in
      guard isSent(place, operation), let hash = hash(operation), last[hash] != nil else { return }
      last[hash]?.add((place, operation.source), fields(operation))
    }
    operations.lendEach(in: 0..<lastSent + 1) { place, operation in
      guard isWaiting(place, operation), let hash = hash(operation), let sent = last[hash],
        sent.ofAll?.place ?? -1 > place, let later = sent.sharing(fields(operation)),
        later.place > place, later.source != operation.source
      else { return }
      places.append(place, later.place)
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
