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
    /// The way to read its rows: id and then versions, of which the first that is not NULL counts.
    let rows: PlannedTable
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
    to operations: inout [PendingOperation], _ database: borrowing SourceDatabase
  ) throws(StoreError) {
    defer { operations.pack() }
    let wanted = wanted(operations)
    guard !wanted.isEmpty else { return }
    var progress = Progress(matches: [Match](repeating: .none, count: operations.count))
    for candidate in candidates {
      for name in candidate.accepts {
        guard let places = wanted[name] else { continue }
        try candidate.forEachRow(in: places, database) { row in
          tie(row, of: candidate, places, &operations, &progress)
        }
      }
    }
  }

  /// The operations that need a row, by table and by the hash of the id.
  private func wanted(_ operations: [PendingOperation]) -> [String: HashPlaces] {
    var places: [String: [Int]] = [:]
    var name: String?
    var last: PendingOperation?
    var current: [Int] = []
    for index in operations.indices where Self.needsRow(operations[index]) {
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
      var wanted = HashPlaces(capacity: indices.count)
      for index in indices {
        if let hash = operations[index].itemHash(seed: wanted.seed) {
          wanted.add(index, hash: hash)
        }
      }
      return wanted
    }
  }

  private static func needsRow(_ operation: PendingOperation) -> Bool {
    (operation.kind == .insert || operation.kind == .update) && operation.hasItemID
  }

  /// Ties the operations on a row's item to it, unless they have a better one.
  private func tie(
    _ row: NamedRow, of candidate: Candidate, _ places: HashPlaces,
    _ operations: inout [PendingOperation], _ progress: inout Progress
  ) {
    places.forEach(row.hash) { index in
      guard let match = match(row.id, operations[index].itemID) else { return false }
      let known = progress.matches[index]
      if known == .exact || (known == .otherSpelling && match != .exact) { return false }
      if match == .otherSpelling { progress.versions[index] = operations[index].baseVersion }
      if known == .otherSpelling, let version = progress.versions[index] {
        operations[index].baseVersion = version
      }
      progress.matches[index] = match
      operations[index].rowKey = row.key
      operations[index].rowTable =
        candidate.name == operations[index].table ? nil : candidate.name
      if operations[index].kind == .update, let version = row.version {
        operations[index].baseVersion = version
      }
      return false
    }
  }

  /// How a row's id names the item of an operation; nil when it does not.
  private func match(_ id: String, _ other: String?) -> Match? {
    guard let other else { return nil }
    if id == other { return .exact }
    return comparison.folded(id) == comparison.folded(other) ? .otherSpelling : nil
  }
}
