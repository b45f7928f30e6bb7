import Bytes
import CommandLineKit
import Records
import SyncSDKs
import Tables

/// The tables of two stores under names that meet, and which of them a person wants compared.
struct ComparedCatalogues {
  private let catalogues: Sides<Catalogue>
  private let readers: Sides<any StoreReader>
  /// Whether letter case always counts in the names of one of the stores.
  let hasExactNames: Bool
  /// The styles of the SDKs of both that keep columns for themselves.
  private let reservingStyles: [SDKStyle]
  let ignored: ComparedCatalogues.IgnoredColumns

  /// References to tables of more rows are not compared, since their ids would fill the memory.
  private static let mostTargets = 2_000_000

  /// Takes `--rename` and `--ignore-column` into account.
  init(_ readers: Sides<any StoreReader>, _ arguments: ParsedArguments) throws(StoreError) {
    self.readers = readers
    let sdks = [readers.first.source.sdks, readers.second.source.sdks]
    hasExactNames = sdks.contains(where: \.tellNameTwinsApart)
    reservingStyles = sdks.flatMap(\.reservingStyles)
    var catalogues = Sides(readers.first.catalogue, readers.second.catalogue)
    try Self.rename(arguments.values("rename").map(\.text), to: &catalogues)
    self.catalogues = catalogues
    ignored = try ComparedCatalogues.IgnoredColumns(
      arguments.values("ignore-column").map(\.text),
      in: catalogues.first.tables + catalogues.second.tables)
  }

  /// Whether an SDK of one of the stores keeps a column for itself, as other devices and servers do
  /// not have it.
  func reserve(_ column: Column) -> Bool { reservingStyles.contains { $0.reserves(column) } }

  /// The wanted tables by name, those of the first store in order, then what only the second has.
  func wanted(_ selection: TableSelection) throws(StoreError) -> [(Sides<Int?>, Table)] {
    var taken: Set<Int> = []
    var union: [(Sides<Int?>, Table)] = []
    let ownNames = Sides(catalogues.first.ownNames, catalogues.second.ownNames)
    let byName = Self.places(catalogues.second.tables.map { ExactText($0.name) })
    let byOwnName = Self.places(ownNames.second.map { ExactText($0) })
    let alike = Sides(
      Self.places(ownNames.first.map { ExactText(sqlName: $0) }),
      Self.places(ownNames.second.map { ExactText(sqlName: $0) }))
    for (place, table) in catalogues.first.tables.enumerated() {
      let ownName = ownNames.first[place]
      // Else the only table of the name in another letter case, which may be that of another one.
      let folded = ExactText(sqlName: ownName)
      let onlyOne =
        !hasExactNames && alike.first[folded]?.count == 1 && alike.second[folded]?.count == 1
      let other =
        byName[ExactText(table.name)]?.first ?? byOwnName[ExactText(ownName)]?.first
        ?? (onlyOne ? alike.second[folded]?.first : nil)
      if let other { taken.insert(other) }
      union.append((Sides(place, other), table))
    }
    for (place, table) in catalogues.second.tables.enumerated() where !taken.contains(place) {
      union.append((Sides(nil, place), table))
    }
    let all = Catalogue(tables: union.map(\.1), nameOrigin: .schema)
    return try selection.indices(in: all).map { union[$0] }
  }

  private static func places(_ names: [ExactText]) -> [ExactText: [Int]] {
    Dictionary(grouping: names.indices) { names[$0] }
  }

  /// Two tables; one without rows, and so perhaps without columns, has the ids of the other, too.
  func tables(at places: Sides<Int>) -> Sides<Table> {
    var tables = Sides(
      catalogues.first.tables[places.first], catalogues.second.tables[places.second])
    for side in Side.allCases {
      let other = tables[side.other]
      // What cannot be counted is reported when it is read.
      guard tables[side].idPlace(beside: other) == nil, let id = other.idPlace,
        (try? readers[side].countRows(inTable: places[side])) == 0
      else { continue }
      tables[side].columns.append(other.columns[id])
    }
    return tables
  }

  /// The table to which a reference points, where its rows have ids and are not too many.
  func itemTable(named name: String?, _ side: Side) -> (place: Int, idType: LogicalType)? {
    let reader = readers[side]
    guard let name, let place = reader.catalogue.index(ofTable: name),
      let id = reader.catalogue.tables[place].idPlace,
      // What cannot be counted is reported when it is read.
      let rows = try? reader.countRows(inTable: place), rows <= Self.mostTargets
    else { return nil }
    return (place, reader.catalogue.tables[place].columns[id].type)
  }

  /// The columns of `--ignore-column`.
  struct IgnoredColumns {
    private var patterns: [Glob] = []
    /// Those that mean nothing but by what the sources call their tables.
    private var ofSources: [Glob] = []

