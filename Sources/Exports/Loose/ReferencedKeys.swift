import Bytes
package import Records
package import SQLite

/// The rows of tables by what tells them apart, for references that name it.
///
/// They are kept in a database that has no name, on disk where there are many.
package final class ReferencedKeys {
  private let connection: Connection
  private var insertion: BulkInsert
  private var search: Statement?
  private var idSearch: Statement?
  private let folder: String
  private var count: Int64 = 0
  private var tables: Int64 = 0

  /// Knows no rows yet.
  package init(temporaryFolder: String, _ interruption: Interruption) throws(StoreError) {
    folder = temporaryFolder
    let connection = try scratchDatabase(
      #"CREATE TABLE item (n INTEGER PRIMARY KEY, t, id, "key")"#, folder, interruption)
    insertion = try storeErrors(path: folder) { () throws(SQLiteError) in
      try BulkInsert(into: "item", valueCount: 3, of: connection)
    }
    self.connection = connection
  }

  /// Takes the rows of a table, told apart by a column, or by their keys where there is none.
  ///
  /// - Returns: the number of the table among those that are known here.
  /// - Throws: `StoreError` when the rows cannot be read, or there is no room.
  package func add(
    _ reader: any StoreReader, table: Int, column: Int?
  ) throws(StoreError) -> Int {
    search = nil
    idSearch = nil
    tables += 1
    let type = column.map { reader.catalogue.tables[table].columns[$0].type }
    let wanted = WantedCells(Set([column].compactMap(\.self)))
    var id: [UInt8] = []
    try reader.forEachBatch(inTable: table, wanting: wanted) { (batch) throws(StoreError) in
      for (row, key) in batch.keys.enumerated() {
        id.removeAll(keepingCapacity: true)
        if let column, let type {
          id.append(itemID: batch.cells[row * batch.columnCount + column], type, batch.arena)
        } else {
          id.appendDecimal(key)
        }
        guard !id.isEmpty else { continue }
        try insert(id, key: key)
      }
    }
    return Int(tables)
  }

  private func insert(_ id: [UInt8], key: Int64) throws(StoreError) {
    count += 1
    let (number, table) = (count, tables)
    try storeErrors(path: folder) { () throws(SQLiteError) in
      try insertion.insert(key: number, arena: id.span) { place in
        switch place {
        case 0: .integer(table)
        case 1: .blob(0..<id.count)
        default: .integer(key)
        }
      }
    }
  }

  /// The key of the first row of a table with an id, and whether others have it, too; nil where none
  /// has it.
  ///
  /// - Throws: `StoreError` when the rows cannot be searched.
  package func key(
    of id: [UInt8], inTable table: Int
  ) throws(StoreError) -> (first: Int64, isShared: Bool)? {
    try storeErrors(path: folder) { () throws(SQLiteError) in
      if search == nil {
        try connection.execute(#"CREATE INDEX IF NOT EXISTS items ON item (t, id, "key")"#)
        search = try connection.prepare(
          #"SELECT "key" FROM item WHERE t = ? AND id = ? ORDER BY "key" LIMIT 2"#)
      }
      try search?.bind(Int64(table), at: 1)
      try search?.bind(blob: id, at: 2)
      defer { search?.reset() }
      guard try search?.step() == true, let first = search?.integer(at: 0) else { return nil }
      return (first, isShared: try search?.step() == true)
    }
  }

  /// What tells the row of a table with a key apart from others; nil where there is none.
  ///
  /// - Throws: `StoreError` when the rows cannot be searched.
  package func id(of key: Int64, inTable table: Int) throws(StoreError) -> [UInt8]? {
    try storeErrors(path: folder) { () throws(SQLiteError) in
      if idSearch == nil {
        try connection.execute(#"CREATE INDEX IF NOT EXISTS keys ON item (t, "key", id)"#)
        idSearch = try connection.prepare(#"SELECT id FROM item WHERE t = ? AND "key" = ?"#)
      }
      try idSearch?.bind(Int64(table), at: 1)
      try idSearch?.bind(key, at: 2)
      defer { idSearch?.reset() }
      return try idSearch?.step() == true ? idSearch?.bytes(at: 0) : nil
    }
  }
}

extension [UInt8] {
  /// Appends an id as all types of columns spell it: `1` whether it is a text or a number.
  mutating func append(itemID cell: Cell, _ type: LogicalType, _ arena: [UInt8]) {
    // Tables with empty fields often have whole numbers as `1.0`.
    if cell.kind == .real, let whole = Int64(exactly: cell.real) { return appendDecimal(whole) }
    appendPlain(cell, type: type, arena: arena.span)
  }
}
