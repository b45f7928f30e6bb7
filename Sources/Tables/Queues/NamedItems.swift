package import Records

/// The items of one table of which operations need the rows.
///
/// However many operations name an item, a row is compared with one or two of them. All threads that
/// read the table share it.
package final class NamedItems: Sendable {
  private let comparison: ItemIDComparison
  /// The first operation on each item, by the hash of the id.
  private let firsts: HashPlaces
  private let filter: HashFilter
  private let otherSpellings: OtherSpellings
  /// The first operations on items of which only others are updates.
  private let updatedLater: Set<Int>

  /// Which operations a row belongs to.
  package struct Match {
    /// The first operation on the item.
    package let first: Int
    /// How the row's id names the item of that operation.
    package let spelling: RowTies.Match
    /// Whether there is an update, as only updates are sent under a version.
    package var takesVersion = true
    /// The tie of the item, where operations spell it in several ways.
    package var item: Int?
    /// The operation that spells the id like the row, where the first one does not.
    var sameSpelling: Int?
  }

  /// How many operations are taken up at a time.
  private static let chunkSize = 256

  /// Takes up operations, of which those that get the row of another one share its tie.
  init(
    _ needed: [NeededItems], of operations: [PendingOperation],
    comparing comparison: ItemIDComparison, seed: UInt64, ties: inout RowTies
  ) {
    let count = needed.reduce(0) { $0 + $1.operations.count }
    var firsts = HashPlaces(capacity: count, seed: seed)
    var filter = HashFilter(capacity: count)
    var others: [(index: Int, first: Int)] = []
    var updatedLater: Set<Int> = []
    for (indices, hashes) in needed.lazy.flatMap({ $0.chunks(of: Self.chunkSize) }) {
      for hash in hashes { firsts.prepare(for: hash) }
      for (index, hash) in zip(indices, hashes) {
        var match = RowTies.Match.none
        let first = firsts.first(of: hash) { first in
          match = comparison.match(operations[index], operations[first])
          return match != .none
        }
        guard let first else {
          firsts.add(index, hash: hash)
          filter.add(hash)
          continue
        }
        if match == .exact { ties.share(index, with: first) } else { others.append((index, first)) }
        if operations[index].kind == .update, operations[first].kind != .update {
          updatedLater.insert(first)
        }
      }
    }
    self.comparison = comparison
    self.firsts = firsts
    self.filter = filter
    self.updatedLater = updatedLater
    otherSpellings = OtherSpellings(others, of: operations, ties: &ties)
  }

  /// The hash of a row's id.
  package func hash(_ id: Span<UInt8>) -> UInt64 { comparison.hash(id, seed: firsts.seed) }

  /// Gets ready for the question whether operations may name a row.
  func prepareFilter(for hash: UInt64) { filter.prepare(for: hash) }

  /// Whether operations may name a row; false is certain.
  func mayHold(_ hash: UInt64) -> Bool { filter.mayContain(hash) }

  /// Gets ready to find the operations to which a row belongs.
  package func prepare(for hash: UInt64) { firsts.prepare(for: hash) }

  /// The operations to which the row with an id belongs; nil when there are none.
  package func match(_ id: Span<UInt8>, _ hash: UInt64, in operations: [PendingOperation]) -> Match?
  {
    var spelling = RowTies.Match.none
    let first = firsts.first(of: hash) { place in
      spelling = comparison.match(id, operations[place])
      return spelling != .none
    }
    guard let first else { return nil }
    let takesVersion = operations[first].kind == .update || updatedLater.contains(first)
    var match = Match(first: first, spelling: spelling, takesVersion: takesVersion)
    if let item = otherSpellings.item(of: first) {
      match.item = item
      match.sameSpelling = otherSpellings.place(of: id, operations)
    }
    return match
  }
}

extension RowTies {
  /// Ties the operations to which a row belongs to it, unless they have better ones.
  package mutating func tie(
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
