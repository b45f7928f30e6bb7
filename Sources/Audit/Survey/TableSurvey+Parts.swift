import Bytes
import Records

/// What is looked at, and kept, of a table's rows.
struct TableLook: Sendable {
  let shown: TableOperations
  let spelling: RowJSON
}

extension TableSurvey {
  private typealias Seen = (survey: TableSurvey, texts: RowTexts)
  /// Keeps what was seen of a part: the survey itself and the rows that are shown.
  typealias Keep = (inout TableSurvey, RowTexts) throws(StoreError) -> Void

  /// Takes in all rows of a table, of which several threads look at a part each.
  ///
  /// - Throws: `StoreError` when the store cannot be read, or whatever `keep` or `check` throws.
  mutating func add(
    _ parts: any RowParts, _ look: TableLook, threads: Int,
    _ keep: Keep, _ check: (Int) throws(StoreError) -> Void
  ) throws(StoreError) {
    let blank = blank
    var work = OrderedWork<Int, Result<Seen, StoreError>>(threads: threads) {
      let reader = parts.makeReader()
      return { part, emit in _ = emit(blank.surveying(part, of: reader, look)) }
    }
    for part in 0..<parts.count {
      try check(0)
      try work.put(part) { (result) throws(StoreError) in try take(result, keep, check) }
    }
    try work.finish { (result) throws(StoreError) in try take(result, keep, check) }
  }

  private mutating func take(
    _ result: Result<Seen, StoreError>, _ keep: Keep,
    _ check: (Int) throws(StoreError) -> Void
  ) throws(StoreError) {
    let seen = try result.get()
    try check(seen.survey.facts.rows)
    merge(seen.survey)
    try keep(&self, seen.texts)
  }

  private func surveying(
    _ part: Int, of reader: any PartReader, _ look: TableLook
  ) -> Result<Seen, StoreError> {
    var seen = Seen(self, RowTexts())
    do throws(StoreError) {
      try reader.forEachBatch(ofPart: part) { (batch) throws(StoreError) in
        seen.survey.add(batch, look, &seen.texts)
      }
      return .success(seen)
    } catch {
      return .failure(error)
    }
  }
}

extension TableFacts {
  /// Adds what was seen of the rows that come next in the table.
  mutating func add(_ next: TableFacts) {
    rows += next.rows
    sources.formUnion(next.sources)
    missingIDs += next.missingIDs
    rowsWithVersion += next.rowsWithVersion
    unexplainedRows += next.unexplainedRows
    deletedRows += next.deletedRows
    unexplainedIDs += next.unexplainedIDs.prefix(Self.listLimit - unexplainedIDs.count)
    rejects.merge(next.rejects, uniquingKeysWith: +)
    attachedWithVersion.formUnion(next.attachedWithVersion)
    attachedWithGaps.formUnion(next.attachedWithGaps)
    attachedWithLostVersion.formUnion(next.attachedWithLostVersion)
    noteUpdate(next.newestTimeText.span)
  }

  /// Keeps the time if it is the newest so far.
  mutating func noteUpdate(_ time: Span<UInt8>) {
    guard isLater(time, than: newestTimeText.span) else { return }
    newestTimeText.removeAll(keepingCapacity: true)
    newestTimeText.append(time)
  }
}

/// Whether a time in canonical spelling is later than another; any is later than none.
func isLater(_ time: Span<UInt8>, than other: Span<UInt8>) -> Bool {
  // Without the final letter, canonical spellings of 3 and 9 digits sort as the times do.
  let count = max(0, min(time.count, other.count) - 1)
  let order = order(of: time.extracting(0..<count), and: other.extracting(0..<count))
  return order == 0 ? time.count > other.count : order > 0
}
