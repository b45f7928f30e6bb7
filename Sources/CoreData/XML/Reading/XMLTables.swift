/// Plans a table for each entity and each many-to-many relationship of an XML store.
struct XMLTables {
  let contents: XMLContents
  let entities: XMLEntities
  let relations: XMLRelations
  let numbers: [String: Int]
  let model: ManagedObjectModel?

  /// The tables of all entities, then those of pairs by the names of their relationships.
  func plan() -> [XMLTable] {
    var objects = [[Int32]](repeating: [], count: entities.list.count)
    for object in contents.byKey {
      let type = contents.type(ofObject: Int(object))
      if let entity = entities.byType[type] { objects[entity].append(object) }
    }
    var references = [[XMLTable.PlannedColumn]](repeating: [], count: entities.list.count)
    for index in relations.list.indices where relations.list[index].form == .ownerColumn {
      for entity in relations.list[index].destinationEntities {
        references[entity] += ownerColumns(index)
      }
    }
    let tables = entities.list.indices.map { index in
      table(index, objects[index], references[index])
    }
    let joins = relations.list.compactMap { relation in relation.rows.map { (relation, $0) } }
    return tables + joins.sorted { $0.0.name < $1.0.name }.map(joinTable)
  }

  private func table(
    _ index: Int, _ objects: [Int32], _ references: [XMLTable.PlannedColumn]
  ) -> XMLTable {
    let entity = entities.list[index]
    var (columns, columnsByName) = XMLAttributeColumns(entity, model).plan(numbers)
    for relation in relationIndexes(of: entity, index) {
      columns += referenceColumns(relation)
    }
    columns += references
    return XMLTable(
      name: entity.name, columns: columns,
      rows: .objects(objects, columnsByName: columnsByName))
  }

  /// The to-one relationships of an entity: those of its objects, then the others of the model.
  private func relationIndexes(of entity: XMLEntity, _ index: Int) -> [Int] {
    var found: [Int] = []
    var seen: Set<Int> = []
    for relationship in entity.surveyed.flatMap(\.relationships) {
      guard let number = numbers[relationship.name],
        let relation = relations.index(ofName: number, in: index)
      else { continue }
      if seen.insert(relation).inserted { found.append(relation) }
    }
    if let model, let modelIndex = entity.modelIndex {
      for holder in model.forest.lineage(of: modelIndex) {
        for place in model.entities[holder].relationships.indices {
          let place = RelationshipPlace(entity: holder, relationship: place)
          guard let relation = relations.byPlace[place] else { continue }
          if seen.insert(relation).inserted { found.append(relation) }
        }
      }
    }
    return found.filter { relations.list[$0].form == .column }
  }

  private func referenceColumns(_ index: Int) -> [XMLTable.PlannedColumn] {
    let relation = relations.list[index]
    var columns = [
      XMLTable.PlannedColumn(
        column: .key(
          relation.name.property, from: relation.name.property.lowercased(),
          isNullable: relation.isOptional, to: relation.target), content: .reference(index))
    ]
    if relation.isPolymorphic {
      columns.append(
        entityColumn(relation.name.property, .referenceEntity(index)))
    }
    if let inverse = relation.inverse, relations.list[inverse].isOrdered {
      columns.append(
        positionColumn(relation.name.property + "_position", .referencePosition(index)))
    }
    return columns
  }

  private func ownerColumns(_ index: Int) -> [XMLTable.PlannedColumn] {
    let relation = relations.list[index]
    let name = "\(relation.name.entity)_\(relation.name.property)"
    var columns = [
      XMLTable.PlannedColumn(
        column: .key(
          name, from: relation.name.property.lowercased(), isNullable: true,
          to: relation.ownerIsPolymorphic ? nil : relation.name.entity),
        content: .owner(index))
    ]
    if relation.ownerIsPolymorphic { columns.append(entityColumn(name, .ownerEntity(index))) }
    if relation.isOrdered {
      columns.append(positionColumn(name + "_position", .ownerPosition(index)))
    }
    return columns
  }

  private func joinTable(_ relation: XMLRelation, _ rows: XMLJoinRows) -> XMLTable {
    var columns = [
      pairColumn("owner", relation.ownerIsPolymorphic ? nil : relation.name.entity, .pairOwner)
    ]
    if relation.ownerIsPolymorphic { columns.append(entityColumn("owner", .pairOwnerEntity)) }
    columns.append(pairColumn("target", relation.target, .pairTarget))
    if relation.isPolymorphic { columns.append(entityColumn("target", .pairTargetEntity)) }
    if relation.isOrdered { columns.append(positionColumn("position", .pairPosition)) }
    if let inverse = relation.inverse, relations.list[inverse].isOrdered,
      relations.list[inverse].place != relation.place
    {
      columns.append(positionColumn("owner_position", .pairOwnerPosition))
    }
    return XMLTable(
      name: "\(relation.name.entity)_\(relation.name.property)", columns: columns,
      rows: .pairs(rows))
  }

  private func pairColumn(
    _ name: String, _ target: String?, _ content: XMLTable.Content
  ) -> XMLTable.PlannedColumn {
    XMLTable.PlannedColumn(column: .key(name, isNullable: false, to: target), content: content)
  }

  private func entityColumn(
    _ name: String, _ content: XMLTable.Content
  ) -> XMLTable.PlannedColumn {
    XMLTable.PlannedColumn(column: .entity(of: name, from: "type"), content: content)
  }

  private func positionColumn(
    _ name: String, _ content: XMLTable.Content
  ) -> XMLTable.PlannedColumn {
    XMLTable.PlannedColumn(column: .position(name, from: "idrefs"), content: content)
  }
}
