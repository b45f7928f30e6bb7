import Bytes
import Records
import Tables

/// The tables of several sources, those of one name as one.
struct UnitedCatalogue: Sendable {
  private(set) var tables: [UnitedTable] = []
  private var places: [ExactText: Int] = [:]
  private var names = CatalogueNames()
  /// The catalogue that was taken last; most devices of an app have the same.
  private var last: Catalogue?

  var catalogue: [Table] {
    let known = Dictionary(
      tables.map { (ExactText(sqlName: $0.name), $0.name) },
      uniquingKeysWith: { first, _ in first })
    return tables.map { united in
      var table = united.table
      for place in table.columns.indices {
        guard let target = table.columns[place].target else { continue }
        table.columns[place].target = known[ExactText(sqlName: target)] ?? target
      }
      return table
    }
  }

  var knowingSources: [Table] {
    catalogue.map { table in
      var table = table
      table.columns.append(SourceColumn.column)
      return table
    }
  }

  func place(ofTable name: String) -> Int? { places[ExactText(sqlName: name)] }

  /// Takes the tables of one source.
  ///
  /// - Returns: what a person should know about columns that are not the same everywhere.
  /// - Throws: `StoreError` when two tables of the source would be one.
  mutating func unite(
    with catalogue: Catalogue, of source: String
  ) throws(StoreError) -> [Finding] {
    guard catalogue.tables != last?.tables else { return [] }
    last = catalogue
    var own: Set<Int> = []
    var findings: [Finding] = []
    for table in catalogue.tables {
      let place = place(ofTable: table.name) ?? add(table)
      guard own.insert(place).inserted else {
        throw StoreError(
          .unsupported, "two of its tables are called \(table.name) when letter case does not count"
        )
      }
      findings += tables[place].unite(with: table.withoutSource, of: source)
    }
    return findings
  }

  private mutating func add(_ table: Table) -> Int {
    let place = tables.count
    places[ExactText(sqlName: table.name)] = place
    tables.append(UnitedTable(table, name: names.claimTable(table.name)))
    return place
  }
}
