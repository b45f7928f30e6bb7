extension CoreDataXMLSchema {
  /// In how many points the objects are not what a model says.
  ///
  /// A point is an entity, an attribute or a relationship that the model lacks, or a required
  /// attribute that no object has.
  func misfits(of model: ManagedObjectModel) -> Int {
    let byType = Dictionary(
      model.entities.indices.map { (model.entities[$0].name.uppercased(), $0) },
      uniquingKeysWith: { first, _ in first })
    return entities.reduce(0) { sum, entity in
      guard let index = byType[entity.type.uppercased()] else { return sum + 1 }
      return sum + Self.misfits(of: entity, in: model, at: index)
    }
  }

  private static func misfits(
    of entity: CoreDataXMLEntity, in model: ManagedObjectModel, at index: Int
  ) -> Int {
    let lineage = model.forest.lineage(of: index).map { model.entities[$0] }
    let attributes = lineage.flatMap(\.attributes).filter { !$0.isTransient }
    let known = Set(attributes.map { $0.name.lowercased() })
    let required = Set(attributes.filter { !$0.isOptional }.map { $0.name.lowercased() })
    let relationships = Set(lineage.flatMap(\.relationships).map { $0.name.lowercased() })
    let present = Set(entity.attributes.map { $0.name.lowercased() })
    let led = Set(entity.relationships.map { $0.name.lowercased() })
    return present.subtracting(known).count + required.subtracting(present).count
      + led.subtracting(relationships).count
  }
}

extension ModelEvidence {
  /// The evidence in a Core Data XML store.
  init(_ schema: CoreDataXMLSchema) {
    hashes = schema.info.entityHashes
    misfits = { schema.misfits(of: $0) }
  }
}
