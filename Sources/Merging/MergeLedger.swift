import Bytes
import Records
import SQLite

/// Which rows of several sources are the same item.
///
/// Each row with an id leaves an entry, on disk where there are many; rows that give way to others
/// are kept in a database that has no name.
final class MergeLedger {
  /// A row that gives way to another.
  struct Loser {
    let key: Int64
    let winnerSource: Int
    let winnerKey: Int64
  }

  private let connection: Connection
  private var candidates = BucketSpool()
  private let interruption: Interruption
  private var claim: Statement
  private var owner: Statement
  /// Where such databases are, for messages.
  private let folder: String

  /// Makes an empty one.
  init(temporaryFolder: String, _ interruption: Interruption) throws(StoreError) {
    folder = temporaryFolder
    self.interruption = interruption
    let connection = try Self.errors(folder) { () throws(SQLiteError) in
      let connection = try Connection(opening: "", mode: .readWrite)
      connection.watch(interruption)
      try connection.execute(Self.schema)
      return connection
    }
    claim = try Self.errors(folder) { () throws(SQLiteError) in
      try connection.prepare("INSERT OR IGNORE INTO pair VALUES (?, ?, ?)")
    }
    owner = try Self.errors(folder) { () throws(SQLiteError) in
      try connection.prepare("SELECT source FROM pair WHERE t = ? AND pair = ?")
    }
    self.connection = connection
  }

  private static let schema = """
    PRAGMA journal_mode = OFF;
    PRAGMA synchronous = OFF;
    PRAGMA cache_size = -8192;
    PRAGMA temp_store = FILE;
    BEGIN;
    CREATE TABLE loser (source, t, "key", winnerSource, winnerKey);
    CREATE TABLE pair (t, pair, source, PRIMARY KEY (t, pair)) WITHOUT ROWID;
    """

  /// Takes rows that have an id.
  func add(_ rows: MergeEntries) throws(StoreError) {
    try storeErrors(Self.context, path: folder) { () throws(FileError) in
      try rows.forEachEntry { (entry, hash) throws(FileError) in
        try candidates.append(entry, hash: hash)
      }
    }
  }

  /// Decides which row of each item is kept, once all of these sources are known.
  ///
  /// An item that is in one source only stays there as it is, twins included.
  ///
  /// - Throws: `StoreError` when there is no room for the decisions.
  func settle(among sources: some Collection<Int>) throws(StoreError) {
    let chosen = Set(sources.map { Int32(clamping: $0) })
    var losers = try Self.errors(folder) { () throws(SQLiteError) in
      try connection.prepare("INSERT INTO loser VALUES (?, ?, ?, ?, ?)")
    }
    for bucket in 0..<BucketSpool.bucketCount {
      if interruption.isRaised { throw StoreError(.interrupted, "stopped by a signal") }
      // The rows of a bucket may be as many as all rows are, where one id stands for none.
      var items = SharedItems(among: chosen)
      try forEachEntry(ofBucket: bucket) { (entry, hash) in items.note(entry, hash) }
      guard items.areThere else { continue }
      try forEachEntry(ofBucket: bucket) { (entry, hash) in items.compare(entry, hash) }
      try forEachEntry(ofBucket: bucket) { (entry, hash) throws(StoreError) in
        guard let (row, kept) = items.loser(entry, hash) else { return }
        try Self.errors(folder) { () throws(SQLiteError) in
          let values = [
            Int64(row.source), Int64(row.table), row.key, Int64(kept.source), kept.key,
          ]
          for place in values.indices { try losers.bind(values[place], at: place + 1) }
          try losers.run()
        }
      }
    }
    candidates = BucketSpool()
    try Self.errors(folder) { () throws(SQLiteError) in
      try connection.execute(
        "CREATE INDEX losers ON loser (source, t, \"key\", winnerSource, winnerKey)")
    }
  }

  /// Lends the entries of a bucket, each with its hash.
  private func forEachEntry(
    ofBucket bucket: Int, _ body: (Span<UInt8>, UInt64) throws(StoreError) -> Void
  ) throws(StoreError) {
    let count = try storeErrors(Self.context, path: folder) { () throws(FileError) in
      try candidates.pieceCount()
    }
    for number in 0..<count {
      let piece = try storeErrors(Self.context, path: folder) { () throws(FileError) in
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

  /// Lends the rows of one table of one source that give way, in the order of their keys.
  func forEachLoser(
    ofTable table: Int, source: Int, _ body: (Loser) -> Void
  ) throws(StoreError) {
    try Self.errors(folder) { () throws(SQLiteError) in
      var rows = try connection.prepare(
        """
        SELECT "key", winnerSource, winnerKey FROM loser INDEXED BY losers
        WHERE source = ? AND t = ? ORDER BY "key"
        """)
      try rows.bind(Int64(source), at: 1)
      try rows.bind(Int64(table), at: 2)
      while try rows.step() {
        body(
          Loser(
            key: rows.integer(at: 0), winnerSource: Int(clamping: rows.integer(at: 1)),
            winnerKey: rows.integer(at: 2)))
      }
    }
  }

  /// Takes a pair of a relationship for a source.
  ///
  /// - Returns: the source that had it before, if that is another one.
  func claimPair(
    _ pair: [UInt8], ofTable table: Int, source: Int
  ) throws(StoreError) -> Int? {
    try Self.errors(folder) { () throws(SQLiteError) in
      try claim.bind(Int64(table), at: 1)
      try claim.bind(blob: pair, at: 2)
      try claim.bind(Int64(source), at: 3)
      try claim.run()
      guard connection.changes == 0 else { return nil }
      try owner.bind(Int64(table), at: 1)
      try owner.bind(blob: pair, at: 2)
      defer { owner.reset() }
      guard try owner.step() else { return nil }
      let first = Int(clamping: owner.integer(at: 0))
      return first == source ? nil : first
    }
  }

  private static func errors<Value: ~Copyable>(
    _ folder: String, _ body: () throws(SQLiteError) -> Value
  ) throws(StoreError) -> Value {
    try storeErrors(context, path: folder, body)
  }

  private static let context = "what several sources share cannot be compared"
}
