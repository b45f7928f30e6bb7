/// The entities that `Z_PRIMARYKEY` lists, as trees with unique names.
package struct FallbackEntities {
  /// An entity by what the store says of it.
  package struct Entity {
    /// Its number.
    package let number: Int64
    /// Its name as it should be now.
    package var name: String
    /// The name the store recorded, which its table may still have.
    let recordedName: String?
  }

  /// The entities by number.
  package private(set) var entities: [Entity]
  /// Who descends from whom.
  let forest: EntityForest
  /// What is odd about the rows.
  package private(set) var differences: [SchemaDifference] = []
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
    let indexes = Dictionary(
      listed.enumerated().map { ($1.number, $0) }, uniquingKeysWith: { first, _ in first })
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
  package func index(ofNumber number: Int64) -> Int? { indexes[number] }

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
