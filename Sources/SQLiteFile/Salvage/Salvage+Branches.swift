import Records

extension Salvage {
  /// A page of rows that a table was given, or may be given.
  struct FoundPage {
    let page: UInt32
    /// The keys of its rows; where these have none, a number that tells its content from others.
    let keys: ClosedRange<Int64>
  }

  /// What is to be known of some rows of the page at hand; nil of none.
  func foundPage(_ number: UInt32, _ rows: some Collection<Int>) -> FoundPage? {
    let keys = rows.map { page.rows[$0].key }
    guard let first = keys.min(), let last = keys.max() else { return nil }
    guard !page.kind.isTable else { return FoundPage(page: number, keys: first...last) }
    let digest = Int64(
      bitPattern: spelledHash(page.arena.span.extracting(first: file.pageSize), seed: foldingSeed))
    return FoundPage(page: number, keys: digest...digest)
  }

  /// Gives a table that has a page twice the pages of rows that nothing leads to, are in no missing part
  /// and fit this table alone, where it has no rows with their keys.
  ///
  /// Where one of its pages has come in the place of one above others, its tree looks whole without what
  /// was below that; the page itself is still in its own place, too. As long as the lists of free pages
  /// and of tables are whole, no such page is one of rows that were deleted, or of a table that nobody
  /// knows.
  mutating func assignBranches<Failure: Error>(
    _ search: inout TableSearch, _ sink: Sink<Failure>
  ) throws(Failure) {
    guard search.givesStrays, !account.isFreelistDamaged, !account.isSchemaDamaged,
      !lacksOtherParts
    else { return }
    let taken = search.given.map { TakenKeys($0) }
    var found = [[FoundPage]](repeating: [], count: search.tables.count)
    var copied: Set<Int> = []
    var ambiguous: [AmbiguousPage] = []
    for number in isUsed.indices.dropFirst() {
      let number = UInt32(truncatingIfNeeded: number)
      guard let (table, page) = branch(number, search, taken, &copied, &ambiguous) else { continue }
      found[table].append(page)
    }
    for page in ambiguous { count(page, besides: copied) }
    for table in found.indices where copied.contains(table) {
      for page in taken[table].fitting(found[table]) { try give(page, table, &search, sink) }
    }
  }

  /// The table that a page fits which nothing leads to; nil where there is none, or several.
  private mutating func branch(
    _ number: UInt32, _ search: TableSearch, _ taken: [TakenKeys], _ copied: inout Set<Int>,
    _ ambiguous: inout [AmbiguousPage]
  ) -> (table: Int, page: FoundPage)? {
    guard isFree(number), survey.facts(number).fault == nil,
      let kind = survey.facts(number).kind, kind != .tableInterior, kind.isLeaf || leadsOn(number)
    else { return nil }
    isUsed[Int(number)] = true
    let isReadable = readRows(of: number, kind, sharing: false)
    release(number)
    guard isReadable, page.unreadable == 0, let found = foundPage(number, page.rows.indices)
    else { return nil }
    let candidates = search.tables.indices.compactMap { table in
      strangeness(ofPageIn: table, search).map { (table: table, strangeness: $0) }
    }
    guard let least = candidates.map(\.strangeness).min() else { return nil }
    let best = candidates.filter { $0.strangeness == least }.map(\.table)
    // What is elsewhere already is neither given nor missed.
    let owners = best.filter { taken[$0].pages(with: found.keys).contains(where: isCopy) }
    copied.formUnion(owners)
    isUsed[Int(number)] = !owners.isEmpty
    guard owners.isEmpty else { return nil }
    // Every index may have lost such a page in the same way.
    guard best.count == 1, kind.isTable || search.indexes.isEmpty else {
      ambiguous.append(
        AmbiguousPage(page: number, rows: page.rows.count, tables: best, isTable: kind.isTable))
      return nil
    }
    return (best[0], found)
  }

  /// A page that several tables may own, or indexes.
  private struct AmbiguousPage {
    let page: UInt32
    let rows: Int
    let tables: [Int]
    let isTable: Bool
  }

