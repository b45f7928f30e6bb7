import Bytes
import Records

/// Streams once through the rows of a store and keeps what audits need of them.
struct StoreSurvey: Sendable {
  /// What was seen of each table, in the catalogue's order.
  private(set) var tables: [TableFacts] = []
  /// The rows that operations would send.
  private(set) var rows: AttachedRows
  private let threads: Int
  private let sliceLimit: Int

  /// Looks at every table of a store, whose ids are compared so many rows at a time, and adds the
  /// rows that operations would send to others; `check` is called once a batch with how many
  /// rows it has, and may stop the run.
  init(
    of reader: any StoreReader, queue: Queue, besides rows: AttachedRows = AttachedRows(),
    listsRows: Bool = true, threads: Int = 1,
    sliceLimit: Int = HashSlice.limit, check: (Int) throws(StoreError) -> Void
  ) throws(StoreError) {
    self.rows = rows
    self.threads = threads
    self.sliceLimit = sliceLimit
    let operations = OperationRows(queue)
    let shown = listsRows ? operations : OperationRows(comparedIn: queue)
    var links = ReferenceLinks()
    for (index, table) in reader.catalogue.tables.enumerated() {
      var survey = TableSurvey(of: table, operations: operations[table.name])
      try read(index, table, reader, &survey, shown[table.name], check)
      tables.append(survey.facts)
      links.add(survey, table)
    }
    for index in tables.indices { tables[index].dangling = links.dangling(ofTable: index) }
  }

  private mutating func read(
    _ index: Int, _ table: Table, _ reader: any StoreReader, _ survey: inout TableSurvey,
    _ shown: TableOperations, _ check: (Int) throws(StoreError) -> Void
  ) throws(StoreError) {
    let slices = HashSlice.all(
      forRows: try reader.countRows(inTable: index), limit: sliceLimit)
    var candidates: Set<UInt64> = []
    for slice in slices {
      if slice.index == 0 {
        try readWhole(index, table, reader, &survey, slice, shown, check)
      } else {
        try readIDs(index, table, reader, &survey, slice, check)
      }
      candidates.formUnion(survey.takeCandidates())
      guard table.index(of: .id) != nil else { break }
    }
    survey.take(try sharedIDs(candidates, index, table, reader, check))
  }

  /// Looks at all that is wanted of a table's rows, and at the ids that fall into the first slice.
  private mutating func readWhole(
    _ index: Int, _ table: Table, _ reader: any StoreReader, _ survey: inout TableSurvey,
    _ slice: HashSlice, _ shown: TableOperations, _ check: (Int) throws(StoreError) -> Void
  ) throws(StoreError) {
    let cells = WantedCells(survey.columns, wholeRows: shown.keys)
    let look = TableLook(slice: slice, shown: shown, spelling: RowJSON(of: table.withoutSource))
    if let parts = try reader.parts(ofTable: index, wanting: cells) {
      return try survey.add(
        parts, look, threads: threads,
        { (texts) throws(StoreError) in try keep(texts, table) }, check)
    }
    try reader.forEachBatch(inTable: index, wanting: cells) { (batch) throws(StoreError) in
      try check(batch.rowCount)
      var texts = RowTexts()
      survey.add(batch, look, &texts)
      try keep(texts, table)
    }
  }

  /// Looks only at the ids that fall into another slice.
  private func readIDs(
    _ index: Int, _ table: Table, _ reader: any StoreReader, _ survey: inout TableSurvey,
    _ slice: HashSlice, _ check: (Int) throws(StoreError) -> Void
  ) throws(StoreError) {
    let ids = WantedCells(Set([table.index(of: .id)].compactMap(\.self)))
    if let parts = try reader.parts(ofTable: index, wanting: ids) {
      return try survey.addHashes(parts, slice: slice, threads: threads, check)
    }
    try reader.forEachBatch(inTable: index, wanting: ids) { (batch) throws(StoreError) in
      try check(batch.rowCount)
      survey.addHashes(batch, slice: slice)
    }
  }

  private mutating func keep(_ texts: RowTexts, _ table: Table) throws(StoreError) {
    try storeErrors("rows cannot be set aside") { () throws(FileError) in
      try rows.add(texts, table: table.name)
    }
  }

  /// Compares the ids whose hashes are the same.
  private func sharedIDs(
    _ candidates: Set<UInt64>, _ index: Int, _ table: Table, _ reader: any StoreReader,
    _ check: (Int) throws(StoreError) -> Void
  ) throws(StoreError) -> SharedIDs {
    var shared = SharedIDs(of: candidates)
    guard let id = table.index(of: .id), !candidates.isEmpty else { return shared }
    try reader.forEachBatch(inTable: index, wanting: [id]) { (batch) throws(StoreError) in
      try check(batch.rowCount)
      let arena = batch.arena
      for row in 0..<batch.rowCount {
        let cell = batch.cell(id, ofRow: row)
        guard let hash = cell.idHash(arena), candidates.contains(hash) else { continue }
        shared.add(cell.idText(arena), hash: hash)
      }
    }
    return shared
  }
}
