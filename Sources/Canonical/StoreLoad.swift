package import Bytes
package import Records
import SQLiteFile
import Synchronization
import Tables

/// A canonical store that a thread of its own builds, while the caller reads the source.
///
/// An error of that thread comes to the caller with the next step. A value that ends before
/// `publish` leaves nothing behind.
///
/// Other threads may load sources beside the caller, each by a value of its own: the builder takes
/// what these were given when it is told to follow them.
package struct StoreLoad: StoreWriter, ~Copyable {
  package static var keepsRejects: Bool { true }

  private let line: LoadLine
  private var thread: WorkThread?

  /// Begins a store for `destination`; `merging` says that several sources share its tables.
  ///
  /// - Throws: `StoreError` when the destination exists and may not be replaced, or the file cannot
  ///   be made.
  package init(
    destination: String, replacing: Bool, merging: Bool = false
  ) throws(StoreError) {
    let line = LoadLine(LoadSite())
    self.line = line
    thread = WorkThread {
      line.run(destination: destination, replacing: replacing, merging: merging)
    }
    guard thread != nil else {
      throw StoreError(.temporary, "the system gives no thread", hint: "run again")
    }
    // What is wrong with the destination is told before anything is read.
    _ = try takeBalances()
  }

  /// Begins to load a source into the store of a site, whose sources before tell of so many stores;
  /// `isAhead` says that the builder may follow much later.
  package init(at site: LoadSite, storesBefore count: Int64, isAhead: Bool) {
    line = LoadLine(site, storesBefore: count, sizeAhead: isAhead ? Self.sizeAhead : nil)
    thread = nil
  }

  /// How much waits until the builder follows, in pieces of 64 KiB: all that comes of a store
  /// of two megabytes.
  private static var sizeAhead: Int { 160 }

  /// Where other threads can load sources into this store.
  package var site: LoadSite { line.site }

  /// What was given to this value, to be followed by the builder.
  package var steps: LoadSteps { LoadSteps(line) }

  /// Lets the builder take what another value was and will be given, until that one ends, before
  /// anything that comes next.
  package func follow(_ other: LoadSteps) throws(StoreError) { try line.send(.follow(other)) }

  deinit {
    line.steps.close()
    thread?.join()
  }

  /// Registers the source whose tables, rows and queue come next, and makes its tables.
  package func begin(
    _ description: SourceDescription, catalogue: Catalogue, at time: Timestamp, toolVersion: String
  ) throws(StoreError) {
    line.begin(description)
    try line.send(.begin(description, catalogue, time, toolVersion: toolVersion))
  }

  /// Begins to load a table of the catalogue; its rows come next.
  package func beginTable(_ table: Table) throws(StoreError) {
    line.begin(table)
    try line.send(.beginTable(table))
  }

  /// Takes the rows of a batch, which is without rows afterwards.
  package func insert(_ batch: inout RecordBatch) throws(StoreError) {
    let rows = try line.encode(&batch, line.numbering)
    try line.send(.insert(rows.batch, encodedAs: rows.cells))
  }

  /// Takes the rows of a table, which several threads read and turn into the cells of its pages.
  package func insert(
    _ parts: any RowParts, threads: Int, noting note: (RowTally) throws(StoreError) -> Void
  ) throws(StoreError) {
    try encode(parts, line.numbering, threads: threads) { (rows) throws(StoreError) in
      var tally = RowTally()
      tally.count(rows.batch)
      try line.send(.insert(rows.batch, encodedAs: rows.cells))
      try note(tally)
    }
  }

  /// Reads parts and turns their rows into the cells of pages, on several threads.
  private func encode(
    _ parts: any RowParts, _ numbering: SourceNumbering, threads: Int,
    _ body: (EncodedRows) throws(StoreError) -> Void
  ) throws(StoreError) {
    let make: @Sendable (inout RecordBatch) throws(StoreError) -> EncodedRows = {
      [line] (batch) throws(StoreError) in try line.encode(&batch, numbering)
    }
    try parts.forEachBatch(threads: threads, making: make, body)
  }

  /// Ends a table, and builds the index on its id column.
  ///
  /// - Parameters:
  ///   - count: how many rows the source has counted.
  ///   - lost: how many rows lie among them that no table can take; each was written as a reject.
  ///   - merged: how many of those that were counted gave way to rows of other sources.
  /// - Throws: `StoreError` when the books do not balance or the file cannot be written.
  package func endTable(
    counted count: Int, lost: Int = 0, merged: Int = 0
  ) throws(StoreError) {
    try line.send(.endTable(counted: count, lost: lost, merged: merged))
  }

  /// Writes the operations, errors and tokens of the current source, all of them.
  @discardableResult
  package func write(_ tied: MatchedQueue) throws(StoreError) -> QueueCounts {
    let operations = QueueParts(tied, .operations, as: .stored)
    let numbering = line.numbering.ofColumn(0)
    try encode(operations, numbering, threads: threadCount()) { (rows) throws(StoreError) in
      try line.send(.insertOperations(rows.batch, encodedAs: rows.cells))
    }
    try checkWhatWasSetAside()
    var rest = tied.queue
    // Until the builder comes to the rest, nobody needs them.
    rest.operations = OperationList()
    try line.send(.writeRest(of: rest))
    return QueueCounts(tied.queue)
  }

  /// Writes what devices would send for their operations.
  package func write(_ items: [DeviceItem]) throws(StoreError) {
    try line.send(.writeDeviceItems(items))
  }

  /// Writes lines of the journal of earlier replays.
  package func write(_ lines: [JournalLine]) throws(StoreError) {
    try line.send(.writeJournal(lines))
  }

  /// Writes values that an earlier run could not take.
  package func write(_ rejects: [RejectedValue]) throws(StoreError) {
    try line.send(.writeRejects(rejects))
  }

  /// Writes what is to be said of rows that gave way to others, with the rows.
  package func write(_ rows: [MergedRow]) throws(StoreError) {
    try line.send(.writeMerged(rows))
  }

  /// Writes what was found in the current source, and the files that were read.
  package func write(findings: Findings, files: [SourceFile]) throws(StoreError) {
    try line.send(.writeFindings(findings, files))
  }

  /// Gives out the books of the tables that have ended since they were last asked for; waits until
  /// everything is written.
  ///
  /// - Throws: `StoreError` of any step before.
  package func takeBalances() throws(StoreError) -> [TableBalance] {
    try line.send(.tellBalances)
    return try line.answer()
  }

  /// A canonical store takes everything as it is.
  package func takeFindings() -> [Finding] { [] }

  /// Checks the file, flushes it and gives it its name.
  ///
  /// - Throws: `StoreError` when the check fails or the file cannot be published.
  package consuming func publish() throws(StoreError) {
    try line.send(.publish)
    _ = try line.answer()
  }
}

