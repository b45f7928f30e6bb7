import Bytes
package import Records
package import SQLite
package import SQLiteFile

/// Loads one table that is empty: page by page while the keys ascend, then row by row.
package struct TableLoad: ~Copyable {
  private let table: String
  private let valueCount: Int
  private let hasKeyColumn: Bool
  private var tree: TreeBuilder
  private let indexedColumn: Int
  private var index: IndexSort?
  /// Cells that were written, to be made again.
  private var cells: RowCells?

  /// Begins to load a table with a key and `valueCount` other columns, of which one may be indexed;
  /// tables that are loaded side by side share the room in which their indexes are sorted.
  ///
  /// - Parameter hasKeyColumn: whether the key is the first column, and not only the row's number.
  /// - Throws: `StoreError` when there is no such table.
  package init(
    _ table: String, valueCount: Int, hasKeyColumn: Bool = true, indexed column: Int? = nil,
    sharing room: IndexRoom? = nil, into file: inout StoreFile
  ) throws(StoreError) {
    try file.useEngine()
    let root = try storeErrors { () throws(SQLiteError) in
      try file.root(ofTable: table)
    }
    guard let root else { throw StoreError(.internalError, "the table \(table) was not made") }
    self.table = table
    self.valueCount = valueCount
    self.hasKeyColumn = hasKeyColumn
    indexedColumn = column ?? 0
    index = column == nil ? nil : IndexSort(sharing: room)
    tree = TreeBuilder(root: root)
  }

  /// Adds the rows of a batch, of which the cells may have been made before.
  ///
  /// - Returns: how many rows the file took.
  /// - Throws: `StoreError` when a row is too large, its key is taken, or it cannot be written.
  package mutating func insert(
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
  package mutating func finish(_ file: inout StoreFile) throws(StoreError) {
    guard !isFinished else { return }
    isFinished = true
    guard tree.lastKey != nil else { return }
    try file.usePages { (pages) throws(StoreError) in try tree.finish(&pages) }
  }

  /// Makes the rows a part of the table, with the index `name`, which `create` declares.
  package mutating func finish(
    _ file: inout StoreFile, index name: String,
    _ create: (borrowing Connection) throws(SQLiteError) -> Void
  ) throws(StoreError) {
    let entries = try takeEntries(&file)
    // Until it is told of the rows, the engine has nothing to sort.
    if entries == nil { try finish(&file) }
    try file.useEngine()
    try storeErrors { () throws(SQLiteError) in try create(file.connection) }
    guard let entries else { return }
    _ = try fill(name, with: entries, notingTwins: false, &file)
  }

  /// Makes the rows a part of the table, with its index `name`, which is there and without entries.
  ///
  /// - Returns: the rows that share their key with others, those of a key in their order; nil where
  ///   they are too many to be told, or the index could not be filled.
  package mutating func finish(
    _ file: inout StoreFile, filling name: String
  ) throws(StoreError) -> [Int64]? {
    guard let entries = try takeEntries(&file) else {
      try finish(&file)
      return nil
    }
    try file.useEngine()
    return try fill(name, with: entries, notingTwins: true, &file)
  }

  /// The most rows that are told to share their keys.
  private static let mostTwins = 1 << 20

  private mutating func takeEntries(
    _ file: inout StoreFile
  ) throws(StoreError) -> IndexMerge? {
    var usableSize = 0
    try file.usePages { (pages) throws(StoreError) in usableSize = pages.usableSize }
    return index.take()?.finish(usableSize: usableSize)
  }

  /// Makes the rows a part of the table, and the entries one of its index, while the engine writes.
  private mutating func fill(
    _ name: String, with entries: IndexMerge, notingTwins: Bool, _ file: inout StoreFile
  ) throws(StoreError) -> [Int64]? {
    let root = try storeErrors { () throws(SQLiteError) in
      try file.root(ofIndex: name)
    }
    guard let root else { throw StoreError(.internalError, "the index \(name) was not made") }
    try finish(&file)
    var twins: [Int64]? = []
    try file.usePages { (pages) throws(StoreError) in
      var tree = IndexTree(root: root)
      try entries.forEachPiece(notingTwins: notingTwins) { (piece) throws(StoreError) in
        twins?.append(contentsOf: piece.twins)
        if twins?.count ?? 0 > Self.mostTwins { twins = nil }
        try tree.append(piece, to: &pages)
      }
      try tree.finish(&pages)
    }
    return twins
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
      var own =
        cells.take() ?? RowCells(usableSize: pages.usableSize, hasKeyColumn: hasKeyColumn)
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
