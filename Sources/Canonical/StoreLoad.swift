package import Bytes
package import Records
import Synchronization

/// A canonical store that a thread of its own builds, while the caller reads the source.
///
/// An error of that thread comes to the caller with the next step. A value that ends before
/// `publish` leaves nothing behind.
package struct StoreLoad: StoreWriter, ~Copyable {
  package static var keepsRejects: Bool { true }

  private let line = LoadLine()
  private var thread: WorkThread?

  /// Begins a store for `destination`; `merging` says that several sources share its tables.
  ///
  /// - Throws: `StoreError` when the destination exists and may not be replaced, or the file cannot
  ///   be made.
  package init(
    destination: String, replacing: Bool, merging: Bool = false
  ) throws(StoreError) {
    let line = line
    thread = WorkThread {
      line.run(destination: destination, replacing: replacing, merging: merging)
    }
    guard thread != nil else {
      throw StoreError(.temporary, "the system gives no thread", hint: "run again")
    }
    // What is wrong with the destination is told before anything is read.
    _ = try balances()
  }

  deinit {
    line.steps.close()
    thread?.join()
  }

  /// Registers the source whose tables, rows and queue come next, and makes its tables.
  ///
  /// - Throws: `StoreError` when the file cannot be written.
  package func begin(
    _ description: SourceDescription, catalogue: Catalogue, at time: Timestamp, toolVersion: String
  ) throws(StoreError) {
    try line.send(.begin(description, catalogue, time, toolVersion: toolVersion))
  }

  /// Begins to load a table of the catalogue; its rows come next.
  ///
  /// - Throws: `StoreError` when the file cannot be written.
  package func beginTable(_ table: Table) throws(StoreError) {
    try line.send(.beginTable(table))
  }

  /// Takes the rows of a batch, which is without rows afterwards.
  ///
  /// - Throws: `StoreError` when a row cannot be written.
  package func insert(_ batch: inout RecordBatch) throws(StoreError) {
    var rows = line.spare(columnCount: batch.columnCount)
    swap(&rows, &batch)
    try line.send(.insert(rows))
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
  ///
  /// - Throws: `StoreError` when the file cannot be written.
  @discardableResult
  package func write(_ queue: Queue) throws(StoreError) -> QueueCounts {
    try line.send(.writeQueue(queue))
    return QueueCounts(queue)
  }

  /// Writes what devices would send for their operations.
  ///
  /// - Throws: `StoreError` when the file cannot be written.
  package func write(_ items: [DeviceItem]) throws(StoreError) {
    try line.send(.writeDeviceItems(items))
  }

  /// Writes lines of the journal of earlier replays.
  ///
  /// - Throws: `StoreError` when the file cannot be written.
  package func write(_ lines: [JournalLine]) throws(StoreError) {
    try line.send(.writeJournal(lines))
  }

  /// Writes a value that an earlier run could not take.
  ///
  /// - Throws: `StoreError` when the file cannot be written.
  package func write(_ reject: RejectedValue) throws(StoreError) {
    try line.send(.writeReject(reject))
  }

  /// Writes what is to be said of rows that gave way to others, with the rows.
  ///
  /// - Throws: `StoreError` when the file cannot be written.
  package func write(_ rows: [MergedRow]) throws(StoreError) {
    try line.send(.writeMerged(rows))
  }

  /// Writes what was found in the current source, and the files that were read.
  ///
  /// - Throws: `StoreError` when the file cannot be written.
  package func write(findings: [Finding], files: [SourceFile]) throws(StoreError) {
    try line.send(.writeFindings(findings, files))
  }

  /// The books of all tables so far; waits until everything is written.
  ///
  /// - Throws: `StoreError` of any step before.
  package func balances() throws(StoreError) -> [TableBalance] {
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

/// What the two threads share.
private final class LoadLine: Sendable {
  let steps = Channel<LoadStep>(capacity: 2)
  private let answers = Channel<[TableBalance]>(capacity: 1)
  private let failure = Mutex<StoreError?>(nil)
  /// Batches whose rows are written, to be filled again.
  private let spares = Mutex<[RecordBatch]>([])

  func send(_ step: LoadStep) throws(StoreError) {
    guard steps.send(step) else { throw reason }
  }

  func answer() throws(StoreError) -> [TableBalance] {
    guard let answer = answers.receive() else { throw reason }
    return answer
  }

  private var reason: StoreError {
    failure.withLock { $0 } ?? StoreError(.internalError, "the store is no longer being built")
  }

  /// A batch without rows.
  func spare(columnCount: Int) -> RecordBatch {
    var spare = spares.withLock { $0.popLast() }
    guard spare?.columnCount == columnCount else { return RecordBatch(columnCount: columnCount) }
    spare?.removeAll()
    return spare ?? RecordBatch(columnCount: columnCount)
  }

  /// Takes step after step until the store is published or given up.
  func run(destination: String, replacing: Bool, merging: Bool) {
    do throws(StoreError) {
      try work(destination: destination, replacing: replacing, merging: merging)
    } catch {
      failure.withLock { $0 = error }
    }
    steps.close()
    answers.close()
  }

  private func work(destination: String, replacing: Bool, merging: Bool) throws(StoreError) {
    var writer = try CanonicalWriter(
      destination: destination, replacing: replacing, merging: merging)
    var tables = LoadedTables(isMerging: merging)
    while let step = steps.receive() {
      switch step {
      case .begin(let source, let catalogue, let time, let toolVersion):
        try writer.begin(source, catalogue: catalogue, at: time, toolVersion: toolVersion)
      case .beginTable(let table): try tables.begin(table, &writer)
      case .insert(let batch):
        try tables.insert(batch, &writer)
        spares.withLock { $0.append(batch) }
      case .endTable(let count, let lost, let merged):
        try tables.end(counted: count, lost: lost, merged: merged, &writer)
      case .writeQueue(let queue): try writer.write(queue)
      case .writeDeviceItems(let items): try writer.write(items)
      case .writeJournal(let lines): try writer.write(lines)
      case .writeReject(let reject): try writer.write(reject)
      case .writeMerged(let rows): try writer.write(rows)
      case .writeFindings(let findings, let files):
        try writer.write(findings: findings, files: files)
      case .tellBalances: _ = answers.send(tables.balances)
      case .publish:
        try tables.finish(&writer)
        try writer.publish()
        _ = answers.send([])
        return
      }
    }
  }
}
