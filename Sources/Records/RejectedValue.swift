/// A value that a source holds and that no column could take, with its place.
package struct RejectedValue: Sourced, Sendable, Equatable {
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
  /// What is kept of it, in the order of its columns.
  package static let fields = placeFields + [valueField]

  /// Where it stood, and why no column could take it.
  package static let placeFields: [RecordField<Self>] = [
    .text("table", \.table), .integer("row", \.row), .text("column", \.column),
    .text("code", \.code),
  ]

  /// The value as stored; a blob is the text that is not UTF-8 where it is known to be text.
  package static let valueField = RecordField<Self>(
    "raw", nil, value: { $0.raw.map(FieldValue.raw) ?? .null },
    take: { value, reject in
      switch (value, reject.raw) {
      case (.raw(.binary(let bytes)), .text): reject.raw = .text(bytes)
      case (.raw(let raw), _): reject.raw = raw
      default: reject.raw = nil
      }
    })

  /// A value about which nothing is known yet.
  package static let blank = RejectedValue(table: "", row: 0, column: "", code: "", raw: nil)
}

extension RejectedValue {
  /// A value of a batch that no column could take, with its place.
  package init(_ reject: CellReject, of rows: borrowing RecordBatch, _ table: Table) {
    self.init(
      table: table.name, row: rows.keys[reject.row], column: table.columns[reject.column].name,
      code: reject.code.rawValue, raw: reject.raw)
  }
}
