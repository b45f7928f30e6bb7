/// Finds the hashes that come more than once, without sorting them all.
///
/// They are put into buckets, so that what is remembered of a bucket stays at hand. In it a bit
/// stands for several hashes; the hashes themselves are only compared where a bit was met twice,
/// which among many different ones is rare.
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

  mutating func insert(_ hash: UInt64) { hashes.append(hash) }

  mutating func insert(_ others: [UInt64]) { hashes += others }

  /// The hashes that were added more than once; forgets all of them.
  mutating func takeRepeated() -> Set<UInt64> {
    defer { hashes = [] }
    var buckets = 1
    while buckets * Self.bucketSize < hashes.count { buckets *= 2 }
    var repeated: Set<UInt64> = []
    var start = 0
    for end in arrange(in: buckets) {
      addRepeated(of: hashes[start..<end], buckets, to: &repeated)
      start = end
    }
    return repeated
  }

  /// Puts the hashes of each bucket together, and tells where each bucket ends.
  private mutating func arrange(in buckets: Int) -> [Int] {
    let bucket = { (hash: UInt64) in Int(truncatingIfNeeded: mixed(hash)) & (buckets - 1) }
    var ends = [Int](repeating: 0, count: buckets)
    for hash in hashes { ends[bucket(hash)] += 1 }
    for number in 1..<buckets { ends[number] += ends[number - 1] }
    // What is before these places is where it belongs.
    var places = [0] + ends.dropLast()
    for number in 0..<buckets {
      while places[number] < ends[number] {
        let home = bucket(hashes[places[number]])
        hashes.swapAt(places[number], places[home])
        places[home] += 1
      }
    }
    return ends
  }

  private func addRepeated(
    of bucket: ArraySlice<UInt64>, _ buckets: Int, to repeated: inout Set<UInt64>
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
}

private func mixed(_ hash: UInt64) -> UInt64 { hash ^ hash >> 32 }
