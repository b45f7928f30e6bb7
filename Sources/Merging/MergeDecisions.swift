import Bytes
import Records
import SQLite
import Synchronization

/// Which rows of several sources give way to others, and which source was the first with a pair.
///
/// Many of them stand in files that have no names; any thread may ask.
final class MergeDecisions: Sendable {
  private struct State: ~Copyable {
    let connection: Connection
    var claim: Statement
    var owner: Statement

    init(_ interruption: Interruption) throws(SQLiteError) {
      let connection = try Connection(scratchInMemory: false)
      connection.watch(interruption)
      try connection.execute(MergeDecisions.schema)
      let claim = try connection.prepare("INSERT OR IGNORE INTO pair VALUES (?, ?, ?)")
      let owner = try connection.prepare("SELECT source FROM pair WHERE t = ? AND pair = ?")
      self.connection = connection
      self.claim = claim
      self.owner = owner
    }
  }

  /// Who was the first with a pair.
  private let state: Mutex<State>
  /// The rows that give way, those of one table of one source in the same bucket.
  private let losers = Mutex(BucketSpool(most: 4 << 20))
  /// Where such databases are, for messages.
  private let folder: String

  /// Nothing is decided yet.
  init(temporaryFolder: String, _ interruption: Interruption) throws(StoreError) {
    folder = temporaryFolder
    state = Mutex(
      try storeErrors(Self.context, path: folder) { () throws(SQLiteError) in
        try State(interruption)
      })
  }

  private static let schema = """
    PRAGMA journal_mode = OFF;
    PRAGMA synchronous = OFF;
    PRAGMA cache_size = -8192;
    PRAGMA temp_store = FILE;
    BEGIN;
    CREATE TABLE pair (t, pair, source, PRIMARY KEY (t, pair)) WITHOUT ROWID;
    """

  /// Lets a row give way to another.
  func add(_ row: MergeCandidate, givingWayTo kept: MergeCandidate) throws(StoreError) {
    let place = Self.place(ofTable: Int(row.table), source: Int(row.source))
    var entry: [UInt8] = []
    entry.reserveCapacity(Self.entrySize)
    entry.appendBigEndian(place)
    entry.appendBigEndian(UInt64(bitPattern: row.key))
    entry.appendBigEndian(UInt64(bitPattern: kept.key))
    entry.appendBigEndian(UInt64(UInt32(bitPattern: kept.source)))
    try withLosers { (losers) throws(FileError) in try losers.append(entry.span, hash: place) }
  }

  /// The rows of one table of one source that give way; `new` tells the new keys of those that are
  /// kept instead, given their sources and the keys there.
  func losers(
    ofTable table: Int, source: Int, new: (_ source: Int, _ key: Int64) -> Int64
  ) throws(StoreError) -> LostRows {
    let place = Self.place(ofTable: table, source: source)
    var keys: [Int64] = []
    let size = try withLosers { (losers) throws(FileError) in
      _ = try losers.pieceCount()
      return losers.size(ofBucket: BucketSpool.bucket(of: place))
    }
    keys.reserveCapacity(size / Self.entrySize)
    try forEachLoser(at: place) { key, _, _ in keys.append(key) }
    // To read them twice takes less than to sort them with all that is known of each.
    var losers = LostRows(keys)
    try forEachLoser(at: place) { key, source, winner in
      losers.note(key, givingWayTo: new(source, winner), source: source)
    }
    return losers
  }

  /// Lends the rows of a place: their keys, and for each the source and the key of the kept one.
  private func forEachLoser(
    at place: UInt64, _ body: (_ key: Int64, _ source: Int, _ winner: Int64) -> Void
  ) throws(StoreError) {
    let bucket = BucketSpool.bucket(of: place)
    let count = try withLosers { (losers) throws(FileError) in try losers.pieceCount() }
    for piece in 0..<count {
      let piece = try withLosers { (losers) throws(FileError) in
        try losers.piece(piece, ofBucket: bucket)
      }
      for start in stride(from: 0, to: piece.count, by: Self.entrySize) {
        func number(_ index: Int) -> UInt64 {
          UInt64(bigEndian: loadWord(from: piece.span, at: start + 8 * index))
        }
        guard number(0) == place else { continue }
        body(
          Int64(bitPattern: number(1)), Int(Int32(truncatingIfNeeded: number(3))),
          Int64(bitPattern: number(2)))
      }
    }
  }

  private static let entrySize = 32

  private static func place(ofTable table: Int, source: Int) -> UInt64 {
    UInt64(UInt32(truncatingIfNeeded: source)) << 32 | UInt64(UInt32(truncatingIfNeeded: table))
  }

  private func withLosers<Value: Sendable>(
    _ body: (inout BucketSpool) throws(FileError) -> Value
  ) throws(StoreError) -> Value {
    try storeErrors(Self.context, path: folder) { () throws(FileError) in
      try losers.withLock { (losers) throws(FileError) in try body(&losers) }
    }
  }

  /// Takes a pair of a relationship for a source.
  ///
  /// - Returns: the source that had it before, if that is another one.
  func claimPair(
    _ pair: [UInt8], ofTable table: Int, source: Int
  ) throws(StoreError) -> Int? {
    try withState { (state) throws(SQLiteError) in
      try state.claim.bind(Int64(table), at: 1)
      try state.claim.bind(blob: pair, at: 2)
      try state.claim.bind(Int64(source), at: 3)
      try state.claim.run()
      guard state.connection.changes == 0 else { return nil }
      try state.owner.bind(Int64(table), at: 1)
      try state.owner.bind(blob: pair, at: 2)
      defer { state.owner.reset() }
      guard try state.owner.step() else { return nil }
      let first = Int(clamping: state.owner.integer(at: 0))
      return first == source ? nil : first
    }
  }

  private func withState<Value: Sendable>(
    _ body: (inout sending State) throws(SQLiteError) -> sending Value
  ) throws(StoreError) -> Value {
    try storeErrors(Self.context, path: folder) { () throws(SQLiteError) in
      try state.withLock(body)
    }
  }

  static let context = "what several sources share cannot be compared"
}
