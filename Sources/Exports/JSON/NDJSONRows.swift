import Bytes
package import Records

/// Spells the rows of one table as JSON objects, one a line: `_pk` first, then the columns.
package struct NDJSONRows: TableSpelling {
  private let rows: RowJSON

  /// Prepares the spelling of a table's rows.
  package init(of table: Table) {
    rows = RowJSON(of: table, terminator: "\n")
  }

  package func appendStart(to output: inout [UInt8]) {}

  package func append(_ batch: borrowing RecordBatch, to output: inout [UInt8]) -> Int {
    rows.append(batch, to: &output)
    return batch.rowCount
  }

  package func appendEnd(_ seal: TableSeal, to output: inout [UInt8]) {}
}
