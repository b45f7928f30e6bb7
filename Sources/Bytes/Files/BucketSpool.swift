/// Entries that are needed again bucket by bucket, of which few are kept in memory and many in a file.
///
/// A hash tells the bucket, or who adds the entry, so that entries which belong together come back
/// together.
package struct BucketSpool: Sendable {
  /// How many buckets there are, however many entries come.
  package static let bucketCount = 1 << bucketBits
  private static let bucketBits = 10

  private struct Entry {
    let bucket: Int32
    let end: Int
  }

  /// What was added last, in the order in which it came.
  private var bytes: [UInt8] = []
  private var entries: [Entry] = []
  private var spool: ByteSpool
  /// For each time that entries were set aside, where those of each bucket are.
  private var aside: [[ByteSpool.Place]] = []
  private let most: Int

  /// No entries yet, of which so many bytes are put into buckets at a time.
  package init(most: Int = 8 << 20, in spool: ByteSpool = ByteSpool()) {
    self.most = most
    self.spool = spool
  }

  /// Adds an entry to the bucket of a hash.
  package mutating func append(_ entry: Span<UInt8>, hash: UInt64) throws(FileError) {
    try append(entry, inBucket: Self.bucket(of: hash))
  }

  /// The bucket of a hash.
  package static func bucket(of hash: UInt64) -> Int {
    // The upper bits of a product depend on all bits of the hash.
    Int(truncatingIfNeeded: (hash &* 0x9E37_79B9_7F4A_7C15) >> UInt64(64 - bucketBits))
  }

  /// Adds an entry to a bucket of those below `bucketCount`.
  package mutating func append(_ entry: Span<UInt8>, inBucket bucket: Int) throws(FileError) {
    bytes.append(entry)
    entries.append(Entry(bucket: Int32(truncatingIfNeeded: bucket), end: bytes.count))
    if bytes.count >= most { try setAside() }
  }

  /// How many pieces each bucket has, in which the entries are in the order in which they came.
  package mutating func pieceCount() throws(FileError) -> Int {
    try setAside()
    // Whoever asks mostly adds nothing more.
    (bytes, entries) = ([], [])
    return aside.count
  }

  /// How many bytes the entries of a bucket have that were set aside.
  package func size(ofBucket bucket: Int) -> Int { aside.reduce(0) { $0 + $1[bucket].size } }

  /// Some entries of a bucket, one behind the other.
  package func piece(_ number: Int, ofBucket bucket: Int) throws(FileError) -> [UInt8] {
    try spool.read(aside[number][bucket])
  }

  private mutating func setAside() throws(FileError) {
    guard !entries.isEmpty else { return }
    var places: [ByteSpool.Place] = []
    var piece: [UInt8] = []
    var ordered = orderedByBucket()[...]
    for bucket in 0..<Int32(Self.bucketCount) {
      piece.removeAll(keepingCapacity: true)
      while let place = ordered.first, entries[place].bucket == bucket {
        ordered.removeFirst()
        let start = place == 0 ? 0 : entries[place - 1].end
        piece.append(bytes.span.extracting(start..<entries[place].end))
      }
      places.append(try spool.append(piece.span))
    }
    aside.append(places)
    bytes.removeAll(keepingCapacity: true)
    entries.removeAll(keepingCapacity: true)
  }

  /// The places of the entries, bucket by bucket.
  private func orderedByBucket() -> [Int] {
    var starts = [Int](repeating: 0, count: Self.bucketCount + 1)
    for entry in entries { starts[Int(entry.bucket) + 1] += 1 }
    for bucket in 0..<Self.bucketCount { starts[bucket + 1] += starts[bucket] }
    var ordered = [Int](repeating: 0, count: entries.count)
    for (place, entry) in entries.enumerated() {
      ordered[starts[Int(entry.bucket)]] = place
      starts[Int(entry.bucket)] += 1
    }
    return ordered
  }
}
