import Bytes
import Records
import SQLite
import SQLiteFile

/// A table of a damaged store, and the plain one that its rows are put into.
///
/// The plain one promises nothing of its rows, so it takes all that are read, just as they are stored.
/// Whoever reads them later goes by what the app has said of its table, which comes back in the end.
struct RebuiltTable {
  /// What the rows look like in the damaged store.
  let profile: TableProfile
  /// What the engine gives for columns that are younger than a row, by the places of its values.
  let defaults: [RawValue?]
  /// What it is called until its rows are there.
  let name: String
  /// The statement that makes it.
  let creation: String
  /// What the engine looks for where the app's table promises something, as it is called in the end.
  let indexes: [(name: String, creation: String)]

  /// The plain table of this number for a table of a schema.
  init(
    _ number: Int, for table: SchemaTable, root: UInt32, in schema: borrowing Connection
  ) throws(SQLiteError) {
    name = "t\(number)"
    let records = try RecordColumns(of: table, schema)
    let stored = records.places.map { table.columns[$0] }
    profile = TableProfile(
      name: table.name.mended, root: root,
      columns: stored.map {
        TableProfile.Column(
          affinity: Affinity(declaredType: $0.declaredType), isNotNull: $0.isNeverNull)
      }, rowIDColumn: records.alias, hasRowIDs: !table.isWithoutRowID)
    creation = records.creation(ofTable: name)
    defaults = try Self.defaults(of: stored, in: table, schema)
    var indexes: [(name: String, creation: String)] = []
    for index in try schema.constraintIndexes(ofTable: table.name)
    where !(index.isKey && table.isWithoutRowID) {
      let columns = try schema.columns(ofIndex: index.name).filter(\.isKey)
      let creation = records.creation(ofIndex: "\(name)_\(indexes.count)", on: name, columns)
      indexes.append((index.name, creation))
    }
    self.indexes = indexes
  }

  /// What the engine gives for columns that a row of one value lacks.
  private static func defaults(
    of columns: [SchemaColumn], in table: SchemaTable, _ schema: borrowing Connection
  ) throws(SQLiteError) -> [RawValue?] {
    guard columns.contains(where: \.hasDefault) else { return [] }
    let list = columns.map { quoted($0.name) }.joined(separator: ", ")
    var row = try schema.prepare("SELECT \(list) FROM \(quoted(table.name)) NOT INDEXED")
    guard try row.step() else { return [] }
    return columns.indices.map { row.optionalRaw(at: $0) }
  }
}

/// The columns that the records of a table have, in their order.
private struct RecordColumns {
  /// Their places in the table.
  let places: [Int]
  /// The one that stands for the row id; nil where none does.
  let alias: Int?
  /// Those by which the rows are sorted; none where that is the row id.
  private let keys: [IndexedColumn]

  init(of table: SchemaTable, _ schema: borrowing Connection) throws(SQLiteError) {
    guard !table.isWithoutRowID else {
      let columns = try schema.columns(ofIndex: table.name)
      places = columns.map(\.place).filter(table.columns.indices.contains)
      keys = columns.filter(\.isKey)
      alias = nil
      return
    }
    let stored = table.columns.indices.filter { table.columns[$0].isStored }
    let key = try TableKey.alias(in: table, schema)
    places = stored
    keys = []
    alias = key.flatMap { key in
      stored.firstIndex { hasSameBytes(quoted(table.columns[$0].name), key) }
    }
  }

  func creation(ofTable name: String) -> String {
    var parts = places.indices.map { $0 == alias ? "c\($0) INTEGER PRIMARY KEY" : "c\($0)" }
    guard !keys.isEmpty else { return "CREATE TABLE \(name)(\(parts.joined(separator: ", ")))" }
    // The key comes first in a record, a column twice where it has two orders.
    let terms = keys.enumerated().map { $1.term(called: "c\($0)") }
    parts.append("PRIMARY KEY(\(terms.joined(separator: ", ")))")
    return "CREATE TABLE \(name)(\(parts.joined(separator: ", "))) WITHOUT ROWID"
  }

  func creation(ofIndex index: String, on name: String, _ columns: [IndexedColumn]) -> String {
    let terms = columns.map { column in
      // What is computed for each reader has no value here.
      column.term(called: places.firstIndex(of: column.place).map { "c\($0)" } ?? "(NULL)")
    }
    return "CREATE INDEX \(index) ON \(name)(\(terms.joined(separator: ", ")))"
  }
}

extension IndexedColumn {
  /// What something is sorted by, where the column is called so.
  fileprivate func term(called name: String) -> String {
    "\(name) COLLATE \(quoted(collation))" + (isDescending ? " DESC" : "")
  }
}