  /// Counts the rows of a page where one of the tables lacks some; else it may be what is left of an
  /// index.
  private mutating func count(_ page: AmbiguousPage, besides copied: Set<Int>) {
    guard page.tables.contains(where: copied.contains), page.isTable || !lacksIndexParts else {
      return
    }
    isUsed[Int(page.page)] = true
    account.ambiguousRows += page.rows
  }

  /// Whether a page has the bytes of the page at hand.
  private func isCopy(_ other: FoundPage) -> Bool {
    var bytes: [UInt8] = []
    // What cannot be read is no copy.
    guard (try? file.read(page: other.page, appendingTo: &bytes)) != nil else { return false }
    return page.arena.starts(with: bytes)
  }

  private mutating func give<Failure: Error>(
    _ found: FoundPage, _ table: Int, _ search: inout TableSearch, _ sink: Sink<Failure>
  ) throws(Failure) {
    guard isFree(found.page), let kind = survey.facts(found.page).kind else { return }
    isUsed[Int(found.page)] = true
    guard readRows(of: found.page, kind, sharing: false), page.unreadable == 0 else {
      return release(found.page)
    }
    search.accounts[table].foundPages += 1
    try emit(Array(page.rows.indices), of: found.page, table, &search, sink)
  }

  /// Counts the rows on pages that found no owner.
  package mutating func countUnclaimedRows(besides tables: [TableProfile]) {
    for number in isUsed.indices.dropFirst() {
      let number = UInt32(truncatingIfNeeded: number)
      guard isFree(number), survey.facts(number).fault == nil else { continue }
      account.unclaimedRows += countRows(of: number, besides: tables)
    }
  }

  /// How many rows a page has; none where it may be one of an index.
  private mutating func countRows(of number: UInt32, besides tables: [TableProfile]) -> Int {
    let facts = survey.facts(number)
    guard let kind = facts.kind, kind != .tableInterior else { return 0 }
    guard !kind.isTable else { return Int(facts.cellCount) }
    isUsed[Int(number)] = true
    guard !lacksIndexParts, readRows(of: number, kind, sharing: false) else { return 0 }
    let fits = tables.contains { table in
      !table.hasRowIDs && page.rows.indices.allSatisfy { table.mayHold(page.values(ofRow: $0)) }
    }
    return fits || tables.isEmpty ? page.rows.count : 0
  }

  /// The keys of rows that a table was given, by their pages.
  struct TakenKeys {
    /// In the order of their first keys.
    private let pages: [FoundPage]
    /// The last key of each page and of all before it.
    private let highest: [Int64]

    init(_ pages: [FoundPage]) {
      self.pages = pages.sorted { $0.keys.lowerBound < $1.keys.lowerBound }
      var highest: [Int64] = []
      for page in self.pages { highest.append(max(page.keys.upperBound, highest.last ?? .min)) }
      self.highest = highest
    }

    /// A page with just these keys.
    func pages(with keys: ClosedRange<Int64>) -> ArraySlice<FoundPage> {
      let place = count { $0.lowerBound < keys.lowerBound }
      let isThere = place < pages.count && pages[place].keys == keys
      return pages[place..<place + (isThere ? 1 : 0)]
    }

    /// Those of some pages whose keys neither these nor another of them has.
    func fitting(_ others: [FoundPage]) -> [FoundPage] {
      var last: Int64?
      return others.sorted { $0.keys.lowerBound < $1.keys.lowerBound }.filter { page in
        let first = page.keys.lowerBound
        let end = count { $0.lowerBound <= page.keys.upperBound }
        guard end == 0 || highest[end - 1] < first, last.map({ $0 < first }) ?? true else {
          return false
        }
        last = page.keys.upperBound
        return true
      }
    }

    /// How many of the pages come before those that are not so.
    private func count(where isBefore: (ClosedRange<Int64>) -> Bool) -> Int {
      var (low, high) = (0, pages.count)
      while low < high {
        let middle = (low + high) / 2
        if isBefore(pages[middle].keys) { low = middle + 1 } else { high = middle }
      }
      return low
    }
  }
}
