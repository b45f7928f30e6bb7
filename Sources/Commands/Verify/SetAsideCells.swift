import Bytes
import Records

/// The values that no column of a store could take and that earlier runs have set aside, by table.
struct SetAsideCells {
  private var tables: [ExactText: RejectedCells] = [:]

  /// Reads those of a store; most keep none.
  init(in store: any StoreReader) throws(StoreError) {
    try store.kept?.forEachStoredReject { reject in
      guard RejectCode(rawValue: reject.code) != nil else { return }
      tables[ExactText(reject.table), default: RejectedCells()].add(reject)
    }
  }

  /// Those of a table with those that its rows have now, for which the rows are read once more where
  /// there are some.
  func all(
    of entry: StoreContents.Entry, in rows: RowSource, _ session: Session
  ) throws(StoreError) -> RejectedCells {
    var cells = tables[ExactText(entry.table.name)] ?? RejectedCells()
    guard entry.rejected > 0 else { return cells }
    try rows.forEachBatch(session) { (batch) throws(StoreError) in
      cells.add(batch, of: entry.table)
    }
    return cells
  }
}
