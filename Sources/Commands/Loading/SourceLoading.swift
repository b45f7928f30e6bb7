import Bytes
import CommandLineKit
import Exports
import Records
import SyncSDKs

/// What one source brings into a new store: its tables, its queue and what earlier runs have kept.
struct SourceLoading: Sendable {
  let session: Session
  /// Which tables are loaded; nil for all.
  let selection: TableSelection?
  /// Whether the sources share their tables.
  let isMerging: Bool

  /// Loads some tables of a source, and all else that it has, and proves that it stayed as it was;
  /// `choice` is among the tables of all sources, where these share them.
  ///
  /// - Returns: what is to be told of it, but for what the store knows.
  func load<Store: StoreWriter & ~Copyable>(
    _ reader: any StoreReader, _ chosen: Set<Int>, into store: borrowing Store,
    among choice: TableChoice? = nil, rejects: SeedRejects? = nil
  ) throws(StoreError) -> LoadedSource {
    let choice = choice ?? TableChoice(chosen, in: reader.catalogue)
    var (loaded, files) = try reader.proven { () throws(StoreError) in
      try read(reader, chosen, choice, into: store, rejects)
    }
    loaded.source.files = files
    return loaded
  }

  private func read<Store: StoreWriter & ~Copyable>(
    _ reader: any StoreReader, _ chosen: Set<Int>, _ choice: TableChoice,
    into store: borrowing Store, _ rejects: SeedRejects?
  ) throws(StoreError) -> LoadedSource {
    var loaded = LoadedSource(reader.source)
    var kept = reader.catalogue
    kept.tables = chosen.sorted().map { reader.catalogue.tables[$0] }
    try store.begin(reader.source, catalogue: kept, at: Timestamp.now, toolVersion: Tool.version)
    var progress = session.makeProgress(
      .rows, total: try reader.rowCount(of: chosen), isWanted: !isMerging)
    defer { progress.clear() }
    // Operations are tied to their rows while these are read.
    try reader.prepareQueue()
    for index in chosen.sorted() {
      try read(reader, index, into: store, rejects, &loaded, &progress)
    }
    var tables = KeptTables(choice, of: reader)
    var tied = try reader.readMatchedQueue()
    // The store of an app must know the rows that are left out: it does not take changes of them.
    if Store.keepsRejects { try tables.leaveRows(of: &tied) }
    // An app would send the row, or the id alone, in place of what nobody can read.
    if !Store.keepsRejects { tied.forgetKinds(where: reader.source.sdks.cannotRead) }
    // The store of an app tells itself which changes it does not take.
    let withoutRows =
      Store.keepsRejects ? tables.findings(ofChangesWithoutRows: tied.queue.operations) : []
    // What a row lacks decides about its operations.
    try inPieces(tables.forEachStoredReject) { (rejects) throws(StoreError) in
      try session.checkInterruption()
      try store.write(rejects)
    }
    let toldOfQueue = tied.queue.findings
    loaded.queue = try store.write(consume tied)
    try keepSent(of: tables, in: store)
    if isMerging { try keepMergedRows(of: tables, in: store, &loaded) }
    let examined = try reader.examineRows()
    loaded.findings =
      try findings(of: tables) + toldOfQueue + examined + unknownTables(of: reader)
      + withoutRows
    try loaded.countTables(of: reader, chosen)
    return loaded
  }

  /// Keeps what devices would send where that is not in their rows, and what was sent before.
  private func keepSent<Store: StoreWriter & ~Copyable>(
    of tables: KeptTables, in store: borrowing Store
  ) throws(StoreError) {
    // The operation itself tells its source.
    try inPieces(tables.forEachDeviceItem, where: \.isTelling) { (items) throws(StoreError) in
      try session.checkInterruption()
      try store.write(items)
    }
    guard let kept = tables.reader.kept else { return }
    try inPieces(kept.forEachJournalLine) { (lines) throws(StoreError) in
      try session.checkInterruption()
      try store.write(lines)
    }
  }

