import Records
import SQLite

/// A queue that was read and whose operations are not all tied to their rows yet.
struct PreparedQueue {
  /// All of the queue but its operations.
  private let rest: Queue
  private var attachment: RowAttachment?

  /// Takes over a queue whose operations may mean rows of some tables.
  init(
    _ queue: consuming Queue, tyingTo candidates: [RowAttachment.Candidate],
    comparing comparison: ItemIDComparison
  ) {
    var operations: [PendingOperation] = []
    swap(&operations, &queue.operations)
    attachment = RowAttachment(operations, to: candidates, comparing: comparison)
    rest = queue
  }

  /// What finds the rows of a table while it is read; nil where no operation needs them.
  func naming(ofTable table: Table) -> RowNaming? { attachment?.naming(ofTable: table.name) }

  /// The whole queue, for which the tables that were not read meanwhile are read now.
  ///
  /// - Throws: `StoreError` when the store cannot be read.
  consuming func finish(_ database: borrowing SourceDatabase) throws(StoreError) -> Queue {
    var queue = rest
    let outcome = try attachment?.finish(database)
    // What found the rows is given up before their versions are put in.
    attachment = nil
    queue.operations = outcome?.apply() ?? []
    return queue
  }
}
