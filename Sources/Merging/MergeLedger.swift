import Bytes
import Records
import SQLite

/// Which rows of several sources are the same item, kept in a database that has no name.
///
/// It holds an entry for each row with an id, on disk where there are many.
final class MergeLedger {
  /// The columns of a table by which its items are told apart and compared.
  struct Columns {
    let id: Int
    let updatedAt: Int?
    let version: Int?

    /// The columns of a table; nil where its rows have no id.
    init?(of table: Table) {
      guard let id = table.index(of: .id) else { return nil }
      self.id = id
      updatedAt = table.index(of: .updatedAt)
      version = table.index(of: .version)
    }
  }

  /// A row that gives way to another.
  struct Loser {
    let key: Int64
    let winnerSource: Int
    let winnerKey: Int64
  }

  private let connection: Connection
  private var candidates: BulkInsert
  private var claim: Statement
  private var owner: Statement
  private var count: Int64 = 0
  /// Where such databases are, for messages.
  private let folder: String

  /// Makes an empty one.
  init(temporaryFolder: String, _ interruption: Interruption) throws(StoreError) {
    folder = temporaryFolder
    let connection = try Self.errors(folder) { () throws(SQLiteError) in
      let connection = try Connection(opening: "", mode: .readWrite)
      connection.watch(interruption)
      try connection.execute(Self.schema)
      return connection
    }
    candidates = try Self.errors(folder) { () throws(SQLiteError) in
      try BulkInsert(into: "candidate", valueCount: 7, of: connection)
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
    CREATE TABLE candidate (
      n INTEGER PRIMARY KEY, t, id, updatedAt, version, source, "key", hash);
    CREATE TABLE loser (source, t, "key", winnerSource, winnerKey);
    CREATE TABLE pair (t, pair, source, PRIMARY KEY (t, pair)) WITHOUT ROWID;
    """

  /// Takes the rows of a batch that have an id.
  func add(
    _ batch: borrowing RecordBatch, _ columns: Columns, of table: Table, numbered tableNumber: Int,
    source: Int
  ) throws(StoreError) {
    var arena: [UInt8] = []
    for row in 0..<batch.rowCount {
      let cells = batch.cells(ofRow: row)
      let bytes = batch.arena
      let id = cells[cells.startIndex + columns.id]
      arena.removeAll(keepingCapacity: true)
      arena.appendPlain(id, type: table.columns[columns.id].type, arena: bytes.span)
      guard !arena.isEmpty else { continue }
      // Bytes are not the text in which an export spells them; no text ends like this.
      if id.kind == .binary { arena.append(0xFF) }
      let idEnd = arena.count
      let seed = foldingSeed ^ UInt64(tableNumber)
      let hash = Int64(bitPattern: spelledHash(arena.span, seed: seed))
      if let place = columns.updatedAt {
        arena.append(
          comparable: cells[cells.startIndex + place], type: table.columns[place].type, bytes.span)
      }
      let timeEnd = arena.count
      let version = columns.version.map { cells[cells.startIndex + $0] } ?? .null
      let versionValue = arena.append(version: version, bytes.span)
      count += 1
      let key = batch.keys[row]
      let number = count
      do {
        try candidates.insert(key: number, arena: arena.span) { place in
          switch place {
          case 0: .integer(Int64(tableNumber))
          case 1: .blob(0..<idEnd)
          case 2: timeEnd > idEnd ? .text(idEnd..<timeEnd) : .null
          case 3: versionValue
          case 4: .integer(Int64(source))
          case 5: .integer(key)
          default: .integer(hash)
          }
        }
      } catch {
        throw StoreError(error, context: Self.context, path: folder)
      }
    }
  }

  /// Decides which row of each item is kept, once all are known.
  ///
  /// An item that is in one source only stays there as it is, twins included.
  ///
  /// - Throws: `StoreError` when there is no room for the decisions.
  func settle() throws(StoreError) {
    try Self.errors(folder) { () throws(SQLiteError) in
      // Numbers in the first column are what the engine sorts fastest.
      var rows = try connection.prepare(
        """
        SELECT t, id, source, "key" FROM candidate
        ORDER BY hash, t, id, updatedAt DESC, version DESC, source, "key"
        """)
      var losers = try connection.prepare("INSERT INTO loser VALUES (?, ?, ?, ?, ?)")
      var item: Item?
      while try rows.step() {
        let (table, source, key) = (rows.integer(at: 0), rows.integer(at: 2), rows.integer(at: 3))
        guard var known = item.take(), known.table == table,
          rows.withBlob(at: 1, { $0.isEqual(to: known.id.span) })
        else {
          item = Item(table: table, id: rows.bytes(at: 1), source: source, key: key)
          continue
        }
        known.rest.append((source, key))
        known.isOnSeveral = known.isOnSeveral || source != known.source
        if known.isOnSeveral {
          for row in known.rest {
            let values = [row.source, table, row.key, known.source, known.key]
            for place in values.indices { try losers.bind(values[place], at: place + 1) }
            try losers.run()
          }
          known.rest.removeAll()
        }
        item = known
      }
      try connection.execute(
        "CREATE INDEX losers ON loser (source, t, \"key\", winnerSource, winnerKey)")
    }
  }

  /// An item while its rows come, the one that is kept first.
  private struct Item {
    let table: Int64
    let id: [UInt8]
    let source: Int64
    let key: Int64
    /// Rows that give way once the item turns out to be on several devices.
    var rest: [(source: Int64, key: Int64)] = []
    var isOnSeveral = false
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
