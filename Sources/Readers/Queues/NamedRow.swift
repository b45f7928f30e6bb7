import Bytes
import Pages
import Records
import SQLite

/// A row whose id operations may name.
struct NamedRow: Sendable {
  /// The hash of the id.
  let hash: UInt64
  let key: Int64
  let id: String
  /// The version, where the row has one.
  let version: String?

  /// The row of id and then versions, of which the first that is not NULL counts; nil when no
  /// operation names it.
  init?(
    _ row: borrowing some StoredRow & ~Copyable, key: Int64, columns: Int, in places: HashPlaces
  ) {
    guard let hash = Self.hash(ofID: row, seed: places.seed), places.contains(hash),
      let id = row.itemID(at: 1)
    else { return nil }
    self.hash = hash
    self.key = key
    self.id = id
    var version: String?
    for column in 0..<max(0, columns &- 1) where version == nil {
      version = row.strictText(at: column &+ 2).flatMap { $0.isEmpty ? nil : $0 }
    }
    self.version = version
  }

  /// The hash of a row's id without a copy; nil when the column holds none.
  private static func hash(
    ofID row: borrowing some StoredRow & ~Copyable, seed: UInt64
  ) -> UInt64? {
    switch row.storageClass(at: 1) {
    case .text: row.withText(at: 1) { foldedHash($0, seed: seed) }
    case .integer: foldedHash(String(row.integer(at: 1)).utf8Span.span, seed: seed)
    case .real, .blob, .null: nil
    }
  }
}

extension RowAttachment.Candidate {
  /// Finds the rows that operations may name, in key order, on several threads where that works.
  ///
  /// - Throws: `StoreError` when the store cannot be read.
  func forEachRow(
    in places: HashPlaces, _ database: borrowing SourceDatabase, _ body: (NamedRow) -> Void
  ) throws(StoreError) {
    guard let parts = try database.parts(of: rows) else {
      return try storeErrors("the queue cannot be read", path: database.files.main.path) {
        () throws(SQLiteError) in
        try forEachRowOfStatement(in: places, database.connection, body)
      }
    }
    let columns = rows.columns.count
    var work = OrderedWork<Int, Result<[NamedRow], StoreError>>(threads: processorCount()) {
      { part, emit in _ = emit(parts.namedRows(ofPart: part, columns: columns, in: places)) }
    }
    for part in 0..<parts.count {
      try work.put(part) { (found) throws(StoreError) in try found.get().forEach(body) }
    }
    try work.finish { (found) throws(StoreError) in try found.get().forEach(body) }
  }

  private func forEachRowOfStatement(
    in places: HashPlaces, _ connection: borrowing Connection, _ body: (NamedRow) -> Void
  ) throws(SQLiteError) {
    var statement = try connection.prepare(rows.selection)
    var number: Int64 = 0
    while try statement.step() {
      number &+= 1
      let key = rows.key == nil ? number : statement.integer(at: 0)
      if let row = NamedRow(statement, key: key, columns: rows.columns.count, in: places) {
        body(row)
      }
    }
  }
}

extension PageParts {
  /// The rows of a part that operations may name.
  fileprivate func namedRows(
    ofPart part: Int, columns: Int, in places: HashPlaces
  ) -> Result<[NamedRow], StoreError> {
    var found: [NamedRow] = []
    var row = makeRow()
    do throws(StoreError) {
      try forEachStoredBatch(ofPart: part, into: &row) { row in
        for index in 0..<row.batch.rowCount {
          row.start = index &* row.batch.columnCount
          let key = row.batch.keys[index]
          if let row = NamedRow(row, key: key, columns: columns, in: places) { found.append(row) }
        }
      }
      return .success(found)
    } catch {
      return .failure(error)
    }
  }
}
