import Bytes
package import Records
import SQLite

/// The tables of an app's store that is being filled, with their books and with what it cannot take.
///
/// It holds an open database, so it has identity.
package final class AppTables<Plan: AppTable>: AppTableFilling {
  package let file: AppStoreFile
  /// The tables of all sources so far.
  package var plans: [Plan] = []
  /// Where the plans are by the names that sources have for their tables, as far as anyone has asked.
  private var places: [ExactText: Int] = [:]
  private var placed = 0
  private var books: [TableBalance] = []
  /// What changes in books that were given out already.
  private var lateBooks: [TableBalance] = []
  package var losses = Losses()
  /// The rows without a value that the app would send.
  private var found = RowsWithGaps()
  /// What the app has of tables of which values were rejected before.
  private var knownColumns: [ExactText: KnownColumns] = [:]
  /// The names of the app's tables that lack rows of the sources.
  package private(set) var incomplete: Set<String> = []
  /// The tables of the sources that lack rows or values here, of which the app must not believe that it
  /// has pulled them.
  package private(set) var tablesToPull: Set<String> = []
  /// How far pulls had come, for the sources so far.
  private var tokens = TokenList()
  private var rows: AppRows<Plan>?

  package init(_ file: AppStoreFile) {
    self.file = file
  }

  package func begin(_ table: Table) throws(StoreError) {
    guard let plan = plan(ofTable: table.name) else {
      throw StoreError(.internalError, "the table \(table.name) was not announced")
    }
    rows = try AppRows(plan, file)
  }

  /// The plan of a table of the sources; nil where there is none.
  ///
  /// There may be thousands of sources, so none looks at the tables of those before.
  package func plan(ofTable name: String) -> Plan? {
    while placed < plans.count {
      let name = ExactText(plans[placed].source.name)
      places[name] = places[name] ?? placed
      placed += 1
    }
    return places[ExactText(name)].map { plans[$0] }
  }

  package func insert(_ batch: inout RecordBatch) throws(StoreError) {
    _ = try rows?.insert(batch, into: file, &losses, &found)
    batch.removeAll()
  }

  package func insert(
    _ batch: inout RecordBatch, showing show: (borrowing RecordBatch) throws(StoreError) -> Void
  ) throws(StoreError) {
    // Page by page the rules are asked only when all rows are there.
    try rows?.endPages(file, &losses)
    let refused = try rows?.insert(batch, into: file, &losses, &found)
    batch.addRejects(refused?.cells ?? [], keepingCells: true)
    batch.addRefusals(refused?.rows ?? [])
    try show(batch)
    batch.removeAll()
  }

  package func end(counted count: Int, lost: Int, merged: Int) throws(StoreError) {
    guard var rows = rows.take() else { return }
    try rows.finish(file, &losses)
    try rows.end(counted: count, lost: lost, merged: merged)
    if rows.balance.rejected > 0 { incomplete.insert(rows.name) }
    if rows.balance.rejected > 0 || rows.lacksValues { tablesToPull.insert(rows.balance.name) }
    books.append(rows.balance)
  }

  /// Takes written rows out of the books of a table, as rejected ones or as such that a person left out.
  package func takeOut(_ count: Int, ofTable name: String, isRejected: Bool) {
    var change = TableBalance(name: name)
    change.written = -count
    if isRejected { change.rejected = count } else { change.filtered = count }
    if let place = books.firstIndex(where: { hasSameBytes($0.name, name) }) {
      books[place].add(change)
    } else {
      lateBooks.append(change)
    }
  }

  /// Takes written rows out of the books of a table, since the store's own rules refuse them.
  package func takeOutRefused(_ count: Int, of plan: Plan) {
    takeOut(count, ofTable: plan.source.name, isRejected: true)
    incomplete.insert(plan.name)
    tablesToPull.insert(plan.source.name)
  }

  /// Notes that rows of a table have lost values of some columns, as far as the server has these.
  package func noteLostValues(of plan: Plan, in columns: [String]) {
    let pulled = plan.pulledPlaces
    let isPulled = plan.targets.contains { name, place in
      columns.contains(name) && place.map(pulled.contains) == true
    }
    if isPulled { tablesToPull.insert(plan.source.name) }
  }

  /// Keeps tokens until the rows of all sources are there, by which some may go again.
  package func keep(_ tokens: TokenList) { self.tokens.append(contentsOf: tokens) }

  /// The tokens of all sources, for each query only the earliest: an app asks only for what came
  /// after it.
  package func earliestTokens(_ losses: inout Losses) -> TokenList {
    var earliest = EarliestTokens()
    for (place, token) in tokens.enumerated() where !earliest.add(token, at: place) {
      losses.addFurtherToken(of: token.table)
    }
    guard earliest.places.count < tokens.count else { return tokens }
    var lookup = TokenList.Lookup(tokens)
    var kept = TokenList()
    for place in earliest.places { kept.append(lookup.record(at: Int(place))) }
    return kept
  }

  package func takeBooks() -> [TableBalance] {
    defer { books = [] }
    return books
  }

  package func takeLateBooks() -> [TableBalance] {
    defer { lateBooks = [] }
    return lateBooks
  }

  /// The queue as the latest servers have left it, which is told, with the rows of its operations.
  package func settled(_ matched: consuming MatchedQueue) throws(StoreError) -> Queue {
    let queue = try matched.settled()
    let servers = queue.deliveries.latestTargets
    guard let server = servers.first else { return queue }
    let waiting = queue.operations.count { $0.state.isPending }
    let sent = queue.afterReplay()
    let replays =
      servers.count == 1 ? "a replay to \(server) has" : "replays to \(servers.count) servers have"
    losses.add(
      .note, "operations that \(replays) brought to an end, which no longer wait",
      count: waiting - sent.operations.count { $0.state.isPending })
    return sent
  }

  /// The rows so far without a value that the app would send.
  package func rowsWithGaps() -> RowsWithGaps {
    found.pack()
    return found
  }

  /// What the app has of a table of the sources.
  private struct KnownColumns {
    /// Those of which the server has the values.
    let pulled: Set<ExactText>
    /// Those of which it sends values.
    let sent: Set<ExactText>
    /// Those with the versions that are conditions of requests.
    let versions: Set<ExactText>

    init(of plan: Plan) {
      func names(_ places: Set<Int>) -> Set<ExactText> {
        Set(places.map { ExactText(plan.source.columns[$0].name) })
      }
      pulled = names(plan.pulledPlaces)
      sent = names(plan.sentPlaces)
      versions = names(
        Set(plan.source.columns.indices.filter { plan.source.columns[$0].role == .version }))
    }
  }

  private func knownColumns(ofTable name: String) -> KnownColumns? {
    if let known = knownColumns[ExactText(name)] { return known }
    knownColumns[ExactText(name)] = plan(ofTable: name).map(KnownColumns.init)
    return knownColumns[ExactText(name)]
  }

  package func note(_ reject: RejectedValue) {
    let column = ExactText(reject.column)
    if let known = knownColumns(ofTable: reject.table) {
      if known.pulled.contains(column) { tablesToPull.insert(reject.table) }
      let isOfVersion = known.versions.contains(column)
      if isOfVersion || known.sent.contains(column) {
        found.add(
          reject.row, ofTable: reject.table, source: reject.source, isOfVersion: isOfVersion)
      }
    }
    losses.add(
      .warning, table: reject.table,
      "values of \(reject.table) that were rejected before, of which only the source tells")
  }
}
