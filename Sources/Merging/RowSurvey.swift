import Bytes
import Records

/// Looks at the rows of one table of a source: at their keys, and at what tells items apart.
struct RowSurvey: Sendable {
  /// What was seen of the rows that come next.
  struct Part: Sendable {
    var keys: [Int64] = []
    var entries = MergeEntries()
  }

  private let table: Table
  private let columns: MergeEntries.Columns?
  private let number: Int
  private let source: Int

  /// Looks at a table with a number in the united catalogue.
  init(of table: Table, numbered number: Int, source: Int) {
    self.table = table
    self.number = number
    self.source = source
    columns = MergeEntries.Columns(of: table)
  }

  /// Lends what was seen, part by part in the order of the rows; several threads look where they can.
  func forEachPart(
    of reader: any StoreReader, _ index: Int, _ body: (Part) throws(StoreError) -> Void
  ) throws(StoreError) {
    let places = [columns?.id, columns?.updatedAt, columns?.version].compactMap(\.self)
    let wanted = WantedCells(Set(places))
    guard let parts = try reader.parts(ofTable: index, wanting: wanted) else {
      return try reader.forEachBatch(inTable: index, wanting: wanted) {
        (batch) throws(StoreError) in
        var seen = Part()
        add(batch, to: &seen)
        try body(seen)
      }
    }
    let take = { (part: Result<Part, StoreError>) throws(StoreError) in try body(try part.get()) }
    var work = OrderedWork<Int, Result<Part, StoreError>>(threads: threadCount()) {
      let reader = parts.makeReader()
      return { part, emit in _ = emit(see(part, of: reader)) }
    }
    for part in 0..<parts.count { try work.put(part, take) }
    try work.finish(take)
  }

  private func see(_ part: Int, of reader: any PartReader) -> Result<Part, StoreError> {
    var seen = Part()
    do throws(StoreError) {
      try reader.forEachBatch(ofPart: part) { (batch) throws(StoreError) in add(batch, to: &seen) }
      return .success(seen)
    } catch {
      return .failure(error)
    }
  }

  private func add(_ batch: borrowing RecordBatch, to part: inout Part) {
    part.keys += batch.keys
    guard let columns else { return }
    part.entries.add(batch, columns, of: table, numbered: number, source: source)
  }
}
