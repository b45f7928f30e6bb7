import Bytes
import Records
import Tables

/// A table that several sources have, with the columns of them all.
struct UnitedTable: Sendable {
  private(set) var name: String
  /// What the first source that has it calls it.
  let ownName: String
  private let sourceName: String
  private let sourceTable: String
  private(set) var columns: [UnitedColumn] = []
  private var names = CatalogueNames()
  private var hasSource = false
  /// Whether letter case always counts in the names of a source that has it.
  private(set) var isExact = false
  /// The places of the columns that sources know by a name, which is in lower case.
  private var places: [ExactText: [Int]] = [:]
  /// Where the columns of the sources went: what came later may have changed the columns there.
  private var taken: [SourceColumnKind: Int] = [:]

  /// A table without columns.
  init(_ table: Table, _ ownName: String, name: String) {
    self.name = name
    self.ownName = ownName
    // A number that it got here is known by the name without it.
    sourceName = hasSameBytes(name, table.name) ? table.sourceName : ownName
    sourceTable = table.sourceTable
    // This is where the store says from which source a row is.
    _ = names.claimColumn(SourceColumn.name)
  }

  var table: Table {
    Table(
      name: name, sourceName: sourceName, sourceTable: sourceTable, columns: columns.map(\.column))
  }

  /// Where the values of a source's column belong; nil for one that was never taken.
  func place(of column: Column, _ ownName: String) -> Int? {
    taken[SourceColumnKind(column, ownName)]
  }

  /// Where the values of a column could be; where those of one do that is spelled otherwise only in
  /// letter case, unless that must not be.
  ///
  /// A source has one column of each system role, whose name depends on what the app's are called.
  private func place(
    of column: Column, _ ownName: String, exactly: Bool, besides claimed: Set<Int>
  ) -> Int? {
    if UnitedColumn.Purpose(column) == .system,
      let place = columns.firstIndex(where: { $0.column.role == column.role }),
      !claimed.contains(place)
    {
      return place
    }
    return places[ExactText(sqlName: ownName)]?.first {
      !claimed.contains($0) && columns[$0].takes(column, ownName)
        && (!exactly && !isExact || hasSameBytes(columns[$0].ownName, ownName))
    }
  }

  /// Where the columns of a source belong that are here in the same letter case.
  private func exactPlaces(of table: Table, _ ownNames: [String]) -> [Int?] {
    var claimed: Set<Int> = []
    return zip(table.columns, ownNames).map { column, ownName in
      let place = place(of: column, ownName, exactly: true, besides: claimed)
      if let place { claimed.insert(place) }
      return place
    }
  }

  /// Where the table names of a reference belong.
  func entityPlace(ofReferenceAt place: Int) -> Int? {
    places[ExactText(columns[place].key + Column.entityEnding)]?.first {
      columns[$0].purpose == .referenceEntity
    }
  }

