import Records
import SQLite
import Synchronization

/// Which rows of several sources give way to others, and which source was the first with a pair.
///
/// They stand in a database that has no name; any thread may ask.
final class MergeDecisions: Sendable {
  /// A row that gives way to another.
  struct Loser {
    let key: Int64
    let winnerSource: Int
    let winnerKey: Int64
  }

  private struct State: ~Copyable {
    let connection: Connection
    var newLoser: Statement
    var claim: Statement
    var owner: Statement

    init(_ interruption: Interruption) throws(SQLiteError) {
      let connection = try Connection(opening: "", mode: .readWrite)
      connection.watch(interruption)
      try connection.execute(MergeDecisions.schema)
      let newLoser = try connection.prepare("INSERT INTO loser VALUES (?, ?, ?, ?, ?)")
      let claim = try connection.prepare("INSERT OR IGNORE INTO pair VALUES (?, ?, ?)")
      let owner = try connection.prepare("SELECT source FROM pair WHERE t = ? AND pair = ?")
      self.connection = connection
      self.newLoser = newLoser
      self.claim = claim
      self.owner = owner
    }
  }

  private let state: Mutex<State>
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
    CREATE TABLE loser (source, t, "key", winnerSource, winnerKey);
    CREATE TABLE pair (t, pair, source, PRIMARY KEY (t, pair)) WITHOUT ROWID;
    """

  /// Lets a row give way to another.
  func add(_ row: MergeCandidate, givingWayTo kept: MergeCandidate) throws(StoreError) {
    try withState { (state) throws(SQLiteError) in
      let values = [
        Int64(row.source), Int64(row.table), row.key, Int64(kept.source), kept.key,
      ]
      for place in values.indices { try state.newLoser.bind(values[place], at: place + 1) }
      try state.newLoser.run()
    }
  }

  /// Makes the rows that give way easy to find, once all are known.
  func sort() throws(StoreError) {
    try withState { (state) throws(SQLiteError) in
      try state.connection.execute(
        "CREATE INDEX losers ON loser (source, t, \"key\", winnerSource, winnerKey)")
    }
  }

  /// Lends the rows of one table of one source that give way, in the order of their keys.
  func forEachLoser(
    ofTable table: Int, source: Int, _ body: (Loser) -> Void
  ) throws(StoreError) {
    try withState { (state) throws(SQLiteError) in
      var rows = try state.connection.prepare(
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
