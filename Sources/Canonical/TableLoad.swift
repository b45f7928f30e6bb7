import Bytes
import Records
import SQLite
import SQLiteFile

/// Loads one table that is empty: page by page while the keys ascend, then row by row.
struct TableLoad: ~Copyable {
  private let table: String
  private let valueCount: Int
  private var tree: TreeBuilder
  private let indexedColumn: Int
  private var index: IndexSort?
  /// Cells that were written, to be made again.
  private var cells: RowCells?

  /// Begins to load a table with a key and `valueCount` other columns, of which one may be indexed;
  /// tables that are loaded side by side share the room in which their indexes are sorted.
  ///
  /// - Throws: `StoreError` when there is no such table.
  init(
    _ table: String, valueCount: Int, indexed column: Int? = nil, sharing room: IndexRoom? = nil,
    into file: inout StoreFile
  ) throws(StoreError) {
    try file.useEngine()
    let root = try storeErrors { () throws(SQLiteError) in
      try file.connection.rootPage(of: "table", named: table)
    }
    guard let root else { throw StoreError(.internalError, "the table \(table) was not made") }
    self.table = table
    self.valueCount = valueCount
    indexedColumn = column ?? 0
    index = column == nil ? nil : IndexSort(sharing: room)
    tree = TreeBuilder(root: root)
  }

  /// Begins to load a table of the bookkeeping, of which the key is no column of the batches.
  init(_ table: RecordTable<some Sendable>, into file: inout StoreFile) throws(StoreError) {
    try self.init(
      table.name, valueCount: table.fields.count - table.key.count, into: &file)
  }

  /// Adds the rows of a batch, of which the cells may have been made before.
  ///
  /// - Returns: how many rows the file took.
  /// - Throws: `StoreError` when a row is too large, its key is taken, or it cannot be written.
  mutating func insert(
    _ batch: borrowing RecordBatch, encodedAs cells: RowCells? = nil, into file: inout StoreFile
  ) throws(StoreError) -> Int {
    var row = 0
    if !isFinished {
      try file.usePages { (pages) throws(StoreError) in
        row = try appendAscending(batch, cells, &pages)
      }
    }
    guard row < batch.rowCount else { return row }
    index = nil
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
  mutating func finish(_ file: inout StoreFile) throws(StoreError) {
    guard !isFinished else { return }
    isFinished = true
    guard tree.lastKey != nil else { return }
    try file.usePages { (pages) throws(StoreError) in try tree.finish(&pages) }
  }

  /// Makes the rows a part of the table, with the index `name`, which `create` declares.
  mutating func finish(
    _ file: inout StoreFile, index name: String,
    _ create: (borrowing Connection) throws(SQLiteError) -> Void
  ) throws(StoreError) {
    var usableSize = 0
    try file.usePages { (pages) throws(StoreError) in usableSize = pages.usableSize }
    let sorted = index.take()?.finish(usableSize: usableSize)
    // Until it is told of the rows, the engine has nothing to sort.
    if sorted == nil { try finish(&file) }
    try file.useEngine()
    let root = try storeErrors { () throws(SQLiteError) in
      try create(file.connection)
      return try file.connection.rootPage(of: "index", named: name)
    }
    guard let entries = sorted else { return }
    guard let root else { throw StoreError(.internalError, "the index \(name) was not made") }
    try finish(&file)
    try file.usePages { (pages) throws(StoreError) in
      var tree = IndexTree(root: root)
      try entries.forEachPiece { (piece) throws(StoreError) in try tree.append(piece, to: &pages) }
      try tree.finish(&pages)
    }
  }

  private var isFinished = false

  /// Adds rows up to the first whose key is not above all others, and tells its place.
  private mutating func appendAscending(
    _ batch: borrowing RecordBatch, _ encoded: RowCells?, _ pages: inout GrowingPages
  ) throws(StoreError) -> Int {
    let count = ascendingRows(of: batch)
    guard count > 0 else { return 0 }
    if let encoded, encoded.usableSize == pages.usableSize {
      try tree.append(encoded, keys: batch.keys[..<count], to: &pages)
    } else {
      var own = cells.take() ?? RowCells(usableSize: pages.usableSize)
      try own.encode(batch)
      try tree.append(own, keys: batch.keys[..<count], to: &pages)
      cells = own
    }
    guard index != nil else { return count }
    let (values, arena) = (batch.cells, batch.arena)
    for row in 0..<count {
      index?.add(
        values[row &* batch.columnCount &+ indexedColumn], arena: arena.span, row: batch.keys[row])
    }
    return count
  }

  private func ascendingRows(of batch: borrowing RecordBatch) -> Int {
    var last = tree.lastKey
    for row in 0..<batch.rowCount {
      let key = batch.keys[row]
      if let last, key <= last { return row }
      last = key
    }
    return batch.rowCount
  }
}
