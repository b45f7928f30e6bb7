import Bytes
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

  /// Sets key, table and base version of every insert and update whose row is there, and puts
  /// all operations into memory that neighbours share.
  func attach(
    to operations: inout [PendingOperation], _ database: borrowing SourceDatabase
  ) throws(StoreError) {
    var ties = RowTies(count: operations.count)
    let wanted = wanted(operations)
    for (number, candidate) in candidates.enumerated() {
      for name in candidate.accepts {
        guard let places = wanted[name] else { continue }
        try candidate.forEachNamedRows(in: places, database) { found in
          for row in found.rows {
            places.forEach(row.hash) { index in
              let match = match(found.bytes.span.extracting(row.id), operations[index])
              ties.tie(index, to: row, of: found, candidate: number, match)
              return false
            }
          }
        }
      }
    }
    ties.apply(to: &operations, candidates: candidates.map(\.name))
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
