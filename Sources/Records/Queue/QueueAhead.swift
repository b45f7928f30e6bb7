/// A queue whose operations are tied to rows while these are read, and do not know them yet.
package struct QueueAhead {
  /// The queue as it is without them.
  package let queue: Queue
  private let knowsRows: () -> Bool

  /// A queue, of which `knowsRows` tells whether all rows that operations may mean were seen.
  package init(_ queue: Queue, knowsRows: @escaping () -> Bool) {
    self.queue = queue
    self.knowsRows = knowsRows
  }

  /// Whether all rows that operations may mean were seen, so that none is found later that was not
  /// noted among those of a batch.
  package var isTied: Bool { knowsRows() }
}
