/// Reads what can still be read of a damaged file.
///
/// First the trees are walked as far as they lead, then all other pages are looked at: a leaf that
/// nothing leads to any more belongs to the one table with a missing part that its rows fit.
/// Each page is read for one owner only, so no file makes it work longer than its size is worth.
package struct Salvage {
  /// A row that was found: the table's index, the row id, the values and the bytes they are in.
  package typealias Sink<Failure: Error> =
    (_ table: Int, _ key: Int64, _ values: [StoredValue], _ arena: [UInt8]) throws(Failure) -> Void

  let file: PageFile
  let survey: PageSurvey
  /// How texts are written: as the header says, until the schema shows that it lies.
  package internal(set) var encoding: FileHeader.Encoding
  /// What is known so far.
  package internal(set) var account = SalvageAccount()
  /// Whether each page has found its owner.
  var isUsed: [Bool]
  var page = LooseRows()
  /// Whether a part of an index is missing; its pages look like those of a table without row ids.
  var lacksIndexParts = false
  private var isNoted: Set<UInt32> = []
  /// The overflow pages of the rows of the page at hand.
  private var chains: [UInt32] = []

  /// Looks at every page of the file on its own.
  ///
  /// - Throws: `PageError` when it shall stop.
  package init(
    of file: PageFile, threads: Int = 2,
    shouldStop: @escaping @Sendable () -> Bool = { false }
  ) throws(PageError) {
    self.file = file
    survey = try PageSurvey(of: file, threads: threads, shouldStop: shouldStop)
    isUsed = [Bool](repeating: false, count: survey.pageCount + 1)
    encoding = file.header.encoding
    // What lies behind the end of the database was given up at some time.
    account.isFreelistDamaged =
      file.header.isAssumed || file.pageCount > file.header.pageCount ?? file.pageCount
    account.missingPageCount = max(0, file.pageCount - file.storedPageCount)
    setFreePagesAside()
  }

  /// Gives every row that can be found of some tables to `sink`, and returns the tables' accounts.
  ///
  /// `indexes` are the pages where the trees of all indexes start, `others` those of tables that are
  /// not searched for.
  ///
  /// - Throws: whatever `sink` throws; a page that cannot be read is told in the account.
  package mutating func recover<Failure: Error>(
    _ tables: [TableProfile], indexes: [UInt32] = [], others: [UInt32] = [],
    into sink: Sink<Failure>
  ) throws(Failure) -> [SalvageAccount.Table] {
    try recover(TableSearch(tables: tables, indexes: indexes, others: others), into: sink)
  }

  /// As above, for a search that knows more about its rows.
  mutating func recover<Failure: Error>(
    _ search: TableSearch, into sink: Sink<Failure>
  ) throws(Failure) -> [SalvageAccount.Table] {
    var search = search
    let tables = search.tables
    for table in tables.indices {
      let tree = TreePart(page: tables[table].root, keys: .all, level: 1)
      try walk(tree, table, &search, sink)
    }
    for root in search.others {
      setAside(TreePart(page: root, keys: .all, level: 1), isIndex: false)
    }
    for root in search.indexes {
      setAside(TreePart(page: root, keys: .all, level: 1), isIndex: true)
    }
    try assignOrphans(&search, sink)
    for table in tables.indices {
      search.accounts[table].missingParts = search.missing[table].count
    }
    return search.accounts
  }

  /// Notes a page that contradicts itself.
  mutating func noteBroken(_ page: UInt32) {
    guard isNoted.insert(page).inserted else { return }
    account.brokenPageCount += 1
    if account.brokenPages.count < SalvageAccount.pageLimit {
      account.brokenPages.append(Int(page))
    }
  }

  /// Whether a page is there and has no owner yet.
  func isFree(_ page: UInt32) -> Bool {
    page > 0 && Int(page) <= survey.pageCount && !isUsed[Int(page)]
  }

  /// Reads the rows of a page of this kind; false when it cannot be read at all.
  mutating func readRows(of number: UInt32, _ kind: PageKind) -> Bool {
    chains.removeAll(keepingCapacity: true)
    var rows = LooseRows()
    swap(&rows, &page)
    defer { swap(&rows, &page) }
    do {
      try rows.read(number, kind, of: file) { first, count in
        claimChain(from: first, count: count)
      }
      return true
    } catch {
      return false
    }
  }

  /// Gives the page at hand back, with what its rows have on other pages.
  mutating func release(_ number: UInt32) {
    isUsed[Int(number)] = false
    for page in chains { isUsed[Int(page)] = false }
  }

  /// Takes a chain of overflow pages, when it is as long as it must be and nobody else's.
  private mutating func claimChain(from first: UInt32, count: Int) -> Bool {
    var pages: [UInt32] = []
    var next = first
    while next != 0, pages.count < count, isFree(next) {
      pages.append(next)
      isUsed[Int(next)] = true
      next = survey.next(next)
    }
    if next == 0, pages.count == count {
      chains.append(contentsOf: pages)
      return true
    }
    for page in pages { isUsed[Int(page)] = false }
    return false
  }

  private mutating func setFreePagesAside() {
    var next = file.header.freelistTrunk
    while next != 0 {
      guard isFree(next), let leaves = freeLeaves(of: next) else {
        account.isFreelistDamaged = true
        return
      }
      isUsed[Int(next)] = true
      for leaf in leaves where isFree(leaf) { isUsed[Int(leaf)] = true }
      next = survey.next(next)
    }
  }

  /// The free pages that a trunk of their list names; nil when it is none or cannot be read.
  private func freeLeaves(of trunk: UInt32) -> [UInt32]? {
    var bytes: [UInt8] = []
    // A trunk that cannot be read is told as damage to the list.
    guard (try? file.read(page: trunk, appendingTo: &bytes)) != nil else { return nil }
    let count = Int(word(bytes.span, at: 4))
    guard count <= file.header.usableSize / 4 - 2 else { return nil }
    return (0..<count).map { word(bytes.span, at: 8 + 4 * $0) }
  }

  /// What is known about the tables that are searched for.
  struct TableSearch {
    let tables: [TableProfile]
    var accounts: [SalvageAccount.Table]
    /// The parts of each table's tree that were not found.
    var missing: [[KeyRange]]
    /// Where the trees of the indexes start; asked for where a table's pages look like theirs.
    let indexes: [UInt32]
    /// Where the trees of other tables start.
    let others: [UInt32]
    /// Whether the rows of a page may be those of any of the tables.
    let accepts: (LooseRows) -> Bool

    init(
      tables: [TableProfile], indexes: [UInt32] = [], others: [UInt32] = [],
      accepts: @escaping (LooseRows) -> Bool = { _ in true }
    ) {
      self.tables = tables
      self.indexes = tables.allSatisfy(\.hasRowIDs) ? [] : indexes
      self.others = others
      self.accepts = accepts
      accounts = tables.map { SalvageAccount.Table(name: $0.name) }
      missing = [[KeyRange]](repeating: [], count: tables.count)
    }

    /// Whether a page of this kind may hold rows that a table lacks.
    func mayLack(_ kind: PageKind) -> Bool {
      kind != .tableInterior
        && tables.indices.contains {
          tables[$0].hasRowIDs == kind.isTable && !missing[$0].isEmpty
        }
    }
  }

  /// A page of a tree with what is below it.
  struct TreePart {
    let page: UInt32
    let keys: KeyRange
    let level: Int
  }
}

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
