/// Finds the hashes that come more than once, without sorting them all.
///
/// They are gone through one bucket after the other, so that what is remembered of a bucket stays
/// at hand. In it a bit stands for several hashes; the hashes themselves are only compared where a
/// bit was met twice, which among many different ones is rare.
struct RepeatedHashes {
  private var hashes: [UInt64] = []

  /// How many hashes make a bucket, about.
  private static let bucketSize = 1 << 16
  /// How many bits there are for each hash of a bucket.
  private static let share = 16

  /// Makes room; more than expected are taken as well.
  init(expecting count: Int) {
    hashes.reserveCapacity(count)
  }

  /// Adds a hash.
  mutating func insert(_ hash: UInt64) { hashes.append(hash) }

  /// Adds hashes.
  mutating func insert(_ others: [UInt64]) { hashes += others }

  /// The hashes that were added more than once.
  var repeated: Set<UInt64> {
    var repeated: Set<UInt64> = []
    var buckets = 1
    while buckets * Self.bucketSize < hashes.count { buckets *= 2 }
    var bucket: [UInt64] = []
    bucket.reserveCapacity(min(hashes.count, Self.bucketSize * 2))
    for number in 0..<UInt64(buckets) {
      bucket.removeAll(keepingCapacity: true)
      for hash in hashes where mixed(hash) & UInt64(buckets - 1) == number { bucket.append(hash) }
      addRepeated(of: bucket, buckets, to: &repeated)
    }
    return repeated
  }

  private func addRepeated(
    of bucket: [UInt64], _ buckets: Int, to repeated: inout Set<UInt64>
  ) {
    var words = 1
    while words * 64 < bucket.count * Self.share { words *= 2 }
    var seen = [UInt64](repeating: 0, count: words)
    var shared = seen
    let place = { (hash: UInt64) -> (word: Int, bit: UInt64) in
      let mixed = mixed(hash) / UInt64(buckets)
      return (word: Int(truncatingIfNeeded: mixed >> 6) & (words - 1), bit: 1 << (mixed & 63))
    }
    for hash in bucket {
      let (word, bit) = place(hash)
      shared[word] |= seen[word] & bit
      seen[word] |= bit
    }
    let suspects = bucket.filter { hash in
      let (word, bit) = place(hash)
      return shared[word] & bit != 0
    }.sorted()
    for (hash, after) in zip(suspects, suspects.dropFirst()) where hash == after {
      repeated.insert(hash)
    }
  }

  private func mixed(_ hash: UInt64) -> UInt64 { hash ^ hash >> 32 }
}