  /// Takes the columns of one source; `isExact` says that letter case always counts in its names.
  ///
  /// - Returns: what a person should know about columns that are not the same everywhere.
  mutating func unite(
    with table: Table, of source: String, exactly isExact: Bool = false
  ) -> [Finding] {
    var findings: [Finding] = []
    self.isExact = self.isExact || isExact
    // Of twins each goes to the column of its own, if there is one.
    let ownNames = table.ownNames
    let exact = exactPlaces(of: table, ownNames)
    var touched = Set(exact.compactMap(\.self))
    for (number, column) in table.columns.enumerated() {
      let ownName = ownNames[number]
      let namesTables =
        column.type == .reference && table.entityPlace(ofReferenceAt: number) != nil
      if let place = exact[number]
        ?? place(of: column, ownName, exactly: false, besides: touched)
      {
        let before = columns[place]
        var united = column
        if isTaken(column.role, besides: place) { united.role = .value }
        columns[place].unite(with: united, namesTables: namesTables)
        touched.insert(place)
        take(column, ownName, at: place)
        if (before.column.role == .id) != (column.role == .id) {
          findings.append(
            finding(
              "the column \(column.name) has the ids of items in some sources and is one of the app "
                + "in others, among them \(source) or one before it; items are compared only where "
                + "it has their ids, so one id may be here twice"))
        }
        guard !before.column.isUndecided, !column.isUndecided, !before.types.contains(column.type),
          before.column.type != column.type
        else { continue }
        findings.append(
          finding(
            "the column \(column.name) is \(before.column.type.rawValue) so far and "
              + "\(column.type.rawValue) in \(source); in the end it is "
              + columns[place].column.type.rawValue))
      } else {
        touched.insert(columns.count)
        let other = places[ExactText(sqlName: ownName)]?.first
        append(column, ownName, namesTables: namesTables)
        guard let new = columns.last?.column, !hasSameBytes(new.name, column.name) else { continue }
        guard let other else {
          findings.append(
            .changedName("the column \(column.name)", to: new.name, inTable: name))
          continue
        }
        findings.append(
          finding(
            "the column \(column.name) of \(source) is something else than what is called "
              + "\(columns[other].column.name) so far; it is called \(new.name)"))
      }
    }
    for place in columns.indices where hasSource && !touched.contains(place) {
      columns[place].column.isNullable = true
    }
    hasSource = true
    addEntities()
    return findings
  }

  /// Gives each reference to several tables a column for their names.
  private mutating func addEntities() {
    for place in columns.indices.reversed()
    where columns[place].isPolymorphic && entityPlace(ofReferenceAt: place) == nil {
      let key = columns[place].key + Column.entityEnding
      let reference = columns[place].column
      let column = Column(
        name: key, sourceName: reference.sourceName + Column.entityEnding, type: .text,
        role: .referenceEntity)
      let name = names.claimColumn(reference.name + Column.entityEnding)
      insert(UnitedColumn(column, key, name: name), at: place + 1)
    }
  }

  private mutating func insert(_ column: UnitedColumn, at place: Int) {
    let moved = { (other: Int) in other >= place ? other + 1 : other }
    places = places.mapValues { $0.map(moved) }
    taken = taken.mapValues(moved)
    columns.insert(column, at: place)
    places[ExactText(column.key), default: []].append(place)
  }

  private mutating func append(_ column: Column, _ ownName: String, namesTables: Bool) {
    var added = column
    added.isNullable = added.isNullable || hasSource
    // There is one id and one of each system column; a second one is a value like others.
    if isTaken(column.role) { added.role = .value }
    let new = UnitedColumn(
      added, ownName, name: names.claimColumn(column.name), namesTables: namesTables)
    places[ExactText(new.key), default: []].append(columns.count)
    take(column, ownName, at: columns.count)
    columns.append(new)
  }

  /// Notes where a column of a source went; where one without values goes does not matter to it, but may
  /// to one of another source.
  private mutating func take(_ column: Column, _ ownName: String, at place: Int) {
    let kind = SourceColumnKind(column, ownName)
    if !column.isUndecided || taken[kind] == nil { taken[kind] = place }
  }

  private func isTaken(_ role: ColumnRole, besides place: Int? = nil) -> Bool {
    role.isUnique && columns.indices.contains { $0 != place && columns[$0].column.role == role }
  }

  private func finding(_ message: String) -> Finding {
    Finding("column-types-differ", .note, table: name, message: message)
  }

  /// What tells the column of a source from others of its table, in all sources alike.
  fileprivate struct SourceColumnKind: Hashable, Sendable {
    private let name: ExactText
    private let ownName: ExactText
    private let purpose: UnitedColumn.Purpose
    private let type: LogicalType

    init(_ column: Column, _ ownName: String) {
      name = ExactText(column.name)
      self.ownName = ExactText(ownName)
      purpose = UnitedColumn.Purpose(column)
      type = column.type
    }
  }
}

extension ColumnRole {
  /// Whether a table has at most one such column.
  fileprivate var isUnique: Bool {
    switch self {
    case .id, .version, .createdAt, .updatedAt, .deleted: true
    case .value, .reference, .referenceEntity, .position, .source: false
    }
  }
}
