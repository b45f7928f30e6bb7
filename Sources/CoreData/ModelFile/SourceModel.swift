import XMLFormat

extension ManagedObjectModel {
  /// Reads the source of a model: the `contents` file of an `.xcdatamodel` folder.
  ///
  /// - Throws: `ModelFileError` when it is not XML, not a model, or not a usable one.
  init(
    xcdatamodelContents bytes: [UInt8], limits: ModelLimits = .standard
  ) throws(ModelFileError) {
    let root: SourceElement
    do {
      root = try SourceElement(parsing: bytes)
    } catch {
      throw ModelFileError(error)
    }
    guard root.name == "model" else {
      throw ModelFileError(.notAModel, "the XML document is not the source of a model")
    }
    do {
      let source = SourceModel(root)
      var budget = PropertyBudget(limits)
      var entities: [ModelEntity] = []
      for element in root.children(named: "entity") {
        entities.append(try source.entity(element, &budget))
      }
      try self.init(entities: entities, limits: limits)
    } catch {
      throw ModelFileError(error)
    }
  }
}

/// The entities of a model's source, and the composites that their attributes refer to.
struct SourceModel {
  private let composites: [String: SourceElement]

  /// Looks at the outermost element of a model's source.
  init(_ root: SourceElement) {
    composites = Dictionary(
      root.children(named: "composite").compactMap { element in
        element.attributes["name"].map { ($0, element) }
      }, uniquingKeysWith: { first, _ in first })
  }

  /// Translates an entity.
  ///
  /// - Throws: `ModelError` when something has no name, or there is too much of it.
  func entity(
    _ element: SourceElement, _ budget: inout PropertyBudget
  ) throws(ModelError) -> ModelEntity {
    let name = try Self.name(of: element, "entity")
    var entity = ModelEntity(
      name: name, className: element.attributes["representedClassName"],
      isAbstract: element.isSet("isAbstract"), parent: element.attributes["parentEntity"],
      renamingIdentifier: element.attributes["elementID"]
        ?? element.attributes["renamingIdentifier"] ?? name)
    for child in element.children {
      switch child.name {
      case "attribute":
        try budget.spend(1, at: name)
        entity.attributes.append(try attribute(child, of: name, depth: 0, &budget))
      case "relationship":
        try budget.spend(1, at: name)
        entity.relationships.append(try Self.relationship(child, of: name))
      case "fetchedProperty": entity.fetchedPropertyCount += 1
      default: break
      }
    }
    return entity
  }

  private func attribute(
    _ element: SourceElement, of entity: String, depth: Int, _ budget: inout PropertyBudget
  ) throws(ModelError) -> ModelAttribute {
    let name = try Self.name(of: element, "attribute of \(entity)")
    var attribute = SourceAttribute(element, name: name).attribute
    guard attribute.type == .composite else { return attribute }
    guard let composite = element.attributes["composite"].flatMap({ composites[$0] }) else {
      throw ModelError(.missingValue, "elements of \(entity).\(name)")
    }
    let parts = composite.children(named: "attribute")
    try budget.enter(depth: depth, spending: parts.count, at: "\(entity).\(name)")
    for part in parts {
      attribute.elements.append(
        try self.attribute(part, of: entity, depth: depth + 1, &budget))
    }
    return attribute
  }

  private static func relationship(
    _ element: SourceElement, of entity: String
  ) throws(ModelError) -> ModelRelationship {
    let name = try name(of: element, "relationship of \(entity)")
    guard let destination = element.attributes["destinationEntity"] else {
      throw ModelError(.missingValue, "destination of \(entity).\(name)")
    }
    let bound = element.attributes["maxCount"].flatMap { Int64($0) } ?? 0
    return ModelRelationship(
      name: name, destination: destination, inverseName: element.attributes["inverseName"],
      inverseEntity: element.attributes["inverseEntity"],
      maxCount: element.isSet("toMany") ? bound : 1,
      minCount: element.attributes["minCount"].flatMap { Int64($0) } ?? 0,
      isOrdered: element.isSet("ordered"), isTransient: element.isSet("transient"),
      isOptional: element.isSet("optional"),
      deleteRule: deleteRule(element.attributes["deletionRule"]))
  }

  private static func deleteRule(_ word: String?) -> DeleteRule? {
    switch word {
    case "Nullify": .nullify
    case "Cascade": .cascade
    case "Deny": .deny
    case "No Action", nil: .noAction
    default: nil
    }
  }

  private static func name(
    of element: SourceElement, _ what: String
  ) throws(ModelError) -> String {
    guard let name = element.attributes["name"] else { throw ModelError(.missingName, what) }
    return name
  }
}
