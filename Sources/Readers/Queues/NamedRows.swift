import Bytes
import Records
import SQLite

/// Rows whose ids operations may name.
struct NamedRows: Sendable {
  private(set) var rows: [Row] = []
  /// The ids and versions, one behind the other.
  private(set) var bytes: [UInt8] = []

  /// One of them.
  struct Row: Sendable {
    /// The hash of the id.
    let hash: UInt64
    let key: Int64
    /// Where the id is among the bytes.
    let id: Range<Int>
    /// Where the version is, where the row has one.
    let version: Range<Int>?
  }

  /// Adds the row of id and then versions, of which the first that is not empty counts, if an
  /// operation may name it.
  mutating func add(
    _ row: borrowing some StoredRow & ~Copyable, key: Int64, columns: Int, in places: HashPlaces
  ) {
    guard let hash = Self.hash(ofID: row, seed: places.seed), places.contains(hash),
      let id = append(idOf: row)
    else { return }
    var version: Range<Int>?
    for column in 0..<max(0, columns &- 1) where version == nil {
      version = append(row, at: column &+ 2).flatMap { $0.isEmpty ? nil : $0 }
    }
    rows.append(Row(hash: hash, key: key, id: id, version: version))
  }

  /// Forgets all rows.
  mutating func removeAll() {
    rows.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
  }

  private mutating func append(idOf row: borrowing some StoredRow & ~Copyable) -> Range<Int>? {
    guard row.storageClass(at: 1) == .integer else { return append(row, at: 1) }
    let start = bytes.count
    bytes.appendDecimal(row.integer(at: 1))
    return start..<bytes.count
  }

  /// Appends a text that is UTF-8; nil for anything else.
  private mutating func append(
    _ row: borrowing some StoredRow & ~Copyable, at column: Int
  ) -> Range<Int>? {
    guard row.storageClass(at: column) == .text else { return nil }
    return row.withText(at: column) { text in
      guard isValidUTF8(text) else { return nil }
      let start = bytes.count
      bytes.append(text)
      return start..<bytes.count
    }
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
  func forEachNamedRows(
    in places: HashPlaces, _ database: borrowing SourceDatabase, _ body: (NamedRows) -> Void
  ) throws(StoreError) {
    guard let parts = try database.parts(of: rows) else {
      return try storeErrors("the queue cannot be read", path: database.files.main.path) {
        () throws(SQLiteError) in
        try forEachNamedRowsOfStatement(in: places, database.connection, body)
      }
    }
    let columns = rows.columns.count
    var work = OrderedWork<Int, Result<NamedRows, StoreError>>(threads: processorCount()) {
      var row = parts.makeRow()
      return { part, emit in
        _ = emit(parts.namedRows(ofPart: part, using: &row, columns: columns, in: places))
      }
    }
    for part in 0..<parts.count {
      try work.put(part) { (found) throws(StoreError) in body(try found.get()) }
    }
    try work.finish { (found) throws(StoreError) in body(try found.get()) }
  }

  private func forEachNamedRowsOfStatement(
    in places: HashPlaces, _ connection: borrowing Connection, _ body: (NamedRows) -> Void
  ) throws(SQLiteError) {
    var statement = try connection.prepare(rows.selection)
    var found = NamedRows()
    var number: Int64 = 0
    while try statement.step() {
      number &+= 1
      let key = rows.key == nil ? number : statement.integer(at: 0)
      found.add(statement, key: key, columns: rows.columns.count, in: places)
      guard found.rows.count == Self.batchSize else { continue }
      body(found)
      found.removeAll()
    }
    body(found)
  }

  /// How many rows of a statement are told at a time.
  private static var batchSize: Int { 256 }
}

extension PageParts {
  /// The rows of a part that operations may name.
  fileprivate func namedRows(
    ofPart part: Int, using row: inout PageRow, columns: Int, in places: HashPlaces
  ) -> Result<NamedRows, StoreError> {
    var found = NamedRows()
    do throws(StoreError) {
      try forEachStoredRow(ofPart: part, using: &row) { (row, key) in
        found.add(row, key: key, columns: columns, in: places)
        return true
      }
      return .success(found)
    } catch {
      return .failure(error)
    }
  }
}