/// How the rows of a source get the numbers that its stores have in the new one.
private struct SourceNumbering: Sendable {
  /// How many stores the sources before tell of.
  var before: Int64 = 0
  /// The same with those of the current source.
  var all: Int64 = 0
  /// The column with the numbers; nil where the rows have none.
  var column: Int?

  func ofColumn(_ column: Int) -> SourceNumbering {
    var other = self
    other.column = column
    return other
  }

  func apply(to batch: inout RecordBatch) {
    if before > 0, let column { batch.add(before, toColumn: column) }
  }
}

/// Rows, and the cells that they become in their table.
private struct EncodedRows: Sendable {
  let batch: RecordBatch
  let cells: RowCells
}

/// What a thread that reads a source and the one that builds the store share.
private final class LoadLine: Sendable {
  let site: LoadSite
  let steps: Channel<LoadStep>
  private let answers = Channel<[TableBalance]>(capacity: 1)
  private let numbers: Mutex<SourceNumbering>
  /// Whether steps count by their size.
  private let isAhead: Bool

  /// Begins for who loads the store itself, or for who loads a source with so much room ahead.
  init(_ site: LoadSite, storesBefore count: Int64 = 0, sizeAhead: Int? = nil) {
    self.site = site
    isAhead = sizeAhead != nil
    steps = Channel(capacity: sizeAhead ?? 2)
    numbers = Mutex(SourceNumbering(all: count))
    site.add(steps)
  }

  /// For the rows of the table that was begun last.
  var numbering: SourceNumbering { numbers.withLock(\.self) }

  func begin(_ source: SourceDescription) {
    numbers.withLock { numbers in
      numbers.before = numbers.all
      numbers.all += source.storeCount
    }
  }

  func begin(_ table: Table) { numbers.withLock { $0.column = table.sourcePlace } }

  func send(_ step: LoadStep) throws(StoreError) {
    guard steps.send(step, weighing: isAhead ? step.size >> 16 + 1 : 1) else { throw site.reason }
  }

  func answer() throws(StoreError) -> [TableBalance] {
    guard let answer = answers.receive() else { throw site.reason }
    return answer
  }

  /// Takes the rows of a batch, which is without rows afterwards, numbers and encodes them.
  func encode(
    _ batch: inout RecordBatch, _ numbering: SourceNumbering
  ) throws(StoreError) -> EncodedRows {
    numbering.apply(to: &batch)
    var cells = site.spareCells() ?? RowCells(usableSize: StoreFile.pageSize)
    try cells.encode(batch)
    var rows = site.spare(columnCount: batch.columnCount)
    swap(&rows, &batch)
    return EncodedRows(batch: rows, cells: cells)
  }

  /// Takes step after step until the store is published or given up.
  func run(destination: String, replacing: Bool, merging: Bool) {
    do throws(StoreError) {
      try work(destination: destination, replacing: replacing, merging: merging)
    } catch {
      site.stop(error)
    }
    steps.close()
    answers.close()
  }

  private func work(destination: String, replacing: Bool, merging: Bool) throws(StoreError) {
    var builder = try StoreBuilder(
      site, CanonicalWriter(destination: destination, replacing: replacing, merging: merging),
      LoadedTables(isMerging: merging))
    while let step = steps.receive() {
      switch step {
      case .tellBalances: _ = answers.send(builder.tables.takeBalances())
      case .publish:
        try builder.publish()
        _ = answers.send([])
        return
      case .follow(let other):
        while let step = other.line.steps.receive() { try builder.take(step) }
        site.remove(other.line.steps)
      default: try builder.take(step)
      }
    }
  }
}

/// What is given to one value of those that load a store.
package struct LoadSteps: Sendable {
  fileprivate let line: LoadLine

  fileprivate init(_ line: LoadLine) { self.line = line }
}
