import Bytes
import SQLite

/// A key by which the rows of a table name those of another.
struct ForeignKey {
  /// The other table.
  let target: String
  /// Its columns, each with that of the other table; nil where that is of the primary key there.
  fileprivate(set) var columns: [(own: String, other: String?)]

  /// The columns with those of the other table; nil where that lacks one, or where these do not tell
  /// its rows apart: by them the engine takes no key for one, and would look through all rows for each.
  func matches(
    in target: SchemaTable, _ connection: borrowing Connection
  ) throws(SQLiteError) -> [(own: String, other: SchemaColumn)]? {
    let key = target.columns.filter { $0.keyPlace > 0 }.sorted { $0.keyPlace < $1.keyPlace }
    var matches: [(own: String, other: SchemaColumn)] = []
    for (place, column) in columns.enumerated() {
      let name = column.other ?? (place < key.count ? key[place].name : nil)
      guard let name,
        let other = target.columns.first(where: {
          ExactText(folding: $0.name) == ExactText(folding: name)
        })
      else { return nil }
      matches.append((column.own, other))
    }
    let others = Set(matches.map { ExactText(folding: $0.other.name) })
    return try connection.tellApart(rowsOf: target, others) ? matches : nil
  }
}

extension Connection {
  /// The foreign keys of a table.
  func foreignKeys(ofTable name: String) throws(SQLiteError) -> [ForeignKey] {
    var keys: [Int64: ForeignKey] = [:]
    var statement = try prepare("PRAGMA main.foreign_key_list(\(quoted(name)))")
    while try statement.step() {
      guard let target = statement.text(at: 2), let column = statement.text(at: 3) else {
        continue
      }
      keys[statement.integer(at: 0), default: ForeignKey(target: target, columns: [])]
        .columns.append((column, statement.text(at: 4)))
    }
    return keys.sorted { $0.key < $1.key }.map(\.value)
  }

  /// Whether some columns are the primary key of a table, or have an index in which none comes twice.
  fileprivate func tellApart(
    rowsOf table: SchemaTable, _ columns: Set<ExactText>
  ) throws(SQLiteError) -> Bool {
    let key = table.columns.filter { $0.keyPlace > 0 }.map { ExactText(folding: $0.name) }
    guard Set(key) != columns else { return true }
    var indexes: [String] = []
    var statement = try prepare("PRAGMA main.index_list(\(quoted(table.name)))")
    while try statement.step() {
      let (isUnique, isPartial) = (statement.integer(at: 2) != 0, statement.integer(at: 4) != 0)
      if isUnique, !isPartial { indexes.append(statement.name(at: 1)) }
    }
    for index in indexes {
      let own = try self.columns(ofIndex: index).filter(\.isKey)
      if Set(own.map { ExactText(folding: $0.name) }) == columns { return true }
    }
    return false
  }
}
