import Bytes
import Records

extension ItemRows {
  /// What the compared columns could not take of a row, now or in an earlier run, as far as it is
  /// content, in the order of these columns.
  func rejected(
    _ row: Int, of batch: borrowing RecordBatch, _ now: ArraySlice<CellReject>,
    _ earlier: RejectedCells
  ) -> [RejectedCell] {
    guard !now.isEmpty || !earlier.isEmpty else { return [] }
    let key = batch.keys[row]
    let values =
      now.filter(\.code.keepsContent).map {
        RejectedCell(row: key, column: $0.column, number: $0.raw.fingerprint)
      } + earlier.cells(ofRow: key)
    guard !values.isEmpty else { return [] }
    var rejected: [RejectedCell] = []
    for (number, column) in columns.enumerated() {
      // A person may have put a value right since it was set aside.
      guard batch.cells[row * batch.columnCount + column.place].kind == .null,
        let value = values.first(where: { $0.column == column.place })
      else { continue }
      rejected.append(RejectedCell(row: key, column: number, number: value.number))
    }
    return rejected
  }

  /// Lets values among a few cells be shown that earlier runs have set aside.
  func showSetAside(in rows: inout [Int64: [ShownCell]]) throws(StoreError) {
    let wanted = Set(rows.values.joined().compactMap(\.setAsideInRow))
    guard !wanted.isEmpty else { return }
    let texts = try setAside.texts(ofRows: wanted, ofTableAt: place)
    for (key, cells) in rows {
      for (place, column) in columns.enumerated() {
        guard let row = cells[place].setAsideInRow else { continue }
        rows[key]?[place].text = texts[row]?[column.place]
      }
    }
  }
}

extension [CellReject] {
  /// Those of a row, among those of a batch in the order of its rows.
  func ofRow(_ row: Int) -> ArraySlice<CellReject> {
    self[firstPlace(in: self) { $0.row >= row }...].prefix { $0.row == row }
  }
}
