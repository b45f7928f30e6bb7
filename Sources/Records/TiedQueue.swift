import Bytes

/// A queue, and the rows that its operations would send, which they need not know themselves.
package struct TiedQueue: Sendable {
  /// The queue; where there are rows beside it, its operations have no rows of their own.
  package private(set) var queue: Queue
  /// The rows, where the operations do not know them.
  let rows: RowTies?

  /// A queue whose operations know their rows unless something else does.
  package init(_ queue: consuming Queue, rows: RowTies? = nil) {
    self.queue = queue
    self.rows = rows
  }
}

extension TiedQueue {
  /// The queue with operations that know their rows.
  ///
  /// They are put into memory that neighbours share, on several threads.
  package consuming func settled() -> Queue {
    guard let rows else { return queue }
    var operations: [PendingOperation] = []
    swap(&operations, &queue.operations)
    var work = OrderedWork<Chunk, [PendingOperation]>(threads: threadCount()) {
      { chunk, emit in _ = emit(chunk.packed(with: rows)) }
    }
    var done = 0
    let take = { (packed: [PendingOperation]) in
      for operation in packed {
        operations[done] = operation
        done += 1
      }
    }
    for start in stride(from: 0, to: operations.count, by: Chunk.size) {
      let end = min(start + Chunk.size, operations.count)
      work.put(Chunk(start: start, operations: Array(operations[start..<end])), take)
    }
    work.finish(take)
    queue.operations = operations
    return queue
  }
}

/// Some operations that follow each other.
private struct Chunk: Sendable {
  let start: Int
  let operations: [PendingOperation]

  /// How many operations are packed at a time.
  static let size = 4096

  func packed(with rows: RowTies) -> [PendingOperation] {
    var packing = OperationPacking()
    for (place, operation) in operations.enumerated() {
      if let row = rows.row(ofOperationAt: start + place) {
        packing.add(operation, tiedTo: row, of: rows)
      } else {
        packing.add(operation)
      }
    }
    return packing.take()
  }
}
