import Bytes
import Records

/// The items of one table of which operations need the rows.
///
/// However many operations name an item, a row is compared with one or two of them. All threads that
/// read the table share it.
final class NamedItems: Sendable {
  private let comparison: ItemIDComparison
  /// The first operation on each item, by the hash of the id.
  private let firsts: HashPlaces
  private let filter: HashFilter
  private let otherSpellings: OtherSpellings
  private let notes: FirstOperations

  /// Which operations a row belongs to.
  struct Match {
    /// The first operation on the item.
    let first: Int
    /// How the row's id names the item of that operation.
    let spelling: RowMatches.Match
    /// Whether there is an update, as only updates are sent under a version.
    var takesVersion = true
    /// The tie of the item, where operations spell it in several ways.
    var item: Int?
    /// The operation that spells the id like the row, where the first one does not.
    var sameSpelling: Int?
  }

  fileprivate init(
    _ search: consuming Search, _ otherSpellings: OtherSpellings, _ notes: FirstOperations
  ) {
    comparison = notes.comparison
    firsts = search.firsts
    filter = search.filter
    self.otherSpellings = otherSpellings
    self.notes = notes
  }

  func hash(_ id: Span<UInt8>) -> UInt64 { comparison.hash(id, seed: firsts.seed) }

  /// Gets ready for the question whether operations may name a row.
  func prepareFilter(for hash: UInt64) { filter.prepare(for: hash) }

  /// Whether operations may name a row; false is certain.
  func mayHold(_ hash: UInt64) -> Bool { filter.mayContain(hash) }

  /// Gets ready to find the operations to which a row belongs.
  func prepare(for hash: UInt64) { firsts.prepare(for: hash) }

  /// The operations to which the row with an id belongs; nil when there are none.
  func match(_ id: Span<UInt8>, _ hash: UInt64, in operations: OperationList) -> Match? {
    var spelling = RowMatches.Match.none
    let first = firsts.first(of: hash) { place in
      spelling = notes.match(id, place, in: operations)
      return spelling != .none
    }
    guard let first else { return nil }
    var match = Match(
      first: first, spelling: spelling, takesVersion: notes.updated.contains(first))
    if let item = otherSpellings.item(of: first) {
      match.item = item
      match.sameSpelling = otherSpellings.place(of: id, operations)
    }
    return match
  }
}

extension NamedItems {
  /// How many operations of a long queue are looked at before the next ones.
  private static let segmentSize = 1 << 18

  /// Takes up the operations of a queue on some tables, by the table that they name; those that get
  /// the row of another one follow it.
  static func byTable(
    _ operations: OperationList, of tables: Set<ExactText>, comparing comparison: ItemIDComparison,
    seed: UInt64, ties: inout RowMatches, segmentSize: Int = segmentSize
  ) -> [ExactText: NamedItems] {
    let segments = stride(from: 0, to: operations.count, by: segmentSize).map { start in
      start..<min(start + segmentSize, operations.count)
    }
    let find = {
      NeededItems.byTable(operations, of: tables, in: $0, hashing: comparison, seed: seed)
    }
    // What is found in all of a long queue takes much memory, so it is found twice.
    var counts: [ExactText: Int] = [:]
    if segments.count > 1 {
      for segment in segments { find(segment).addCounts(to: &counts) }
    }
    var searches: [ExactText: Search] = [:]
    var notes = FirstOperations(of: operations, comparing: comparison)
    for segment in segments {
      let needed = find(segment)
      if segments.count == 1 { needed.addCounts(to: &counts) }
      for (name, needed) in needed {
        searches[
          name, default: Search(counts[name] ?? 0, ofPlaces: operations, seed: seed)
        ].add(needed, of: operations, &notes, &ties)
      }
    }
    return searches.mapValues { search in
      let others = OtherSpellings(search.others, of: operations, ties: &ties)
      return NamedItems(search, others, notes)
    }
  }

  /// The operations of one table while they are taken up.
  fileprivate struct Search {
    var firsts: HashPlaces
    var filter: HashFilter
    var others: [(index: Int, first: Int)] = []

    /// How many operations are taken up at a time.
    private static let chunkSize = 256

    init(_ count: Int, ofPlaces operations: OperationList, seed: UInt64) {
      firsts = HashPlaces(
        capacity: count, below: operations.count, seed: seed, isWide: operations.isSpilled)
      filter = HashFilter(capacity: count)
    }

    mutating func add(
      _ needed: [NeededItems], of operations: OperationList, _ notes: inout FirstOperations,
      _ ties: inout RowMatches
    ) {
      for (indices, hashes) in needed.lazy.flatMap({ $0.chunks(of: Self.chunkSize) }) {
        for hash in hashes { firsts.prepare(for: hash) }
        for (index, hash) in zip(indices, hashes) {
          operations.with(index) { add($0, at: index, hash, operations, &notes, &ties) }
        }
      }
    }

    private mutating func add(
      _ operation: borrowing PendingOperation, at index: Int, _ hash: UInt64,
      _ operations: OperationList, _ notes: inout FirstOperations, _ ties: inout RowMatches
    ) {
      var match = RowMatches.Match.none
      let first = firsts.first(of: hash) { first in
        match = operation.withItemID { notes.match($0, first, in: operations) } ?? .none
        return match != .none
      }
      if operation.kind == .update { notes.updated.insert(first ?? index) }
      guard let first else {
        firsts.add(index, hash: hash)
        operation.withItemID { notes.note($0, of: index) }
        return filter.add(hash)
      }
      if match == .exact { ties.follow(first, index) } else { others.append((index, first)) }
    }
  }
}

extension [ExactText: [NeededItems]] {
  /// Adds how many operations need rows of each table.
  fileprivate func addCounts(to counts: inout [ExactText: Int]) {
    for (name, needed) in self {
      counts[name, default: 0] += needed.reduce(0) { $0 + $1.operations.count }
    }
  }
}

extension RowMatches {
  /// Ties the operations to which a row belongs to it, unless they have better ones.
  mutating func tie(
    _ match: NamedItems.Match, toRow key: Int64, version: Span<UInt8>, candidate: Int
  ) {
    tie(match.first, toRow: key, version: version, candidate: candidate, match.spelling)
    if let item = match.item {
      tie(item, toRow: key, version: version, candidate: candidate, .otherSpelling)
    }
    if let same = match.sameSpelling {
      tie(same, toRow: key, version: version, candidate: candidate, .exact)
    }
  }
}
