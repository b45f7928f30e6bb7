import Bytes
import CommandLineKit
import Exports
import Records
import SyncSDKs

/// One export: what a plan asks for, from a reader to its destination.
struct StoreExport {
  let reader: any StoreReader
  /// The source's tables, with what their values say of their columns.
  let catalogue: Catalogue
  let plan: ExportPlan
  /// How many threads read and spell rows.
  let threads: Int
  let session: Session

  /// Exports and reports.
  ///
  /// - Throws: `StoreError` when the source cannot be read, the output cannot be written, or the
  ///   books do not balance; then nothing is published.
  func run() throws(StoreError) -> ExportReport {
    let head = ExportHead(
      tool: "rehome \(Tool.version)", source: reader.source,
      nameOrigin: catalogue.nameOrigin)
    switch (plan.form, plan.output) {
    case (.bundle, let path?):
      var bundle = try BundleWriter(
        for: path, replacing: session.isReplacing, head: head, format: plan.format, csv: plan.style)
      let (report, tail) = try exportStore(into: &bundle)
      try bundle.finish(tail)
      return report
    case (.document, _):
      var document = try DocumentWriter(
        to: try makeOutput(), head: head, format: plan.format, schema: plan.schema)
      let (report, tail) = try exportStore(into: &document)
      try document.finish(tail)
      return report
    case (.rows, _), (.bundle, nil):
      return try exportRows()
    }
  }

  private func makeOutput() throws(StoreError) -> ExportOutput {
    guard let path = plan.output else {
      return switch plan.format {
      case .json, .ndjson: ExportOutput(to: session.console.printJSON)
      case .csv, .xml, .postgresql: ExportOutput(to: session.console.printLines)
      }
    }
    return try ExportOutput(toFileAt: path, replacing: session.isReplacing)
  }

  private var emptyReport: ExportReport {
    ExportReport(
      output: plan.output ?? "-", format: plan.format.rawValue, form: plan.form.rawValue)
  }

  /// Writes the rows of the one chosen table.
  private func exportRows() throws(StoreError) -> ExportReport {
    guard let index = plan.tables.first else { throw StoreError(.usage, "a table is needed") }
    var output = try makeOutput()
    var stream = ParallelTableWriter(
      plan.format.spelling(of: catalogue.tables[index], csv: plan.style), hash: nil)
    var progress = try makeProgress()
    defer { progress.clear() }
    let tables = KeptTables(TableChoice(plan.tables, in: catalogue), of: reader)
    var setAside: [Finding] = []
    let balance = try reader.unchanged { () throws(StoreError) in
      // What is damaged is told before rows are written that nobody takes back.
      setAside = try tables.findingsOfRowsAlone()
      return try export(index, &progress) { (rows, note) throws(StoreError) in
        try stream.write(rows, to: &output, noting: note)
      }
    }
    try output.finish()
    var report = emptyReport
    report.add(balance)
    report.findings = reader.findings
    report.tellOfRejects(keptIn: nil)
    report.findings.append(contentsOf: setAside)
    return report
  }

  /// Writes tables, queue and rejects, while the source's files are hashed on another core.
  private func exportStore(
    into destination: inout some ExportDestination & ~Copyable
  ) throws(StoreError) -> (ExportReport, ExportTail) {
    let (report, files) = try reader.proven { () throws(StoreError) in
      try exportContents(into: &destination)
    }
    guard let hash = report.hash else {
      throw StoreError(.internalError, "an export came to its end without a hash")
    }
    return (report, ExportTail(files: files, findings: report.findings, hash: hash))
  }

  private func exportContents(
    into destination: inout some ExportDestination & ~Copyable
  ) throws(StoreError) -> ExportReport {
    var report = emptyReport
    var content = ContentHash()
    var progress = try makeProgress()
    defer { progress.clear() }
    try reader.prepareQueue()
    for index in plan.tables {
      let table = catalogue.tables[index]
      let balance = try export(index, &progress) { (rows, note) throws(StoreError) in
        try destination.add(table, as: nil, from: rows, noting: note)
      }
      report.add(balance)
      if let hash = balance.seal.hash { content.add(hash, ofTable: table.name) }
    }
    var tables = KeptTables(TableChoice(plan.tables, in: catalogue), of: reader)
    var tied = try reader.readMatchedQueue()
    try tables.leaveRows(of: &tied)
    let withoutRows = tables.findings(ofChangesWithoutRows: tied.queue.operations)
    // What is found is reported before rows are read once more for their rejects.
    report.findings =
      try tables.findings + tied.queue.findings + reader.examineRows() + withoutRows
    report.tellOfRejects(keptIn: plan.format.nameOfRejects)
    for part in ContentHash.parts {
      let rows = QueueParts(tied, part, ofSeveral: reader.source.isOfSeveral)
      let seal = try add(part, from: .parts(rows), to: &destination, &report)
      if let hash = seal.hash { content.add(hash, of: part) }
    }
    try checkWhatWasSetAside()
    try exportRejects(of: tables, into: &destination, &report)
    if reader.source.isOfSeveral {
      try exportDeviceItems(of: tables, into: &destination, &report)
    }
    try exportJournal(into: &destination, &report)
    try exportMarks(of: tied.queue, into: &destination, &report)
    report.queue = tied.queue
    report.hash = content.digest
    return report
  }

