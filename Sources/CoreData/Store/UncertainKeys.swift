import Records
import SQLite
import Tables

/// Numbers that are taken for the keys of other rows, although no model or number of an entity says so.
struct UncertainKeys {
  /// Where rows of entities have content; nil where nobody looked.
  let occupied: Set<OccupiedColumn>?
  /// The tables that cannot hold objects, in which nobody looked.
  let unseen: Set<String>

  /// Tells of those that have values, each once also where several entities share its table; of the
  /// others that of which no rows are known is left undecided, as what another store has is known better.
  func findings(
    _ tables: inout [PlannedTable], _ database: borrowing SourceDatabase
  ) throws(SQLiteError) -> [Finding] {
    var findings: [Finding] = []
    var told: Set<Place> = []
    for number in tables.indices {
      let table = tables[number]
      let uncertain = table.columns.indices.filter { table.columns[$0].typeSource.isUncertainKey }
      let filled = Set(try withContent(uncertain, of: table, database))
      for place in uncertain {
        let column = table.columns[place]
        if !filled.contains(place) {
          tables[number].columns[place].column.isUndecided = column.typeSource == .keyLike
        } else if told.insert(Place(table, column)).inserted {
          findings.append(Self.finding(column, of: table.name))
        }
      }
    }
    return findings
  }

  private struct Place: Hashable {
    let table: String
    let column: String

    init(_ table: PlannedTable, _ column: PlannedColumn) {
      self.table = table.sourceTable
      self.column = column.column.sourceColumn
    }
  }

  /// Those of some columns in which rows of the table have values.
  private func withContent(
    _ places: [Int], of table: PlannedTable, _ database: borrowing SourceDatabase
  ) throws(SQLiteError) -> [Int] {
    if let occupied, let entity = table.entity, !unseen.contains(table.sourceTable) {
      return places.filter {
        occupied.contains(
          OccupiedColumn(entity: entity, column: table.columns[$0].column.sourceColumn))
      }
    }
    let census = try database.census(ofColumns: places, of: table)
    return zip(places, census).compactMap { $1.isEmpty ? nil : $0 }
  }

  private static func finding(_ planned: PlannedColumn, of table: String) -> Finding {
    let name = "\(table).\(planned.column.name)"
    guard planned.typeSource == .keyName else {
      return Finding(
        "reference-without-target", .warning, table: table, column: planned.column.name,
        message:
          "\(name) is taken for keys of other rows, whose entity the store does not name, so "
          + "it is not sent; --type \(name)=integer makes it a number that is sent")
    }
    return Finding(
      "reference-without-target", .note, table: table, column: planned.column.name,
      message: "\(name) is taken for keys of rows of \(planned.column.target ?? "an entity"), "
        + "because it is called so and leads to such rows; --type \(name)=integer makes it a number "
        + "that is sent")
  }
}

extension PlannedColumn.TypeSource {
  fileprivate var isUncertainKey: Bool { self == .keyLike || self == .keyName }
}