  /// Tells of tables with rows for which the new store has no place.
  private func unknownTables(of reader: any StoreReader) throws(StoreError) -> [Finding] {
    var findings: [Finding] = []
    for (place, table) in reader.catalogue.tables.enumerated()
    where selection?.unknown.contains(ExactText(table.name)) == true {
      let rows = try reader.countRows(inTable: place)
      guard rows > 0 else { continue }
      findings.append(
        Finding(
          "not-carried-over", .warning, table: table.name,
          message: "rows of \(table.name), which the app does not know: \(rows)"))
    }
    return findings
  }

  /// What the source tells; of rows that gave way the store has kept more than these findings.
  private func findings(of tables: KeptTables) -> Findings {
    let findings = tables.findings
    guard isMerging, tables.reader.source.layout == .rehome else { return findings }
    return Findings(findings.lazy.filter { $0.code != MergedRow.code })
  }

  /// Keeps the rows that lost when the source itself was made of several.
  private func keepMergedRows<Store: StoreWriter & ~Copyable>(
    of tables: KeptTables, in store: borrowing Store, _ loaded: inout LoadedSource
  ) throws(StoreError) {
    try tables.forEachStoredMergedBatch { (rows) throws(StoreError) in
      try session.checkInterruption()
      try store.write(rows)
      loaded.gaveWay.add(rows)
    }
  }

  private func read<Store: StoreWriter & ~Copyable>(
    _ reader: any StoreReader, _ index: Int, into store: borrowing Store,
    _ rejects: SeedRejects?, _ loaded: inout LoadedSource, _ progress: inout ProgressLine
  ) throws(StoreError) {
    let table = reader.catalogue.tables[index]
    try store.beginTable(table)
    if rejects == nil, case .parts(let parts) = try reader.rows(ofTable: index, wanting: nil) {
      try store.insert(parts, threads: threadCount()) { (tally) throws(StoreError) in
        try session.checkInterruption()
        progress.add(tally.read, label: table.name)
      }
    } else {
      try reader.forEachBatch(inTable: index) { (batch) throws(StoreError) in
        try session.checkInterruption()
        let count = batch.rowCount
        // All its rows may have come before.
        guard count > 0 else {
          try rejects?.add(batch, of: table, from: reader)
          return
        }
        if let rejects {
          try store.insert(&batch) { (batch) throws(StoreError) in
            try rejects.add(batch, of: table, from: reader)
          }
        } else {
          try store.insert(&batch)
        }
        progress.add(count, label: table.name)
      }
    }
    var lost = 0
    // A row that no table can take was read all the same, and is reported among the rejects.
    try inPieces { (take) throws(StoreError) in
      try reader.forEachLostRow(besideTable: index, take)
    } _: { (rows) throws(StoreError) in
      lost += rows.count
      try store.write(rows)
    }
    var merged = 0
    try reader.forEachMergedBatch(besideTable: index) { (rows) throws(StoreError) in
      try session.checkInterruption()
      merged += rows.count
      try store.write(rows)
      loaded.gaveWay.add(rows)
    }
    // Some files are counted while they are read.
    let total = try reader.countRows(inTable: index)
    try store.endTable(counted: total, lost: lost, merged: merged)
  }
}

extension StoreReader {
  /// How many rows some tables have, or about as many.
  fileprivate func rowCount(of tables: Set<Int>) throws(StoreError) -> Int {
    var count = 0
    for table in tables {
      if let expected = plainFiles?.expectedRows(inTable: table) {
        count += expected
      } else {
        count += try countRows(inTable: table)
      }
    }
    return count
  }
}

/// Lends small things that come one by one many at once, in their order.
private func inPieces<Element>(
  _ forEach: @escaping ((Element) throws(StoreError) -> Void) throws(StoreError) -> Void,
  where isWanted: (Element) -> Bool = { _ in true },
  _ body: ([Element]) throws(StoreError) -> Void
) throws(StoreError) {
  var waiting: [Element] = []
  try forEach { (element) throws(StoreError) in
    guard isWanted(element) else { return }
    waiting.append(element)
    guard waiting.count == 256 else { return }
    try body(waiting)
    waiting.removeAll(keepingCapacity: true)
  }
  if !waiting.isEmpty { try body(waiting) }
}
