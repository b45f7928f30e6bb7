import Bytes
import CanonicalStore
import CommandLineKit
import Records

/// One seed: the tables of all inputs, with their queue and rejects, into a new canonical store.
struct Seeding {
  let readers: [any StoreReader]
  let settings: RunSettings
  let output: String
  let rejectLimit: RejectLimit

  /// Loads, publishes and reports.
  ///
  /// - Throws: `StoreError` when an input cannot be read or is not what it says, the output cannot
  ///   be written, or the books do not balance; then nothing is published.
  func run() async throws(StoreError) -> SeedReport {
    try SourceProtection(readers.flatMap(\.inputFiles)).check(output)
    var writer = try CanonicalWriter(
      destination: output, replacing: settings.arguments.flag("force"))
    var report = SeedReport(output: output)
    for (reader, chosen) in zip(readers, try selections()) {
      let proof = SourceProof(of: reader)
      let (findings, files) = try await proof.hashing { () throws(StoreError) in
        try load(reader, chosen, into: &writer, &report)
      }
      try writer.write(findings: findings, files: files)
      try SourceProof.checkUnchanged(reader)
      var source = reader.source
      source.files = files
      report.sources.append(source)
      report.findings += findings
    }
    try rejectLimit.check(report.balances)
    try writer.publish()
    return report
  }

  /// The chosen tables of each reader.
  private func selections() throws(StoreError) -> [Set<Int>] {
    let all = Catalogue(tables: readers.flatMap(\.catalogue.tables), nameOrigin: .schema)
    let chosen = Set(try TableSelection(settings.arguments).indices(in: all))
    var first = 0
    return readers.map { reader in
      defer { first += reader.catalogue.tables.count }
      return Set(reader.catalogue.tables.indices.filter { chosen.contains(first + $0) })
    }
  }

  private func load(
    _ reader: any StoreReader, _ chosen: Set<Int>, into writer: inout CanonicalWriter,
    _ report: inout SeedReport
  ) throws(StoreError) -> [Finding] {
    var kept = reader.catalogue
    kept.tables = chosen.sorted().map { reader.catalogue.tables[$0] }
    try writer.begin(reader.source, catalogue: kept, at: Timestamp.now, toolVersion: Tool.version)
    var progress = settings.makeProgress()
    defer { progress.clear() }
    var findings = reader.findings
    for (index, table) in reader.catalogue.tables.enumerated() {
      var balance = TableBalance(name: table.name)
      if chosen.contains(index) {
        balance = try load(reader, index, table, into: &writer, &progress)
        findings += balance.rejectFindings
      } else {
        balance.read = try reader.countRows(inTable: index)
        balance.filtered = balance.read
      }
      report.balances.append(balance)
    }
    let names = Set(kept.tables.map(\.name))
    let queue = try reader.readQueue()
    try writer.write(queue)
    report.operations += queue.operations.count
    try reader.forEachStoredReject { (reject) throws(StoreError) in
      if names.contains(reject.table) { try writer.write(reject) }
    }
    return findings
  }

  private func load(
    _ reader: any StoreReader, _ index: Int, _ table: Table, into writer: inout CanonicalWriter,
    _ progress: inout ProgressLine
  ) throws(StoreError) -> TableBalance {
    let total = try reader.countRows(inTable: index)
    var done = 0
    let balance = try writer.load(table) { (write) throws(StoreError) in
      try reader.forEachBatch(inTable: index) { (batch) throws(StoreError) in
        try settings.checkInterruption()
        done += batch.rowCount
        try write(&batch)
        progress.update(done: done, total: total, label: table.name)
      }
    }
    guard balance.isBalanced, balance.read == total else {
      throw StoreError(balance, counted: total)
    }
    try writer.finish(table, balance: balance)
    return balance
  }
}
