import Bytes
import Records
import SQLite

/// Rows whose ids operations may name.
struct NamedRows: Sendable {
  private let wanted: RowAttachment.Wanted
  /// The columns of id and then versions, of which the first that is not empty counts.
  private let columns: [Int]
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

  /// No rows yet of those that some operations want.
  init(_ wanted: RowAttachment.Wanted, columns: [Int]) {
    self.wanted = wanted
    self.columns = columns
  }

  /// Adds a row if an operation may name it.
  mutating func add(_ row: borrowing some StoredRow & ~Copyable, key: Int64) {
    guard let hash = Self.hash(ofID: row, at: columns[0], seed: wanted.seed),
      wanted.filter.mayContain(hash), let id = append(idOf: row, at: columns[0])
    else { return }
    var version: Range<Int>?
    for column in columns.dropFirst() where version == nil {
      version = append(row, at: column).flatMap { $0.isEmpty ? nil : $0 }
    }
    rows.append(Row(hash: hash, key: key, id: id, version: version))
  }

  /// Calls `body` with each row and each operation whose item may be the row's.
  func forEachPair(_ body: (Row, _ operation: Int) -> Void) {
    for row in rows {
      wanted.places.forEach(row.hash) { operation in
        body(row, operation)
        return false
      }
    }
  }

  private mutating func append(
    idOf row: borrowing some StoredRow & ~Copyable, at column: Int
  ) -> Range<Int>? {
    guard row.storageClass(at: column) == .integer else { return append(row, at: column) }
    let start = bytes.count
    bytes.appendDecimal(row.integer(at: column))
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
    ofID row: borrowing some StoredRow & ~Copyable, at column: Int, seed: UInt64
  ) -> UInt64? {
    switch row.storageClass(at: column) {
    case .text: row.withText(at: column) { foldedHash($0, seed: seed) }
    case .integer: foldedHash(String(row.integer(at: column)).utf8Span.span, seed: seed)
    case .real, .blob, .null: nil
    }
  }
}
