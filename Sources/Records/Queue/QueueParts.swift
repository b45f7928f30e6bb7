/// The rows of one part of a queue, for threads to share.
package struct QueueParts: RowParts {
  private let queue: Queue
  private let rows: RowMatches
  private let part: BookkeepingTable
  private let form: RecordForm
  private let isOfSeveral: Bool

  private static let size = 4096

  /// The rows of the operations, errors or tokens; both forms of operations have as many columns.
  ///
  /// Of a store of several sources errors and tokens may tell theirs.
  package init(
    _ tied: MatchedQueue, _ part: BookkeepingTable, as form: RecordForm = .exported,
    ofSeveral isOfSeveral: Bool = false
  ) {
    queue = tied.queue
    rows = tied.rows ?? RowMatches()
    self.part = part
    self.form = form
    self.isOfSeveral = isOfSeveral
  }

  package var count: Int { (queue.count(of: part) + Self.size - 1) / Self.size }

  package func makeReader() -> any PartReader {
    Reader(parts: self)
  }

  private final class Reader: PartReader {
    private let parts: QueueParts
    private var batch: RecordBatch

    init(parts: QueueParts) {
      self.parts = parts
      let table = parts.part.table(ofSeveral: parts.isOfSeveral)
      batch = RecordBatch(columnCount: table.columns.count)
    }

    func forEachBatch(
      ofPart part: Int, _ body: (inout RecordBatch) throws(StoreError) -> Void
    ) throws(StoreError) {
      let start = part * QueueParts.size
      let end = min(start + QueueParts.size, parts.queue.count(of: parts.part))
      try parts.queue.forEachBatch(
        of: parts.part, as: parts.form, in: start..<end, ofSeveral: parts.isOfSeveral,
        rows: parts.rows, using: &batch, body)
    }
  }
}
