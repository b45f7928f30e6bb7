import SQLite
import SQLiteFile

/// Where a planned table lies in the file, and where its columns lie in the stored rows.
struct PageTable {
  /// The page at the root of its tree.
  let root: UInt32
  /// What reading its records depends on.
  let shape: TableShape
  /// The place in the stored row of each planned column.
  let places: [Int]

  /// Tells whether the statement of a planned table does nothing but give stored values in the
  /// order of the row ids; nil where it does more.
  ///
  /// Where old rows may lack columns that have a default, only `countingMissing` tells it.
  ///
  /// - Throws: `SQLiteError` when the schema cannot be read.
  init?(
    _ planned: PlannedTable, _ connection: borrowing Connection, countingMissing: Bool = false
  ) throws(SQLiteError) {
    guard planned.isPlain, let table = try connection.table(named: planned.sourceTable),
      !table.isWithoutRowID, !table.columns.contains(where: \.isGenerated),
      countingMissing || !table.columns.contains(where: \.hasDefault),
      let root = try Self.root(of: table.name, connection)
    else { return nil }
    let names = table.columns.map { asciiLowercased($0.name) }
    let alias = try TableKey.alias(in: table, connection)
    guard let key = planned.key, TableKey.isRowID(key, of: table, alias: alias) else {
      return nil
    }
    let placeOfName = Dictionary(
      zip(names.map(quoted), names.indices), uniquingKeysWith: { first, _ in first })
    var places: [Int] = []
    for column in planned.columns {
      guard let place = placeOfName[asciiLowercased(column.expression)] else { return nil }
      places.append(place)
    }
    self.root = root
    self.places = places
    shape = TableShape(
      isReal: table.columns.map { TableShape.isReal(declaredType: $0.declaredType) },
      rowIDColumn: alias.flatMap { alias in
        table.columns.firstIndex { quoted($0.name) == alias }
      })
  }

  private static func root(
    of table: String, _ connection: borrowing Connection
  ) throws(SQLiteError) -> UInt32? {
    var statement = try connection.prepare(
      "SELECT rootpage FROM sqlite_schema WHERE type = 'table' AND name = ?")
    try statement.bind(table, at: 1)
    guard try statement.step() else { return nil }
    return UInt32(exactly: statement.integer(at: 0))
  }
}

extension PlannedTable {
  /// Whether all rows of the physical table are wanted, in the order of their keys.
  fileprivate var isPlain: Bool {
    condition == nil && key != nil && order == key
      && (origin == quoted(sourceTable) || origin == quoted(sourceTable) + " NOT INDEXED")
  }
}
