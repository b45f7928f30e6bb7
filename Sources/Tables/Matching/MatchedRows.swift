import Bytes
import Records
import SQLite
import SQLiteFile

/// The rows of a part of a table that operations name.
struct MatchedRows {
  private let items: NamedItems
  private let operations: OperationList
  /// The columns of id and then versions, of which the first that is not empty counts.
  private let columns: [Int]
  private(set) var rows: [Row] = []
  /// The hashes of the ids of a batch.
  private var hashes: [UInt64] = []
  /// The rows of it that operations may name.
  private var candidates: [Int] = []
  private(set) var versions: [UInt8] = []

  struct Row {
    let key: Int64
    let match: NamedItems.Match
    /// Where its version is; empty where it has none, or no operation takes it.
    let version: Range<Int>
  }

  init(_ items: NamedItems, of operations: OperationList, columns: [Int]) {
    self.items = items
    self.operations = operations
    self.columns = columns
  }

  /// Whether so many rows were added that they should be taken up before there are more.
  var isLong: Bool { rows.count >= 1 << 13 }

  /// Forgets the rows, once they were taken up.
  mutating func removeAll() {
    rows.removeAll(keepingCapacity: true)
    versions.removeAll(keepingCapacity: true)
  }

  /// Adds the rows of a batch that operations name, and their places to others.
  ///
  /// What rows are looked up in is too long to stay at hand, so for all of them it is asked for
  /// before.
  mutating func addBatch(of row: inout PageRow, _ places: inout [Int]) {
    let items = items
    hashes.removeAll(keepingCapacity: true)
    candidates.removeAll(keepingCapacity: true)
    for index in row.batch.keys.indices {
      row.start = index &* row.batch.columnCount
      let hash = row.withID(at: columns[0]) { items.hash($0) } ?? 0
      items.prepareFilter(for: hash)
      hashes.append(hash)
    }
    for (index, hash) in hashes.enumerated() where items.mayHold(hash) {
      items.prepare(for: hash)
      candidates.append(index)
    }
    for index in candidates {
      row.start = index &* row.batch.columnCount
      if add(row, key: row.batch.keys[index], hash: hashes[index]) { places.append(index) }
    }
  }

  /// Adds a row if operations name it, and tells whether they do.
  mutating func add(_ row: borrowing some StoredRow & ~Copyable, key: Int64) -> Bool {
    let hash = row.withID(at: columns[0]) { items.hash($0) } ?? 0
    return items.mayHold(hash) && add(row, key: key, hash: hash)
  }

  private mutating func add(
    _ row: borrowing some StoredRow & ~Copyable, key: Int64, hash: UInt64
  ) -> Bool {
    guard let match = match(row, hash) else { return false }
    let version = match.takesVersion ? appendVersion(of: row) : 0..<0
    rows.append(Row(key: key, match: match, version: version))
    return true
  }

  /// The operations that name a row, asked for without a change of this value, for which the list of
  /// operations would be copied.
  private func match(
    _ row: borrowing some StoredRow & ~Copyable, _ hash: UInt64
  ) -> NamedItems.Match? {
    row.withID(at: columns[0]) { items.match($0, hash, in: operations) } ?? nil
  }

  /// Appends the first version that is UTF-8 and not empty.
  private mutating func appendVersion(
    of row: borrowing some StoredRow & ~Copyable
  ) -> Range<Int> {
    let start = versions.count
    for column in columns.dropFirst() where row.storageClass(at: column) == .text {
      row.withText(at: column) { text in
        if isValidUTF8(text) { versions.append(text) }
      }
      if versions.count > start { break }
    }
    return start..<versions.count
  }
}

extension StoredRow where Self: ~Copyable {
  /// Lends the id in a column; nil when it holds none.
  fileprivate func withID<Result>(
    at column: Int, _ body: (Span<UInt8>) -> Result
  ) -> Result? {
    switch storageClass(at: column) {
    case .text: withText(at: column, body)
    case .integer: body(String(integer(at: column)).utf8Span.span)
    case .real, .blob, .null: nil
    }
  }
}
