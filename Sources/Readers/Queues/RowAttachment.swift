import Records
import SQLite

/// Ties operations to the rows that they would send.
///
/// Where a layout compares ids without regard to case, a row with the very same spelling goes before
/// others, and of several such rows the one with the lowest key.
struct RowAttachment {
  /// A table that rows may be in.
  struct Candidate {
    /// The canonical name of the table.
    let name: String
    /// The tables that an operation may name to mean rows of this one, the table itself first.
    let accepts: [String]
    /// A query of key, id and then versions, of which the first that is not NULL counts.
    let selection: String
    /// Whether the rows have no key of their own and are numbered from 1 instead.
    var numbersRows = false
  }

  private let candidates: [Candidate]
  private let comparison: ItemIDComparison

  init(_ candidates: [Candidate], comparing comparison: ItemIDComparison) {
    self.candidates = candidates
    self.comparison = comparison
  }

  /// What one row is to the operations that name it.
  private struct Match {
    let key: Int64
    let table: String
    let isExact: Bool
    let version: String?
  }

  /// Sets key, table and base version of every insert and update whose row is there.
  func attach(
    to operations: inout [PendingOperation], _ connection: borrowing Connection
  ) throws(SQLiteError) {
    let wanted = wanted(operations)
    guard !wanted.isEmpty else { return }
    var matches: [Int: Match] = [:]
    for candidate in candidates {
      for name in candidate.accepts {
        guard let ids = wanted[name] else { continue }
        try find(ids, in: candidate, operations, connection, &matches)
      }
    }
    for (index, match) in matches {
      operations[index].rowKey = match.key
      if match.table != operations[index].table { operations[index].rowTable = match.table }
      if operations[index].kind == .update, let version = match.version {
        operations[index].baseVersion = version
      }
    }
  }

  /// The operations that need a row, by table and by id in lower case.
  private func wanted(
    _ operations: [PendingOperation]
  ) -> [String: [String: [Int]]] {
    var wanted: [String: [String: [Int]]] = [:]
    for (index, operation) in operations.enumerated() {
      guard let table = operation.table, let id = operation.itemID,
        operation.kind == .insert || operation.kind == .update
      else { continue }
      wanted[table, default: [:]][comparison.folded(id), default: []].append(index)
    }
    return wanted
  }

  private func find(
    _ ids: [String: [Int]], in candidate: Candidate, _ operations: [PendingOperation],
    _ connection: borrowing Connection, _ matches: inout [Int: Match]
  ) throws(SQLiteError) {
    var statement = try connection.prepare(candidate.selection)
    var number: Int64 = 0
    while try statement.step() {
      number &+= 1
      guard let id = statement.itemID(at: 1), let indexes = ids[comparison.folded(id)] else {
        continue
      }
      for index in indexes {
        let isExact = operations[index].itemID == id
        if let known = matches[index], known.isExact || !isExact { continue }
        matches[index] = Match(
          key: candidate.numbersRows ? number : statement.integer(at: 0), table: candidate.name,
          isExact: isExact,
          version: Self.version(of: statement))
      }
    }
  }

  private static func version(of statement: borrowing Statement) -> String? {
    for column in 2..<max(2, statement.columnCount) {
      if let version = statement.strictText(at: column), !version.isEmpty { return version }
    }
    return nil
  }
}
