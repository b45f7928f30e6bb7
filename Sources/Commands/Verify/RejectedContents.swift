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

/// The values that no column of a store could take and that earlier runs have set aside, by the places
/// of their tables and by their rows.
struct SetAsideValues {
  private var tables: [Int: [Int64: [CellReject]]] = [:]

  /// Reads those that are content.
  init(in store: any StoreReader) throws(StoreError) {
    let tables = store.catalogue.places
    var columns: [Int: [ExactText: Int]] = [:]
    try store.kept?.forEachStoredReject { reject in
      guard let code = RejectCode(rawValue: reject.code), code.keepsContent, let raw = reject.raw,
        let table = tables[ExactText(reject.table)]
      else { return }
      let places = columns[table] ?? store.catalogue.tables[table].columnPlaces
      columns[table] = places
      guard let column = places[ExactText(reject.column)] else { return }
      self.tables[table, default: [:]][reject.row, default: []].append(
        CellReject(row: 0, column: column, code: code, raw: raw))
    }
  }

  /// Those of a table, by the keys of their rows.
  func byRow(ofTableAt place: Int) -> [Int64: [CellReject]] { tables[place] ?? [:] }
}

extension Table {
  /// The places of its columns by their names.
  fileprivate var columnPlaces: [ExactText: Int] {
    Dictionary(keepingFirst: columns.enumerated().map { (ExactText($1.name), $0) })
  }
}
