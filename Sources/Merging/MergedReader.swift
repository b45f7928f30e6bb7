import Bytes
package import Records

/// One of several sources that become one store, as that store shall have it.
///
/// Its tables are as the united catalogue has them, its keys clash with none of the others, and items of
/// which another source has the row that is kept are missing.
package final class MergedReader: BatchReader, KeptRecords {
  /// Where a table is among those of all sources, and in the source.
  private struct Way {
    let united: Int
    let own: Int
  }

  package let catalogue: Catalogue
  package var source: SourceDescription
  package let base: any StoreReader
  let keys: SourceKeys
  /// The ways from the tables of the source to those of the united catalogue.
  let mappings: [TableMapping]
  /// The united names of tables by those of the source, where they differ.
  let renamed: [ExactText: String]
  /// What the app calls these tables, by their names in the source.
  let appNames: [ExactText: String]
  private let number: Int
  /// What a person calls the source, and the others by their numbers.
  let label: String
  let labels: [Int: String]
  /// Where its tables are, in their order.
  private let ways: [Way]
  private let unitedFindings: [Finding]
  private let decisions: MergeDecisions
  let turn: OperationTurn
  /// The sequences of the operations in the source, and that of the first one here.
  var ownSequences = OwnSequences()
  var firstSequence: Int64 = 1
  /// The rows that operations of the source would send.
  var uses = RowUses()
  /// What these rows lack, where the source tells it beside them.
  var lostCells: [Int: LostCells] = [:]
  /// What devices send of rows that give way and were put right.
  var mended = MendedItems()
  /// What the device sends of payloads that would be others beside the columns of other devices.
  var sentPayloads = ItemsByPlace(count: 0)
  /// What the device calls the tables of operations, by their sequences in the source, where the
  /// united store spells them otherwise.
  var ownTables: [Int64: String] = [:]
  /// The pairs of each table that another source had before, and that source.
  private var knownPairs: [Int: GivenRows] = [:]

  init(
    _ base: any StoreReader, number: Int, label: String, labels: [Int: String],
    united: UnitedCatalogue, places unitedPlaces: [Int], tables: [Table], keys: SourceKeys,
    surveyed: [Table], findings: [Finding], decisions: MergeDecisions, turn: OperationTurn
  ) {
    self.base = base
    self.number = number
    self.label = label
    self.labels = labels
    self.keys = keys
    self.decisions = decisions
    self.turn = turn
    unitedFindings = findings
    ways = unitedPlaces.enumerated().map { Way(united: $1, own: $0) }
      .sorted { $0.united < $1.united }
    catalogue = Catalogue(
      tables: ways.map { tables[$0.united] }, nameOrigin: base.catalogue.nameOrigin)
    var source = base.source
    for place in source.earlier.indices where source.earlier[place].source.path == nil {
      source.earlier[place].source.metadata += source.names(orElse: label)
    }
    source.keepNames(orElse: label)
    self.source = source
    var (renamed, appNames): ([ExactText: String], [ExactText: String]) = ([:], [:])
    let ownAppNames = base.catalogue.appNames
    for (own, (table, place)) in zip(base.catalogue.tables, unitedPlaces).enumerated() {
      if !hasSameBytes(tables[place].name, table.name) {
        renamed[ExactText(table.name)] = tables[place].name
        appNames[ExactText(table.name)] = ownAppNames[own]
      }
    }
    (self.renamed, self.appNames) = (renamed, appNames)
    let targets = base.catalogue.placesOfTargets.mapValues { tables[unitedPlaces[$0]].name }
      .filter { !hasSameBytes($0.key.wrappedValue, $0.value) }
    mappings = zip(base.catalogue.tables, unitedPlaces).enumerated().map { own, way in
      let (table, place) = way
      return TableMapping(
        table, surveyed: surveyed[own], to: united.tables[place], columns: tables[place].columns,
        renamed: targets)
    }
  }

  package var inputFiles: [String] { base.inputFiles }
  package var model: ModelSummary? { base.model }
  package var kept: (any KeptRecords)? { self }

  package var findings: Findings {
    // A canonical store lends what it tells of rows that gave way together with the rows.
    let isCanonical = base.source.layout == .rehome
    var told = Findings()
    for finding in base.findings where !isCanonical || finding.code != MergedRow.code {
      told.append(renumbered(finding))
    }
    return told + unitedFindings.map(renumbered)
  }

  /// The places of those of its tables that are at some places among those of all sources.
  package func places(of united: Set<Int>) -> Set<Int> {
    Set(ways.indices.filter { united.contains(ways[$0].united) })
  }

  /// Where a table is in the source, and where the source has its columns; nil for one that it lacks.
  package func ownPlaces(ofTable table: Int) -> (table: Int, columns: [Int?]) {
    let own = ways[table].own
    return (own, mappings[own].ownColumns)
  }

  package func isSourceUnchanged() throws(StoreError) -> Bool { try base.isSourceUnchanged() }

  package func examineRows() throws(StoreError) -> [Finding] {
    try base.examineRows().map(renumbered)
  }

  package func prepareQueue() throws(StoreError) { try base.prepareQueue() }

  package func countRows(inTable table: Int) throws(StoreError) -> Int {
    try base.countRows(inTable: ways[table].own)
  }

  package func forEachLostRow(
    besideTable table: Int, _ body: (RejectedValue) throws(StoreError) -> Void
  ) throws(StoreError) {
    try base.forEachLostRow(besideTable: ways[table].own) { (reject) throws(StoreError) in
      try body(renumbered(reject))
    }
  }

  package func forEachStoredReject(
    _ body: (RejectedValue) throws(StoreError) -> Void
  ) throws(StoreError) {
    try base.kept?.forEachStoredReject { (reject) throws(StoreError) in try body(renumbered(reject))
    }
  }

  package func forEachStoredMergedBatch(
    _ body: ([MergedRow]) throws(StoreError) -> Void
  ) throws(StoreError) {
    try base.kept?.forEachStoredMergedBatch { (rows) throws(StoreError) in
      try body(rows.map { MergedRow(renumbered($0.finding), item: $0.item) })
    }
  }
}

