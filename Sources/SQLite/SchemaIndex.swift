/// An index that a table has for a promise about its rows: a primary key, or values that come once.
package struct ConstraintIndex: Sendable {
  /// The name as the engine makes it.
  package let name: String
  /// Whether it is that of the primary key.
  package let isKey: Bool
}

/// A column of an index, or of the tree of a table without row ids.
package struct IndexedColumn: Sendable {
  /// The column's place in its table.
  package let place: Int
  package let name: String
  /// The order of its texts.
  package let collation: String
  package let isDescending: Bool
  /// Whether the rows are sorted by it.
  package let isKey: Bool
}

extension Connection {
  /// The indexes that a table has for its promises.
  package func constraintIndexes(ofTable name: String) throws(SQLiteError) -> [ConstraintIndex] {
    var indexes: [ConstraintIndex] = []
    var statement = try prepare("PRAGMA main.index_list(\(quoted(name)))")
    while try statement.step() {
      guard let origin = statement.text(at: 3), origin != "c" else { continue }
      indexes.append(ConstraintIndex(name: statement.name(at: 1), isKey: origin == "pk"))
    }
    return indexes
  }

  /// The columns of an index in their order; by the name of a table without row ids, those of its
  /// records.
  package func columns(ofIndex name: String) throws(SQLiteError) -> [IndexedColumn] {
    var columns: [IndexedColumn] = []
    var statement = try prepare("PRAGMA main.index_xinfo(\(quoted(name)))")
    while try statement.step() {
      columns.append(
        IndexedColumn(
          place: Int(statement.integer(at: 1)), name: statement.name(at: 2),
          collation: statement.storageClass(at: 4) == .null ? "BINARY" : statement.name(at: 4),
          isDescending: statement.integer(at: 3) != 0, isKey: statement.integer(at: 5) != 0))
    }
    return columns
  }
}
