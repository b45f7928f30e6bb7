import Bytes
package import Records

/// Spells the rows of one table as a JSON array of objects, one object a line.
package struct JSONRows: TableSpelling {
  private let rows: RowJSON

  package var separatorSize: Int { 1 }

  /// Prepares the spelling of a table.
  package init(of table: Table) {
    rows = RowJSON(of: table, separator: ",\n")
  }

  package func appendStart(to output: inout [UInt8]) {
    output.append(UInt8(ascii: "["))
  }

  package func append(_ batch: borrowing RecordBatch, to output: inout [UInt8]) -> Int {
    rows.append(batch, to: &output)
    return batch.rowCount
  }

  package func appendEnd(_ seal: TableSeal, to output: inout [UInt8]) {
    output.append("\n]\n")
  }
}
