import Bytes
import Records
import Tables

/// The tables of several sources, those of one name as one.
struct UnitedCatalogue: Sendable {
  private(set) var tables: [UnitedTable] = []
  /// The places of tables by what their sources call them, without regard to letter case.
  private var places: [ExactText: [Int]] = [:]
  private var names = CatalogueNames()
  /// The catalogue that was taken last, and how; most devices of an app have the same.
  private var last: (catalogue: Catalogue, exactTables: Set<Int>)?
  /// The places of the tables of that.
  private(set) var lastPlaces: [Int] = []

  var catalogue: [Table] {
    let known = Dictionary(keepingFirst: tables.map { (ExactText(sqlName: $0.name), $0.name) })
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

  /// Where a table belongs; one that is spelled otherwise only in letter case, unless it must not.
  private func place(of ownName: String, exactly: Bool, besides claimed: Set<Int>) -> Int? {
    places[ExactText(sqlName: ownName)]?.first {
      let table = tables[$0]
      return !claimed.contains($0)
        && (!exactly && !table.isExact || hasSameBytes(table.ownName, ownName))
    }
  }

  /// Takes the tables of one source; in the names of those at `exactTables`, and of their columns,
  /// letter case always counts.
  ///
  /// - Returns: what a person should know about columns that are not the same everywhere.
  /// - Throws: `StoreError` when two tables of the source would be one.
  mutating func unite(
    with catalogue: Catalogue, of source: String, exactly exactTables: Set<Int> = []
  ) throws(StoreError) -> [Finding] {
    if let last, last.exactTables == exactTables, catalogue.tables == last.catalogue.tables {
      return []
    }
    last = (catalogue, exactTables)
    lastPlaces = []
    try Self.expectNoTwins(catalogue)
    var claimed: Set<Int> = []
    // Of twins each goes to the table of its own, if there is one.
    let ownNames = catalogue.ownNames
    let exact = ownNames.map { ownName in
      let place = place(of: ownName, exactly: true, besides: claimed)
      if let place { claimed.insert(place) }
      return place
    }
    var findings: [Finding] = []
    for (number, table) in catalogue.tables.enumerated() {
      let ownName = ownNames[number]
      let known =
        exact[number]
        ?? place(of: ownName, exactly: exactTables.contains(number), besides: claimed)
      let place = known ?? add(table, ownName)
      if known == nil, !hasSameBytes(tables[place].name, table.name) {
        findings.append(
          .changedName(
            "the table \(table.name)", to: tables[place].name, inTable: tables[place].name))
      }
      claimed.insert(place)
      lastPlaces.append(place)
    }
    let known = catalogue.placesOfTargets
    for (number, (table, place)) in zip(catalogue.tables, lastPlaces).enumerated() {
      var table = table.withoutSource
      for column in table.columns.indices {
        guard let target = table.columns[column].target.flatMap({ known[ExactText($0)] }) else {
          continue
        }
        table.columns[column].target = tables[lastPlaces[target]].name
      }
      findings += tables[place].unite(
        with: table, of: source, exactly: exactTables.contains(number))
    }
    return findings
  }

  private static func expectNoTwins(_ catalogue: Catalogue) throws(StoreError) {
    var names: Set<ExactText> = []
    for table in catalogue.tables where !names.insert(ExactText(sqlName: table.name)).inserted {
      throw StoreError(
        .unsupported, "two of its tables are called \(table.name) when letter case does not count")
    }
  }

  private mutating func add(_ table: Table, _ ownName: String) -> Int {
    let place = tables.count
    places[ExactText(sqlName: ownName), default: []].append(place)
    tables.append(UnitedTable(table, ownName, name: names.claimTable(table.name)))
    return place
  }
}
