import Records

extension ModelSummary {
  /// The summary of a whole model, inherited properties included.
  init(_ model: ManagedObjectModel) {
    self.init(
      entities: model.entities.indices.map { index in
        let entity = model.entities[index]
        let lineage = model.forest.lineage(of: index).map { model.entities[$0] }
        return Entity(
          name: entity.name, parent: entity.parent, isAbstract: entity.isAbstract,
          attributes: lineage.flatMap(\.attributes).filter { !$0.isTransient }.map {
            Attribute(name: $0.name, type: $0.type.name, isOptional: $0.isOptional)
          },
          relationships: lineage.flatMap(\.relationships).filter { !$0.isTransient }
            .map(Relationship.init))
      })
  }
}

extension ModelSummary.Relationship {
  /// The summary of a relationship of a model.
  init(_ relationship: ModelRelationship) {
    self.init(
      name: relationship.name, destination: relationship.destination,
      isToMany: relationship.isToMany, isOrdered: relationship.isOrdered,
      inverse: relationship.inverseName)
  }
}

extension ModelSummary {
  /// The summary of what the objects of an XML store show.
  init(_ tables: [XMLTable], _ relations: XMLRelations) {
    let byEntity = Dictionary(grouping: relations.list) { $0.name.entity }
    self.init(
      entities: tables.compactMap { table in
        guard case .objects = table.rows else { return nil }
        return Entity(
          name: table.name, parent: nil, isAbstract: false,
          attributes: table.columns.compactMap { planned in
            guard case .value(let form) = planned.content else { return nil }
            return Attribute(
              name: planned.column.name, type: form.type.rawValue, isOptional: true)
          },
          relationships: (byEntity[table.name] ?? []).map { relation in
            Relationship(
              name: relation.name.property, destination: relation.target,
              isToMany: relation.isToMany, isOrdered: false, inverse: nil)
          })
      })
  }
}
