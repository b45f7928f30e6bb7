import Bytes
package import Records

/// Spells the rows of one table as a JSON array of objects, one object a line.
package struct JSONRows: TableSpelling {
  private let objects: JSONObjects
  private var isFirst = true

  /// Prepares the spelling of a table.
  package init(of table: Table) {
    objects = JSONObjects(of: table)
  }

  package func appendStart(to output: inout [UInt8]) {
    output.append(UInt8(ascii: "["))
  }

  package mutating func append(_ batch: borrowing RecordBatch, to output: inout [UInt8]) -> Int {
    var isFirst = isFirst
    objects.append(batch, to: &output) { output in
      output.append(isFirst ? "\n" : ",\n")
      isFirst = false
    } terminate: { _ in
    }
    self.isFirst = isFirst
    return batch.rowCount
  }

  package func appendEnd(_ seal: TableSeal, to output: inout [UInt8]) {
    output.append("\n]\n")
  }
}
