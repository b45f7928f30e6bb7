import Bytes
package import SQLite

/// How the rows of a plain table are told apart, and in which order they come.
package struct TableKey: Equatable {
  /// The expression of the row's number; nil when rows are numbered in key order.
  package var expression: String?
  /// What the rows are ordered by; nil where the table's own order is the only one.
  package var order: String?
  /// The index as which the table itself is stored, where rows have no row ids.
  package private(set) var index: String?

  /// The row id where there is one, under a name that no column of the table hides.
  package init(of table: SchemaTable, _ connection: borrowing Connection) throws(SQLiteError) {
    guard !table.isWithoutRowID else {
      index = try connection.keyIndex(ofTable: table.name)
      order = try index.flatMap { (index) throws(SQLiteError) in
        try Self.order(ofIndex: index, connection)
      }
      return
    }
    let names = Set(table.columns.map { asciiLowercased($0.name) })
    expression = ["rowid", "_rowid_", "oid"].first { !names.contains($0) }
    if expression == nil { expression = try Self.alias(in: table, connection) }
    order = expression
  }

  /// The column that is another name of the row id.
  ///
  /// A key with an index of its own is not: then `INTEGER PRIMARY KEY` was declared `DESC`.
  static func alias(
    in table: SchemaTable, _ connection: borrowing Connection
  ) throws(SQLiteError) -> String? {
    let keys = table.columns.filter { $0.keyPlace > 0 }
    guard let key = keys.first, keys.count == 1, asciiLowercased(key.declaredType) == "integer",
      try connection.keyIndex(ofTable: table.name) == nil
    else { return nil }
    return quoted(key.name)
  }

  /// Whether an expression is the row id, under one of its own names or under that of its alias.
  static func isRowID(_ key: String, of table: SchemaTable, alias: String?) -> Bool {
    let key = asciiLowercased(key)
    if let alias = alias.map(asciiLowercased),
      hasSameBytes(key, alias) || hasSameBytes(quoted(key), alias)
    {
      return true
    }
    return !table.isWithoutRowID && ["rowid", "_rowid_", "oid"].contains(key)
      && !table.columns.contains { asciiLowercased($0.name) == key }
  }

  /// The columns of the primary key, as the table itself is sorted.
  private static func order(
    ofIndex index: String, _ connection: borrowing Connection
  ) throws(SQLiteError) -> String? {
    var terms: [String] = []
    for column in try connection.columns(ofIndex: index) where column.isKey {
      let direction = column.isDescending ? " DESC" : ""
      terms.append("\(quoted(column.name)) COLLATE \(quoted(column.collation))\(direction)")
    }
    return terms.isEmpty ? nil : terms.joined(separator: ", ")
  }
}
