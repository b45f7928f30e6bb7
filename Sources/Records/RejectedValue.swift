/// A value that a source holds and that no column could take, with its place.
package struct RejectedValue: Sendable, Equatable {
  /// The table's name.
  package var table: String
  /// The `_pk` of its row.
  package var row: Int64
  /// The column's name.
  package var column: String
  /// Why; a `RejectCode` of this version or of another.
  package var code: String
  /// The value as stored; nil where even that is not known.
  package var raw: RawValue?
  /// The number of its source in a store of several sources; 0 in others.
  package var source: Int32 = 0

  /// A reject with its place.
  package init(table: String, row: Int64, column: String, code: String, raw: RawValue?) {
    self.table = table
    self.row = row
    self.column = column
    self.code = code
    self.raw = raw
  }
}

extension RejectedValue {
  /// A value of a batch that no column could take, with its place.
  package init(_ reject: CellReject, of rows: borrowing RecordBatch, _ table: Table) {
    self.init(
      table: table.name, row: rows.keys[reject.row], column: table.columns[reject.column].name,
      code: reject.code.rawValue, raw: reject.raw)
  }
}
