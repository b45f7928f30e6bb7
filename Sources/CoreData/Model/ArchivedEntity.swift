import Formats

/// An entity description inside a keyed archive.
struct ArchivedEntity {
  private let object: ArchivedObject

  /// Looks at an object that ought to be an entity description.
  init(_ object: ArchivedObject) { self.object = object }

  /// The entity with all properties it lists, inherited copies included.
  ///
  /// - Throws: `ModelError` when a name or a value is missing or makes no sense.
  func entity(_ budget: inout PropertyBudget) throws(ModelError) -> ModelEntity {
    guard let name = object["NSEntityName"]?.string else {
      throw ModelError(.missingName, "entity")
    }
    var entity = ModelEntity(
      name: name,
      className: object["NSClassNameForEntity"]?.string,
      isAbstract: object["NSIsAbstract"]?.boolean ?? false,
      parent: try parentName(of: name),
      renamingIdentifier: object["NSRenamingIdentifier"]?.string)
    let properties = object["NSProperties"]?.members ?? []
    try budget.spend(properties.count, at: name)
    for property in properties { try add(property, to: &entity, &budget) }
    return entity
  }

  private func parentName(of name: String) throws(ModelError) -> String? {
    guard let parent = object["NSSuperentity"] else { return nil }
    guard let parentName = parent["NSEntityName"]?.string else {
      throw ModelError(.missingName, "superentity of \(name)")
    }
    return parentName
  }

  private func add(
    _ property: ArchivedObject, to entity: inout ModelEntity, _ budget: inout PropertyBudget
  ) throws(ModelError) {
    switch property.className {
    case "NSAttributeDescription", "NSDerivedAttributeDescription",
      "NSCompositeAttributeDescription":
      let archived = ArchivedAttribute(property, entity: entity.name)
      entity.attributes.append(try archived.attribute(&budget))
    case "NSRelationshipDescription":
      entity.relationships.append(try relationship(property, of: entity.name))
    case "NSFetchedPropertyDescription":
      entity.fetchedPropertyCount += 1
    case "_NSPropertyDescriptionProxy", "NSExpressionDescription":
      // The first stands for an inherited property, the second never reaches a store.
      break
    case let other:
      throw ModelError(.unknownPropertyClass, "\(other ?? "no class") in \(entity.name)")
    }
  }

  private func relationship(
    _ object: ArchivedObject, of entity: String
  ) throws(ModelError) -> ModelRelationship {
    guard let name = object["NSPropertyName"]?.string else {
      throw ModelError(.missingName, "relationship of \(entity)")
    }
    let inverse = object["NSInverseRelationship"]
    guard
      let destination = object["_NSDestinationEntityName"]?.string
        ?? object["NSDestinationEntity"]?["NSEntityName"]?.string
    else {
      throw ModelError(.missingValue, "destination of \(entity).\(name)")
    }
    return ModelRelationship(
      name: name,
      destination: destination,
      inverseName: object["_NSInverseRelationshipName"]?.string
        ?? inverse?["NSPropertyName"]?.string,
      inverseEntity: inverse?["NSEntity"]?["NSEntityName"]?.string,
      maxCount: object["NSMaxCount"]?.integer ?? 0,
      minCount: object["NSMinCount"]?.integer ?? 0,
      isOrdered: object["NSIsOrdered"]?.boolean ?? false,
      isTransient: object["NSIsTransient"]?.boolean ?? false,
      isOptional: object["NSIsOptional"]?.boolean ?? false,
      deleteRule: DeleteRule(rawValue: object["NSDeleteRule"]?.integer ?? 0))
  }
}
