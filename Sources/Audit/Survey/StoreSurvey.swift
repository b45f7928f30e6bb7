import Bytes
package import Records

/// Streams once through the rows of a store and keeps what audits need of them.
package struct StoreSurvey: Sendable {
  /// What was seen of each table, in the catalogue's order.
  package private(set) var tables: [TableFacts] = []
  /// The rows that operations would send.
  package private(set) var rows = AttachedRows()
  private let threads: Int

  /// Looks at every table of a store; `check` is called once a batch and may stop the run.
  ///
  /// - Throws: `StoreError` when the store cannot be read, or whatever `check` throws.
  package init(
    of reader: any StoreReader, queue: Queue, listsRows: Bool = true,
    threads: Int = 1, check: () throws(StoreError) -> Void
  ) throws(StoreError) {
    self.threads = threads
    let operations = OperationRows(queue.operations)
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
    _ shown: TableOperations, _ check: () throws(StoreError) -> Void
  ) throws(StoreError) {
    let count = try reader.countRows(inTable: index)
    let slices = HashSlice.all(forRows: count)
    let spelling = RowJSON(of: table)
    let columns = shown.hasNoRows ? survey.columns : Set(table.columns.indices)
    let ids = Set([table.index(of: .id)].compactMap(\.self))
    var candidates: Set<UInt64> = []
    for slice in slices {
      survey.expectHashes(count / slices.count)
      let isFirst = slice.index == 0
      if isFirst, shown.hasNoRows, threads > 1,
        let parts = try reader.parts(ofTable: index, wanting: columns)
      {
        try survey.add(parts, slice: slice, threads: threads, check)
        candidates.formUnion(survey.takeCandidates())
        guard table.index(of: .id) != nil else { break }
        continue
      }
      try reader.forEachBatch(inTable: index, wanting: isFirst ? columns : ids) {
        (batch) throws(StoreError) in
        try check()
        guard isFirst else { return survey.addHashes(batch, slice: slice) }
        survey.add(batch, slice: slice)
        guard !shown.hasNoRows else { return }
        try storeErrors("rows cannot be set aside") { () throws(FileError) in
          try rows.add(batch, table: table.name, spelling: spelling, wanted: shown)
        }
      }
      candidates.formUnion(survey.takeCandidates())
      guard table.index(of: .id) != nil else { break }
    }
    survey.sharedIDs = try sharedIDs(candidates, index, table, reader, check)
  }

  /// Compares the ids whose hashes are the same, exactly.
  private func sharedIDs(
    _ candidates: Set<UInt64>, _ index: Int, _ table: Table, _ reader: any StoreReader,
    _ check: () throws(StoreError) -> Void
  ) throws(StoreError) -> [TableFacts.SharedID] {
    guard let id = table.index(of: .id), !candidates.isEmpty else { return [] }
    var spellings: [String: [String]] = [:]
    var order: [String] = []
    let kept = Set(candidates.sorted().prefix(TableFacts.listLimit))
    try reader.forEachBatch(inTable: index, wanting: [id]) { (batch) throws(StoreError) in
      try check()
      let arena = batch.arena
      for row in 0..<batch.rowCount {
        let cell = batch.cell(id, ofRow: row)
        guard let hash = cell.idHash(arena), kept.contains(hash) else { continue }
        let text = cell.idText(arena)
        let folded = text.lowercased()
        if spellings[folded] == nil { order.append(folded) }
        // What matters is that there are several, and how they are spelled.
        if spellings[folded, default: []].count < 16 { spellings[folded, default: []].append(text) }
      }
    }
    return order.compactMap { folded in
      guard let found = spellings[folded], found.count > 1 else { return nil }
      return TableFacts.SharedID(spellings: found)
    }
  }
}
