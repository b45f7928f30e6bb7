package import Records

/// A store of an app that is being filled: it holds rows and a queue, as those of one device.
package protocol AppStore: StoreWriter, AnyObject {
  /// Its tables.
  var filling: any AppTableFilling { get }
}

/// The tables of an app's store that is being filled, whatever app it is.
package protocol AppTableFilling: AnyObject {
  /// What the store cannot take.
  var losses: Losses { get set }

  /// Begins to fill a table; its rows come next.
  func begin(_ table: Table) throws(StoreError)

  /// Takes the rows of a batch, which is without rows afterwards.
  func insert(_ batch: inout RecordBatch) throws(StoreError)

  /// Does the same, and lends the batch, as `StoreWriter` describes it.
  func insert(
    _ batch: inout RecordBatch, showing show: (borrowing RecordBatch) throws(StoreError) -> Void
  ) throws(StoreError)

  /// Ends a table, as `StoreWriter.endTable` describes it.
  func end(counted count: Int, lost: Int, merged: Int) throws(StoreError)

  /// Tells of a value that an earlier run could not take.
  func note(_ reject: RejectedValue)

  /// Gives out the books of the tables that have ended since they were last asked for.
  func takeBooks() -> [TableBalance]

  /// Gives out what changes in books that were given out before, as `StoreWriter` describes it.
  func takeLateBooks() -> [TableBalance]
}

extension AppStore {
  package static var keepsRejects: Bool { false }

  package func beginTable(_ table: Table) throws(StoreError) { try filling.begin(table) }

  package func insert(_ batch: inout RecordBatch) throws(StoreError) { try filling.insert(&batch) }

  package func insert(
    _ batch: inout RecordBatch, showing show: (borrowing RecordBatch) throws(StoreError) -> Void
  ) throws(StoreError) {
    try filling.insert(&batch, showing: show)
  }

  package func endTable(counted count: Int, lost: Int, merged: Int) throws(StoreError) {
    try filling.end(counted: count, lost: lost, merged: merged)
  }

  package func write(_ rejects: [RejectedValue]) { rejects.forEach(filling.note) }

  /// The store of an app is that of one device, with the rows as they are.
  package func write(_ items: [DeviceItem]) {}

  /// The queue knows what has become of its operations; the store has no place for more.
  package func write(_ lines: [JournalLine]) {}

  /// The report has them; the store has no place for them.
  package func write(_ rows: [MergedRow]) {}

  /// The report has them; the store has no place for them.
  package func write(findings: Findings, files: [SourceFile]) {}

  package func takeBalances() -> [TableBalance] { filling.takeBooks() }

  package func takeLateBalances() -> [TableBalance] { filling.takeLateBooks() }

  package func takeFindings() -> [Finding] { filling.losses.take() }
}
