package import Bytes

/// A queue, and the rows that its operations would send, which they need not know themselves.
package struct MatchedQueue: Sendable {
  /// The queue; where there are rows beside it, its operations have no rows of their own.
  package private(set) var queue: Queue
  /// The rows, where the operations do not know them.
  private(set) var rows: RowMatches?

  /// A queue whose operations know their rows unless something else does.
  package init(_ queue: consuming Queue, rows: RowMatches? = nil) {
    self.queue = queue
    self.rows = rows
  }
}

extension MatchedQueue {
  /// Lets the rows of other tables than some be gone, as they are where only these tables go.
  ///
  /// Operations of `setSenders` go without the rows that they are tied to, and stay tied.
  ///
  /// - Returns: the operations on other tables.
  package mutating func keepRows(
    ofTables names: Set<ExactText>, setSenders: Set<Int32>
  ) -> KeySet {
    if !setSenders.contains(0) { rows?.keepRows(ofTables: names) }
    var others: KeySet = []
    queue.operations.updateEach { _, operation in
      guard let table = operation.rowTable ?? operation.table, !names.contains(ExactText(table))
      else { return }
      others.insert(operation.sequence)
      guard operation.rowKey != nil, !setSenders.contains(operation.source) else { return }
      operation.rowKey = nil
      operation.rowTable = nil
    }
    return others
  }

  /// Lets operations have no items that stand for the rows of their devices, but for those that are
  /// payloads of their SDKs.
  package mutating func dropItems(of operations: KeySet, payloadSources: Set<Int32>) {
    queue.operations.updateEach { _, operation in
      guard operation.item != nil, operations.contains(operation.sequence),
        !payloadSources.contains(operation.source)
      else { return }
      operation.item = nil
    }
  }

  /// Lets operations that nobody can read tell no kind, so that nothing else is made of them.
  package mutating func forgetKinds(where isUnreadable: (PendingOperation) -> Bool) {
    guard queue.operations.contains(where: isUnreadable) else { return }
    queue.operations.updateEach { if isUnreadable($1) { $1.kind = nil } }
  }

  /// The queue with operations that know their rows.
  ///
  /// They are put into memory that neighbours share, on several threads.
  ///
  /// - Throws: `StoreError` where what was set aside in a file cannot be read again.
  package consuming func settled() throws(StoreError) -> Queue {
    guard let rows else { return queue }
    var operations = OperationList()
    swap(&operations, &queue.operations)
    var work = OrderedWork<Chunk, [PendingOperation]>(threads: threadCount()) {
      { chunk, emit in _ = emit(chunk.packed(with: rows)) }
    }
    var tied = OperationList(like: operations)
    tied.reserveCapacity(operations.count)
    let take = { (packed: [PendingOperation]) in tied.append(contentsOf: packed) }
    var start = 0
    while start < operations.count {
      let end = operations.endOfPiece(from: start)
      work.put(Chunk(start: start, operations: operations.take(start..<end)), take)
      start = end
    }
    work.finish(take)
    try checkWhatWasSetAside()
    queue.operations = tied
    return queue
  }
}

/// Some operations that follow each other.
private struct Chunk: Sendable {
  let start: Int
  let operations: [PendingOperation]

  func packed(with rows: RowMatches) -> [PendingOperation] {
    var packing = OperationPacking()
    let operations = operations.span
    for place in operations.indices {
      if let row = rows.row(of: operations[place], at: start + place) {
        packing.add(operations[place], tiedTo: row, of: rows)
      } else {
        packing.add(operations[place])
      }
    }
    return packing.take()
  }
}
