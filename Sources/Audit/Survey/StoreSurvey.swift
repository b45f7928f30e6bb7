import Bytes
import Records
import SyncSDKs

/// Streams once through the rows of a store and keeps what audits need of them.
struct StoreSurvey: Sendable {
  /// What was seen of each table, in the catalogue's order.
  private(set) var tables: [TableFacts] = []
  /// The rows that operations would send.
  private(set) var rows: AttachedRows
  /// The rows that operations know and that are not there, in a store of ours: it names rows by keys
  /// that stay when somebody takes the rows away.
  private(set) var goneRows = GoneRows()
  private let threads: Int
  private let mostIDs: Int

  /// Looks at every table of a store, of whose ids so many are compared in memory, and adds the rows
  /// that operations would send to others; `check` is called once a batch with how many rows it
  /// has, and may stop the run.
  ///
  /// Only rows of `shown` operations are kept, unless it is nil. The rows of operations that do not know
  /// theirs may be noted where they are read.
  init(
    of reader: any StoreReader, queue: Queue, areRowsNoted: Bool = false,
    besides rows: AttachedRows = AttachedRows(), shown: KeySet? = nil, threads: Int = 1,
    mostIDs: Int = RepeatedHashes.limit, check: (Int) throws(StoreError) -> Void
  ) throws(StoreError) {
    self.rows = rows
    self.threads = threads
    self.mostIDs = mostIDs
    let operations = OperationRows(
      queue, areRowsNoted: areRowsNoted, exactSources: reader.source.exactSources)
    let shown = shown.map { OperationRows(of: $0, in: queue) } ?? operations
    let rules = RowRules(of: reader.source)
    let mayLackRows = reader.kept != nil
    var links = ReferenceLinks(of: reader.catalogue)
    for (index, table) in reader.catalogue.tables.enumerated() {
      let named = operations[table.name]
      let mayLackNamed = mayLackRows && !named.keys.isEmpty
      var survey = TableSurvey(
        of: table, operations: named, rules: rules,
        keeping: links.mayLead(to: table) ? .all : mayLackNamed ? .ofOperations : .none)
      try read(index, table, reader, &survey, shown[table.name], check)
      if mayLackRows {
        goneRows.look(for: named, among: survey.keys, ofTable: table.name)
      }
      tables.append(survey.facts)
      links.add(survey, table)
    }
    if mayLackRows { goneRows.add(operations, except: reader.catalogue) }
    for index in tables.indices { tables[index].dangling = links.dangling(ofTable: index) }
  }

  private mutating func read(
    _ index: Int, _ table: Table, _ reader: any StoreReader, _ survey: inout TableSurvey,
    _ shown: TableOperations, _ check: (Int) throws(StoreError) -> Void
  ) throws(StoreError) {
    var hashes = RepeatedHashes(keeping: mostIDs)
    let keep: TableSurvey.Keep = { (survey, texts) throws(StoreError) in
      try storeErrors("rows cannot be set aside") { () throws(FileError) in
        try rows.add(texts, table: table.name)
        try survey.giveHashes(to: &hashes)
      }
    }
    try readWhole(index, table, reader, &survey, shown, keep, check)
    let share = max(mostIDs / 2, TableFacts.listLimit)
    let next = { [threads] () throws(StoreError) in
      try storeErrors("ids cannot be compared") { () throws(FileError) in
        try hashes.nextRepeated(share, threads: threads)
      }
    }
    guard let id = table.index(of: .id) else { return }
    // Where most ids come twice, they are too many for memory.
    while let candidates = try next() {
      var shared = SharedIDs(of: candidates, listing: survey.roomForSharedIDs)
      let look = shared.look(inColumn: id)
      try reader.forEachBatch(inTable: index, wanting: [id], seeing: look.see) {
        (seen) throws(StoreError) in
        try check(0)
        shared.add(seen)
      }
      survey.take(shared)
    }
  }

  /// Looks at all that is wanted of a table's rows.
  private func readWhole(
    _ index: Int, _ table: Table, _ reader: any StoreReader, _ survey: inout TableSurvey,
    _ shown: TableOperations, _ keep: TableSurvey.Keep, _ check: (Int) throws(StoreError) -> Void
  ) throws(StoreError) {
    let cells = WantedCells(
      survey.columns, wholeRows: shown.keys, wantsNamedRows: shown.areRowsNoted)
    let look = TableLook(shown: shown, spelling: RowJSON(of: table.withoutSource))
    if let parts = try reader.parts(ofTable: index, wanting: cells) {
      return try survey.add(parts, look, threads: threads, keep, check)
    }
    try reader.forEachBatch(inTable: index, wanting: cells) { (batch) throws(StoreError) in
      try check(batch.rowCount)
      var texts = RowTexts()
      survey.add(batch, look, &texts)
      try keep(&survey, texts)
    }
  }
}
