import Bytes
import Records
import SQLite

/// The rows with an id of several sources, of which each leaves an entry, on disk where there are many.
struct MergeLedger: ~Copyable {
  private var candidates = BucketSpool()
  private let interruption: Interruption
  /// Where such files are, for messages.
  private let folder: String

  /// Makes an empty one.
  init(temporaryFolder: String, _ interruption: Interruption) {
    folder = temporaryFolder
    self.interruption = interruption
  }

  /// Takes rows that have an id.
  mutating func add(_ rows: MergeEntries) throws(StoreError) {
    try storeErrors(MergeDecisions.context, path: folder) { () throws(FileError) in
      try rows.forEachEntry { (entry, hash) throws(FileError) in
        try candidates.append(entry, hash: hash)
      }
    }
  }

  /// Decides which row of each item is kept, once all of these sources are known, and forgets the rows.
  ///
  /// An item that is in one source only stays there as it is, twins included.
  ///
  /// - Throws: `StoreError` when there is no room for the decisions.
  mutating func settle(among sources: some Collection<Int>) throws(StoreError) -> MergeDecisions {
    let chosen = Set(sources.map { Int32(clamping: $0) })
    let decisions = try MergeDecisions(temporaryFolder: folder, interruption)
    for bucket in 0..<BucketSpool.bucketCount {
      if interruption.isRaised { throw StoreError(.interrupted, "stopped by a signal") }
      // The rows of a bucket may be as many as all rows are, where one id stands for none.
      var items = SharedItems(among: chosen)
      try forEachEntry(ofBucket: bucket) { (entry, hash) in items.note(entry, hash) }
      guard items.areThere else { continue }
      try forEachEntry(ofBucket: bucket) { (entry, hash) in items.compare(entry, hash) }
      try forEachEntry(ofBucket: bucket) { (entry, hash) throws(StoreError) in
        guard let (row, kept) = items.loser(entry, hash) else { return }
        try decisions.add(row, givingWayTo: kept)
      }
    }
    candidates = BucketSpool()
    try decisions.sort()
    return decisions
  }

  /// Lends the entries of a bucket, each with its hash.
  private mutating func forEachEntry(
    ofBucket bucket: Int, _ body: (Span<UInt8>, UInt64) throws(StoreError) -> Void
  ) throws(StoreError) {
    let count = try storeErrors(MergeDecisions.context, path: folder) { () throws(FileError) in
      try candidates.pieceCount()
    }
    for number in 0..<count {
      let piece = try storeErrors(MergeDecisions.context, path: folder) { () throws(FileError) in
        try candidates.piece(number, ofBucket: bucket)
      }
      var start = 0
      while start < piece.count {
        let (hash, end) = MergeCandidate.outline(of: piece.span, at: start)
        try body(piece.span.extracting(start..<end), hash)
        start = end
      }
    }
  }
}
