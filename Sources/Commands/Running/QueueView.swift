import Audit
import Bytes
import Records

/// A store as questions about its operations need it: of the rows only whether they have a version.
///
/// An audit of the whole store compares the ids of all rows, which answers nothing about any
/// operation and takes most of the time.
final class QueueView: ReaderView {
  let catalogue: Catalogue
  let base: any StoreReader
  private let queue: Queue

  init(of store: any StoreReader, queue: Queue) {
    base = store
    self.queue = queue
    var catalogue = store.catalogue
    for table in catalogue.tables.indices {
      for column in catalogue.tables[table].columns.indices {
        let role = catalogue.tables[table].columns[column].role
        guard role != .version else { continue }
        // What is sent stays known from what is not; of either kind no rule looks at the values.
        let isSent = role == .value || role == .id
        catalogue.tables[table].columns[column].role = isSent ? .value : .createdAt
      }
    }
    self.catalogue = catalogue
  }

  /// Of the tables nothing is asked but rows.
  var model: ModelSummary? { nil }

  func readQueue() -> Queue { queue }

  func examineRows() -> [Finding] { [] }
}

extension StoreAudit {
  /// Judges the operations of a store and nothing else, and proves that it stayed as it was; `queue`
  /// reads them, where that is not as they are.
  ///
  /// Without `listsRows` the rows that operations would send are left out.
  static func ofOperations(
    in reader: any StoreReader, _ session: Session, listsRows: Bool,
    queue read: (() throws(StoreError) -> Queue)? = nil
  ) throws(StoreError) -> StoreAudit {
    try reader.unchanged { () throws(StoreError) in
      let queue = if let read { try read() } else { try reader.readQueue() }
      let view = QueueView(of: reader, queue: queue)
      return try StoreAudit(
        of: view, now: Timestamp.now, listsRows: listsRows, threads: threadCount()
      ) { (_) throws(StoreError) in try session.checkInterruption() }
    }
  }
}
