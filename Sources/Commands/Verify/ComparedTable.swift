import Bytes
import Records
import Tables

/// What two tables of one name have in common, and what of them cannot be or need not be compared.
struct ComparedTable {
  /// A column that both have.
  struct Pair {
    /// The name that the first gives it.
    var name: String
    var places: Sides<Int>
    var form: ComparedForm
    /// The tables to which its values refer, where they are keys.
    var targets: Sides<Int?> = Sides(nil, nil)
  }

  /// A column that is not compared.
  struct LeftOut {
    var name: String
    /// The store that has it; nil for both.
    var side: Side?
    var reason: Reason
  }

  /// Why a column is not compared.
  enum Reason: String {
    /// The other store has no such column.
    case missing
    /// `--ignore-column` says so.
    case ignored
    /// Servers and SDKs give it their own values.
    case system
    /// It counts rows, as each store does for itself.
    case position
    /// It holds keys of rows that have no ids, or too many of them, or the other store's does.
    case reference
  }

  let name: String
  let places: Sides<Int>
  let tables: Sides<Table>
  /// The columns that are compared, the id first where there is one.
  private(set) var pairs: [Pair] = []
  private(set) var leftOut: [LeftOut] = []
  /// Where the ids are.
  private var idPlaces = Sides<Int?>(nil, nil)
  /// Whether items are known by their ids, and not by all that they hold.
  private(set) var hasID = false
  /// The store that lacks the column of ids that the other has.
  private(set) var sideWithoutID: Side?
  /// The store that alone has the table; nil where both have it.
  private(set) var onlySide: Side?
  /// The store that alone marks deleted items, and the place of the mark; to the other such an
  /// item is gone.
  private(set) var deletedMark: (side: Side, place: Int)?

  /// Finds what two tables have in common; `ignored` tells which columns are left out.
  init(_ name: String, _ places: Sides<Int>, _ catalogues: ComparedCatalogues) {
    self.name = name
    self.places = places
    tables = catalogues.tables(at: places)
    pairIDs()
    var rest = Sides(remaining(.first, catalogues), remaining(.second, catalogues))
    pairDeleted(&rest)
    let others = catalogues.hasExactNames ? Self.sourceName : Self.likeName
    for rule in Self.sameName + others { pair(&rest, catalogues, by: rule) }
    for side in Side.allCases {
      leftOut += rest[side].map {
        LeftOut(name: tables[side].columns[$0].name, side: side, reason: .missing)
      }
    }
  }

  /// A table that only one store has: of its items nothing but their ids is asked.
  init(_ table: Table, onlyIn side: Side, at place: Int) {
    name = table.name
    onlySide = side
    places = Sides(place, place)
    tables = Sides(table, table)
    pairIDs()
    deletedMark = table.index(of: .deleted).map { (side, $0) }
  }

  /// How two columns are known to be the same, the surest way first.
  private static let sameName: [@Sendable (Table) -> [String]] = [
    { $0.columns.map(\.name) }, { $0.ownNames },
  ]

  /// The next sure way where letter case always counts.
  private static let sourceName: [@Sendable (Table) -> [String]] = [
    { $0.columns.map(\.sourceName) }
  ]

  /// The same where letter case does not count.
  private static let likeName: [@Sendable (Table) -> [String]] = [
    { $0.columns.map { asciiLowercased($0.name) } },
    { $0.columns.map { asciiLowercased($0.sourceName) } },
  ]

  private mutating func pairIDs() {
    idPlaces = Sides(
      tables.first.idPlace(beside: tables.second), tables.second.idPlace(beside: tables.first))
    switch (idPlaces.first, idPlaces.second) {
    case (let first?, let second?):
      hasID = true
      add(first, second)
    case (nil, nil): break
    case (_?, nil): sideWithoutID = .second
    case (nil, _?): sideWithoutID = .first
    }
  }

  /// The columns that may have a counterpart.
  private mutating func remaining(_ side: Side, _ catalogues: ComparedCatalogues) -> [Int] {
    let (table, other) = (tables[side], tables[side.other])
    var places: [Int] = []
    for (place, column) in table.columns.enumerated() where !(hasID && place == idPlaces[side]) {
      let reason: Reason? =
        if catalogues.ignored.matches(column.name, of: tables) {
          .ignored
        } else if column.role == .position || column.role == .source {
          .position
        } else if let role = column.systemRole(beside: other) {
          role == .deleted ? nil : .system
        } else {
          catalogues.reserve(column) ? .system : nil
        }
      if let reason {
        leftOut.append(LeftOut(name: column.name, side: side, reason: reason))
      } else {
        places.append(place)
      }
    }
    return places
  }

