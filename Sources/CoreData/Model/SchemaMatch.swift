import Bytes

/// Brings a predicted schema together with the tables of a store.
struct SchemaMatch {
  private let model: ManagedObjectModel
  private let numbering: EntityNumbering
  private let schema: PredictedSchema
  private var tables: TableMatch
  private var tableNames: [Int: String] = [:]
  private var columns: [Int: [ActualColumn?]] = [:]
  private var keys: [RelationshipPlace: ActualColumn] = [:]
  private var joinTables: [ResolvedJoinTable] = []
  private var differences: [SchemaDifference]

  init(model: ManagedObjectModel, numbering: EntityNumbering, tables: [ActualTable]) {
    self.model = model
    self.numbering = numbering
    schema = PredictedSchema(model: model, numbering: numbering)
    self.tables = TableMatch(tables)
    differences = numbering.differences + schema.differences
    for table in schema.tables { matchTable(table) }
    for table in schema.joinTables { matchJoinTable(table) }
    self.tables.noteLeftovers()
    differences += self.tables.differences
  }

  /// The result, entities by number.
  func resolution() -> SchemaResolution {
    let byRoot = Dictionary(keepingFirst: schema.tables.map { ($0.root, $0) })
    let entities = numbering.order.map { index in
      entity(index, in: byRoot[model.forest.roots[index]])
    }
    return SchemaResolution(
      entities: entities, joinTables: joinTables, differences: differences)
  }

  private mutating func matchTable(_ predicted: PredictedTable) {
    let entity = model.entities[predicted.root].name
    guard let actual = tables.takeTable(named: predicted.name, of: entity) else { return }
    let match = TableMatch.ColumnMatch(predicted.columns, in: actual)
    tableNames[predicted.root] = actual.name
    columns[predicted.root] = match.found
    differences += match.differences
    for (column, found) in zip(predicted.columns, match.found) {
      if case .key(let place) = column.role { keys[place] = found }
    }
  }

  private mutating func matchJoinTable(_ predicted: PredictedJoinTable) {
    let (owner, target) = (model.name(of: predicted.owner), model.name(of: predicted.target))
    let actual = tables.takeJoinTable(predicted, owner, inverse: target)
    let found = actual.map { JoinColumns(predicted, in: $0) }
    if let actual, let found { noteDifferences(of: predicted, found, in: actual.name) }
    joinTables.append(
      ResolvedJoinTable(
        ownerRelationship: owner, targetRelationship: target,
        owner: end(predicted.owner.entity), target: end(predicted.target.entity),
        table: actual?.name, ownerColumn: found?.owner?.readable,
        targetColumn: found?.target?.readable, positionColumn: found?.position?.readable,
        reversePositionColumn: found?.reversePosition?.readable,
        isReflexive: predicted.isReflexive))
  }

  private mutating func noteDifferences(
    of predicted: PredictedJoinTable, _ found: JoinColumns, in table: String
  ) {
    let (owner, target) = (model.name(of: predicted.owner), model.name(of: predicted.target))
    let wanted: [(PropertyName, String?, ActualColumn?)] = [
      (target, predicted.ownerColumn, found.owner),
      (owner, predicted.targetColumn, found.target),
      (owner, predicted.positionColumn, found.position),
      (target, predicted.reversePositionColumn, found.reversePosition),
    ]
    for (property, name, column) in wanted {
      guard let name, column == nil else { continue }
      differences.append(.missingColumn(property, table: table, column: name))
    }
    for column in found.extra {
      differences.append(.extraColumn(table: table, column: column.name))
    }
  }

  private func entity(_ index: Int, in table: PredictedTable?) -> ResolvedEntity {
    let entity = model.entities[index]
    return ResolvedEntity(
      number: numbering.numbers[index], name: entity.name, isAbstract: entity.isAbstract,
      parent: model.forest.parents[index].map { numbering.numbers[$0] },
      hasSubentities: model.hasSubentities(index), isRecorded: numbering.isRecorded[index],
      root: model.entities[model.forest.roots[index]].name,
      table: tableNames[model.forest.roots[index]],
      properties: table.map { properties(of: index, in: $0) } ?? [])
  }

  private func properties(of index: Int, in table: PredictedTable) -> [ResolvedProperty] {
    let found = columns[table.root]
    var properties = PropertyCollection()
    for holder in model.forest.lineage(of: index) {
      for place in table.columnsByHolder[holder] ?? [] {
        add(table.columns[place], found?[place], to: &properties)
      }
    }
    return properties.inColumnOrder()
  }

  private func add(
    _ predicted: PredictedColumn, _ column: ActualColumn?,
    to properties: inout PropertyCollection
  ) {
    switch predicted.role {
    case .attribute(let place):
      guard let attribute = model.attributes(at: place).last else { return }
      properties.add(
        ResolvedAttribute(
          name: predicted.property.property, definedBy: predicted.property.entity,
          attribute: attribute, column: column))
    case .key(let place):
      properties.update(place, with: toOne(place)) { $0.keyColumn = column }
    case .entity(let place):
      properties.update(place, with: toOne(place)) { $0.entityColumn = column }
    case .position(let place):
      properties.update(place, with: toOne(place)) { $0.positionColumn = column }
    case .ownerKey(let place):
      properties.update(place, with: owner(place)) { $0.keyColumn = column }
    case .ownerPosition(let place):
      properties.update(place, with: owner(place)) { $0.positionColumn = column }
    }
  }

  private func toOne(_ place: RelationshipPlace) -> ResolvedReference {
    let edge = schema.graph[place]
    let inverse = edge.inverse.flatMap { model[$0].isToMany ? nil : $0 }
    return ResolvedReference(
      name: model[place].name, definedBy: model.entities[place.entity].name,
      kind: inverse == nil ? .toOne : .oneToOne, relationship: model[place],
      target: edge.destination.map { end($0) },
      counterpart: inverse.map { counterpart($0) })
  }

  private func owner(_ place: RelationshipPlace) -> ResolvedReference {
    let owner = model.entities[place.entity].name
    return ResolvedReference(
      name: "\(owner)_\(model[place].name)", definedBy: owner, kind: .owner,
      relationship: model[place], target: end(place.entity))
  }

  private func counterpart(_ place: RelationshipPlace) -> ResolvedCounterpart {
    ResolvedCounterpart(
      name: model.name(of: place), table: tableNames[model.forest.roots[place.entity]],
      keyColumn: keys[place])
  }

  private func end(_ index: Int) -> ResolvedEnd {
    ResolvedEnd(
      entity: model.entities[index].name, number: numbering.numbers[index],
      table: tableNames[model.forest.roots[index]], isPolymorphic: model.hasSubentities(index))
  }
}
