extension Salvage {
  /// Gives each page of rows that nothing leads to to the one table that it fits.
  mutating func assignOrphans<Failure: Error>(
    _ search: inout TableSearch, _ sink: Sink<Failure>
  ) throws(Failure) {
    guard search.missing.contains(where: { !$0.isEmpty }) else { return }
    for number in isUsed.indices.dropFirst() where !isUsed[number] {
      let number = UInt32(truncatingIfNeeded: number)
      guard let kind = survey.facts(number).kind, search.mayLack(kind) else { continue }
      isUsed[Int(number)] = true
      guard readRows(of: number, kind), !page.rows.isEmpty, search.accepts(page) else {
        release(number)
        continue
      }
      try assign(number, &search, sink)
    }
  }

  private mutating func assign<Failure: Error>(
    _ number: UInt32, _ search: inout TableSearch, _ sink: Sink<Failure>
  ) throws(Failure) {
    let candidates = search.tables.indices.compactMap { table in
      strangeness(ofPageIn: table, search).map { (table: table, strangeness: $0) }
    }
    guard let least = candidates.map(\.strangeness).min() else {
      // Another search may know whose page it is.
      release(number)
      return
    }
    let best = candidates.filter { $0.strangeness == least }
    guard best.count == 1, let table = best.first?.table, page.kind.isTable || !lacksIndexParts
    else {
      account.ambiguousRows += page.rows.count
      return
    }
    if survey.facts(number).fault != nil { noteBroken(number) }
    search.accounts[table].foundPages += 1
    search.accounts[table].lost += page.unreadable
    try emit(Array(page.rows.indices), table, &search, sink)
  }

  /// How strange the page at hand would be as a missing part of a table; nil if it cannot be one.
  private func strangeness(ofPageIn table: Int, _ search: TableSearch) -> Int? {
    let keys = page.rows.map(\.key)
    guard search.tables[table].hasRowIDs == page.kind.isTable,
      let first = keys.min(), let last = keys.max(),
      search.missing[table].contains(where: { $0.contains(first) && $0.contains(last) })
    else { return nil }
    var total = 0
    for row in page.rows.indices {
      guard let strangeness = search.tables[table].strangeness(of: page.values(ofRow: row)) else {
        return nil
      }
      total += strangeness
    }
    return total
  }

  /// Counts the rows on leaves that found no owner.
  package mutating func countUnclaimedRows() {
    for number in isUsed.indices.dropFirst() where !isUsed[number] {
      let facts = survey.facts(UInt32(truncatingIfNeeded: number))
      if facts.kind == .tableLeaf, facts.fault == nil {
        account.unclaimedRows += Int(facts.cellCount)
      }
    }
  }
}
