import Bytes
import Records
import SQLite
import SQLiteFile
import Tables

/// Which entities the rows of a table of objects belong to, and in which columns those have content.
struct EntityCensus: RowCensus {
  /// The rows of one entity.
  private struct Share {
    var rows = 0
    /// The places of the columns in which none of them has content.
    var emptyColumns: [Int]
  }

  private let columns: [String]
  /// Whether numbers are texts, because the column that should hold them turns them into such.
  private let numbersAreTexts: Bool
  /// The shares of the known entities, and at the end of all others together.
  private var shares: [Share]
  private let placeOfEntity: [Int64: Int]

  /// Nothing has been counted; the entities that are known have these numbers.
  private init(known: Set<Int64>, columns: [String], numbersAreTexts: Bool) {
    self.columns = columns
    self.numbersAreTexts = numbersAreTexts
    placeOfEntity = Dictionary(uniqueKeysWithValues: zip(known, 0...))
    shares = Array(
      repeating: Share(emptyColumns: Array(columns.indices)), count: known.count + 1)
  }

  /// Counts the rows of a table of objects by entity, and looks for content in its columns where that
  /// is wanted; nil for a table that cannot hold objects.
  init?(
    of table: ActualTable, known: Set<Int64>, seesColumns: Bool,
    in database: borrowing SourceDatabase
  ) throws(SQLiteError) {
    let (key, entity) = ("Z_PK", PlannedTable.entityColumn)
    guard table.columns.contains(where: { $0.name == key }),
      let number = table.columns.first(where: { $0.name == entity })
    else { return nil }
    let columns = seesColumns ? table.columns.filter { $0.name != key && $0 != number } : []
    let planned = PlannedTable(
      name: table.name, sourceName: table.name, sourceTable: table.name,
      columns: ([number] + columns).map(PlannedColumn.init(counted:)),
      origin: quoted(table.name) + " NOT INDEXED", key: key, order: key)
    self = try database.census(
      of: planned,
      startingFrom: EntityCensus(
        known: known, columns: columns.map(\.name),
        numbersAreTexts: Affinity(declaredType: number.declaredType) == .text))
  }

  mutating func count(_ row: borrowing some StoredRow & ~Copyable) {
    let place = entity(of: row).flatMap { placeOfEntity[$0] } ?? shares.count - 1
    shares[place].rows += 1
    shares[place].emptyColumns.removeAll { row.storageClass(at: $0 + 2) != .null }
  }

  /// The number in the first column; nil where the engine would say that it equals none.
  private func entity(of row: borrowing some StoredRow & ~Copyable) -> Int64? {
    switch row.storageClass(at: 1) {
    case .integer: return row.integer(at: 1)
    case .real: return Int64(exactly: row.real(at: 1))
    case .text:
      guard numbersAreTexts else { return nil }
      let text = row.bytes(at: 1)
      return parseDecimal(text.span).flatMap { Array(String($0).utf8) == text ? $0 : nil }
    case .blob, .null: return nil
    }
  }

  mutating func add(_ other: EntityCensus) {
    for place in shares.indices {
      let others = other.shares[place]
      shares[place].rows += others.rows
      shares[place].emptyColumns.removeAll { !others.emptyColumns.contains($0) }
    }
  }

  /// How many rows each known entity has, and under a number that none has the rows of no entity.
  var rows: [Int64: Int] {
    var rows = placeOfEntity.mapValues { shares[$0].rows }.filter { $0.value > 0 }
    let others = shares[shares.count - 1].rows
    if others > 0 { rows[-1, default: 0] += others }
    return rows
  }

  /// Every pair of a known entity and a column in which one of its rows has content.
  var occupied: [OccupiedColumn] {
    placeOfEntity.flatMap { number, place in
      let share = shares[place]
      guard share.rows > 0 else { return [OccupiedColumn]() }
      let empty = Set(share.emptyColumns)
      return columns.indices.filter { !empty.contains($0) }
        .map { OccupiedColumn(entity: number, column: columns[$0]) }
    }
  }
}

extension PlannedColumn {
  /// A column of which only the storage counts.
  fileprivate init(counted column: ActualColumn) {
    self.init(
      column: Column(name: column.name, type: .integer), position: column.position,
      expression: quoted(column.name), decoding: .integer)
  }
}
