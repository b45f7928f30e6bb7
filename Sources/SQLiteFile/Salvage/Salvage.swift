/// Reads what can still be read of a damaged file.
///
/// First the trees are walked as far as they lead, those that hold together before the others; then all
/// other pages are looked at: a leaf that nothing leads to any more belongs to the one table with
/// a missing part that its rows fit. Each page is read for one owner only, but for overflow pages that
/// a tree leads to twice, and of those no more than the file has: so no file makes it work longer than
/// its size is worth.
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
  /// Whether the list of free pages names a page, and no tree that holds together has it.
  var isListedFree: [Bool]
  /// Whether a part of an index is missing; its pages look like those of a table without row ids.
  var lacksIndexParts = false
  /// Whether a part is missing of a table that is not searched for.
  var lacksOtherParts = false
  private var isNoted: Set<UInt32> = []
  /// The overflow pages of the rows of the page at hand.
  private var chains: [UInt32] = []
  /// How many rows of the page at hand have overflow pages that may be those of others.
  private(set) var doubtfulChains = 0
  /// Whether the page at hand contradicts itself so that it may have had rows that it does not list.
  private(set) var mayHideRows = false
  /// How many overflow pages may still be read once more.
  var rereads: Int

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
    isListedFree = isUsed
    rereads = survey.pageCount
    encoding = file.header.encoding
    // What lies behind the end of the database was given up at some time.
    account.isFreelistDamaged =
      file.header.isAssumed || file.pageCount > file.header.pageCount ?? file.pageCount
    account.missingPageCount = max(0, file.pageCount - file.storedPageCount)
    listFreePages()
    let last = UInt32(truncatingIfNeeded: survey.pageCount)
    if last > 0, survey.facts(last).fault == .cutShort { noteBroken(last) }
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
    // What a tree has that holds together is its own, whatever a broken one leads to.
    let isSound = soundTrees(of: tables)
    for table in tables.indices where isSound[table] { try walk(table, &search, sink) }
    for table in tables.indices where !isSound[table] { try walk(table, &search, sink) }
    for root in search.others {
      setAside(TreePart(page: root, keys: .all, level: 1), isIndex: false)
    }
    for root in search.indexes {
      setAside(TreePart(page: root, keys: .all, level: 1), isIndex: true)
    }
    try assignOrphans(&search, sink)
    try assignBranches(&search, sink)
    if search.givesStrays { try giveStrays(&search, sink) }
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
    page > 0 && Int(page) <= survey.pageCount && !isUsed[Int(page)] && !isListedFree[Int(page)]
  }

  /// Reads the rows of a page of this kind; false when it cannot be read at all.
  ///
  /// Rows that a tree leads to are read even where others have some of their overflow pages.
  mutating func readRows(of number: UInt32, _ kind: PageKind, sharing: Bool) -> Bool {
    chains.removeAll(keepingCapacity: true)
    doubtfulChains = 0
    let count = cellCount(of: number)
    let fault = survey.facts(number).fault
    mayHideRows = fault != nil && fault != .cutShort && count == nil
    var rows = LooseRows()
    swap(&rows, &page)
    defer { swap(&rows, &page) }
    do {
      try rows.read(number, kind, of: file, cellCount: count?.count) { first, count in
        claimChain(from: first, holding: count, sharing: sharing)
      }
      return true
    } catch {
      return false
    }
  }

  /// How many cells a page has that contradicts itself; nil of any other, and where that cannot be told.
  func cellCount(of page: UInt32) -> PageInspection.CellCount? {
    guard survey.facts(page).fault != nil else { return nil }
    var bytes: [UInt8] = []
    // Whoever wants its cells hears that the page cannot be read.
    guard (try? file.read(page: page, appendingTo: &bytes)) != nil else { return nil }
    var inspection = PageInspection(usableSize: file.header.usableSize)
    return inspection.cellCount(of: bytes, page: page)
  }

  /// Gives the page at hand back, with what its rows have on other pages.
  mutating func release(_ number: UInt32) {
    isUsed[Int(number)] = false
    for page in chains { isUsed[Int(page)] = false }
  }

  /// Takes a chain of overflow pages for a payload of which so many bytes are on it; nil where a page
  /// of it is not there, or is somebody else's and must not be shared.
  ///
  /// What the last page names as the next is nothing to the engine either, but may show that it
  /// has come from elsewhere.
  private mutating func claimChain(
    from first: UInt32, holding count: Int, sharing: Bool
  ) -> [UInt32]? {
    let room = file.header.usableSize - 4
    var (pages, own): ([UInt32], [UInt32]) = ([], [])
    var (next, left) = (first, count)
    while left > 0, isStored(next, holding: 4 + min(left, room)) {
      if isFree(next) {
        isUsed[Int(next)] = true
        own.append(next)
      } else {
        guard sharing, !isListedFree[Int(next)], pages.count - own.count < rereads else { break }
      }
      pages.append(next)
      left -= min(left, room)
      next = survey.next(next)
    }
    guard left == 0, let last = pages.last, !isTreePage(last) else {
      for page in own { isUsed[Int(page)] = false }
      return nil
    }
    rereads -= pages.count - own.count
    if next != 0, sharing { noteBroken(last) }
    if next != 0 || own.count < pages.count { doubtfulChains += 1 }
    chains.append(contentsOf: own)
    return pages
  }

  /// Whether a page is so surely one of a tree that it can be none of a chain.
  private func isTreePage(_ page: UInt32) -> Bool {
    survey.facts(page).kind != nil && survey.facts(page).fault == nil
  }

  /// Whether so many bytes of a page are there.
  private func isStored(_ page: UInt32, holding count: Int) -> Bool {
    page > 0 && Int(page) <= survey.pageCount && file.storedBytes(of: page) >= count
  }

  private mutating func listFreePages() {
    var next = file.header.freelistTrunk
    var count = 0
    while next != 0 {
      guard isFree(next), let leaves = freeLeaves(of: next) else {
        account.isFreelistDamaged = true
        return
      }
      isListedFree[Int(next)] = true
      for leaf in leaves where isFree(leaf) { isListedFree[Int(leaf)] = true }
      count += 1 + leaves.count
      next = survey.next(next)
    }
    if count != Int(file.header.freelistCount) { account.isFreelistDamaged = true }
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
    /// The pages of which each table was given rows.
    var given: [[FoundPage]]
    /// The pages that a tree leads to and that have rows which are elsewhere by the pages above them.
    var strays: [Stray] = []
    /// Whether these are given: an old line of a schema would stand for a new one.
    let givesStrays: Bool
    /// Where the trees of the indexes start.
    let indexes: [UInt32]
    /// Where the trees of other tables start.
    let others: [UInt32]
    /// Whether the rows of a page may be those of any of the tables.
    let accepts: (LooseRows) -> Bool

    init(
      tables: [TableProfile], indexes: [UInt32] = [], others: [UInt32] = [],
      givesStrays: Bool = true, accepts: @escaping (LooseRows) -> Bool = { _ in true }
    ) {
      self.givesStrays = givesStrays
      self.tables = tables
      self.indexes = indexes
      self.others = others
      self.accepts = accepts
      accounts = tables.map { SalvageAccount.Table(name: $0.name) }
      missing = [[KeyRange]](repeating: [], count: tables.count)
      given = [[FoundPage]](repeating: [], count: tables.count)
    }

    /// Whether a page of this kind may hold rows that a table lacks.
    func mayLack(_ kind: PageKind) -> Bool {
      kind != .tableInterior
        && tables.indices.contains {
          tables[$0].hasRowIDs == kind.isTable && !missing[$0].isEmpty
        }
    }
  }

  /// A page of a table's tree that has rows with other keys than the pages above it say.
  struct Stray {
    let page: UInt32
    let table: Int
    /// The keys of the rows that were given already.
    let keys: KeyRange
    /// Whether no row was given, so that the page may be another table's.
    let isWhole: Bool
  }

  /// A page of a tree with what is below it.
  struct TreePart {
    let page: UInt32
    let keys: KeyRange
    let level: Int
  }
}
