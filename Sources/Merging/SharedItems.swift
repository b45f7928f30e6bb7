import Bytes

/// The items of a bucket that several rows have, each with the row that is kept.
///
/// What is known of an item does not grow with its rows.
struct SharedItems {
  private struct Item {
    /// The row that is kept, as an entry.
    var kept: [UInt8]
    /// Where the first of its rows is.
    let source: Int32
    /// Whether rows of other sources are among them.
    var isInSeveral = false
  }

  private let sources: Set<Int32>
  private var seen: Set<UInt64> = []
  private var repeated: Set<UInt64> = []
  /// By the hashes of their ids, which different ids may share.
  private var items: [UInt64: [Item]] = [:]
  /// A row that is kept and another one, to be compared.
  private var arena: [UInt8] = []

  /// No items yet; only rows of these sources count.
  init(among sources: Set<Int32>) { self.sources = sources }

  /// Looks for hashes that several rows have, before any are compared.
  mutating func note(_ entry: Span<UInt8>, _ hash: UInt64) {
    if !seen.insert(hash).inserted { repeated.insert(hash) }
  }

  /// Whether several rows have one hash.
  var areThere: Bool { !repeated.isEmpty }

  /// Compares a row with the one of its item that is kept so far.
  mutating func compare(_ entry: Span<UInt8>, _ hash: UInt64) {
    guard repeated.contains(hash) else { return }
    let row = MergeCandidate(entry, at: 0)
    guard sources.contains(row.source) else { return }
    guard let place = place(of: entry, hash) else {
      var kept: [UInt8] = []
      kept.append(entry)
      items[hash, default: []].append(Item(kept: kept, source: row.source))
      return
    }
    let (kept, other) = pair
    let isBetter = other.precedes(kept, in: arena.span)
    if row.source != items[hash]?[place].source { items[hash]?[place].isInSeveral = true }
    if isBetter {
      items[hash]?[place].kept.removeAll(keepingCapacity: true)
      items[hash]?[place].kept.append(entry)
    }
  }

  /// A row that gives way, with the one that is kept; nil for one that stays.
  mutating func loser(
    _ entry: Span<UInt8>, _ hash: UInt64
  ) -> (row: MergeCandidate, kept: MergeCandidate)? {
    guard repeated.contains(hash), sources.contains(MergeCandidate(entry, at: 0).source),
      let place = place(of: entry, hash), items[hash]?[place].isInSeveral == true
    else { return nil }
    let (kept, row) = pair
    return row.source == kept.source && row.key == kept.key ? nil : (row, kept)
  }

  /// The place of a row's item among those with its hash; both are then in the arena.
  private mutating func place(of entry: Span<UInt8>, _ hash: UInt64) -> Int? {
    for (place, item) in (items[hash] ?? []).enumerated() {
      arena.removeAll(keepingCapacity: true)
      arena.append(item.kept.span)
      arena.append(entry)
      let (kept, row) = pair
      if row.isSameItem(as: kept, in: arena.span) { return place }
    }
    return nil
  }

  /// The kept row and the other one that are in the arena.
  private var pair: (kept: MergeCandidate, other: MergeCandidate) {
    let (_, end) = MergeCandidate.outline(of: arena.span, at: 0)
    return (MergeCandidate(arena.span, at: 0), MergeCandidate(arena.span, at: end))
  }
}
