import CommandLineKit
import Records
import SyncSDKs

/// Compares the items of two stores, table by table, as far as both have them.
struct ItemVerification {
  private let stores: Sides<any StoreReader>
  private let catalogues: ComparedCatalogues
  private let limit: Int
  private let session: Session
  /// What waits, where that is asked for: mostly in the first store, and a server has nothing.
  private var waiting: (side: Side, queue: EffectsOfQueue)?
  /// The queues that name new items which have no ids before a server has seen them.
  private var naming = Sides<EffectsOfQueue?>(nil, nil)
  private let setAside: Sides<SetAsideValues>

  /// Reads what waits in the stores, where that counts, and what is not compared.
  init(
    _ stores: Sides<any StoreReader>, limit: Int, _ session: Session
  ) throws(StoreError) {
    self.stores = stores
    self.limit = limit
    self.session = session
    catalogues = try ComparedCatalogues(stores, session.arguments)
    setAside = Sides(try SetAsideValues(in: stores.first), try SetAsideValues(in: stores.second))
    // Queues and rejects are read even where they do not count: a damaged store proves nothing.
    for side in Side.allCases {
      let store = stores[side]
      let namesItems = EffectsOfQueue.nameItems(of: store)
      if session.arguments.flag("pending"), waiting == nil || namesItems {
        let queue = try EffectsOfQueue(of: store)
        if waiting == nil, !queue.isEmpty { waiting = (side, queue) }
        if namesItems { naming[side] = queue }
      } else {
        _ = try store.readQueue()
      }
    }
  }

  /// The tables to compare, each with its places in the stores.
  func wanted() throws(StoreError) -> [(Sides<Int?>, Table)] {
    try catalogues.wanted(TableSelection(session.arguments))
  }

  func entry(
    _ table: Table, _ places: Sides<Int?>, _ progress: inout ProgressLine
  ) throws(StoreError) -> Verification.Entry {
    var entry = Verification.Entry(name: table.name)
    guard let first = places.first, let second = places.second else {
      entry.left = try contents(table, at: places.first, .first, &progress)
      entry.right = try contents(table, at: places.second, .second, &progress)
      if session.arguments.flag("pending") { try judge(&entry, table, places) }
      return entry
    }
    let compared = ComparedTable(table.name, Sides(first, second), catalogues)
    var rows = Sides(try items(of: compared, .first), try items(of: compared, .second))
    entry.compared = compared
    try read(&rows, into: &entry, &progress)
    let counts = Sides(entry.left?.rows ?? 0, entry.right?.rows ?? 0)
    if let side = compared.deletedMark?.side {
      entry.deleted[side] = try rows[side].count() - counts[side]
    }
    if let reason = reasonAgainst(compared, counts) {
      entry.difference.columns = [reason]
    } else if !entry.isSame {
      var comparison = RowComparison(table: rows.first.table, limit: limit, counts: counts)
      comparison.isByID = true
      comparison.deletedColumn = compared.pairs.firstIndex { $0.form == .deleted }
      comparison.waiting = try changes(of: compared, counts)
      progress.clear()
      entry.difference = try comparison.run(
        Sides(.items(rows.first), .items(rows.second)), session)
      for side in Side.allCases { entry.deleted[side] += entry.difference.totals.gone[side] }
    }
    return entry
  }

  /// Reads the items of both sides, and once more where neither could take a value of an item, which
  /// is compared then.
  private func read(
    _ rows: inout Sides<ItemRows>, into entry: inout Verification.Entry,
    _ progress: inout ProgressLine
  ) throws(StoreError) {
    var cells: [Int64] = []
    let left = try contents(rows.first, &progress) { cells.append($0) }
    var rejected = RejectedByBoth(first: cells)
    let right = try contents(rows.second, &progress) { rejected.add(second: $0) }
    (entry.left, entry.right) = (left, right)
    entry.rejected = Sides(left.rejected, right.rejected)
    guard !rejected.isEmpty else { return }
    for side in Side.allCases { rows[side].rejectedByBoth = rejected }
    // What differs without them is compared in any case.
    guard entry.isSame else { return }
    progress.clear()
    var again = session.makeProgress(.rows, total: left.rows + right.rows)
    defer { again.clear() }
    entry.left = try contents(rows.first, &again)
    entry.right = try contents(rows.second, &again)
  }

  /// Takes what waits into account where only one store has a table: a server has none of which
  /// nothing was sent, and a device may have none of which all rows are deleted.
  private func judge(
    _ entry: inout Verification.Entry, _ table: Table, _ places: Sides<Int?>
  ) throws(StoreError) {
    guard let side = Side.allCases.first(where: { places[$0] != nil }), let place = places[side]
    else { return }
    entry.staysOnDevice = stores[side].source.staysOnDevice(table)
    let compared = ComparedTable(table, onlyIn: side, at: place)
    let rows = try items(of: compared, side)
    let count = try rows.count()
    guard !entry.staysOnDevice, compared.hasID || count == 0 else { return }
    entry.compared = compared
    var counts = Sides(0, 0)
    counts[side] = count
    var comparison = RowComparison(table: rows.table, limit: limit, counts: counts)
    comparison.isByID = true
    comparison.waiting = try changes(of: compared, counts)
    var sources = Sides(RowSource.none, RowSource.none)
    sources[side] = .items(rows)
    entry.difference = try comparison.run(sources, session)
  }

  /// The items of one side; new ones are known by what the operations that wait call them.
  private func items(of compared: ComparedTable, _ side: Side) throws(StoreError) -> ItemRows {
    try ItemRows(
      compared, side, of: stores[side],
      localIDs: naming[side]?.localIDs(onTableAt: compared.places[side]), setAside[side])
  }

  /// What waits for the items of a table, where that counts.
  private func changes(
    of compared: ComparedTable, _ counts: Sides<Int>
  ) throws(StoreError) -> WaitingChanges? {
    try waiting.map { (side, queue) throws(StoreError) in
      try WaitingChanges(queue, on: compared, side, rows: counts.first + counts.second)
    }
  }

  /// Why the rows of two tables cannot be compared, if they cannot.
  private func reasonAgainst(_ compared: ComparedTable, _ counts: Sides<Int>) -> String? {
    if let side = compared.sideWithoutID, counts[side] > 0 {
      return "the \(side.rawValue) has no column with ids"
    }
    guard compared.pairs.isEmpty, counts.first > 0, counts.second > 0 else { return nil }
    return "no column can be compared"
  }

  /// The items of one side, and what stands for each cell that a column could not take.
  private func contents(
    _ rows: ItemRows, _ progress: inout ProgressLine, _ takeRejected: (Int64) -> Void = { _ in }
  ) throws(StoreError) -> StoreContents.Entry {
    try StoreContents.Entry(batchesOf: .items(rows), as: rows.table, session, &progress) { items in
      for reject in items.rejects {
        takeRejected(RejectedByBoth.cell(ofItem: items.keys[reject.row], column: reject.column))
      }
    }
  }

  /// A table that only one store has.
  private func contents(
    _ table: Table, at place: Int?, _ side: Side, _ progress: inout ProgressLine
  ) throws(StoreError) -> StoreContents.Entry? {
    guard let place else { return nil }
    return try StoreContents.Entry(
      of: .table(stores[side], place), as: table, session, &progress)
  }
}
