import Bytes
import Records

extension TableSurvey {
  /// Takes in all rows of a table, of which several threads look at a part each.
  ///
  /// - Throws: `StoreError` when the store cannot be read, or whatever `check` throws.
  mutating func add(
    _ parts: any RowParts, slice: HashSlice, threads: Int, _ check: () throws(StoreError) -> Void
  ) throws(StoreError) {
    let blank = partial
    var work = OrderedWork<Int, Result<TableSurvey, StoreError>>(threads: threads) {
      let reader = parts.makeReader()
      return { part, emit in _ = emit(blank.surveying(part, of: reader, slice)) }
    }
    for part in 0..<parts.count {
      try check()
      try work.put(part) { (result) throws(StoreError) in merge(try result.get()) }
    }
    try work.finish { (result) throws(StoreError) in merge(try result.get()) }
  }

  private func surveying(
    _ part: Int, of reader: any PartReader, _ slice: HashSlice
  ) -> Result<TableSurvey, StoreError> {
    var survey = self
    do throws(StoreError) {
      try reader.forEachBatch(ofPart: part) { (batch) throws(StoreError) in
        survey.add(batch, slice: slice)
      }
      return .success(survey)
    } catch {
      return .failure(error)
    }
  }
}

extension TableFacts {
  /// Adds what was seen of the rows that come next in the table.
  mutating func add(_ next: TableFacts) {
    rows += next.rows
    missingIDs += next.missingIDs
    rowsWithVersion += next.rowsWithVersion
    unexplainedRows += next.unexplainedRows
    deletedRows += next.deletedRows
    unexplainedIDs += next.unexplainedIDs.prefix(Self.listLimit - unexplainedIDs.count)
    rejects.merge(next.rejects, uniquingKeysWith: +)
    attachedWithVersion.formUnion(next.attachedWithVersion)
    if let time = next.newestUpdate { noteUpdate(Array(time.utf8)[...]) }
  }

  /// Keeps the time if it is the newest so far.
  mutating func noteUpdate(_ time: ArraySlice<UInt8>) {
    // Without the final letter, canonical spellings of 3 and 9 digits sort as the times do.
    if let newest = newestUpdate,
      !newest.utf8.dropLast().lexicographicallyPrecedes(time.dropLast())
    {
      return
    }
    newestUpdate = String(decoding: time, as: UTF8.self)
  }
}
