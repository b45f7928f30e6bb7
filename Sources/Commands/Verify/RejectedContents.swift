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

extension ItemRows {
  /// The values that the columns which are compared could not take, by the items that have them; with
  /// those that earlier runs have set aside.
  func rejectedCells(_ session: Session) throws(StoreError) -> RejectedCells {
    var setAside: Set<Int64> = []
    try forEachSetAside { setAside.insert($0.row) }
    var cells = RejectedCells()
    var items: [Int64: Int64] = [:]
    try forEachBatch { (batch, rows, whole) throws(StoreError) in
      try session.checkInterruption()
      cells.add(batch, of: table)
      guard !setAside.isEmpty else { return }
      for (item, row) in zip(batch.keys, rows) where setAside.contains(whole.keys[row]) {
        items[whole.keys[row]] = item
      }
    }
    guard !items.isEmpty else { return cells }
    try forEachSetAside { reject in
      // An item that is marked as deleted counts as gone.
      guard let item = items[reject.row] else { return }
      var reject = reject
      reject.row = item
      cells.add(reject)
    }
    return cells
  }

  /// Lends what is set aside of the columns that are compared, under the names that they have then.
  private func forEachSetAside(_ body: (RejectedValue) -> Void) throws(StoreError) {
    let names = comparedNames
    try reader.kept?.forEachStoredReject { reject in
      guard RejectCode(rawValue: reject.code) != nil,
        hasSameBytes(reject.table, reader.catalogue.tables[place].name),
        let name = names[ExactText(reject.column)]
      else { return }
      var reject = reject
      reject.column = name
      body(reject)
    }
  }
}
