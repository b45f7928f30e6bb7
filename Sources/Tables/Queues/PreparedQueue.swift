package import Records
package import SQLite

/// A queue that was read and whose operations are not all tied to their rows yet.
package struct PreparedQueue {
  /// All of the queue but its operations.
  private let rest: Queue
  private var attachment: RowAttachment?

  /// Takes over a queue whose operations may mean rows of some tables.
  package init(
    _ queue: consuming Queue, tyingTo candidates: [RowAttachment.Candidate],
    comparing comparison: ItemIDComparison
  ) {
    var operations = OperationList()
    swap(&operations, &queue.operations)
    attachment = RowAttachment(operations, to: candidates, comparing: comparison)
    rest = queue
  }

  /// What finds the rows of a table while it is read; nil where no operation needs them.
  package func naming(ofTable table: Table) -> RowMatching? {
    attachment?.naming(ofTable: table.name)
  }

  /// What is known before the rows are; nil where reading a table does not note all of its rows.
  package var ahead: QueueAhead? {
    guard let attachment, attachment.notesAllRows else { return nil }
    var queue = rest
    queue.operations = attachment.operations
    return QueueAhead(queue) { attachment.hasReadAll }
  }

  /// The whole queue with the rows of its operations, for which the tables that were not read
  /// meanwhile are read now.
  package consuming func finish(_ database: borrowing SourceDatabase) throws(StoreError)
    -> MatchedQueue
  {
    var queue = rest
    guard let outcome = try attachment.take()?.finish(database) else { return MatchedQueue(queue) }
    queue.operations = outcome.operations
    return MatchedQueue(queue, rows: outcome.ties)
  }
}