// MARK: - Rows

extension MergedReader {
  package func read(
    _ table: Int, _ body: (inout RecordBatch) throws(StoreError) -> Void
  ) throws(StoreError) {
    let way = ways[table]
    let rows = rows(ofTable: way.own)
    let pair = PairColumns(of: rows.mapping.table)
    // The first source that has a pair keeps it.
    if pair != nil { try turn.begin() }
    var united = RecordBatch(columnCount: catalogue.tables[table].columns.count)
    var pairs = GivenRows()
    try base.forEachBatch(inTable: way.own) { (batch) throws(StoreError) in
      try rows.lend(
        batch, by: &united,
        where: { (row) throws(StoreError) in
          guard let pair = pair?.pair(ofRow: row, of: batch, rows.mapping, keys),
            let first = try decisions.claimPair(pair, ofTable: way.united, source: number)
          else { return true }
          pairs.append(batch.keys[row], givenTo: first)
          return false
        }, to: body)
    }
    pairs.sort()
    knownPairs[table] = pairs
  }

  package func rows(
    ofTable table: Int, wanting cells: WantedCells?
  ) throws(StoreError) -> TableRows.Form {
    // Of pairs it is asked one after the other which are there already.
    let own = ways[table].own
    if PairColumns(of: mappings[own].table) == nil, let parts = try base.parts(ofTable: own) {
      let width = catalogue.tables[table].columns.count
      return .parts(UnitedParts(parts, rows(ofTable: own), columnCount: width))
    }
    return .batches { (body) throws(StoreError) in try self.read(table, body) }
  }

  private func rows(ofTable own: Int) -> UnitedRows {
    UnitedRows(mapping: mappings[own], keys: keys, table: own)
  }

  package func forEachMergedBatch(
    besideTable table: Int, _ body: ([MergedRow]) throws(StoreError) -> Void
  ) throws(StoreError) {
    let own = ways[table].own
    let pairs = knownPairs.removeValue(forKey: table) ?? GivenRows()
    // A table of pairs has no ids by which a row could give way.
    let given = pairs.keys.isEmpty ? keys.tables[own].losers.keys : KeyLookup(pairs.keys)
    guard !given.isEmpty else { return }
    let table = mappings[own].table
    let json = RowJSON(of: table.withoutSource)
    try forEachRow(given, ofTable: own) { (batch, wanted) throws(StoreError) in
      var cursor = RejectCursor(batch)
      var rows: [MergedRow] = []
      for row in wanted {
        var item: [UInt8] = []
        json.append(row: row, of: batch, to: &item)
        let winner = keys.tables[own].winner(of: batch.keys[row])
        let from = batch.source(ofRow: row, table)
        var merged = MergedRow(
          finding(
            row, of: batch, own, keptFrom: winner?.source ?? pairs.source(of: batch.keys[row])),
          item: item,
          rejects: cursor.rejects(ofRow: row).map { reject in
            var stored = RejectedValue(reject, of: batch, table)
            stored.source = from
            return renumbered(stored)
          })
        merged.finding.source = from
        rows.append(merged)
      }
      try body(rows)
    }
  }

  /// Lends the batches that hold some rows of a table of the source, and the places of these.
  func forEachRow(
    _ lookup: KeyLookup, ofTable own: Int,
    _ body: (borrowing RecordBatch, [Int]) throws(StoreError) -> Void
  ) throws(StoreError) {
    try base.forEachBatch(inTable: own, wanting: WantedCells([], wholeRows: lookup)) {
      (batch) throws(StoreError) in
      let keys = batch.keys
      let rows = keys.indices.filter { lookup.contains(keys[$0]) }
      if !rows.isEmpty { try body(batch, rows) }
    }
  }
}

extension RecordBatch {
  /// The number of a row's source; 0 where the row does not tell.
  func source(ofRow row: Int, _ table: Table) -> Int32 {
    guard let place = table.sourcePlace else { return 0 }
    let cell = cells[row * columnCount + place]
    return cell.kind == .integer ? Int32(clamping: cell.integer) : 0
  }
}
