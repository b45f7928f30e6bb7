import Bytes
import Records

/// Looks at the rows of one table of a source: at their keys, and at what tells items apart.
package struct RowSurvey: Sendable {
  /// What was seen of the rows that come next.
  package struct Part: Sendable {
    var keys: [Int64] = []
    var entries = MergeEntries()

    /// How many bytes it takes, about.
    var size: Int { keys.count * 8 + entries.size }
  }

  private let table: Table
  private let columns: MergeEntries.Columns?
  private let number: Int
  private let source: Int

  /// Looks at a table that has a number among those of all sources.
  init(of table: Table, numbered number: Int, source: Int) {
    self.table = table
    self.number = number
    self.source = source
    columns = MergeEntries.Columns(of: table)
  }

  /// Lends what was seen, batch by batch in the order of the rows.
  func forEachPart(
    of reader: any StoreReader, _ index: Int, _ body: (Part) throws(StoreError) -> Void
  ) throws(StoreError) {
    let places = [columns?.id, columns?.updatedAt, columns?.version].compactMap(\.self)
    try reader.forEachBatch(
      inTable: index, wanting: WantedCells(Set(places)), seeing: see, body)
  }

  private func see(_ batch: borrowing RecordBatch) -> Part {
    var part = Part()
    part.keys = batch.keys
    if let columns {
      part.entries.add(batch, columns, of: table, numbered: number, source: source)
    }
    return part
  }
}
