import Bytes

/// The entities that `Z_PRIMARYKEY` lists, as trees with unique names.
struct FallbackEntities {
  /// An entity by what the store says of it.
  struct Entity {
    let number: Int64
    /// Its name as it should be now.
    var name: String
    /// The name the store recorded, which its table may still have.
    let recordedName: String?
  }

  /// The entities by number.
  private(set) var entities: [Entity]
  /// Who descends from whom.
  let forest: EntityForest
  /// What is odd about the rows.
  private(set) var differences: [SchemaDifference] = []
  private let indexes: [Int64: Int]

  /// Makes sense of the rows.
  ///
  /// - Throws: `ModelError` when there are too many entities or too many levels of them.
  init(
    rows: [PrimaryKeyRow], hashedNames: Set<String>?, limits: ModelLimits
  ) throws(ModelError) {
    let listed = Self.distinct(rows)
    guard listed.count <= limits.entities else {
      throw ModelError(.tooManyEntities, String(listed.count))
    }
    var differences = rows.filter { $0.number < 1 }.map {
      SchemaDifference.recordedEntityUnknown(number: $0.number, name: $0.name)
    }
    let entities = Self.named(listed, hashedNames, &differences)
    let indexes = Dictionary(keepingFirst: listed.enumerated().map { ($1.number, $0) })
    var parents = listed.map { indexes[$0.parent] }
    for (row, parent) in zip(listed, parents) where parent == nil && row.parent != 0 {
      differences.append(
        .superentity(entity: row.name ?? "", predicted: 0, recorded: row.parent))
    }
    for index in Self.cutCycles(&parents) {
      differences.append(
        .cyclicSuperentity(number: listed[index].number, parent: listed[index].parent))
    }
    forest = try EntityForest(
      names: entities.map(\.name), parents: parents.map { $0.map { entities[$0].name } },
      limits: limits)
    self.entities = entities
    self.indexes = indexes
    self.differences = differences
  }

  /// The position of an entity by its number.
  func index(ofNumber number: Int64) -> Int? { indexes[number] }

  private static func distinct(_ rows: [PrimaryKeyRow]) -> [PrimaryKeyRow] {
    var seen: Set<Int64> = []
    return rows.filter { $0.number > 0 && !$0.isSystem && seen.insert($0.number).inserted }
      .sorted { $0.number < $1.number }
  }

  private static func named(
    _ rows: [PrimaryKeyRow], _ hashedNames: Set<String>?,
    _ differences: inout [SchemaDifference]
  ) -> [Entity] {
    var entities: [Entity] = []
    var names: Set<String> = []
    let renamed = hashedNames.flatMap { rename(rows, $0, &differences) }
    for row in rows {
      var name = row.name ?? ""
      if let renamed, renamed.number == row.number { name = renamed.name }
      if name.isEmpty { name = "Entity" }
      if !names.insert(name).inserted || row.name == nil {
        differences.append(.repeatedEntityName(name: name, number: row.number))
        repeat { name += "_\(row.number)" } while !names.insert(name).inserted
      }
      entities.append(Entity(number: row.number, name: name, recordedName: row.name))
    }
    return entities
  }

  /// One name out of date and one hash without entity can only be the same entity.
  private static func rename(
    _ rows: [PrimaryKeyRow], _ hashedNames: Set<String>,
    _ differences: inout [SchemaDifference]
  ) -> (number: Int64, name: String)? {
    let recorded = Set(rows.compactMap(\.name))
    let stale = rows.filter { row in row.name.map { !hashedNames.contains($0) } ?? true }
    let missing = hashedNames.subtracting(recorded).sorted()
    if stale.count == 1, missing.count == 1, let row = stale.first, let name = missing.first {
      differences.append(
        .staleEntityName(number: row.number, recorded: row.name, current: name))
      return (row.number, name)
    }
    for row in stale { differences.append(.entityNotHashed(entity: row.name ?? "")) }
    for name in missing { differences.append(.hashedEntityUnknown(entity: name)) }
    return nil
  }

