/// Finds the hashes that come more than once, without sorting them all.
///
/// A bit stands for several hashes. The hashes themselves are only compared where a bit was met
/// twice, which among many different ones is rare.
struct RepeatedHashes {
  private var hashes: [UInt64] = []
  private var seen: [UInt64]
  private var shared: [UInt64]

  /// How many bits there are for each hash that is expected.
  private static let share = 16

  /// Makes room; more than expected are taken as well, only not as fast.
  init(expecting count: Int) {
    var words = 1
    while words * 64 < count * Self.share { words *= 2 }
    seen = [UInt64](repeating: 0, count: words)
    shared = seen
    hashes.reserveCapacity(count)
  }

  /// Adds a hash.
  mutating func insert(_ hash: UInt64) {
    let (word, bit) = place(of: hash)
    if seen[word] & bit != 0 { shared[word] |= bit }
    seen[word] |= bit
    hashes.append(hash)
  }

  /// The hashes that were added more than once.
  var repeated: Set<UInt64> {
    let suspects = hashes.filter { hash in
      let (word, bit) = place(of: hash)
      return shared[word] & bit != 0
    }.sorted()
    var repeated: Set<UInt64> = []
    for (hash, after) in zip(suspects, suspects.dropFirst()) where hash == after {
      repeated.insert(hash)
    }
    return repeated
  }

  private func place(of hash: UInt64) -> (word: Int, bit: UInt64) {
    let mixed = hash ^ hash >> 32
    return (Int(truncatingIfNeeded: mixed >> 6) & (seen.count - 1), 1 << (mixed & 63))
  }
}