    /// Takes names and patterns of columns, alone or behind the name of a table and a dot.
    init(_ texts: [String], in tables: [Table]) throws(StoreError) {
      for text in texts {
        let pattern = Glob(text)
        let isKnown = { (name: KeyPath<Table, String>) in
          tables.contains { table in
            table.columns.contains {
              Self.matches(pattern, $0.name, ofTable: table[keyPath: name])
            }
          }
        }
        if isKnown(\.name) {
          patterns.append(pattern)
        } else if isKnown(\.sourceName) {
          ofSources.append(pattern)
        } else if !tables.contains(where: { $0.mayHaveHad(text) }) {
          throw StoreError(
            .usage, "--ignore-column \(text): no store has such a column",
            hint: KnownNames(tables).hint(forColumn: text))
        }
      }
    }

    /// Whether a column is not to be compared in two tables.
    func matches(_ column: String, of tables: Sides<Table>) -> Bool {
      Side.allCases.contains { side in
        let table = tables[side]
        return patterns.contains { Self.matches($0, column, ofTable: table.name) }
          || ofSources.contains { Self.matches($0, column, ofTable: table.sourceName) }
      }
    }

    private static func matches(_ pattern: Glob, _ column: String, ofTable table: String) -> Bool {
      pattern.matches(column) || pattern.matches(table + "." + column)
    }
  }
}

// New names for tables and columns of one store, so that they meet those of the other.

extension ComparedCatalogues {
  /// Gives the tables and columns in `corrections` their other names.
  ///
  /// Each is for the store that has the old name while the other has the new one.
  private static func rename(
    _ corrections: [String], to catalogues: inout Sides<Catalogue>
  ) throws(StoreError) {
    let ofColumns = corrections.filter { !renameTable($0, in: &catalogues) }
    for correction in ofColumns { try renameColumn(correction, in: &catalogues) }
  }

  private static func renameTable(_ correction: String, in catalogues: inout Sides<Catalogue>)
    -> Bool
  {
    for side in Side.allCases {
      let tables = catalogues[side].tables
      // A name may hold an equals sign itself.
      for place in tables.indices {
        guard let new = correction.removing(prefix: tables[place].name + "="),
          catalogues[side].index(ofTable: new) == nil,
          catalogues[side.other].index(ofTable: new) != nil
        else { continue }
        catalogues[side].tables[place].name = new
        return true
      }
    }
    return false
  }

  private static func renameColumn(
    _ correction: String, in catalogues: inout Sides<Catalogue>
  ) throws(StoreError) {
    var found: [(side: Side, table: Int, column: Int, new: String)] = []
    for side in Side.allCases {
      for (place, table) in catalogues[side].tables.enumerated() {
        guard let other = catalogues[side.other].index(ofTable: table.name),
          let rest = correction.removing(prefix: table.name + ".")
            ?? correction.removing(prefix: table.sourceName + ".")
        else { continue }
        let names = Set(
          catalogues[side.other].tables[other].columns.map { ExactText($0.name) })
        for (column, old) in table.columns.enumerated() {
          guard let new = rest.removing(prefix: old.name + "="), names.contains(ExactText(new)),
            !table.columns.contains(where: { hasSameBytes($0.name, new) })
          else { continue }
          found.append((side, place, column, new))
        }
      }
    }
    if found.isEmpty, mayHaveMet(correction, catalogues) { return }
    let tables = catalogues.first.tables + catalogues.second.tables
    guard found.count == 1, let change = found.first else {
      let form = "--rename TABLE=NAME or --rename TABLE.COLUMN=NAME"
      throw found.isEmpty
        ? StoreError(
          .usage,
          "--rename \(correction): no store has the first name where the other has the second",
          hint: "\(form); \(KnownNames(tables).hint(forCorrection: correction))")
        : StoreError(
          .usage, "--rename \(correction): it can mean the columns of both stores", hint: form)
    }
    catalogues[change.side].tables[change.table].columns[change.column].name = change.new
  }
}

extension Table {
  /// Whether it has no columns, as it comes from an answer without rows, and what is said is about
  /// one of it.
  fileprivate func mayHaveHad(_ place: String) -> Bool {
    columns.isEmpty && rest(ofPlace: place) != nil
  }

  /// What stands behind the table's name and a point.
  fileprivate func rest(ofPlace place: String) -> String? {
    [name, sourceName].lazy.compactMap { place.removing(prefix: $0 + ".") }.first
  }
}

extension ComparedCatalogues {
  /// Whether new names for a column are about a table that comes from an answer without rows, which
  /// shows no columns and may have had any: the table that it is compared with, where that shows its
  /// own, has the column by one of the names.
  private static func mayHaveMet(_ correction: String, _ catalogues: Sides<Catalogue>) -> Bool {
    Side.allCases.contains { side in
      catalogues[side].tables.contains { table in
        guard table.columns.isEmpty, let names = table.rest(ofPlace: correction) else {
          return false
        }
        let other = catalogues[side.other]
        guard let place = other.index(ofTable: table.name) else { return true }
        let columns = other.tables[place].columns
        return columns.isEmpty
          || columns.contains { names.hasPrefix($0.name + "=") || names.hasSuffix("=" + $0.name) }
      }
    }
  }
}
