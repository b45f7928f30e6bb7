import Records
import SQLite
import Tables

/// Numbers that are taken for the keys of other rows, although no model or number of an entity says so.
struct UncertainKeys {
  let tables: [PlannedTable]
  /// Where rows of entities have content; nil where nobody looked.
  let occupied: Set<OccupiedColumn>?
  /// The tables that cannot hold objects, in which nobody looked.
  let unseen: Set<String>

  /// Tells of those that have values, each once also where several entities share its table.
  func findings(_ database: borrowing SourceDatabase) throws(SQLiteError) -> [Finding] {
    var findings: [Finding] = []
    var told: Set<Place> = []
    for table in tables {
      let uncertain = table.columns.indices.filter {
        table.columns[$0].typeSource.isUncertainKey
          && !told.contains(Place(table, table.columns[$0]))
      }
      for place in try withContent(uncertain, of: table, database) {
        told.insert(Place(table, table.columns[place]))
        findings.append(Self.finding(table.columns[place], of: table.name))
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
