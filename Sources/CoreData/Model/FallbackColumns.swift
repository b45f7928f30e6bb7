import Bytes
import SQLiteFile

/// What a column of a root entity's table seems to be when there is no model.
struct FallbackColumn {
  enum Use: Equatable {
    case attribute
    /// The key of a row whose entity may be known by number.
    case key(target: Int64?, entity: ActualColumn?, position: ActualColumn?)
    /// The key of the row that owns this one by a to-many relationship.
    case owner(Int64, relationship: String, position: ActualColumn?)
  }

  let column: ActualColumn
  let use: Use
}

/// Reads the columns of a table by their names, declared types and indexes.
struct FallbackColumns {
  /// What else the store tells of the columns of a table.
  struct Evidence {
    /// Those with an index of their own.
    var indexed: Set<String> = []
    /// The numbers of the entities whose rows some of those name.
    var targets: [String: Int64] = [:]
    /// The entities in whose rows a column has content; empty where nobody looked.
    var holders: (String) -> Set<Int64> = { _ in [] }
    /// Which numbers belong to entities of the store.
    var isEntity: (Int64) -> Bool = { _ in false }
  }

  /// The columns that hold something, in their order.
  private(set) var columns: [FallbackColumn] = []
  /// Columns that no rule explains.
  private(set) var extra: [ActualColumn] = []
  private let evidence: Evidence
  /// The columns beside keys with the entities of the targets, and with places, by key.
  private var entities: [String: ActualColumn] = [:]
  private var positions: [String: ActualColumn] = [:]

  /// The columns beside keys, which are values of their references.
  var besideKeys: [ActualColumn] {
    (Array(entities.values) + positions.values).sorted { $0.position < $1.position }
  }

  /// Reads a table.
  init(_ table: ActualTable, _ evidence: Evidence) {
    self.evidence = evidence
    let own = table.columns.filter { !StoredName.leadingColumns.contains($0.name) }
    let besides = bind(own)
    let bound = Set(besideKeys)
    for column in own where !bound.contains(column) {
      if column.name.hasPrefix("Z") {
        let use = besides.contains(column) ? .attribute : use(of: column)
        columns.append(FallbackColumn(column: column, use: use))
      } else {
        extra.append(column)
      }
    }
  }

  /// Finds the keys of the columns that are beside keys; gives all of these columns.
  private mutating func bind(_ own: [ActualColumn]) -> Set<ActualColumn> {
    let stem = StoredName.withoutTrailingDigits
    let keys = Dictionary(
      grouping: own.filter { Self.isInteger($0) && positionKey($0) == nil }
    ) { stem($0.name) }
    var besides: Set<ActualColumn> = []
    for column in own {
      guard let name = entityKey(column), let alike = keys[stem(name)] else { continue }
      besides.insert(column)
      key(of: column, called: name, among: alike, entities).map { entities[$0] = column }
    }
    // Which columns are keys is known better by then.
    for column in own {
      guard let name = positionKey(column), let alike = keys[stem(name)] else { continue }
      besides.insert(column)
      key(of: column, called: name, among: alike, positions).map { positions[$0] = column }
    }
    return besides
  }

  private func use(of column: ActualColumn) -> FallbackColumn.Use {
    guard Self.isInteger(column), positionKey(column) == nil else { return .attribute }
    let position = positions[column.name]
    if let owner = numbered(column) {
      return .owner(owner.number, relationship: owner.rest, position: position)
    }
    let entity = entities[column.name]
    let target = entity.flatMap { numbered($0)?.number } ?? evidence.targets[column.name]
    guard target != nil || position != nil || evidence.indexed.contains(column.name) else {
      return .attribute
    }
    return .key(target: target, entity: entity, position: position)
  }

  /// The key that a column is beside: the one of its name, unless that has no index or holds nothing in
  /// any of the column's rows, and just one that is called alike and surely a key is in all of them.
  ///
  /// Nil where that has such a column already.
  private func key(
    of column: ActualColumn, called name: String, among alike: [ActualColumn],
    _ taken: [String: ActualColumn]
  ) -> String? {
    let holders = alike.count > 1 ? evidence.holders(column.name) : []
    var key = alike.first { $0.name == name }
    let isDoubtful = key.map { key in
      !evidence.indexed.contains(key.name) && entities[key.name] == nil
        || evidence.holders(key.name).isDisjoint(with: holders)
    }
    if !holders.isEmpty, isDoubtful ?? true {
      let others = alike.filter {
        evidence.holders($0.name).isSuperset(of: holders)
          && (evidence.indexed.contains($0.name) || entities[$0.name] != nil)
      }
      if others.count == 1 { key = others.first }
    }
    return key.flatMap { taken[$0.name] == nil ? $0.name : nil }
  }

  /// What the key is called that a column such as `Z4_AUTHOR` is beside.
  private func entityKey(_ column: ActualColumn) -> String? {
    guard let rest = numbered(column)?.rest, rest.hasPrefix("_") else { return nil }
    return "Z" + rest.dropFirst()
  }

  /// What the key is called that a column such as `Z_FOK_AUTHOR` or `Z_FOK_4PAGES` is beside.
  private func positionKey(_ column: ActualColumn) -> String? {
    guard column.name.hasPrefix("Z_FOK_") else { return nil }
    return "Z" + column.name.dropFirst("Z_FOK_".count)
  }

  private func numbered(_ column: ActualColumn) -> (number: Int64, rest: String)? {
    guard column.name.hasPrefix("Z"),
      let (number, rest) = StoredName.leadingNumber(column.name.dropFirst()),
      !rest.isEmpty, evidence.isEntity(number)
    else { return nil }
    return (number, rest)
  }

  private static func isInteger(_ column: ActualColumn) -> Bool {
    Affinity(declaredType: column.declaredType) == .integer
  }
}
