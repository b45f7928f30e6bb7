/// A source that yields the canonical model: what it is, its tables, its rows and its queue.
///
/// A reader owns an open store, so it has identity. It stays on the task that made it; what it
/// gives out may travel.
package protocol StoreReader: AnyObject {
  /// What the source is and how that is known; whoever opens it adds what a person calls it.
  var source: SourceDescription { get set }
  /// The app's tables.
  var catalogue: Catalogue { get }

  /// The app's tables, of whose columns none is undecided that has got values since it was said to be
  /// so; it may cost a pass over the tables.
  func catalogueByValues() throws(StoreError) -> Catalogue

  /// What was found so far that a person should know; it grows while rows are read.
  var findings: Findings { get }
  /// The paths of the files that make up the store, the store itself first.
  var inputFiles: [String] { get }
  /// The object model, where the layout has one.
  var model: ModelSummary? { get }
  /// Where the objects of the model are kept, where the layout has one.
  var objectStorage: ObjectStorage? { get }
  /// What earlier runs have kept in the store; nil where it is no store of ours.
  var kept: (any KeptRecords)? { get }

  /// Takes the values of a column for texts as they stand, where their type was only found out and
  /// would spell them otherwise; before any row is read.
  func keepSpelling(ofColumn column: Int, inTable table: Int)

  /// Whether the store's files and their folder entries are as they were when it was opened.
  ///
  /// - Throws: `StoreError` when they can no longer be looked at.
  func isSourceUnchanged() throws(StoreError) -> Bool

  /// Looks at the rows for what a person should know; it may cost a pass over the tables.
  func examineRows() throws(StoreError) -> [Finding]

  /// How many rows a table has.
  func countRows(inTable table: Int) throws(StoreError) -> Int

  /// The way to read the rows of one table, in key order.
  ///
  /// Where only some cells are wanted, others may be empty, but what is rejected is the same.
  func rows(
    ofTable table: Int, wanting cells: WantedCells?
  ) throws(StoreError) -> TableRows.Form

  /// Lends the rows that lie among those of a table and that no table can take, as rejects.
  func forEachLostRow(
    besideTable table: Int, _ body: (RejectedValue) throws(StoreError) -> Void
  ) throws(StoreError)

  /// Lends the rows that lie among those of a table and give way to rows of another source, after
  /// the others were read.
  func forEachMergedBatch(
    besideTable table: Int, _ body: ([MergedRow]) throws(StoreError) -> Void
  ) throws(StoreError)

  /// Reads the queue ahead, so that tables that are read before `readQueue` tie its operations to
  /// their rows by the way.
  func prepareQueue() throws(StoreError)

  /// Does so, and tells what is known before the rows are, of which batches note those that operations
  /// name; nil where operations know their rows, or only reading the queue tells.
  func readQueueAhead() throws(StoreError) -> QueueAhead?

  /// Reads the operations, errors and tokens.
  ///
  /// - Throws: `StoreError` when the store cannot be read; odd payloads are kept, not thrown.
  func readQueue() throws(StoreError) -> Queue

  /// Reads the operations, errors and tokens otherwise than they stand in the store.
  func readQueue(_ reading: QueueReading) throws(StoreError) -> Queue

  /// Reads the operations, errors and tokens; what rows the operations have may be told beside
  /// them, which is quicker where they are only passed on.
  func readMatchedQueue() throws(StoreError) -> MatchedQueue
}

/// In what a queue is read otherwise than it stands in the store.
package struct QueueReading: OptionSet, Sendable {
  /// As if everything that is dropped were kept.
  package static let keepingDropped = QueueReading(rawValue: 1)
  /// Without what the SDK stored of the operations.
  package static let withoutRaw = QueueReading(rawValue: 2)

  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }
}

/// A reader whose rows come one batch after the other, on the thread that asks for them.
package protocol BatchReader: StoreReader {
  /// Lends the rows of a table in key order, a batch at a time.
  func read(
    _ table: Int, _ body: (inout RecordBatch) throws(StoreError) -> Void
  ) throws(StoreError)
}

extension BatchReader {
  package func rows(
    ofTable table: Int, wanting cells: WantedCells?
  ) throws(StoreError) -> TableRows.Form {
    .batches { (body) throws(StoreError) in try self.read(table, body) }
  }
}

