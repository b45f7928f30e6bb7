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

  /// How far the row of an operation is known.
  private enum Match: UInt8 {
    case none
    case otherSpelling
    case exact
  }

  /// What is known while the tables are gone through.
  private struct Progress {
    var matches: [Match]
    /// The versions of operations before a row with another spelling changed them.
    var versions: [Int: String?] = [:]
  }

  /// Sets key, table and base version of every insert and update whose row is there.
  func attach(
    to operations: inout [PendingOperation], _ connection: borrowing Connection
  ) throws(SQLiteError) {
    let wanted = wanted(operations)
    guard !wanted.isEmpty else { return }
    var progress = Progress(matches: [Match](repeating: .none, count: operations.count))
    for candidate in candidates {
      for name in candidate.accepts {
        guard let places = wanted[name] else { continue }
        try find(places, in: candidate, &operations, connection, &progress)
      }
    }
  }

  /// The operations that need a row, by table and by the hash of the id.
  private func wanted(_ operations: [PendingOperation]) -> [String: HashPlaces] {
    var counts: [String: Int] = [:]
    for operation in operations where Self.needsRow(operation) {
      if let table = operation.table { counts[table, default: 0] += 1 }
    }
    var wanted = counts.mapValues { HashPlaces(capacity: $0) }
    for index in operations.indices where Self.needsRow(operations[index]) {
      guard let table = operations[index].table, let seed = wanted[table]?.seed,
        let hash = operations[index].itemHash(seed: seed)
      else { continue }
      wanted[table]?.add(index, hash: hash)
    }
    return wanted
  }

  private static func needsRow(_ operation: PendingOperation) -> Bool {
    (operation.kind == .insert || operation.kind == .update) && operation.hasItemID
  }

  private func find(
    _ places: HashPlaces, in candidate: Candidate, _ operations: inout [PendingOperation],
    _ connection: borrowing Connection, _ progress: inout Progress
  ) throws(SQLiteError) {
    var statement = try connection.prepare(candidate.selection)
    var number: Int64 = 0
    while try statement.step() {
      number &+= 1
      guard let hash = Self.hash(ofID: statement, seed: places.seed), places.contains(hash),
        let id = statement.itemID(at: 1)
      else { continue }
      let key = candidate.numbersRows ? number : statement.integer(at: 0)
      let version = Self.version(of: statement)
      places.forEach(hash) { index in
        guard let match = match(id, operations[index].itemID) else { return false }
        let known = progress.matches[index]
        if known == .exact || (known == .otherSpelling && match != .exact) { return false }
        if match == .otherSpelling { progress.versions[index] = operations[index].baseVersion }
        if known == .otherSpelling, let version = progress.versions[index] {
          operations[index].baseVersion = version
        }
        progress.matches[index] = match
        operations[index].rowKey = key
        operations[index].rowTable =
          candidate.name == operations[index].table ? nil : candidate.name
        if operations[index].kind == .update, let version {
          operations[index].baseVersion = version
        }
        return false
      }
    }
  }

  /// The hash of a row's id without a copy; nil when the column holds none.
  private static func hash(ofID statement: borrowing Statement, seed: UInt64) -> UInt64? {
    switch statement.storageClass(at: 1) {
    case .text: statement.withText(at: 1) { foldedHash($0, seed: seed) }
    case .integer: foldedHash(String(statement.integer(at: 1)).utf8Span.span, seed: seed)
    case .real, .blob, .null: nil
    }
  }

  /// How a row's id names the item of an operation; nil when it does not.
  private func match(_ id: String, _ other: String?) -> Match? {
    guard let other else { return nil }
    if id == other { return .exact }
    return comparison.folded(id) == comparison.folded(other) ? .otherSpelling : nil
  }

  private static func version(of statement: borrowing Statement) -> String? {
    for column in 2..<max(2, statement.columnCount) {
      if let version = statement.strictText(at: column), !version.isEmpty { return version }
    }
    return nil
  }
}
