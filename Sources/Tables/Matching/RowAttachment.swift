import Bytes
import Records
import Synchronization

/// Ties operations to the rows that they would send.
///
/// Where a layout compares ids without regard to case, a row with the very same spelling, byte by
/// byte, goes before others, and of several such rows the one with the lowest key.
package final class RowAttachment: Sendable {
  /// A table that rows may be in.
  package struct Candidate {
    /// The canonical name of the table.
    package let name: String
    /// The tables that an operation may name to mean rows of this one, the table itself first.
    let accepts: [String]
    let table: PlannedTable
    /// The places of id and then versions among its columns; the first version that is not empty
    /// counts.
    let places: [Int]

    /// A table whose id and versions are given by these expressions.
    package init(name: String, accepts: [String], table: PlannedTable, expressions: [String]) {
      self.name = name
      self.accepts = accepts
      self.table = table
      places = expressions.compactMap { expression in
        table.columns.firstIndex { hasSameBytes($0.expression, expression) }
      }
    }
  }

  private let candidates: [Candidate]
  /// The places of the candidates by their names.
  private let places: [ExactText: Int]
  /// The items that operations need rows of, by table.
  private let items: [ExactText: NamedItems]
  private let progress: Mutex<Progress>

  /// What is known while the tables are gone through.
  private struct Progress {
    var operations: OperationList
    var ties: RowMatches
    /// The parts of each candidate that were read, until all are.
    var parts: [Set<Int>]
    var isRead: [Bool]
  }

  /// The operations, and the rows that they are tied to.
  package struct Outcome {
    let operations: OperationList
    let ties: RowMatches
  }

  /// Prepares to tie these operations.
  init(
    _ operations: OperationList, to candidates: [Candidate],
    comparing comparison: ItemIDComparison
  ) {
    self.candidates = candidates
    places = Dictionary(keepingFirst: candidates.enumerated().map { (ExactText($1.name), $0) })
    var ties = RowMatches(count: operations.count, candidates: candidates.map(\.name))
    let seed = UInt64.random(in: .min ... .max)
    // Names that no table goes by may be as many as there are operations.
    let tables = Set(candidates.flatMap(\.accepts).map { ExactText($0) })
    items = NamedItems.byTable(
      operations, of: tables, comparing: comparison, seed: seed, ties: &ties)
    progress = Mutex(
      Progress(
        operations: operations, ties: ties,
        parts: Array(repeating: [], count: candidates.count),
        isRead: Array(repeating: false, count: candidates.count)))
  }

  /// What finds the rows of a table while it is read; nil where no operation needs them.
  package func naming(ofTable name: String) -> RowMatching? {
    places[ExactText(name)].flatMap { number in
      naming(of: number, columns: candidates[number].places.map { $0 + 1 })
    }
  }

  private func naming(of number: Int, columns: [Int]) -> RowMatching? {
    let items = candidates[number].accepts.compactMap { self.items[ExactText($0)] }
    guard !items.isEmpty, !columns.isEmpty else { return nil }
    return RowMatching(self, candidate: number, items, columns: columns)
  }

  /// All operations, until they are handed out.
  var operations: OperationList { progress.withLock { $0.operations } }

  /// Ties operations to rows of a candidate, unless they have better ones.
  func tie(_ rows: MatchedRows, candidate: Int) {
    guard !rows.rows.isEmpty else { return }
    progress.withLock { progress in
      for row in rows.rows {
        progress.ties.tie(
          row.match, toRow: row.key, version: rows.versions.span.extracting(row.version),
          candidate: candidate)
      }
    }
  }

  func note(part: Int, of count: Int, candidate: Int) {
    progress.withLock { progress in
      progress.parts[candidate].insert(part)
      if progress.parts[candidate].count == count { progress.isRead[candidate] = true }
    }
  }

  /// Whether all rows are noted while their tables are read, and each where operations name its table.
  var notesAllRows: Bool {
    candidates.allSatisfy { candidate in
      candidate.table.document == nil
        && candidate.accepts.allSatisfy { hasSameBytes($0, candidate.name) }
    }
  }

  /// Whether every table was read in which rows may be that operations need.
  var hasReadAll: Bool { unread.isEmpty }

  /// What finds the rows of the tables that were not read meanwhile, and what to read of them.
  var unread: [(table: PlannedTable, naming: RowMatching)] {
    let isRead = progress.withLock { $0.isRead }
    return candidates.indices.filter { !isRead[$0] }.compactMap { number in
      let table = candidates[number].table.narrowed(toColumnsAt: candidates[number].places)
      return naming(of: number, columns: Array(1...max(1, table.columns.count))).map { (table, $0) }
    }
  }

  /// Hands out the operations and what they are tied to, once every table was read.
  func settle() -> Outcome {
    progress.withLock { progress in
      progress.ties.settle()
      let outcome = Outcome(operations: progress.operations, ties: progress.ties)
      progress.operations = OperationList()
      progress.ties = RowMatches(count: 0, candidates: [])
      return outcome
    }
  }
}
