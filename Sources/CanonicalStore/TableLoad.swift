import Bytes
import Records
import SQLite

/// Loads one table that is empty: page by page while the keys ascend, then row by row.
struct TableLoad {
  private let table: String
  private let valueCount: Int
  private var tree: TreeBuilder

  /// Begins to load a table with a key and `valueCount` other columns.
  ///
  /// - Throws: `StoreError` when there is no such table.
  init(
    _ table: String, valueCount: Int, into file: inout StoreFile
  ) throws(StoreError) {
    try file.useEngine()
    self.table = table
    self.valueCount = valueCount
    let root = try storeErrors { () throws(SQLiteError) in
      var statement = try file.connection.prepare(
        "SELECT rootpage FROM sqlite_schema WHERE type = 'table' AND name = ?")
      try statement.bind(table, at: 1)
      return try statement.step() ? UInt32(exactly: statement.integer(at: 0)) : nil
    }
    guard let root else { throw StoreError(.internalError, "the table \(table) was not made") }
    tree = TreeBuilder(root: root)
  }

  /// Adds the rows of a batch.
  ///
  /// - Returns: how many rows the file took.
  /// - Throws: `StoreError` when a row is too large, its key is taken, or it cannot be written.
  mutating func insert(
    _ batch: borrowing RecordBatch, into file: inout StoreFile
  ) throws(StoreError) -> Int {
    var row = 0
    if !isFinished {
      try file.usePages { (pages) throws(StoreError) in
        row = try appendAscending(batch, &pages)
      }
    }
    guard row < batch.rowCount else { return row }
    try finish(&file)
    try file.useEngine()
    let table = table
    let valueCount = valueCount
    return row
      + (try storeErrors { () throws(SQLiteError) in
        var insert = try BulkInsert(into: table, valueCount: valueCount, of: file.connection)
        return try insert.insert(batch, from: row)
      })
  }

  /// Makes the rows a part of the table.
  ///
  /// - Throws: `StoreError` when they cannot be written.
  mutating func finish(_ file: inout StoreFile) throws(StoreError) {
    guard !isFinished else { return }
    isFinished = true
    guard tree.lastKey != nil else { return }
    try file.usePages { (pages) throws(StoreError) in try tree.finish(&pages) }
  }

  private var isFinished = false

  /// Adds rows up to the first whose key is not above all others, and tells its place.
  private mutating func appendAscending(
    _ batch: borrowing RecordBatch, _ pages: inout PageFile
  ) throws(StoreError) -> Int {
    let cells = batch.cells
    let arena = batch.arena
    let width = batch.columnCount
    for row in 0..<batch.rowCount {
      let key = batch.keys[row]
      if let last = tree.lastKey, key <= last { return row }
      let first = row &* width
      try tree.append(
        key: key, cells: cells[first..<first &+ width], arena: arena.span, to: &pages)
    }
    return batch.rowCount
  }
}
