import Bytes
import Records

/// The keys and hashes of the rows of two tables, in parts of which each fits the memory.
struct DigestSpool {
  /// How many rows of each side have a key and nothing like them on the other side.
  struct Difference {
    let key: Int64
    let counts: Sides<Int>
    /// How many of the rows with the key are marked as deleted.
    let deleted: Sides<Int>

    /// Items that are marked as deleted and that the other side does not have at all.
    ///
    /// To whoever asks for them that is the same, so they do not count as differences.
    var gone: Sides<Int> {
      counts.first + counts.second == 0 ? deleted : Sides(0, 0)
    }
  }

  private struct Entry {
    let key: Int64
    let digest: (UInt64, UInt64)
    let side: Side
    let isDeleted: Bool
  }

  private var spool: PartedSpool<4>

  /// Room for about as many rows.
  init(rows: Int) { spool = PartedSpool(records: rows) }

  /// Takes a row of one side, which may be an item that is marked as deleted.
  mutating func add(
    _ key: Int64, _ digest: SHA256Digest, _ side: Side, isDeleted: Bool
  ) throws(StoreError) {
    let bits = UInt64(bitPattern: key)
    let marks: UInt64 = (side == .first ? 0 : 1) | (isDeleted ? 2 : 0)
    try spool.add(key: bits, [bits, digest.words.first, digest.words.second, marks])
  }

  /// The places of the parts.
  var parts: Range<Int> { spool.indices }

  /// Hands out the keys of a part whose rows are not the same on both sides, unless a signal comes.
  func forEachDifference(
    ofPart part: Int, _ session: Session, _ body: (Difference) -> Void
  ) throws(StoreError) {
    try session.checkInterruption()
    var entries = try spool.records(ofPart: part) { words in
      Entry(
        key: Int64(bitPattern: words[0]), digest: (words[1], words[2]),
        side: words[3] & 1 == 0 ? .first : .second, isDeleted: words[3] & 2 != 0)
    }
    entries.sort {
      ($0.key, $0.digest.0, $0.digest.1) < ($1.key, $1.digest.0, $1.digest.1)
    }
    Self.compare(entries, body)
  }

  /// Hands out the keys for which sorted entries are not as many on both sides.
  private static func compare(_ entries: [Entry], _ body: (Difference) -> Void) {
    var rest = entries[...]
    while let key = rest.first?.key {
      let rows = rest.prefix { $0.key == key }
      rest = rest.dropFirst(rows.count)
      let difference = difference(of: rows, key: key)
      if let difference { body(difference) }
    }
  }

  private static func difference(of rows: ArraySlice<Entry>, key: Int64) -> Difference? {
    var counts = Sides(0, 0)
    var deleted = Sides(0, 0)
    var rest = rows
    while let digest = rest.first?.digest {
      let alike = rest.prefix { $0.digest == digest }
      rest = rest.dropFirst(alike.count)
      let firsts = alike.count { $0.side == .first }
      let common = min(firsts, alike.count - firsts)
      counts.first += firsts - common
      counts.second += alike.count - firsts - common
      for row in alike where row.isDeleted { deleted[row.side] += 1 }
    }
    guard counts.first + counts.second > 0 else { return nil }
    for side in Side.allCases where rows.allSatisfy({ $0.side == side && $0.isDeleted }) {
      counts[side] = 0
    }
    return Difference(key: key, counts: counts, deleted: deleted)
  }
}
