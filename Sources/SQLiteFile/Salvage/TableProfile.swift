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
  package let rowIDColumn: Int?
  /// Whether the tree is ordered by row ids; else it is one of whole rows, like an index.
  package let hasRowIDs: Bool

  /// Whether a row shows anything by fitting: a table whose columns have no types takes every row.
  var isSelective: Bool {
    columns.indices.contains { $0 != rowIDColumn && columns[$0].affinity != .blob }
  }

  /// The places of the columns in a record.
  package var columnPlaces: Range<Int> { columns.indices }

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

  /// Whether the table's own tree may lead to a row like this; it may have a NULL where none should be.
  func mayHold(_ row: ArraySlice<StoredValue>) -> Bool {
    strangeness(of: row, mayLackValues: true) != nil
  }

  /// How strange a row would be in this table; nil when it cannot be one of its rows.
  func strangeness(of row: ArraySlice<StoredValue>, mayLackValues: Bool = false) -> Int? {
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
        if columns[column].isNotNull, !mayLackValues { return nil }
      case (.text, .integer), (.text, .real): return nil
      case (.text, .blob), (.real, .text), (.real, .blob), (.integer, .blob), (.numeric, .blob):
        strangeness += 2
      case (.integer, .text), (.numeric, .text): strangeness += 1
      default: break
      }
    }
    return strangeness
  }
}

/// The row ids that a part of a tree may hold: above one bound and not above the other.
struct KeyRange: Equatable {
  /// All keys are larger; nil when there is no bound.
  var lower: Int64?
  /// No key is larger; nil when there is no bound.
  var upper: Int64?

  /// Every row id.
  static let all = KeyRange(lower: nil, upper: nil)

  /// Whether a key may be in this part.
  func contains(_ key: Int64) -> Bool {
    (lower.map { key > $0 } ?? true) && (upper.map { key <= $0 } ?? true)
  }
}
