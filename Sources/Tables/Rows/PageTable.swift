import Bytes
import SQLite
import SQLiteFile

/// Where a planned table lies in the file, and where its columns lie in the stored rows.
struct PageTable {
  let root: UInt32
  /// What reading its records depends on.
  let shape: TableShape
  /// The place in the stored row of each planned column.
  let places: [Int]
  /// Which rows of the tree are those of the planned table; nil where all are.
  let condition: RowCondition?
  private let table: SchemaTable

  /// Tells whether the statement of a planned table does nothing but give stored values in the
  /// order of the row ids; nil where it does more.
  init?(_ planned: PlannedTable, _ connection: borrowing Connection) throws(SQLiteError) {
    guard planned.isPlain, let table = try connection.table(named: planned.sourceTable),
      !table.isWithoutRowID, !table.columns.contains(where: \.isGenerated),
      let root = try connection.rootPage(ofTable: table.name).flatMap(UInt32.init(exactly:))
    else { return nil }
    // SQLite folds the letters of ASCII and compares bytes.
    let names = table.columns.map { ExactText(sqlName: $0.name) }
    let alias = try TableKey.alias(in: table, connection)
    guard let key = planned.key, TableKey.isRowID(key, of: table, alias: alias) else {
      return nil
    }
    let placeOfName = Dictionary(
      keepingFirst: zip(names.map { ExactText(quoted($0.wrappedValue)) }, names.indices))
    var places: [Int] = []
    for column in planned.columns {
      guard let place = placeOfName[ExactText(sqlName: column.expression)] else {
        return nil
      }
      places.append(place)
    }
    self.root = root
    self.table = table
    self.places = places
    if let number = planned.numberOfRows {
      // A text column would compare the number's digits.
      guard
        let column = names.firstIndex(of: ExactText(sqlName: PlannedTable.entityColumn)),
        Affinity(declaredType: table.columns[column].declaredType) != .text,
        let condition = RowCondition(column: column, number: number)
      else { return nil }
      self.condition = condition
    } else {
      condition = nil
    }
    shape = TableShape(
      isReal: table.columns.map { TableShape.isReal(declaredType: $0.declaredType) },
      rowIDColumn: alias.flatMap { alias in
        table.columns.firstIndex { hasSameBytes(quoted($0.name), alias) }
      })
  }

  /// Whether rows may be older than a column that has a default.
  var hasDefaults: Bool { table.columns.contains(where: \.hasDefault) }

  /// The shape of the records, with what rows have that are older than some columns; nil where only
  /// the engine knows that.
  func shape(
    withDefaultsOf connection: borrowing Connection
  ) throws(SQLiteError) -> TableShape? {
    guard hasDefaults else { return shape }
    guard let defaults = try ColumnDefaults(of: table, connection) else { return nil }
    var shape = shape
    shape.defaults = defaults
    return shape
  }
}

extension PlannedTable {
  /// The number that all rows of the table have, where it shares a physical one with others.
  fileprivate var numberOfRows: Int64? { condition == nil ? nil : entity }

  /// Whether the rows are those of the physical table, or those of an entity in it, in the order of
  /// their keys.
  fileprivate var isPlain: Bool {
    (condition == nil || condition == entity.map(Self.condition(ofEntity:))) && key != nil
      && hasSameBytes(order, key)
      && (hasSameBytes(origin, quoted(sourceTable))
        || hasSameBytes(origin, quoted(sourceTable) + " NOT INDEXED"))
  }
}