  /// Writes what this run and earlier ones could not take; only tables that have such cells are
  /// read again.
  private func exportRejects(
    of tables: KeptTables, into destination: inout some ExportDestination & ~Copyable,
    _ report: inout ExportReport
  ) throws(StoreError) {
    let fields = RejectedValue.fields.ofSeveral(reader.source.isOfSeveral)
    let books = Array(zip(plan.tables, report.balances))
    let batches = batches(of: .rejects, fields) { (take) throws(StoreError) in
      try tables.forEachStoredReject(take)
      for (index, balance) in books {
        if balance.rejectedCells > 0 { try reader.forEachRejectedCell(inTable: index, take) }
        if balance.rejected > 0 { try reader.forEachLostRow(besideTable: index, take) }
      }
    }
    _ = try add(.rejects, from: batches, to: &destination, &report)
  }

  /// Writes which device each operation belongs to, and what that would send.
  private func exportDeviceItems(
    of tables: KeptTables, into destination: inout some ExportDestination & ~Copyable,
    _ report: inout ExportReport
  ) throws(StoreError) {
    let batches = batches(
      of: .deviceItems, DeviceItem.exportedFields, key: \.operation, tables.forEachDeviceItem)
    _ = try add(.deviceItems, from: batches, to: &destination, &report)
  }

  /// Writes what replays have done, if there were any.
  private func exportJournal(
    into destination: inout some ExportDestination & ~Copyable, _ report: inout ExportReport
  ) throws(StoreError) {
    guard let kept = reader.kept else { return }
    let count = try kept.countJournalLines()
    guard count > 0 else { return }
    let batches = batches(of: .journal, JournalLine.fields, kept.forEachJournalLine)
    let seal = try add(.journal, from: batches, to: &destination, &report)
    guard seal.rows == count else {
      throw StoreError(
        .internalError,
        "\(seal.rows) of \(count.counting("line", "lines")) of the journal were written")
    }
  }

  /// Writes what people have decided about operations, if anything.
  private func exportMarks(
    of queue: Queue, into destination: inout some ExportDestination & ~Copyable,
    _ report: inout ExportReport
  ) throws(StoreError) {
    guard !queue.marks.isEmpty else { return }
    let batches = batches(of: .marks, NumberedMark.exportedFields) { (take) throws(StoreError) in
      for mark in queue.numberedMarks { try take(mark) }
    }
    _ = try add(.marks, from: batches, to: &destination, &report)
  }

  /// Batches of the records that `forEach` lends, whose keys count them where `key` tells no other.
  private func batches<Record>(
    of part: BookkeepingTable, _ fields: [RecordField<Record>], key: ((Record) -> Int64)? = nil,
    _ forEach: @escaping ((Record) throws(StoreError) -> Void) throws(StoreError) -> Void
  ) -> TableRows.Form {
    let columnCount = part.table(ofSeveral: reader.source.isOfSeveral).columns.count
    return .batches { (body) throws(StoreError) in
      var batch = RecordBatch(columnCount: columnCount)
      var count: Int64 = 0
      try forEach { (record) throws(StoreError) in
        count += 1
        batch.append(record, fields, key: key?(record) ?? count)
        try batch.lendIfFull(to: body)
      }
      try batch.lendRest(to: body)
    }
  }

  /// Writes a part of the bookkeeping, and counts what the format cannot hold of it.
  private func add(
    _ part: BookkeepingTable, from rows: TableRows.Form,
    to destination: inout some ExportDestination & ~Copyable, _ report: inout ExportReport
  ) throws(StoreError) -> TableSeal {
    try destination.add(
      part.table(ofSeveral: reader.source.isOfSeveral), as: part,
      from: TableRows(rows, threads: threads)
    ) { (tally) throws(StoreError) in
      report.rejectedQueueCells += tally.rejectedCells.values.reduce(0, +)
      try session.checkInterruption()
    }
  }

  private func makeProgress() throws(StoreError) -> ProgressLine {
    var total = 0
    for index in plan.tables { total += try reader.countRows(inTable: index) }
    return session.makeProgress(.rows, total: total)
  }

  /// Keeps the books of one table while `write` takes its rows.
  private func export(
    _ index: Int, _ progress: inout ProgressLine,
    _ write: (
      TableRows, (RowTally) throws(StoreError) -> Void
    ) throws(StoreError) -> TableSeal
  ) throws(StoreError) -> (balance: TableBalance, seal: TableSeal) {
    let table = catalogue.tables[index]
    let total = try reader.countRows(inTable: index)
    var balance = TableBalance(name: table.name)
    let rows = TableRows(try reader.rows(ofTable: index, wanting: nil), threads: threads)
    let seal = try write(rows) { (tally) throws(StoreError) in
      try session.checkInterruption()
      let before = balance.read
      balance.count(tally)
      progress.add(balance.read - before, label: table.name)
    }
    balance.written = seal.rows
    // A row that no table can take was read all the same.
    var lost = 0
    try reader.forEachLostRow(besideTable: index) { _ throws(StoreError) in lost += 1 }
    try balance.end(counted: total, lost: lost, merged: 0)
    return (balance, seal)
  }
}

extension ExportReport {
  fileprivate mutating func add(_ table: (balance: TableBalance, seal: TableSeal)) {
    balances.append(table.balance)
    hashes.append(table.seal.hash)
  }

  /// Adds what tells of the values that became null.
  fileprivate mutating func tellOfRejects(keptIn table: String?) {
    for balance in balances {
      findings.append(contentsOf: balance.rejectFindings(keptIn: table))
    }
  }
}
