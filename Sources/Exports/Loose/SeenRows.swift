import Bytes
import Records
import SQLite

/// What was found among the rows of pages.
struct RepeatedRows {
  /// The keys of rows that came before just as they are.
  fileprivate(set) var keys: [Int64] = []
  /// How many rows share their id with another one.
  fileprivate(set) var twins = 0
}

/// The rows of pages that were met, to find those that come once more.
///
/// They are kept in a database that has no name, on disk where there are many.
final class SeenRows {
  private let connection: Connection
  private var search: Statement
  private var insertion: Statement
  private let folder: String
  private let id: Int
  private let type: LogicalType
  /// What was found so far.
  private(set) var found = RepeatedRows()
  private var itemID: [UInt8] = []
  private var content: [UInt8] = []

  /// Has met none yet of a table whose rows have an id.
  init?(
    of table: Table, temporaryFolder: String, _ interruption: Interruption
  ) throws(StoreError) {
    guard let id = table.index(of: .id) else { return nil }
    folder = temporaryFolder
    self.id = id
    type = table.columns[id].type
    let connection = try scratchDatabase(
      "CREATE TABLE seen (id, hash, PRIMARY KEY (id, hash)) WITHOUT ROWID", folder, interruption)
    search = try storeErrors(path: folder) { () throws(SQLiteError) in
      try connection.prepare("SELECT 1 FROM seen WHERE id = ? LIMIT 1")
    }
    insertion = try storeErrors(path: folder) { () throws(SQLiteError) in
      try connection.prepare("INSERT OR IGNORE INTO seen VALUES (?, ?)")
    }
    self.connection = connection
  }

  /// Takes those rows out of a batch that came before just as they are.
  func keepNew(of batch: inout RecordBatch) throws(StoreError) {
    var rejects = RejectCursor(batch)
    var old: Set<Int> = []
    for row in 0..<batch.rowCount {
      let isWhole = rejects.rejects(ofRow: row).isEmpty
      guard try isNew(row, of: batch, isWhole: isWhole) == false else { continue }
      old.insert(row)
      found.keys.append(batch.keys[row])
    }
    guard !old.isEmpty else { return }
    var kept = RecordBatch(columnCount: batch.columnCount)
    rejects = RejectCursor(batch)
    for row in 0..<batch.rowCount {
      let own = rejects.rejects(ofRow: row)
      if !old.contains(row) { kept.append(row: row, of: batch, rejects: own) }
    }
    batch = kept
  }

  /// Whether no row before it was just as it is; what was rejected is no part of a row any more, so
  /// one that is not whole is like no other, but has its id all the same.
  private func isNew(
    _ row: Int, of batch: borrowing RecordBatch, isWhole: Bool
  ) throws(StoreError) -> Bool {
    let cells = batch.cells(ofRow: row)
    let arena = batch.arena
    itemID.removeAll(keepingCapacity: true)
    itemID.appendPlain(cells[cells.startIndex + id], type: type, arena: arena.span)
    guard !itemID.isEmpty else { return true }
    content.removeAll(keepingCapacity: true)
    for cell in cells { content.append(cell, arena: arena.span) }
    var hash = SHA256()
    hash.update(content.span)
    let digest = isWhole ? hash.finish().hexadecimal : "row \(batch.keys[row])"
    return try storeErrors(path: folder) { () throws(SQLiteError) in
      try insertion.bind(blob: itemID, at: 1)
      try insertion.bind(digest, at: 2)
      try search.bind(blob: itemID, at: 1)
      defer { search.reset() }
      let isKnown = try search.step()
      try insertion.run()
      guard connection.changes > 0 else { return false }
      if isKnown { found.twins += 1 }
      return true
    }
  }
}

/// A database that has no name and goes with whoever has it.
func scratchDatabase(
  _ schema: String, _ folder: String, _ interruption: Interruption
) throws(StoreError) -> Connection {
  try storeErrors("rows cannot be compared", path: folder) { () throws(SQLiteError) in
    let connection = try Connection(scratchInMemory: false)
    connection.watch(interruption)
    try connection.execute(
      """
      PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -8192;
      PRAGMA temp_store = FILE; BEGIN; \(schema)
      """)
    return connection
  }
}
