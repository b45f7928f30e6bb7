import Bytes
import Records

extension ItemRows {
  /// What the compared columns could not take of a row, now or in an earlier run, as far as it is
  /// content, in the order of these columns.
  func rejected(
    _ row: Int, of batch: borrowing RecordBatch, _ now: ArraySlice<CellReject>,
    _ earlier: SetAsideRows
  ) -> [RejectedNumber] {
    guard !now.isEmpty || !earlier.isEmpty else { return [] }
    let values =
      now.filter(\.code.keepsContent).map {
        RejectedNumber(column: $0.column, number: $0.raw.number)
      } + earlier.values(ofRow: batch.keys[row])
    guard !values.isEmpty else { return [] }
    var rejected: [RejectedNumber] = []
    for (number, column) in columns.enumerated() {
      // A person may have put a value right since it was set aside.
      guard batch.cells[row * batch.columnCount + column.place].kind == .null,
        let value = values.first(where: { $0.column == column.place })
      else { continue }
      rejected.append(RejectedNumber(column: number, number: value.number))
    }
    return rejected
  }

  /// What stands for each cell that a column could not take.
  func rejectedCells(_ session: Session) throws(StoreError) -> [Int64] {
    var cells: [Int64] = []
    try forEachRejectedCell(session) { cells.append($0) }
    return cells
  }

  /// Hands out what stands for each cell that a column could not take.
  func forEachRejectedCell(
    _ session: Session, _ body: (Int64) -> Void
  ) throws(StoreError) {
    try forEachBatch { (items, _, _) throws(StoreError) in
      try session.checkInterruption()
      for reject in items.rejects {
        body(RejectedByBoth.cell(ofItem: items.keys[reject.row], column: reject.column))
      }
    }
  }

  /// Lets values among a few cells be shown that earlier runs have set aside.
  func showSetAside(in rows: inout [Int64: [[ShownCell]]]) throws(StoreError) {
    let wanted = Set(rows.values.joined().joined().compactMap(\.setAsideInRow))
    guard !wanted.isEmpty else { return }
    let texts = try textsSetAside(inRows: wanted)
    let names = columns.map { ExactText(ownTable.columns[$0.place].name) }
    for (key, items) in rows {
      for (number, cells) in items.enumerated() {
        for (place, name) in names.enumerated() {
          guard let row = cells[place].setAsideInRow else { continue }
          rows[key]?[number][place].text = texts[row]?[name]
        }
      }
    }
  }

  /// What is set aside of some rows, by their keys and the names of the columns.
  private func textsSetAside(
    inRows wanted: Set<Int64>
  ) throws(StoreError) -> [Int64: [ExactText: String]] {
    var texts: [Int64: [ExactText: String]] = [:]
    try reader.kept?.forEachStoredReject { reject in
      guard wanted.contains(reject.row), hasSameBytes(reject.table, ownTable.name),
        let raw = reject.content, texts[reject.row]?[ExactText(reject.column)] == nil
      else { return }
      texts[reject.row, default: [:]][ExactText(reject.column)] = ShownCell.text(of: raw)
    }
    return texts
  }
}

extension [CellReject] {
  /// Those of a row, among those of a batch in the order of its rows.
  func ofRow(_ row: Int) -> ArraySlice<CellReject> {
    self[firstPlace(in: self) { $0.row >= row }...].prefix { $0.row == row }
  }
}
