import Bytes
import Records
import SQLite
import SQLiteFile
import Tables

/// Which entities the rows of a table of objects belong to, and in which columns those have content.
struct EntityCensus: RowCensus {
  /// The rows of one entity.
  private struct Share {
    let entity: Int64
    var rows = 0
  }

  private let known: Set<Int64>
  private let columns: [String]
  /// The shares of the known entities of which rows have come by.
  private var shares: [Share] = []
  /// For each share a bit for each column in which one of its rows has content.
  private var content: [UInt64] = []
  /// How many words of bits a share has.
  private let width: Int
  /// The share of the row before, whose entity most rows have, too.
  private var last = 0
  private var placeOfEntity: [Int64: Int] = [:]
  /// How many rows belong to no known entity, and whether what the engine compares is known.
  private var rest = EntityRows()

  /// Nothing has been counted; the entities that are known have these numbers.
  private init(known: Set<Int64>, columns: [String], isExact: Bool) {
    self.known = known
    self.columns = columns
    width = (columns.count + 63) / 64
    rest.isExact = isExact
  }

  /// Counts the rows of a table of objects by entity, and looks for content in its columns where that
  /// is wanted; nil for a table that cannot hold objects.
  init?(
    of table: ActualTable, known: Set<Int64>, seesColumns: Bool,
    in database: borrowing SourceDatabase
  ) throws(SQLiteError) {
    let column = { (name: String) in
      table.columns.first { ExactText(sqlName: $0.name) == ExactText(sqlName: name) }
    }
    guard let key = column("Z_PK"), let number = column(PlannedTable.entityColumn) else {
      return nil
    }
    let columns = seesColumns ? table.columns.filter { $0 != key && $0 != number } : []
    let planned = PlannedTable(
      name: table.name, sourceName: table.name, sourceTable: table.name,
      columns: ([number] + columns).map(PlannedColumn.init(counted:)),
      origin: quoted(table.name) + " NOT INDEXED", key: "Z_PK", order: "Z_PK")
    let empty = EntityCensus(
      known: known, columns: columns.map(\.name),
      isExact: Affinity(declaredType: number.declaredType) != .text)
    self = try database.census(of: planned, startingFrom: empty)
  }

  mutating func count(_ row: borrowing some StoredRow & ~Copyable) {
    guard let number = entity(of: row), let place = place(of: number) else {
      rest.ofNone += 1
      return
    }
    shares[place].rows += 1
    for word in 0..<width {
      // Only the columns in which no row had content are looked at.
      var left = ~content[place * width + word]
      while left != 0 {
        let column = word * 64 + left.trailingZeroBitCount
        guard column < columns.count else { break }
        if row.storageClass(at: column + 2) != .null {
          content[place * width + word] |= left & ~(left - 1)
        }
        left &= left - 1
      }
    }
  }

  /// The place of the share of an entity; nil where it is not known.
  private mutating func place(of entity: Int64) -> Int? {
    if last < shares.count, shares[last].entity == entity { return last }
    if let place = placeOfEntity[entity] {
      last = place
      return place
    }
    guard known.contains(entity) else { return nil }
    last = shares.count
    placeOfEntity[entity] = last
    shares.append(Share(entity: entity))
    content.append(contentsOf: repeatElement(0, count: width))
    return last
  }

  /// The number in the first column; nil where there is none.
  private mutating func entity(of row: borrowing some StoredRow & ~Copyable) -> Int64? {
    switch row.storageClass(at: 1) {
    case .integer: return row.integer(at: 1)
    case .real: return Int64(exactly: row.real(at: 1))
    case .text:
      // Whether a text equals a number depends on more than the text.
      rest.isExact = false
      return row.withText(at: 1) { parseDecimal($0) }
    case .blob, .null: return nil
    }
  }

  mutating func add(_ other: EntityCensus) {
    rest.ofNone += other.rest.ofNone
    rest.isExact = rest.isExact && other.rest.isExact
    for (index, share) in other.shares.enumerated() {
      guard let place = place(of: share.entity) else { continue }
      shares[place].rows += share.rows
      for word in 0..<width {
        content[place * width + word] |= other.content[index * width + word]
      }
    }
  }

  /// How many rows belong to which entity.
  var rows: EntityRows {
    var rows = rest
    for share in shares { rows.ofEntity[share.entity] = share.rows }
    return rows
  }

  /// Every pair of a known entity and a column in which one of its rows has content.
  var occupied: [OccupiedColumn] {
    shares.enumerated().flatMap { place, share in
      columns.indices.filter { content[place * width + $0 / 64] >> UInt64($0 % 64) & 1 == 1 }
        .map { OccupiedColumn(entity: share.entity, column: columns[$0]) }
    }
  }
}

/// How many rows of a table of objects belong to which entity.
struct EntityRows: Sendable {
  var ofEntity: [Int64: Int] = [:]
  /// The rows that belong to no entity that is known.
  var ofNone = 0
  /// Whether the engine finds as many where it compares the number of an entity.
  var isExact = true

  /// Whether it is certain that each row belongs to an entity.
  var areAllClaimed: Bool { isExact && ofNone == 0 }

  /// The same, where rows of others than these entities belong to none.
  func claimed(by known: Set<Int64>) -> EntityRows {
    var rows = self
    rows.ofEntity = ofEntity.filter { known.contains($0.key) }
    rows.ofNone += ofEntity.values.reduce(0, +) - rows.ofEntity.values.reduce(0, +)
    return rows
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
