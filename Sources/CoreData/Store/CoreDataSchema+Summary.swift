import Records

extension CoreDataSchema {
  /// The model as a person wants to see it; without a model, what tables and columns show.
  var summary: ModelSummary {
    ModelSummary(
      entities: resolution.entities.filter { $0.number <= PrimaryKeyRow.lastModelNumber }
        .map(summary))
  }

  private func summary(of entity: ResolvedEntity) -> ModelSummary.Entity {
    var attributes: [ModelSummary.Attribute] = []
    var relationships: [ModelSummary.Relationship] = []
    for property in entity.properties {
      switch property {
      case .attribute(let resolved):
        attributes.append(
          ModelSummary.Attribute(
            name: resolved.name, type: resolved.attribute.type.name,
            isOptional: resolved.attribute.isOptional))
      case .reference(let reference):
        guard model == nil, reference.kind != .owner else { continue }
        relationships.append(
          ModelSummary.Relationship(
            name: reference.name, destination: reference.target?.entity, isToMany: false,
            isOrdered: false, inverse: nil))
      }
    }
    return ModelSummary.Entity(
      name: entity.name, parent: entity.parent.flatMap(resolution.entity(numbered:))?.name,
      isAbstract: entity.isAbstract, attributes: attributes,
      relationships: relationships + modelRelationships(of: entity.name))
  }

  /// The relationships that the model gives an entity, inherited ones first.
  private func modelRelationships(of name: String) -> [ModelSummary.Relationship] {
    guard let model, let index = model.index(of: name) else { return [] }
    return model.forest.lineage(of: index).flatMap { model.entities[$0].relationships }
      .filter { !$0.isTransient }
      .map { relationship in
        ModelSummary.Relationship(
          name: relationship.name, destination: relationship.destination,
          isToMany: relationship.isToMany, isOrdered: relationship.isOrdered,
          inverse: relationship.inverseName)
      }
  }
}

extension AttributeType {
  /// What the model editor calls the type.
  package var name: String {
    switch self {
    case .undefined: "Undefined"
    case .integer16: "Integer 16"
    case .integer32: "Integer 32"
    case .integer64: "Integer 64"
    case .decimal: "Decimal"
    case .double: "Double"
    case .float: "Float"
    case .string: "String"
    case .boolean: "Boolean"
    case .date: "Date"
    case .binary: "Binary"
    case .uuid: "UUID"
    case .uri: "URI"
    case .transformable: "Transformable"
    case .objectID: "Object ID"
    case .composite: "Composite"
    case .other(let code): "type \(code)"
    }
  }
}
