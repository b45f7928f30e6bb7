import Bytes
import Synchronization

/// Finds the hashes that come more than once, without sorting them all.
///
/// They are put into buckets, so that what is remembered of a bucket stays at hand. In it a bit
/// stands for several hashes; the hashes themselves are only compared where bits were met twice,
/// which among many different ones is rare. Those beyond a limit wait in a file, bucket by bucket.
struct RepeatedHashes {
  private var buckets: [[UInt64]]
  private var count = 0
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
  /// How many buckets there are in memory.
  private static let bucketCount = 16

  /// None yet, of which so many are kept in memory.
  init(keeping most: Int) {
    self.most = most
    buckets = Array(repeating: [], count: Self.bucketCount)
  }

  /// Adds hashes, and leaves `others` empty.
  mutating func take(_ others: inout [UInt64]) throws(FileError) {
    for hash in others {
      buckets[Int(truncatingIfNeeded: mixed(hash)) & (Self.bucketCount - 1)].append(hash)
    }
    count += others.count
    others.removeAll(keepingCapacity: true)
    if count > most { try setAside() }
  }

  /// Hashes that were added more than once: so many, if there are, and few more; nil when there are
  /// no others, and then all are forgotten.
  ///
  /// Several threads may compare them.
  mutating func nextRepeated(_ count: Int, threads: Int = 1) throws(FileError) -> Set<UInt64>? {
    var repeated: Set<UInt64> = []
    if hasMore {
      if bucket == 0 { try setAside() }
      while bucket < BucketSpool.bucketCount, repeated.count < count {
        for hash in repeatedOnes(of: try setAside(inBucket: bucket)) { repeated.insert(hash) }
        bucket += 1
      }
    } else {
      let found = Mutex<Set<UInt64>>([])
      inParallel(buckets.count, threads: threads) { [buckets] number in
        let ones = repeatedOnes(of: buckets[number])
        found.withLock { $0.formUnion(ones) }
      }
      repeated = found.withLock(\.self)
      removeAll()
    }
    guard repeated.isEmpty else { return repeated }
    self = RepeatedHashes(keeping: most)
    return nil
  }

  private mutating func removeAll() {
    for number in buckets.indices { buckets[number].removeAll(keepingCapacity: hasMore) }
    count = 0
  }

  private mutating func setAside() throws(FileError) {
    var entry: [UInt8] = []
    for hash in buckets.joined() where twice.isNew(hash) {
      entry.removeAll(keepingCapacity: true)
      entry.appendBigEndian(hash)
      try aside.append(entry.span, hash: hash)
    }
    hasMore = true
    removeAll()
  }

  /// Brings back all hashes of a bucket of the file.
  private mutating func setAside(inBucket bucket: Int) throws(FileError) -> [UInt64] {
    var hashes: [UInt64] = []
    for number in 0..<(try aside.pieceCount()) {
      let piece = try aside.piece(number, ofBucket: bucket)
      for place in stride(from: 0, to: piece.count, by: 8) {
        hashes.append(UInt64(bigEndian: loadWord(from: piece.span, at: place)))
      }
    }
    return hashes
  }
}

/// The hashes that come more than once, in their order.
private func repeatedOnes(of hashes: [UInt64]) -> [UInt64] {
  // Two numbers without a common factor with 2^64 tell two bits of a hash that have little to do
  // with each other.
  let suspects = sharingBits(
    sharingBits(hashes, spreadBy: 0x9E37_79B9_7F4A_7C15), spreadBy: 0xC2B2_AE3D_27D4_EB4F
  ).sorted()
  return zip(suspects, suspects.dropFirst()).compactMap { $0 == $1 ? $0 : nil }
}

/// The hashes that share their bit with another one.
private func sharingBits(_ hashes: [UInt64], spreadBy factor: UInt64) -> [UInt64] {
  var shift: UInt64 = 58
  // Sixteen bits for each hash.
  while 1 &<< (64 &- shift) < hashes.count &* 16 { shift &-= 1 }
  var seen = [UInt64](repeating: 0, count: 1 &<< (58 &- shift))
  var shared = seen
  for hash in hashes {
    let place = (hash &* factor) &>> shift
    let (word, bit) = (Int(truncatingIfNeeded: place &>> 6), 1 as UInt64 &<< (place & 63))
    shared[word] |= seen[word] & bit
    seen[word] |= bit
  }
  return hashes.filter { hash in
    let place = (hash &* factor) &>> shift
    return shared[Int(truncatingIfNeeded: place &>> 6)] & 1 &<< (place & 63) != 0
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
