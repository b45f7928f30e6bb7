/// What the schema says about a table whose rows are searched for.
package struct TableProfile: Sendable {
  /// One stored column.
  package struct Column: Sendable {
    let affinity: Affinity
    let isNotNull: Bool

    /// A column as it was declared.
    package init(affinity: Affinity, isNotNull: Bool) {
      self.affinity = affinity
      self.isNotNull = isNotNull
    }
  }

  /// The table's name, for the account.
  package let name: String
  /// The page where its tree starts; 0 when that is lost.
  let root: UInt32
  let columns: [Column]
  /// The column that stands for the row id and is stored as NULL.
  let rowIDColumn: Int?
  /// Whether the tree is ordered by row ids; else it is one of whole rows, like an index.
  let hasRowIDs: Bool

  /// A table whose records have these columns, in their order.
  package init(
    name: String, root: UInt32, columns: [Column], rowIDColumn: Int?, hasRowIDs: Bool = true
  ) {
    self.name = name
    self.root = root
    self.columns = columns
    self.rowIDColumn = rowIDColumn
    self.hasRowIDs = hasRowIDs
  }

  /// How strange a row would be in this table; nil when it cannot be one of its rows.
  func strangeness(of row: ArraySlice<StoredValue>) -> Int? {
    guard !row.isEmpty, row.count <= columns.count else { return nil }
    // Records written before a column was added are short, which is rare.
    var strangeness = row.count < columns.count ? 1 : 0
    for (column, value) in zip(columns.indices, row) {
      if column == rowIDColumn {
        guard value.kind == .null else { return nil }
        continue
      }
      switch (columns[column].affinity, value.kind) {
      case (_, .null):
        if columns[column].isNotNull { return nil }
      case (.text, .integer), (.text, .real): return nil
      case (.text, .blob), (.real, .text), (.real, .blob), (.integer, .blob), (.numeric, .blob):
        strangeness += 2
      case (.integer, .text), (.numeric, .text): strangeness += 1
      default: break
      }
    }
    return strangeness
  }

  /// A row's values as the engine would give them.
  func values(of row: ArraySlice<StoredValue>, key: Int64) -> [StoredValue] {
    zip(columns.indices, row).map { column, value in
      if column == rowIDColumn { return .integer(key) }
      guard columns[column].affinity == .real, value.kind == .integer else { return value }
      return .real(Double(value.integer))
    }
  }
}
