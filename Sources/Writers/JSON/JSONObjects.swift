import Records

/// Spells rows as JSON objects: `_pk` first, then the columns.
struct JSONObjects: Sendable {
  private let rows: RowJSON

  /// Prepares the spelling of a table's rows.
  init(of table: Table) {
    rows = RowJSON(of: table)
  }

  /// Appends the rows of a batch, each between what `separate` and `terminate` append.
  @inline(__always)
  func append(
    _ batch: borrowing RecordBatch, to output: inout [UInt8],
    separate: (inout [UInt8]) -> Void, terminate: (inout [UInt8]) -> Void
  ) {
    for row in 0..<batch.rowCount {
      separate(&output)
      rows.append(row: row, of: batch, to: &output)
      terminate(&output)
    }
  }
}