  /// Makes one entity of each circle a root, and returns those.
  private static func cutCycles(_ parents: inout [Int?]) -> [Int] {
    // 0 is not visited, then the number of the walk that came by.
    var visits = [Int](repeating: 0, count: parents.count)
    var cut: [Int] = []
    for start in parents.indices {
      var next: Int? = start
      while let index = next, visits[index] == 0 {
        visits[index] = start + 1
        next = parents[index]
        if let parent = next, visits[parent] == start + 1 {
          parents[index] = nil
          cut.append(index)
        }
      }
    }
    return cut
  }
}

/// A join table read by its pattern alone: `Z_<n>NAME` with a key column for each side.
struct FallbackJoin {
  /// The number of the entity whose keys are in a column, and the name that leads back to it.
  struct Side {
    /// The number of the entity.
    let number: Int64
    /// The upper-case name of the relationship that leads from this entity to the other.
    let relationship: String
    let key: ActualColumn
    /// The column with this entity's position within the other.
    let position: ActualColumn?
  }

  /// The side whose relationship the table is named after.
  let naming: Side
  /// The other side; nil when the relationship is its own inverse.
  let other: Side?
  /// For its own inverse, the second key column.
  let reflexive: ActualColumn?
  /// Columns that the pattern does not explain.
  let extra: [ActualColumn]

  /// Reads a table; nil when it does not have the pattern.
  init?(_ table: ActualTable) {
    guard let (number, name) = Self.numbered(table.name, after: "Z_") else { return nil }
    let keys = table.columns.filter { Self.numbered($0.name, after: "Z_") != nil }
    let reflexive = table.columns.first { $0.name == StoredName.reflexiveColumn }
    let positions = table.columns.filter { $0.name.hasPrefix("Z_FOK_") }
    if reflexive != nil, keys.count == 1, let key = keys.first {
      naming = Side(
        number: number, relationship: name, key: key, position: positions.first)
      other = nil
    } else {
      guard keys.count == 2, let pair = Self.sides(number, name, keys, positions) else {
        return nil
      }
      naming = pair.naming
      other = pair.other
    }
    self.reflexive = other == nil ? reflexive : nil
    let used = [
      naming.key, naming.position, other?.key, other?.position, self.reflexive,
    ]
    extra = table.columns.filter { !used.contains($0) }
  }

  /// The column that the table's relationship leads to belongs to the other side.
  private static func sides(
    _ number: Int64, _ name: String, _ keys: [ActualColumn], _ positions: [ActualColumn]
  ) -> (naming: Side, other: Side)? {
    let tests: [(String) -> Bool] = [
      { $0 == name }, { StoredName.isSuffixed($0, of: name) },
    ]
    for test in tests {
      for (target, owner) in [(keys.last, keys.first), (keys.first, keys.last)] {
        guard let target, let owner,
          let leading = numbered(target.name, after: "Z_"), test(leading.rest),
          let back = numbered(owner.name, after: "Z_"), back.number == number
        else { continue }
        let naming = Side(
          number: number, relationship: name, key: owner,
          position: position(of: owner, among: positions))
        let other = Side(
          number: leading.number, relationship: back.rest, key: target,
          position: position(of: target, among: positions))
        return (naming, other)
      }
    }
    return nil
  }

  private static func position(
    of key: ActualColumn, among positions: [ActualColumn]
  ) -> ActualColumn? {
    let wanted = "Z_FOK_" + key.name.dropFirst(2)
    let stem = StoredName.withoutTrailingDigits(wanted)
    return positions.first { $0.name == wanted }
      ?? positions.first { StoredName.withoutTrailingDigits($0.name) == stem }
  }

  private static func numbered(
    _ name: String, after prefix: String
  ) -> (number: Int64, rest: String)? {
    guard name.hasPrefix(prefix),
      let (number, rest) = StoredName.leadingNumber(name.dropFirst(prefix.count)), !rest.isEmpty
    else { return nil }
    return (number, rest)
  }
}