/// What earlier runs have kept in a store of ours; where nothing is said, nothing was kept.
package protocol KeptRecords: AnyObject {
  /// Lends what the devices of a store of several sources would send for their operations, in push
  /// order, with one entry for each operation.
  func forEachDeviceItem(
    _ body: (DeviceItem) throws(StoreError) -> Void
  ) throws(StoreError)

  /// Lends what earlier replays of the store have written down, oldest first.
  func forEachJournalLine(
    _ body: (JournalLine) throws(StoreError) -> Void
  ) throws(StoreError)

  /// How many lines that is.
  func countJournalLines() throws(StoreError) -> Int

  /// Lends the values that an earlier run could not take and that the store keeps.
  func forEachStoredReject(
    _ body: (RejectedValue) throws(StoreError) -> Void
  ) throws(StoreError)

  /// Lends the rows that gave way to others in an earlier run and that the store keeps.
  func forEachStoredMergedBatch(
    _ body: ([MergedRow]) throws(StoreError) -> Void
  ) throws(StoreError)
}

// MARK: - What most layouts have

extension StoreReader {
  package var model: ModelSummary? { nil }
  package var objectStorage: ObjectStorage? { nil }
  package var kept: (any KeptRecords)? { nil }

  package func keepSpelling(ofColumn column: Int, inTable table: Int) {}

  package func catalogueByValues() throws(StoreError) -> Catalogue { catalogue }

  package func examineRows() throws(StoreError) -> [Finding] { [] }

  package func forEachLostRow(
    besideTable table: Int, _ body: (RejectedValue) throws(StoreError) -> Void
  ) throws(StoreError) {}

  package func forEachMergedBatch(
    besideTable table: Int, _ body: ([MergedRow]) throws(StoreError) -> Void
  ) throws(StoreError) {}

  package func prepareQueue() throws(StoreError) {}

  package func readQueueAhead() throws(StoreError) -> QueueAhead? { nil }

  package func readQueue() throws(StoreError) -> Queue { Queue() }

  package func readQueue(_ reading: QueueReading) throws(StoreError) -> Queue {
    var queue = try readQueue()
    guard !reading.isEmpty else { return queue }
    queue.operations.updateEach { _, operation in
      if reading.contains(.keepingDropped), operation.state == .dropped {
        operation.state = operation.ownState.ifKept
      }
      if reading.contains(.withoutRaw) { operation.raw = nil }
    }
    return queue
  }

  package func readMatchedQueue() throws(StoreError) -> MatchedQueue {
    MatchedQueue(try readQueue())
  }
}

extension KeptRecords {
  package func forEachDeviceItem(
    _ body: (DeviceItem) throws(StoreError) -> Void
  ) throws(StoreError) {}

  package func forEachJournalLine(
    _ body: (JournalLine) throws(StoreError) -> Void
  ) throws(StoreError) {}

  package func countJournalLines() throws(StoreError) -> Int {
    var count = 0
    try forEachJournalLine { _ in count += 1 }
    return count
  }

  /// What the journal tells of the operations of the queue, which are of several devices or of one.
  package func readDeliveries(
    of operations: OperationList, ofSeveral isOfSeveral: Bool
  ) throws(StoreError) -> Deliveries {
    var lines = DeliverySort(of: operations, ofSeveral: isOfSeveral)
    try forEachJournalLine { (line) throws(StoreError) in try lines.add(line) }
    return try lines.deliveries()
  }

  package func forEachStoredReject(
    _ body: (RejectedValue) throws(StoreError) -> Void
  ) throws(StoreError) {}

  package func forEachStoredMergedBatch(
    _ body: ([MergedRow]) throws(StoreError) -> Void
  ) throws(StoreError) {}
}

// MARK: - Ways to read rows

extension StoreReader {
  /// Lends the rows of one table in key order, a batch at a time; where only some cells are wanted,
  /// others may be empty.
  package func forEachBatch(
    inTable table: Int, wanting cells: WantedCells? = nil,
    _ body: (inout RecordBatch) throws(StoreError) -> Void
  ) throws(StoreError) {
    switch try rows(ofTable: table, wanting: cells) {
    case .batches(let produce): try produce(body)
    case .parts(let parts):
      let reader = parts.makeReader()
      for part in 0..<parts.count { try reader.forEachBatch(ofPart: part, body) }
    }
  }

  /// The rows of one table in parts for several threads; nil where they come only one after another.
  package func parts(
    ofTable table: Int, wanting cells: WantedCells? = nil
  ) throws(StoreError) -> (any RowParts)? {
    guard case .parts(let parts) = try rows(ofTable: table, wanting: cells) else { return nil }
    return parts
  }

  /// Reads a table once more for the values that its columns cannot take.
  package func forEachRejectedCell(
    inTable index: Int, _ body: (RejectedValue) throws(StoreError) -> Void
  ) throws(StoreError) {
    let table = catalogue.tables[index]
    try forEachBatch(inTable: index) { (batch) throws(StoreError) in
      for reject in batch.rejects {
        try body(RejectedValue(reject, of: batch, table))
      }
    }
  }
}
