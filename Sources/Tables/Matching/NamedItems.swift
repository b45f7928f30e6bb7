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
  /// The first operations on items of which one or the other is an update, a bit each.
  private let updated: PlaceSet
  /// How the first operations spell the ids; nil where it is as cheap to look at them.
  private let spellings: IDSpellings?

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
    _ search: consuming Search, _ otherSpellings: OtherSpellings
  ) {
    comparison = search.comparison
    firsts = search.firsts
    filter = search.filter
    updated = search.updated
    spellings = search.spellings
    self.otherSpellings = otherSpellings
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
      spelling = comparison.match(id, operations[place])
      return spelling != .none
    }
    guard let first else { return nil }
    if let spellings { spelling = spellings.match(id, first, in: operations, comparison) }
    guard spelling != .none else { return nil }
    var match = Match(first: first, spelling: spelling, takesVersion: updated.contains(first))
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

  /// Takes up the operations of a queue, by the table that they name; those that get the row of
  /// another one follow it.
  static func byTable(
    _ operations: OperationList, comparing comparison: ItemIDComparison, seed: UInt64,
    ties: inout RowMatches, segmentSize: Int = segmentSize
  ) -> [String: NamedItems] {
    let segments = stride(from: 0, to: operations.count, by: segmentSize).map { start in
      start..<min(start + segmentSize, operations.count)
    }
    let find = { NeededItems.byTable(operations, in: $0, hashing: comparison, seed: seed) }
    // What is found in all of a long queue takes much memory, so it is found twice.
    var counts: [String: Int] = [:]
    if segments.count > 1 {
      for segment in segments { find(segment).addCounts(to: &counts) }
    }
    var searches: [String: Search] = [:]
    for segment in segments {
      let needed = find(segment)
      if segments.count == 1 { needed.addCounts(to: &counts) }
      for (name, needed) in needed {
        searches[
          name,
          default: Search(
            comparison, counts[name] ?? 0, ofPlaces: operations.count, seed: seed,
            isExact: operations.isSpilled)
        ].add(needed, of: operations, &ties)
      }
    }
    return searches.mapValues { search in
      let others = OtherSpellings(search.others, of: operations, ties: &ties)
      return NamedItems(search, others)
    }
  }

  /// The operations of one table while they are taken up.
  fileprivate struct Search {
    let comparison: ItemIDComparison
    var firsts: HashPlaces
    var filter: HashFilter
    var others: [(index: Int, first: Int)] = []
    var updated = PlaceSet()
    var spellings: IDSpellings?

    /// How many operations are taken up at a time.
    private static let chunkSize = 256

    init(
      _ comparison: ItemIDComparison, _ count: Int, ofPlaces places: Int, seed: UInt64,
      isExact: Bool
    ) {
      self.comparison = comparison
      // To look at the operations that were there before would be to read all of a long queue in any
      // order.
      firsts = HashPlaces(capacity: count, below: places, seed: seed, isExact: isExact)
      if isExact { spellings = IDSpellings() }
      filter = HashFilter(capacity: count)
    }

    mutating func add(
      _ needed: [NeededItems], of operations: OperationList, _ ties: inout RowMatches
    ) {
      for (indices, hashes) in needed.lazy.flatMap({ $0.chunks(of: Self.chunkSize) }) {
        for hash in hashes { firsts.prepare(for: hash) }
        for (index, hash) in zip(indices, hashes) { add(index, hash, operations, &ties) }
      }
    }

    private mutating func add(
      _ index: Int, _ hash: UInt64, _ operations: OperationList, _ ties: inout RowMatches
    ) {
      let operation = operations[index]
      var match = RowMatches.Match.none
      let first = firsts.first(of: hash) { first in
        match = comparison.match(operation, operations[first])
        return match != .none
      }
      guard let first else {
        firsts.add(index, hash: hash)
        operation.withItemID { spellings?.note($0, of: index) }
        if operation.kind == .update { updated.insert(index) }
        return filter.add(hash)
      }
      if let spellings {
        match =
          operation.withItemID { spellings.match($0, first, in: operations, comparison) } ?? .none
      }
      guard match != .none else { return }
      if match == .exact { ties.follow(first, index) } else { others.append((index, first)) }
      if operation.kind == .update { updated.insert(first) }
    }
  }
}

/// How ids are spelled whose letters are known but for their case: two bits for each.
private struct IDSpellings: Sendable {
  /// Ids with capital letters.
  private var capitals = PlaceSet()
  /// Ids with letters of both cases, or with others than those of ASCII.
  private var mixed = PlaceSet()

  private enum Spelling {
    case small
    case capital
    case mixed
  }

  mutating func note(_ id: Span<UInt8>, of place: Int) {
    switch Self.spelling(of: id) {
    case .small: break
    case .capital: capitals.insert(place)
    case .mixed: mixed.insert(place)
    }
  }

  /// How an id names the item of an operation whose id has the same letters but for their case.
  func match(
    _ id: Span<UInt8>, _ place: Int, in operations: OperationList, _ comparison: ItemIDComparison
  ) -> RowMatches.Match {
    if comparison == .exact { return .exact }
    let own = Self.spelling(of: id)
    if own == .mixed || mixed.contains(place) { return comparison.match(id, operations[place]) }
    return (own == .capital) == capitals.contains(place) ? .exact : .otherSpelling
  }

  private static func spelling(of id: Span<UInt8>) -> Spelling {
    var (hasSmall, hasCapital) = (false, false)
    for place in id.indices {
      switch id[place] {
      case UInt8(ascii: "a")...UInt8(ascii: "z"): hasSmall = true
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): hasCapital = true
      case 0x80...: return .mixed
      default: break
      }
    }
    return hasCapital ? hasSmall ? .mixed : .capital : .small
  }
}

/// A set of places in a list, a bit each.
private struct PlaceSet: Sendable {
  private var words: [UInt64] = []

  mutating func insert(_ place: Int) {
    while words.count <= place >> 6 { words.append(0) }
    words[place >> 6] |= 1 << UInt64(place & 63)
  }

  func contains(_ place: Int) -> Bool {
    place >> 6 < words.count && words[place >> 6] >> UInt64(place & 63) & 1 == 1
  }
}

extension [String: [NeededItems]] {
  /// Adds how many operations need rows of each table.
  fileprivate func addCounts(to counts: inout [String: Int]) {
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
