import Bytes

/// Finds the hashes that come more than once, without sorting them all.
///
/// They are put into buckets, so that what is remembered of a bucket stays at hand. In it a bit
/// stands for several hashes; the hashes themselves are only compared where a bit was met twice,
/// which among many different ones is rare. Those beyond a limit wait in a file, bucket by bucket.
struct RepeatedHashes {
  private var hashes: [UInt64] = []
  private let most: Int
  /// Those that were set aside, and whether there are any.
  private var aside = BucketSpool(most: 1 << 20)
  private var hasMore = false
  /// Some that were set aside twice, which says enough: a placeholder may be the id of all rows.
  private var twice = FrequentHashes()
  /// The bucket of them that is compared next.
  private var bucket = 0

  /// How many hashes are usually kept in memory: 10 MiB of them.
  static let limit = 10 << 17
  /// How many hashes make a bucket, about.
  private static let bucketSize = 1 << 16
  /// How many bits there are for each hash of a bucket.
  private static let share = 16

  /// None yet, of which so many are kept in memory.
  init(keeping most: Int) { self.most = most }

  /// Adds hashes, and leaves `others` empty.
  mutating func take(_ others: inout [UInt64]) throws(FileError) {
    hashes += others
    others.removeAll(keepingCapacity: true)
    if hashes.count > most { try setAside() }
  }

  /// Hashes that were added more than once: so many, if there are, and few more; nil when there are
  /// no others, and then all are forgotten.
  mutating func nextRepeated(_ count: Int) throws(FileError) -> Set<UInt64>? {
    var repeated: Set<UInt64> = []
    if hasMore {
      if bucket == 0 { try setAside() }
      while bucket < BucketSpool.bucketCount, repeated.count < count {
        try read(bucket)
        addRepeated(of: hashes[...], 1, to: &repeated)
        bucket += 1
      }
    } else {
      var buckets = 1
      while buckets * Self.bucketSize < hashes.count { buckets *= 2 }
      var start = 0
      for end in arrange(in: buckets) {
        addRepeated(of: hashes[start..<end], buckets, to: &repeated)
        start = end
      }
      hashes.removeAll(keepingCapacity: true)
    }
    guard repeated.isEmpty else { return repeated }
    self = RepeatedHashes(keeping: most)
    return nil
  }

  private mutating func setAside() throws(FileError) {
    var entry: [UInt8] = []
    for hash in hashes where twice.isNew(hash) {
      entry.removeAll(keepingCapacity: true)
      entry.appendBigEndian(hash)
      try aside.append(entry.span, hash: hash)
    }
    hashes.removeAll(keepingCapacity: true)
    hasMore = true
  }

  /// Brings back all hashes of a bucket.
  private mutating func read(_ bucket: Int) throws(FileError) {
    hashes.removeAll(keepingCapacity: true)
    for number in 0..<(try aside.pieceCount()) {
      let piece = try aside.piece(number, ofBucket: bucket)
      for place in stride(from: 0, to: piece.count, by: 8) {
        hashes.append(UInt64(bigEndian: loadWord(from: piece.span, at: place)))
      }
    }
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

/// Remembers of some hashes that come often that they came twice.
private struct FrequentHashes {
  private var hashes: [UInt64] = []
  private var counts: [UInt8] = []

  private static let places = 1 << 14

  /// Whether a hash is not known to have come twice before.
  mutating func isNew(_ hash: UInt64) -> Bool {
    if hashes.isEmpty {
      hashes = Array(repeating: 0, count: Self.places)
      counts = Array(repeating: 0, count: Self.places)
    }
    let place = Int(truncatingIfNeeded: mixed(hash)) & (Self.places - 1)
    guard hashes[place] == hash else {
      (hashes[place], counts[place]) = (hash, 1)
      return true
    }
    guard counts[place] < 2 else { return false }
    counts[place] += 1
    return true
  }
}
