import Records

/// Finds the rows of one table that operations name, while it is read.
struct RowNaming: Sendable {
  private let attachment: RowAttachment
  private let candidate: Int
  /// No rows yet, for each name of the table.
  private let blank: [NamedRows]

  init(
    _ attachment: RowAttachment, candidate: Int, _ wanted: [RowAttachment.Wanted], columns: [Int]
  ) {
    self.attachment = attachment
    self.candidate = candidate
    blank = wanted.map { NamedRows($0, columns: columns) }
  }

  /// What notes the rows of one part.
  func makeNotes() -> Notes { Notes(naming: self, rows: blank) }

  /// The rows of one part that operations name.
  struct Notes {
    fileprivate let naming: RowNaming
    fileprivate var rows: [NamedRows]

    /// Notes a row.
    mutating func add(_ row: borrowing some StoredRow & ~Copyable, key: Int64) {
      for name in rows.indices { rows[name].add(row, key: key) }
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
