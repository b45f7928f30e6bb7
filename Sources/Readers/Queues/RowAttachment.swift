import Bytes
import Records
import SQLite
import Synchronization

/// Ties operations to the rows that they would send.
///
/// Where a layout compares ids without regard to case, a row with the very same spelling, byte by
/// byte, goes before others, and of several such rows the one with the lowest key.
final class RowAttachment: Sendable {
  /// A table that rows may be in.
  struct Candidate {
    /// The canonical name of the table.
    let name: String
    /// The tables that an operation may name to mean rows of this one, the table itself first.
    let accepts: [String]
    /// The way to read all of its rows.
    let table: PlannedTable
    /// The places of id and then versions among its columns; the first version that is not empty
    /// counts.
    let places: [Int]

    /// A table whose id and versions are given by these expressions.
    init(name: String, accepts: [String], table: PlannedTable, expressions: [String]) {
      self.name = name
      self.accepts = accepts
      self.table = table
      places = expressions.compactMap { expression in
        table.columns.firstIndex { $0.expression == expression }
      }
    }
  }

  private let candidates: [Candidate]
  private let comparison: ItemIDComparison
  /// The operations that need a row, by table.
  private let wanted: [String: Wanted]
  private let progress: Mutex<Progress>

  /// The operations that name one table, by the hash of the id.
  struct Wanted: Sendable {
    fileprivate(set) var places: HashPlaces
    fileprivate(set) var filter: HashFilter
    /// What the hashes begin with.
    var seed: UInt64 { places.seed }
  }

  /// What is known while the tables are gone through.
  private struct Progress {
    var operations: [PendingOperation]
    var ties: RowTies
    /// The parts of each candidate that were read, until all are.
    var parts: [Set<Int>]
    var isRead: [Bool]
  }

  /// The operations, and the rows that they are tied to.
  struct Outcome {
    let operations: [PendingOperation]
    let ties: RowTies
  }

  /// Prepares to tie these operations.
  init(
    _ operations: [PendingOperation], to candidates: [Candidate],
    comparing comparison: ItemIDComparison
  ) {
    self.candidates = candidates
    self.comparison = comparison
    wanted = Self.wanted(operations)
    progress = Mutex(
      Progress(
        operations: operations,
        ties: RowTies(count: operations.count, candidates: candidates.map(\.name)),
        parts: Array(repeating: [], count: candidates.count),
        isRead: Array(repeating: false, count: candidates.count)))
  }

  /// What finds the rows of a table while it is read; nil where no operation needs them.
  func naming(ofTable name: String) -> RowNaming? {
    candidates.firstIndex { $0.name == name }.flatMap { number in
      naming(of: number, columns: candidates[number].places.map { $0 + 1 })
    }
  }

  private func naming(of number: Int, columns: [Int]) -> RowNaming? {
    let wanted = candidates[number].accepts.compactMap { self.wanted[$0] }
    guard !wanted.isEmpty, !columns.isEmpty else { return nil }
    return RowNaming(self, candidate: number, wanted, columns: columns)
  }

  /// Ties operations to rows of a candidate, unless they have better ones.
  func tie(_ rows: NamedRows, candidate: Int) {
    progress.withLock { progress in
      rows.forEachPair { (row, index) in
        guard !progress.ties.isSettled(index, candidate: candidate, key: row.key) else { return }
        let operation = progress.operations[index]
        // Only updates are sent under a version.
        let version = operation.kind == .update ? row.version : nil
        progress.ties.tie(
          index, toRow: row.key, version: rows.bytes.span.extracting(version ?? 0..<0),
          candidate: candidate, match(rows.bytes.span.extracting(row.id), operation))
      }
    }
  }

  /// Notes that a part of a candidate's rows was read.
  func note(part: Int, of count: Int, candidate: Int) {
    progress.withLock { progress in
      progress.parts[candidate].insert(part)
      if progress.parts[candidate].count == count { progress.isRead[candidate] = true }
    }
  }

  /// Reads the tables that were not read meanwhile, and hands out the operations and what they
  /// are tied to.
  ///
  /// - Throws: `StoreError` when the store cannot be read.
  func finish(_ database: borrowing SourceDatabase) throws(StoreError) -> Outcome {
    let isRead = progress.withLock { $0.isRead }
    for number in candidates.indices where !isRead[number] { try read(number, database) }
    return progress.withLock { progress in
      let outcome = Outcome(operations: progress.operations, ties: progress.ties)
      progress.operations = []
      progress.ties = RowTies(count: 0, candidates: [])
      return outcome
    }
  }

  /// Reads the id and versions of a candidate's rows, on several threads where that works.
  private func read(
    _ number: Int, _ database: borrowing SourceDatabase
  ) throws(StoreError) {
    let table = candidates[number].table.narrowed(toColumnsAt: candidates[number].places)
    guard let naming = naming(of: number, columns: Array(1...max(1, table.columns.count))) else {
      return
    }
    guard let parts = try database.parts(of: table, naming: naming) else {
      return try storeErrors("the queue cannot be read", path: database.files.main.path) {
        () throws(SQLiteError) in try read(table, naming, database.connection)
      }
    }
    let failures = Mutex<[StoreError]>([])
    inParallel(parts.count, threads: threadCount()) { part in
      do throws(StoreError) {
        try parts.noteRows(ofPart: part)
      } catch {
        failures.withLock { $0.append(error) }
      }
    }
    if let failure = failures.withLock({ $0.first }) { throw failure }
  }

  private func read(
    _ table: PlannedTable, _ naming: RowNaming, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    var statement = try connection.prepare(table.selection)
    var notes = naming.makeNotes()
    var number: Int64 = 0
    while try statement.step() {
      number &+= 1
      notes.add(statement, key: table.key == nil ? number : statement.integer(at: 0))
    }
    notes.finish()
  }

  /// The operations that need a row, by table.
  private static func wanted(_ operations: [PendingOperation]) -> [String: Wanted] {
    var places: [String: [Int]] = [:]
    var name: String?
    var last: PendingOperation?
    var current: [Int] = []
    for index in operations.indices where needsRow(operations[index]) {
      // Neighbours mostly name the same table.
      if last.map(operations[index].isForSameTable) != true {
        if let name { places[name] = current }
        name = operations[index].table
        current = name.flatMap { places.removeValue(forKey: $0) } ?? []
        last = operations[index]
      }
      current.append(index)
    }
    if let name { places[name] = current }
    return places.mapValues { indices in
      var wanted = Wanted(
        places: HashPlaces(capacity: indices.count), filter: HashFilter(capacity: indices.count))
      for index in indices {
        guard let hash = operations[index].itemHash(seed: wanted.seed) else { continue }
        wanted.places.add(index, hash: hash)
        wanted.filter.add(hash)
      }
      return wanted
    }
  }

  private static func needsRow(_ operation: PendingOperation) -> Bool {
    (operation.kind == .insert || operation.kind == .update) && operation.hasItemID
  }

  /// How a row's id names the item of an operation.
  private func match(_ id: Span<UInt8>, _ operation: PendingOperation) -> RowTies.Match {
    if operation.isItemID(id) { return .exact }
    guard comparison != .exact, let other = operation.itemID else { return .none }
    var bytes: [UInt8] = []
    bytes.append(id)
    let spelled = String(decoding: bytes, as: UTF8.self)
    return comparison.folded(spelled) == comparison.folded(other) ? .otherSpelling : .none
  }
}
