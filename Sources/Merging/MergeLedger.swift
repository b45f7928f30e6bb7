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

  /// Takes rows that have an id, of a table that has a place among those of all sources.
  mutating func add(_ rows: consuming MergeEntries, ofTable place: Int) throws(StoreError) {
    rows.setTable(place)
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
    let count = try storeErrors(MergeDecisions.context, path: folder) { () throws(FileError) in
      try candidates.pieceCount()
    }
    let take = { (losers: Result<[Loser], StoreError>) throws(StoreError) in
      for (row, kept) in try losers.get() { try decisions.add(row, givingWayTo: kept) }
    }
    var work = OrderedWork<LedgerBucket, Result<[Loser], StoreError>>(threads: threadCount()) {
      { bucket, emit in
        do throws(StoreError) {
          try bucket.forEachLoser(among: chosen) { _ = emit(.success($0)) }
        } catch {
          _ = emit(.failure(error))
        }
      }
    }
    for number in 0..<BucketSpool.bucketCount {
      if interruption.isRaised { throw StoreError.interrupted }
      let bucket = LedgerBucket(number, of: candidates, pieces: count, folder: folder)
      try work.put(bucket, take)
    }
    try work.finish(take)
    candidates = BucketSpool()
    return decisions
  }
}

/// A row that gives way, and the one that is kept.
private typealias Loser = (row: MergeCandidate, kept: MergeCandidate)

/// The rows whose ids have hashes that belong together.
private struct LedgerBucket: Sendable {
  private let number: Int
  private let candidates: BucketSpool
  private let pieces: Int
  private let folder: String

  /// How many rows that give way are told at once.
  private static let pieceSize = 4096

  init(_ number: Int, of candidates: BucketSpool, pieces: Int, folder: String) {
    self.number = number
    self.candidates = candidates
    self.pieces = pieces
    self.folder = folder
  }

  /// Lends the rows that give way among these sources, some at a time.
  func forEachLoser(among sources: Set<Int32>, _ take: ([Loser]) -> Void) throws(StoreError) {
    // The rows of a bucket may be as many as all rows are, where one id stands for none.
    var items = SharedItems(among: sources)
    try forEachEntry { items.note($0, $1) }
    guard items.areThere else { return }
    try forEachEntry { items.compare($0, $1) }
    var losers: [Loser] = []
    try forEachEntry { (entry, hash) in
      guard let loser = items.loser(entry, hash) else { return }
      losers.append(loser)
      guard losers.count == Self.pieceSize else { return }
      take(losers)
      losers.removeAll(keepingCapacity: true)
    }
    if !losers.isEmpty { take(losers) }
  }

  /// Lends the entries, each with its hash.
  private func forEachEntry(_ body: (Span<UInt8>, UInt64) -> Void) throws(StoreError) {
    for number in 0..<pieces {
      let piece = try storeErrors(MergeDecisions.context, path: folder) { () throws(FileError) in
        try candidates.piece(number, ofBucket: self.number)
      }
      var start = 0
      while start < piece.count {
        let (hash, end) = MergeCandidate.outline(of: piece.span, at: start)
        body(piece.span.extracting(start..<end), hash)
        start = end
      }
    }
  }
}
