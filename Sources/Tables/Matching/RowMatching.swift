/// Finds the rows of one table that operations name, while it is read.
package struct RowMatching: Sendable {
  private let attachment: RowAttachment
  private let candidate: Int
  private let items: [NamedItems]
  private let columns: [Int]

  init(_ attachment: RowAttachment, candidate: Int, _ items: [NamedItems], columns: [Int]) {
    self.attachment = attachment
    self.candidate = candidate
    self.items = items
    self.columns = columns
  }

  func makeNotes() -> Notes {
    let operations = attachment.operations
    // Rows that are read once more, when all is settled, are nobody's.
    let wanted = operations.isEmpty ? [] : items
    return Notes(
      naming: self, rows: wanted.map { MatchedRows($0, of: operations, columns: columns) })
  }

  struct Notes {
    fileprivate let naming: RowMatching
    fileprivate var rows: [MatchedRows]
    /// The places of those rows of the last batch that operations name, in their order.
    private(set) var named: [Int] = []

    fileprivate init(naming: RowMatching, rows: [MatchedRows]) {
      self.naming = naming
      self.rows = rows
    }

    /// Notes the rows of a batch.
    mutating func addBatch(of row: inout PageRow) {
      named.removeAll(keepingCapacity: true)
      for name in rows.indices { rows[name].addBatch(of: &row, &named) }
      guard rows.count > 1 else { return }
      // A row may be named by operations on several tables.
      named = Set(named).sorted()
    }

    /// Notes a row, and tells whether operations name it.
    mutating func add(_ row: borrowing some StoredRow & ~Copyable, key: Int64) -> Bool {
      var isNamed = false
      for name in rows.indices where rows[name].add(row, key: key) {
        isNamed = true
        if rows[name].isLong { tie(name) }
      }
      return isNamed
    }

    /// Ties operations to what was noted, where a table is long and read in one part.
    private mutating func tie(_ name: Int) {
      naming.attachment.tie(rows[name], candidate: naming.candidate)
      rows[name].removeAll()
    }

    /// Ties operations to what was noted.
    consuming func finish() {
      for rows in rows { naming.attachment.tie(rows, candidate: naming.candidate) }
    }

    /// The same, at the end of one of several parts.
    consuming func finish(part: Int, of count: Int) {
      let naming = naming
      finish()
      naming.attachment.note(part: part, of: count, candidate: naming.candidate)
    }
  }
}
