extension Salvage {
  /// Gives each page of rows that nothing leads to to the one table that it fits.
  mutating func assignOrphans<Failure: Error>(
    _ search: inout TableSearch, _ sink: Sink<Failure>
  ) throws(Failure) {
    guard search.missing.contains(where: { !$0.isEmpty }) else { return }
    // Found before any orphan is taken: what leads to one of those is no copy.
    let copies = copiedPages(search)
    for number in isUsed.indices.dropFirst() {
      let number = UInt32(truncatingIfNeeded: number)
      guard isFree(number), let kind = survey.facts(number).kind, search.mayLack(kind),
        !copies.contains(number)
      else { continue }
      isUsed[Int(number)] = true
      guard readRows(of: number, kind, sharing: false), !page.rows.isEmpty, search.accepts(page)
      else {
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
      mayLackPage(table, search)
        ? strangeness(ofPageIn: table, search).map { (table: table, strangeness: $0) } : nil
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
    search.accounts[table].doubtfulPages += mayHideRows ? 1 : 0
    try emit(Array(page.rows.indices), of: number, table, &search, sink)
  }

  /// Whether a part with the keys of the page at hand is missing of a table.
  private func mayLackPage(_ table: Int, _ search: TableSearch) -> Bool {
    let keys = page.rows.map(\.key)
    guard let first = keys.min(), let last = keys.max() else { return false }
    return search.missing[table].contains { $0.contains(first) && $0.contains(last) }
  }

  /// How strange the rows of the page at hand would be in a table; nil if they cannot be its.
  func strangeness(ofPageIn table: Int, _ search: TableSearch) -> Int? {
    let profile = search.tables[table]
    guard profile.hasRowIDs == page.kind.isTable else { return nil }
    var total = 0
    for row in page.rows.indices {
      guard let strangeness = profile.strangeness(of: page.values(ofRow: row)) else { return nil }
      total += strangeness
    }
    return total
  }

  /// The pages above others that only lead to what trees have: copies of pages of these.
  private func copiedPages(_ search: TableSearch) -> Set<UInt32> {
    var copies: Set<UInt32> = []
    for number in isUsed.indices.dropFirst() {
      let number = UInt32(truncatingIfNeeded: number)
      guard isFree(number), let kind = survey.facts(number).kind, search.mayLack(kind),
        !kind.isLeaf, !leadsOn(number)
      else { continue }
      copies.insert(number)
    }
    return copies
  }

  /// Gives the rows of a table's pages that are elsewhere by the pages above them.
  ///
  /// A key on one of those may be wrong, or one of the pages older than the rest. Whoever takes the
  /// rows keeps the first with a key, so what stands where it belongs comes before.
  mutating func giveStrays<Failure: Error>(
    _ search: inout TableSearch, _ sink: Sink<Failure>
  ) throws(Failure) {
    // Pages that give rows once more have their chains already.
    rereads = survey.pageCount
    for stray in search.strays {
      guard isUsed[Int(stray.page)] != stray.isWhole, let kind = survey.facts(stray.page).kind
      else { continue }
      isUsed[Int(stray.page)] = true
      let isReadable = readRows(of: stray.page, kind, sharing: true)
      guard isReadable, !isMissed(byAnotherThan: stray.table, search) else {
        if stray.isWhole { release(stray.page) }
        continue
      }
      try give(stray, &search, sink)
    }
  }

  /// Gives the rows of the page at hand that were not given before.
  private mutating func give<Failure: Error>(
    _ stray: Stray, _ search: inout TableSearch, _ sink: Sink<Failure>
  ) throws(Failure) {
    let table = stray.table
    let rows = rows(heldBy: table, search, isSound: true).filter {
      !stray.keys.contains(page.rows[$0].key)
    }
    if stray.isWhole {
      search.accounts[table].lost += page.unreadable + page.rows.count - rows.count
      search.accounts[table].doubtful += doubtfulChains
      search.accounts[table].doubtfulPages += mayHideRows ? 1 : 0
      if let part = search.missing[table].firstIndex(of: stray.keys) {
        search.missing[table].remove(at: part)
      }
    } else {
      search.accounts[table].lost -= rows.count
    }
    try emit(rows, of: stray.page, table, &search, sink)
  }

  /// Whether another table lacks a part that the rows of the page at hand fit as well.
  private func isMissed(byAnotherThan table: Int, _ search: TableSearch) -> Bool {
    let own = strangeness(ofPageIn: table, search) ?? .max
    return search.tables.indices.contains {
      $0 != table && mayLackPage($0, search) && strangeness(ofPageIn: $0, search) ?? .max <= own
    }
  }

  /// Whether the rows of the page at hand show that they are those of another table.
  func fitsAnother(than table: Int, _ search: TableSearch) -> Bool {
    search.tables.indices.contains {
      $0 != table && search.tables[$0].isSelective && strangeness(ofPageIn: $0, search) != nil
    }
  }
}
