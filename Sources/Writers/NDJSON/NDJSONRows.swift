import Bytes
package import Records

/// Spells the rows of one table as JSON objects, one a line: `_pk` first, then the columns.
package struct NDJSONRows: TableSpelling {
  private let objects: JSONObjects

  /// Prepares the spelling of a table's rows.
  package init(of table: Table) {
    objects = JSONObjects(of: table)
  }

  package func appendStart(to output: inout [UInt8]) {}

  package func append(_ batch: borrowing RecordBatch, to output: inout [UInt8]) -> Int {
    objects.append(batch, to: &output) { _ in
    } terminate: { output in
      output.append(UInt8(ascii: "\n"))
    }
    return batch.rowCount
  }

  package func appendEnd(_ seal: TableSeal, to output: inout [UInt8]) {}
}
