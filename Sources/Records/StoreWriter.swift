package import Bytes

/// A new store that takes what readers give: source after source, table after table.
///
/// Nothing stands under its name before `publish`; a value that ends before leaves nothing behind.
package protocol StoreWriter: ~Copyable {
  /// Whether values that no column could take are kept beside the tables.
  static var keepsRejects: Bool { get }

  /// Takes the source whose tables, rows and queue come next, and makes room for its tables.
  ///
  /// - Throws: `StoreError` when the store has no room for one, or cannot be written.
  func begin(
    _ description: SourceDescription, catalogue: Catalogue, at time: Timestamp, toolVersion: String
  ) throws(StoreError)

  /// Begins to load a table of the catalogue; its rows come next.
  func beginTable(_ table: Table) throws(StoreError)

  /// Takes the rows of a batch, which is without rows afterwards.
  func insert(_ batch: inout RecordBatch) throws(StoreError)

  /// Does the same, and lends the batch as long as it has its rows; then values that the store itself
  /// could not take are among its rejects, too, and in their cells, and rows that it did not let in
  /// among its refusals.
  ///
  /// The default is for stores that take everything.
  func insert(
    _ batch: inout RecordBatch, showing show: (borrowing RecordBatch) throws(StoreError) -> Void
  ) throws(StoreError)

  /// Takes the rows of a table that several threads can read; `note` hears of them in their order.
  ///
  /// The default reads them part after part.
  func insert(
    _ parts: any RowParts, threads: Int, noting note: (RowTally) throws(StoreError) -> Void
  ) throws(StoreError)

  /// Ends a table of which the source has counted so many rows, so many beside them that no table
  /// takes, and so many among them that gave way to rows of other sources.
  ///
  /// - Throws: `StoreError` when the books do not balance or the store cannot be written.
  func endTable(counted count: Int, lost: Int, merged: Int) throws(StoreError)

  /// Writes the operations, errors and tokens of the current source, of which nobody else should hold
  /// the queue: it is changed, and two of them take much memory.
  ///
  /// - Returns: how much of them the store holds.
  func write(_ queue: consuming MatchedQueue) throws(StoreError) -> QueueCounts

  /// Writes what devices would send for their operations, of each at most one.
  func write(_ items: [DeviceItem]) throws(StoreError)

  /// Writes lines of the journal of earlier replays, in their order.
  func write(_ lines: [JournalLine]) throws(StoreError)

  /// Writes values that an earlier run could not take; those of a source come before its queue.
  func write(_ rejects: [RejectedValue]) throws(StoreError)

  /// Writes what is to be said of rows that gave way to others, with the rows.
  func write(_ rows: [MergedRow]) throws(StoreError)

  /// Writes what was found in the current source, and the files that were read.
  func write(findings: Findings, files: [SourceFile]) throws(StoreError)

  /// Gives out the books of the tables that have ended since they were last asked for.
  ///
  /// - Throws: `StoreError` of any step before.
  func takeBalances() throws(StoreError) -> [TableBalance]

  /// What of the current source the store could not take as it is.
  func takeFindings() -> [Finding]

  /// What of tables, those of earlier sources among them, came out once the rows of all were there.
  func takeLateFindings() -> [Finding]

  /// What is to be added to books that were given out before, since rows went again once those of all
  /// sources were there.
  func takeLateBalances() -> [TableBalance]

  /// Checks the store, flushes it and gives it its name.
  ///
  /// - Throws: `StoreError` when the check fails or the store cannot be published.
  consuming func publish() throws(StoreError)
}

extension StoreWriter where Self: ~Copyable {
  package func takeLateFindings() -> [Finding] { [] }

  package func takeLateBalances() -> [TableBalance] { [] }

  package func insert(
    _ batch: inout RecordBatch, showing show: (borrowing RecordBatch) throws(StoreError) -> Void
  ) throws(StoreError) {
    try show(batch)
    try insert(&batch)
  }

  package func insert(
    _ parts: any RowParts, threads: Int, noting note: (RowTally) throws(StoreError) -> Void
  ) throws(StoreError) {
    let reader = parts.makeReader()
    for part in 0..<parts.count {
      try reader.forEachBatch(ofPart: part) { (batch) throws(StoreError) in
        var tally = RowTally()
        tally.count(batch)
        try insert(&batch)
        try note(tally)
      }
    }
  }
}
