/// The schema of a store whose model is not at hand, as far as the store itself shows it.
///
/// Entities and inheritance come from `Z_PRIMARYKEY`, properties from the columns. Names of
/// properties are in upper case unless the caller knows better.
package struct FallbackModel {
  /// Says how a property is spelled, from the entity's name and the column's.
  package typealias Spelling = (_ entity: String, _ column: ActualColumn) -> KnownSpelling?

  /// The entities that the store lists.
  let entities: FallbackEntities
  private let evidence: FallbackModel.Evidence
  private let spelling: Spelling
  private let limits: ModelLimits
  private let occupancy: FallbackModel.Occupancy
  private var tables: TableMatch
  private var rootTables: [Int: ActualTable] = [:]
  private var columns: [Int: FallbackColumns] = [:]
  private var differences: [SchemaDifference]

  /// Reads the evidence.
  ///
  /// - Throws: `ModelError` when the store lists more than honest stores do.
  init(
    _ evidence: FallbackModel.Evidence, limits: ModelLimits = .standard,
    spelling: @escaping Spelling = { _, _ in nil }
  ) throws(ModelError) {
    let entities = try FallbackEntities(
      rows: evidence.rows, hashedNames: evidence.hashedNames, limits: limits)
    self.entities = entities
    self.evidence = evidence
    self.spelling = spelling
    self.limits = limits
    occupancy = FallbackModel.Occupancy(evidence.occupied, entities: entities)
    tables = TableMatch(evidence.tables)
    differences = entities.differences
    for root in entities.entities.indices where entities.forest.parents[root] == nil {
      takeTable(of: root)
    }
  }

  /// The schema, in the same shape as one that a model was found for.
  ///
  /// - Throws: `ModelError` when entities and columns multiply beyond what honest stores have.
  func resolution() throws(ModelError) -> SchemaResolution {
    let entities = try resolvedEntities()
    var result = SchemaResolution(
      entities: entities, joinTables: [], differences: differences + unusedColumns(of: entities))
    var tables = self.tables
    for table in evidence.tables where StoreTableKind(table: table.name) == .join {
      guard let join = FallbackJoin(table), let resolved = joinTable(join, in: table),
        tables.takeTable(named: table.name, of: resolved.name) != nil
      else { continue }
      result.joinTables.append(resolved)
      result.differences += join.extra.map { .extraColumn(table: table.name, column: $0.name) }
    }
    tables.noteLeftovers()
    result.differences += tables.differences
    return result
  }

  private mutating func takeTable(of root: Int) {
    let entity = entities.entities[root]
    let names = [entity.name, entity.recordedName ?? entity.name].map { StoredName.table($0) }
    let name = names.first { tables.hasTable(named: $0) } ?? StoredName.table(entity.name)
    guard let table = tables.takeTable(named: name, of: entity.name) else { return }
    let read = FallbackColumns(
      table,
      FallbackColumns.Evidence(
        indexed: evidence.indexedColumns[table.name] ?? [],
        targets: evidence.targets[table.name] ?? [:],
        holders: { [occupancy] in occupancy.holders(of: $0, inTreeOf: root) },
        isEntity: { [entities] in entities.index(ofNumber: $0) != nil }))
    rootTables[root] = table
    columns[root] = read
    differences += read.extra.map { .extraColumn(table: table.name, column: $0.name) }
  }

  private func resolvedEntities() throws(ModelError) -> [ResolvedEntity] {
    let forest = entities.forest
    var total = 0
    var resolved: [ResolvedEntity] = []
    for (index, entity) in entities.entities.enumerated() {
      let root = forest.roots[index]
      let held = occupancy.columns(of: index, among: columns[root]?.columns ?? [])
      total += held.count
      guard total <= limits.inheritedProperties else {
        throw ModelError(.tooManyProperties, entity.name)
      }
      let properties = FallbackProperties(index, entities: entities, spelling: spelling, end: end)
      resolved.append(
        ResolvedEntity(
          number: entity.number, name: entity.name, isAbstract: false,
          parent: forest.parents[index].map { entities.entities[$0].number },
          hasSubentities: !forest.children[index].isEmpty, isRecorded: true,
          root: entities.entities[root].name, table: rootTables[root]?.name,
          properties: held.map { properties.property(in: $0) }))
    }
    return resolved
  }

  /// Columns beside keys that no reference of the rows has in which they hold something: the key was
  /// taken for a number, or for that of rows of another entity.
  private func unusedColumns(of resolved: [ResolvedEntity]) -> [SchemaDifference] {
    var users: [ActualColumn: Set<Int64>] = [:]
    return columns.sorted { $0.key < $1.key }.flatMap { root, read -> [SchemaDifference] in
      guard let table = rootTables[root]?.name, !read.besideKeys.isEmpty else { return [] }
      users.removeAll()
      for entity in resolved where entity.table == table {
        for case .reference(let reference) in entity.properties {
          for column in [reference.entityColumn, reference.positionColumn].compactMap(\.self) {
            users[column, default: []].insert(entity.number)
          }
        }
      }
      return read.besideKeys.filter { column in
        let holders = occupancy.holders(of: column.name, inTreeOf: root)
        return users[column].map { !holders.isSubset(of: $0) } ?? true
      }.map { .extraColumn(table: table, column: $0.name) }
    }
  }

  private func joinTable(_ join: FallbackJoin, in table: ActualTable) -> ResolvedJoinTable? {
    let naming = join.naming
    let other = join.other ?? naming
    guard let near = end(naming.number), let far = end(other.number) else { return nil }
    let forward = PropertyName(entity: near.entity, property: naming.relationship)
    let back = PropertyName(entity: far.entity, property: other.relationship)
    var resolved = ResolvedJoinTable(
      ownerRelationship: forward, targetRelationship: back, owner: near, target: far,
      table: table.name, ownerColumn: naming.key, targetColumn: join.reflexive ?? other.key,
      positionColumn: join.other == nil ? naming.position : other.position,
      reversePositionColumn: join.other == nil ? nil : naming.position,
      isReflexive: join.other == nil)
    if back < forward { resolved.turnAround() }
    return resolved
  }

  private func end(_ number: Int64) -> ResolvedEnd? {
    guard let index = entities.index(ofNumber: number) else { return nil }
    return ResolvedEnd(
      entity: entities.entities[index].name, number: number,
      table: rootTables[entities.forest.roots[index]]?.name,
      isPolymorphic: !entities.forest.children[index].isEmpty)
  }

  /// Which columns of a shared table belong to which entity, judged by where rows have content.
  struct Occupancy {
    private let entities: FallbackEntities
    private let columnsOfEntity: [Int: Set<String>]
    private let columnsOfTree: [Int: Set<String>]
    private let holders: [OccupiedPlace: Set<Int64>]
    private let isKnown: Bool

    /// Sorts what was found by entity and by tree; nil means nobody looked.
    init(_ occupied: Set<OccupiedColumn>?, entities: FallbackEntities) {
      var columnsOfEntity: [Int: Set<String>] = [:]
      var columnsOfTree: [Int: Set<String>] = [:]
      var holders: [OccupiedPlace: Set<Int64>] = [:]
      for place in occupied ?? [] {
        guard let index = entities.index(ofNumber: place.entity) else { continue }
        columnsOfEntity[index, default: []].insert(place.column)
        let root = entities.forest.roots[index]
        columnsOfTree[root, default: []].insert(place.column)
        holders[OccupiedPlace(root: root, column: place.column), default: []].insert(place.entity)
      }
      self.entities = entities
      self.columnsOfEntity = columnsOfEntity
      self.columnsOfTree = columnsOfTree
      self.holders = holders
      isKnown = occupied != nil
    }

    /// The numbers of the entities of a tree in whose rows a column has content.
    func holders(of column: String, inTreeOf root: Int) -> Set<Int64> {
      holders[OccupiedPlace(root: root, column: column)] ?? []
    }

    /// The columns of a tree's table that rows of one entity seem to use.
    ///
    /// Content in an ancestor's rows counts too; a column empty in all rows may be anybody's.
    func columns(of index: Int, among all: [FallbackColumn]) -> [FallbackColumn] {
      let root = entities.forest.roots[index]
      guard isKnown, !entities.forest.children[root].isEmpty else { return all }
      var held: Set<String> = []
      for ancestor in entities.forest.lineage(of: index) {
        held.formUnion(columnsOfEntity[ancestor] ?? [])
      }
      let used = columnsOfTree[root] ?? []
      return all.filter { held.contains($0.column.name) || !used.contains($0.column.name) }
    }
  }

  /// What a store without a model still tells about its schema.
  struct Evidence: Sendable {
    /// The entities the store lists.
    var rows: [PrimaryKeyRow]
    var tables: [ActualTable]
    /// The entities that the metadata has hashes for, if known.
    var hashedNames: Set<String>?
    /// Columns that are the only one of an index named after them, by table.
    var indexedColumns: [String: Set<String>] = [:]
    /// The numbers of the entities whose rows some of these name, by table and column.
    var targets: [String: [String: Int64]] = [:]
    /// Where rows have content, if that was looked up; nil means nobody looked.
    var occupied: Set<OccupiedColumn>?
  }
}

/// A column of the table of a tree.
private struct OccupiedPlace: Hashable {
  let root: Int
  let column: String
}

/// A column in which rows of an entity have something other than NULL.
struct OccupiedColumn: Sendable, Hashable {
  /// The entity's number.
  let entity: Int64
  let column: String
}

/// How a property is truly spelled, and what it holds if that is known too.
package struct KnownSpelling: Sendable, Equatable {
  /// The name of the property.
  package var name: String
  /// The type of the attribute; nil leaves it to the column's declaration.
  package var type: AttributeType?

  /// Takes all its parts.
  package init(name: String, type: AttributeType? = nil) {
    self.name = name
    self.type = type
  }

  /// Whether Core Data declares a column of the type as this one is declared, as far as it is one of its
  /// declarations.
  package func fits(_ column: ActualColumn) -> Bool {
    guard let type, let found = DeclaredType(declaration: column.declaredType) else { return true }
    return found == type.declaredType
  }
}