  private mutating func pairDeleted(_ rest: inout Sides<[Int]>) {
    func mark(_ side: Side) -> Int? {
      rest[side].first {
        tables[side].columns[$0].systemRole(beside: tables[side.other]) == .deleted
      }
    }
    let marks = Sides(mark(.first), mark(.second))
    if let first = marks.first, let second = marks.second {
      add(first, second, as: .deleted)
    } else if hasID, let side = Side.allCases.first(where: { marks[$0] != nil }) {
      deletedMark = marks[side].map { (side, $0) }
    }
    for side in Side.allCases { rest[side].removeAll { $0 == marks[side] } }
  }

  private mutating func pair(
    _ rest: inout Sides<[Int]>, _ catalogues: ComparedCatalogues, by names: (Table) -> [String]
  ) {
    let names = Sides(names(tables.first), names(tables.second))
    let others = Dictionary(keepingFirst: rest.second.map { (ExactText(names.second[$0]), $0) })
    var taken = Sides<Set<Int>>([], [])
    for first in rest.first {
      guard let second = others[ExactText(names.first[first])],
        taken.second.insert(second).inserted
      else { continue }
      taken.first.insert(first)
      addValues(first, second, catalogues)
    }
    for side in Side.allCases { rest[side].removeAll(where: taken[side].contains) }
  }

  private mutating func addValues(
    _ first: Int, _ second: Int, _ catalogues: ComparedCatalogues
  ) {
    let columns = Sides(tables.first.columns[first], tables.second.columns[second])
    guard Side.allCases.contains(where: { columns[$0].type == .reference }) else {
      return add(first, second)
    }
    // Keys are each store's own; what they refer to is known by its id.
    var targets = Sides<Int?>(nil, nil)
    var types = Sides(columns.first.type, columns.second.type)
    for side in Side.allCases where columns[side].type == .reference {
      let target = catalogues.itemTable(named: columns[side].target, side)
      targets[side] = target?.place
      types[side] = target?.idType ?? .reference
    }
    // A number that refers to nothing is no id where ids are texts, but a key, too.
    let isKey = Side.allCases.contains {
      targets[$0] == nil && types[$0].isNumber && !types[$0.other].isNumber
    }
    guard types.first != .reference, types.second != .reference, !isKey else {
      return leftOut.append(LeftOut(name: columns.first.name, side: nil, reason: .reference))
    }
    pairs.append(
      Pair(
        name: columns.first.name, places: Sides(first, second),
        form: ComparedForm(types.first, types.second), targets: targets))
  }

  private mutating func add(_ first: Int, _ second: Int, as form: ComparedForm? = nil) {
    let columns = Sides(tables.first.columns[first], tables.second.columns[second])
    pairs.append(
      Pair(
        name: columns.first.name, places: Sides(first, second),
        form: form ?? ComparedForm(columns.first.type, columns.second.type)))
  }
}

extension LogicalType {
  fileprivate var isNumber: Bool { cellKind == .integer || cellKind == .real }
}

extension Column {
  /// The part that a column plays towards the server, by its role or by a name that some SDK or
  /// service gives it, in a table whose items have ids; nil for a column of the app.
  ///
  /// A name without prefix is the app's own, unless `counterpart` is the other store's column of
  /// that part.
  func systemRole(beside counterpart: Table) -> ColumnRole? {
    switch role {
    case .version, .createdAt, .updatedAt, .deleted: return role
    case .id, .reference, .referenceEntity, .position, .source: return nil
    case .value: break
    }
    let folded = asciiLowercased(name)
    let prefix = ["__", "ms_"].first { folded.hasPrefix($0) }
    guard let found = Self.systemRoles[String(folded.dropFirst(prefix?.count ?? 0))],
      prefix != nil || counterpart.index(of: found) != nil
    else { return nil }
    return found
  }

  private static let systemRoles: [String: ColumnRole] = [
    "version": .version, "createdat": .createdAt, "updatedat": .updatedAt, "deleted": .deleted,
  ]
}

extension Table {
  /// The column with the items' ids, by its role or its name.
  var idPlace: Int? { index(of: .id) ?? place(ofName: "id") }

  /// The same column beside a table whose SDK may call ids otherwise, and let the app have an `id`.
  func idPlace(beside other: Table) -> Int? {
    guard idName == nil, let name = other.idName else { return idPlace }
    return place(ofName: name) ?? idPlace
  }

  /// What the column with the ids is called, where that is another name than the usual one.
  private var idName: String? {
    index(of: .id).map { columns[$0].name }.flatMap { asciiLowercased($0) == "id" ? nil : $0 }
  }

  private func place(ofName name: String) -> Int? {
    columns.firstIndex { asciiLowercased($0.name) == asciiLowercased(name) }
  }
}
