import Bytes

/// The operations of a queue that wait although a later one of another device on their item is done.
///
/// A device's own operations never overtake each other.
package struct OvertakenOperations: Sendable {
  private var places = PlaceList()

  /// None.
  package init() {}

  /// Finds them in a queue, given which operations wait and which are done.
  ///
  /// Items are told apart by the very spelling of their ids where to all devices that counts.
  package init(
    of operations: OperationList, exactSources: Set<Int32>,
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
    let isExact = sources.isSubset(of: exactSources)
    let seed = UInt64.random(in: .min ... .max)
    // The last operation that is done, by the hash of the item, where one that waits is before it.
    var done: [UInt64: (place: Int, source: Int32)] = [:]
    operations.lendEach(in: 0..<lastDone + 1) { _, operation in
      guard isWaiting(operation) else { return }
      if let hash = operation.itemHash(inTableSeededBy: seed, exactly: isExact) {
        done[hash] = (-1, operation.source)
      }
    }
    guard !done.isEmpty else { return }
    operations.lendEach(in: 0..<lastDone + 1) { place, operation in
      guard isDone(operation),
        let hash = operation.itemHash(inTableSeededBy: seed, exactly: isExact), done[hash] != nil
      else { return }
      done[hash] = (place, operation.source)
    }
    operations.lendEach(in: 0..<lastDone + 1) { place, operation in
      guard isWaiting(operation),
        let hash = operation.itemHash(inTableSeededBy: seed, exactly: isExact),
        let last = done[hash], last.place > place, last.source != operation.source
      else { return }
      places.append(place)
    }
  }

  /// Whether there are none.
  package var isEmpty: Bool { places.isEmpty }

  /// Whether the operation at a place is one.
  package func contains(_ place: Int) -> Bool { places.contains(place) }
}
