import Bytes
import Canonical
import CommandLineKit
import Exports
import Records

/// The tables of all sources, with their queues and findings, into a new store.
struct Loading {
  let inputs: any LoadInputs
  let session: Session
  let output: String
  let rejectLimit: RejectLimit
  /// Which tables are loaded; nil for all.
  var selection: TableSelection?
  /// Whether a file that stands under the output's name is replaced.
  let isReplacing: Bool
  /// Where rows with rejected values go, besides the store.
  var rejects: SeedRejects?

  /// Loads a canonical store, publishes and reports; a second thread writes what this one reads.
  ///
  /// - Throws: `StoreError` when a source cannot be read or is not what it says, the output cannot
  ///   be written, or the books do not balance; then nothing is published.
  func run() throws(StoreError) -> LoadReport {
    try run { () throws(StoreError) in
      try StoreLoad(
        destination: output, replacing: isReplacing, merging: inputs.isMerging)
    }
  }

  /// Loads the store that `begin` begins, publishes and reports.
  ///
  /// - Throws: `StoreError` as `run`; also when the store has no room for what a source has.
  func run<Store: StoreWriter & ~Copyable>(
    into begin: () throws(StoreError) -> Store
  ) throws(StoreError) -> LoadReport {
    let selections = try inputs.selections(selection)
    try SourceProtection(inputs.inputFiles).check(output)
    let store = try begin()
    var report = LoadReport(output: output)
    var progress = session.makeProgress(
      .stores, total: selections.count, isWanted: inputs.isMerging)
    defer { progress.clear() }
    for (number, chosen) in selections.enumerated() {
      progress.update(done: number, label: "written")
      let reader = try inputs.reader(at: number)
      var (findings, files) = try reader.proven { () throws(StoreError) in
        try load(reader, chosen, into: store, &report)
      }
      findings += report.findingOfTwin(files, reader)
      let isLast = number == selections.count - 1
      try store.write(findings: findings + (isLast ? inputs.leftOut : []), files: files)
      var source = reader.source
      source.files = files
      report.add(source, findings)
    }
    report.leftOut = inputs.leftOut
    if inputs.isMerging { report.uniteBalances() }
    report.rejectFiles = try rejects?.finish()
    try rejectLimit.check(report.balances, report.rejectFiles)
    try store.publish()
    return report
  }

  /// Loads one source.
  ///
  /// - Returns: what a person should know about it.
  private func load<Store: StoreWriter & ~Copyable>(
    _ reader: any StoreReader, _ chosen: Set<Int>, into store: borrowing Store,
    _ report: inout LoadReport
  ) throws(StoreError) -> [Finding] {
    var kept = reader.catalogue
    kept.tables = chosen.sorted().map { reader.catalogue.tables[$0] }
    try store.begin(reader.source, catalogue: kept, at: Timestamp.now, toolVersion: Tool.version)
    var progress = session.makeProgress(
      .rows, total: try reader.rowCount(of: chosen), isWanted: !inputs.isMerging)
    defer { progress.clear() }
    // Operations are tied to their rows while these are read.
    try reader.prepareQueue()
    for index in chosen.sorted() { try load(reader, index, into: store, &report, &progress) }
    let tied = try reader.readMatchedQueue()
    report.queue.add(try store.write(tied))
    try keepSent(of: reader, in: store)
    let names = Set(kept.tables.map { ExactText($0.name) })
    try reader.kept?.forEachStoredReject { (reject) throws(StoreError) in
      if names.contains(ExactText(reject.table)) { try store.write(reject) }
    }
    if inputs.isMerging { try keepMergedRows(of: reader, in: store, &report) }
    let examined = try reader.examineRows()
    let before = report.balances.count
    let loaded = try store.balances().dropFirst(report.loadedTables)
    report.loadedTables += loaded.count
    try report.add(loaded, of: reader, chosen)
    report.countRejectsOfMergedRows(from: before)
    return try reader.findings + tied.queue.findings + examined + unknownTables(of: reader)
      + report.balances[before...].flatMap { $0.rejectFindings(areKept: Store.keepsRejects) }
      + store.takeFindings()
  }

  /// Keeps what devices would send where that is not in their rows, and what was sent before.
  private func keepSent<Store: StoreWriter & ~Copyable>(
    of reader: any StoreReader, in store: borrowing Store
  ) throws(StoreError) {
    var items: [DeviceItem] = []
    // The operation itself tells its source.
    try reader.kept?.forEachDeviceItem { (item) throws(StoreError) in
      if item.isTelling { items.append(item) }
      guard items.count == Self.pieceSize else { return }
      try session.checkInterruption()
      try store.write(items)
      items.removeAll(keepingCapacity: true)
    }
    if !items.isEmpty { try store.write(items) }
    var lines: [JournalLine] = []
    try reader.kept?.forEachJournalLine { (line) throws(StoreError) in
      lines.append(line)
      guard lines.count == Self.pieceSize else { return }
      try store.write(lines)
      lines.removeAll(keepingCapacity: true)
    }
    if !lines.isEmpty { try store.write(lines) }
  }

  /// How many small things go to the store at once.
  private static let pieceSize = 256

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

  /// Keeps the rows that lost when the source itself was made of several.
  private func keepMergedRows<Store: StoreWriter & ~Copyable>(
    of reader: any StoreReader, in store: borrowing Store, _ report: inout LoadReport
  ) throws(StoreError) {
    try reader.kept?.forEachStoredMergedBatch { (rows) throws(StoreError) in
      try session.checkInterruption()
      try store.write(rows)
      report.addMerged(rows)
    }
  }

  private func load<Store: StoreWriter & ~Copyable>(
    _ reader: any StoreReader, _ index: Int, into store: borrowing Store,
    _ report: inout LoadReport, _ progress: inout ProgressLine
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
        try rejects?.add(batch, of: table, from: reader)
        let count = batch.rowCount
        try store.insert(&batch)
        progress.add(count, label: table.name)
      }
    }
    var lost = 0
    // A row that no table can take was read all the same, and is reported among the rejects.
    try reader.forEachLostRow(besideTable: index) { (reject) throws(StoreError) in
      lost += 1
      try store.write(reject)
    }
    var merged = 0
    try reader.forEachMergedBatch(besideTable: index) { (rows) throws(StoreError) in
      try session.checkInterruption()
      merged += rows.count
      try store.write(rows)
      report.addMerged(rows)
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

extension TableBalance {
  /// The findings that tell of cells that were left empty, one for each reason.
  ///
  /// Readers tell of missing files themselves, with the column that names them.
  func rejectFindings(areKept: Bool) -> [Finding] {
    RejectCode.allCases.compactMap { code in
      guard code != .externalDataMissing, let count = rejectedCellsByCode[code] else { return nil }
      return Finding(
        code.rawValue, .warning, table: name,
        message: "\(Quantity.count(count, "value", "values")) of \(name) could not be taken over "
          + "and became NULL; "
          + (areKept ? "what they were is in rehome_reject" : "a canonical store would keep them"))
    }
  }
}
