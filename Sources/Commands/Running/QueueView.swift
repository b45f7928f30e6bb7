import Audit
import Bytes
import Records

/// A store as questions about its operations need it: of the rows only whether they have a version.
///
/// An audit of the whole store compares the ids of all rows, which answers nothing about any
/// operation and takes most of the time.
final class QueueView: StoreReader {
  let catalogue: Catalogue
  private let store: any StoreReader
  private let queue: Queue

  /// A view of a store with the queue that was read from it.
  init(of store: any StoreReader, queue: Queue) {
    self.store = store
    self.queue = queue
    var catalogue = store.catalogue
    for table in catalogue.tables.indices {
      for column in catalogue.tables[table].columns.indices
      where catalogue.tables[table].columns[column].role != .version {
        catalogue.tables[table].columns[column].role = .value
      }
    }
    self.catalogue = catalogue
  }

  var source: SourceDescription {
    get { store.source }
    set { store.source = newValue }
  }
  var findings: [Finding] { store.findings }
  var inputFiles: [String] { store.inputFiles }

  func readQueue() -> Queue { queue }

  func forEachDeviceItem(
    _ body: (DeviceItem) throws(StoreError) -> Void
  ) throws(StoreError) {
    try store.forEachDeviceItem(body)
  }

  func isSourceUnchanged() throws(StoreError) -> Bool { try store.isSourceUnchanged() }

  func countRows(inTable table: Int) throws(StoreError) -> Int {
    try store.countRows(inTable: table)
  }

  func forEachBatch(
    inTable table: Int, _ body: (inout RecordBatch) throws(StoreError) -> Void
  ) throws(StoreError) {
    try store.forEachBatch(inTable: table, body)
  }

  func forEachBatch(
    inTable table: Int, wanting cells: WantedCells,
    _ body: (inout RecordBatch) throws(StoreError) -> Void
  ) throws(StoreError) {
    try store.forEachBatch(inTable: table, wanting: cells, body)
  }

  func parts(
    ofTable table: Int, wanting cells: WantedCells?
  ) throws(StoreError) -> (any RowParts)? {
    try store.parts(ofTable: table, wanting: cells)
  }
}

extension StoreAudit {
  /// Judges the operations of a store and nothing else, and proves that it stayed as it was.
  ///
  /// Without `listsRows` the rows that operations would send are left out.
  ///
  /// - Throws: `StoreError` when the store cannot be read or has changed.
  init(
    ofOperationsIn view: QueueView, _ settings: RunSettings, listsRows: Bool
  ) throws(StoreError) {
    try self.init(
      of: view, now: Timestamp.now, listsRows: listsRows, threads: threadCount()
    ) { (_) throws(StoreError) in try settings.checkInterruption() }
    try SourceProof.checkUnchanged(view)
  }
}
