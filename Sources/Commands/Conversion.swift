import Bytes
import CanonicalStore
import CommandLineKit
import Records

/// One conversion: rows, queue and findings of a reader into a new canonical store.
struct Conversion {
  let reader: any StoreReader
  let settings: RunSettings
  let output: String
  let rejectLimit: RejectLimit
  /// Which tables are converted; nil for all.
  let selection: TableSelection?
  /// Whether a file that stands under the output's name is replaced.
  let isReplacing: Bool

  /// Converts, publishes and reports.
  ///
  /// - Throws: `StoreError` when the source cannot be read, the output cannot be written, or the
  ///   books do not balance; then nothing is published.
  func run() async throws(StoreError) -> ConversionReport {
    let all = Array(reader.catalogue.tables.indices)
    let chosen = Set(try selection?.indices(in: reader.catalogue) ?? all)
    try SourceProtection(reader.inputFiles).check(output)
    var writer = try CanonicalWriter(
      destination: output, replacing: isReplacing)
    let proof = SourceProof(of: reader)
    let (report, files) = try await proof.hashing { () throws(StoreError) in
      try load(chosen, into: &writer)
    }
    var complete = report
    complete.source.files = files
    try writer.write(findings: complete.findings, files: files)
    try SourceProof.checkUnchanged(reader)
    try writer.publish()
    return complete
  }

  private func load(
    _ chosen: Set<Int>, into writer: inout CanonicalWriter
  ) throws(StoreError) -> ConversionReport {
    let catalogue = reader.catalogue
    var kept = catalogue
    kept.tables = catalogue.tables.enumerated().filter { chosen.contains($0.offset) }.map(\.element)
    try writer.begin(
      reader.source, catalogue: kept, at: Timestamp.now, toolVersion: Tool.version)
    var balances: [TableBalance] = []
    var progress = settings.makeProgress()
    defer { progress.clear() }
    for (index, table) in catalogue.tables.enumerated() {
      if chosen.contains(index) {
        balances.append(try load(index, table, into: &writer, &progress))
      } else {
        balances.append(try leaveOut(index, table))
      }
    }
    try rejectLimit.check(balances)
    let queue = try reader.readQueue()
    try writer.write(queue)
    let names = Set(kept.tables.map(\.name))
    try reader.forEachStoredReject { (reject) throws(StoreError) in
      if names.contains(reject.table) { try writer.write(reject) }
    }
    return ConversionReport(
      output: output, source: reader.source, balances: balances, queue: queue,
      findings: reader.findings + queue.findings + (try reader.examineRows())
        + balances.flatMap(\.rejectFindings))
  }

  private func load(
    _ index: Int, _ table: Table, into writer: inout CanonicalWriter,
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
    var books = balance
    // A row that no table can take was read all the same, and is told among the rejects.
    try reader.forEachLostRow(besideTable: index) { (reject) throws(StoreError) in
      books.read += 1
      books.rejected += 1
      try writer.write(reject)
    }
    try writer.finish(table, balance: books)
    return books
  }

  private func leaveOut(_ index: Int, _ table: Table) throws(StoreError) -> TableBalance {
    var balance = TableBalance(name: table.name)
    balance.read = try reader.countRows(inTable: index)
    balance.filtered = balance.read
    return balance
  }
}

extension TableBalance {
  /// The findings that tell of cells that were left empty, one for each reason.
  ///
  /// Readers tell of missing files themselves, with the column that names them.
  var rejectFindings: [Finding] {
    RejectCode.allCases.compactMap { code in
      guard code != .externalDataMissing, let count = rejectedCellsByCode[code] else { return nil }
      return Finding(
        code.rawValue, .warning, table: name,
        message: "\(Quantity.count(count, "value", "values")) of \(name) could not be taken over "
          + "and became NULL; what they were is in rehome_reject")
    }
  }
}
