import Formats

extension ManagedObjectModel {
  /// Reads the model that a store carries: a keyed archive packed as raw deflate.
  ///
  /// - Throws: `ModelError` when it cannot be unpacked or is not a usable model.
  init(modelCache bytes: [UInt8], limits: ModelLimits = .standard) throws(ModelError) {
    let archive: [UInt8]
    do {
      archive = try inflateRaw(bytes.span, limit: limits.unpackedBytes)
    } catch {
      throw ModelError(.cannotUnpack, String(describing: error))
    }
    try self.init(mom: archive, limits: limits)
  }

  /// Reads a compiled model: a keyed archive as it is.
  ///
  /// - Throws: `ModelError` when it is not a keyed archive of a usable model.
  init(mom bytes: [UInt8], limits: ModelLimits = .standard) throws(ModelError) {
    guard bytes.count <= limits.unpackedBytes else {
      throw ModelError(.cannotUnpack, "\(bytes.count) bytes")
    }
    let archive: KeyedArchive
    do {
      archive = try KeyedArchive(parsing: bytes)
    } catch {
      throw ModelError(.notAKeyedArchive, String(describing: error))
    }
    try self.init(archive: archive, limits: limits)
  }

  /// Reads an archive whose root is a managed object model.
  ///
  /// - Throws: `ModelError` when it is something else or not usable.
  init(archive: KeyedArchive, limits: ModelLimits = .standard) throws(ModelError) {
    guard archive.root.className == "NSManagedObjectModel" else {
      throw ModelError(.notAModel, archive.root.className ?? "")
    }
    guard let archived = archive.root["NSEntities"]?.members else {
      throw ModelError(.missingValue, "NSEntities")
    }
    guard archived.count <= limits.entities else {
      throw ModelError(.tooManyEntities, String(archived.count))
    }
    var budget = PropertyBudget(limits)
    var entities: [ModelEntity] = []
    for object in archived { entities.append(try ArchivedEntity(object).entity(&budget)) }
    try self.init(entities: entities, limits: limits)
  }
}

extension ArchivedObject {
  /// What an archived collection holds, whether it is a dictionary, an array or a set.
  var members: [ArchivedObject]? { entries?.map(\.value) ?? elements }
}

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

  /// An attribute description inside a keyed archive.
  struct ArchivedAttribute {
    private let object: ArchivedObject
    private let entity: String
    private let depth: Int

    /// Looks at an object that is an attribute of an entity, or an element so deep inside one.
    init(_ object: ArchivedObject, entity: String, depth: Int = 0) {
      self.object = object
      self.entity = entity
      self.depth = depth
    }

    /// The attribute, with its elements when it is a composite.
    ///
    /// - Throws: `ModelError` when name or type is missing, or there are too many elements.
    func attribute(_ budget: inout PropertyBudget) throws(ModelError) -> ModelAttribute {
      guard let name = object["NSPropertyName"]?.string else {
        throw ModelError(.missingName, "attribute of \(entity)")
      }
      var attribute = try plain(name)
      guard attribute.type == .composite else { return attribute }
      let elements = object["NSCompositeElements"]?.members ?? []
      try budget.enter(depth: depth, spending: elements.count, at: "\(entity).\(name)")
      for element in elements {
        let archived = ArchivedAttribute(element, entity: entity, depth: depth + 1)
        attribute.elements.append(try archived.attribute(&budget))
      }
      return attribute
    }

    private func plain(_ name: String) throws(ModelError) -> ModelAttribute {
      let isComposite = object.className == "NSCompositeAttributeDescription"
      guard let code = object["NSAttributeType"]?.integer ?? (isComposite ? 2100 : nil) else {
        throw ModelError(.missingValue, "type of \(entity).\(name)")
      }
      let flags = ModelAttribute.Flags(rawValue: object["NSFlagsKey"]?.integer ?? 0)
      return ModelAttribute(
        name: name,
        type: isComposite ? .composite : AttributeType(code: code),
        isOptional: object["NSIsOptional"]?.boolean ?? false,
        isTransient: object["NSIsTransient"]?.boolean ?? false,
        isDerived: object.className == "NSDerivedAttributeDescription",
        allowsExternalStorage: flags.contains(.allowsExternalStorage),
        preservesHistory: flags.contains(.preservesHistory),
        valueTransformerName: object["NSValueTransformerName"]?.string,
        valueClassName: object["NSAttributeValueClassName"]?.string,
        defaultValue: ModelDefault(object["NSDefaultValue"]),
        userInfo: plainEntries(of: object["NSUserInfo"]))
    }

    private func plainEntries(of object: ArchivedObject?) -> [String: String] {
      var entries: [String: String] = [:]
      for (key, value) in object?.entries ?? [] {
        guard let key = key.string else { continue }
        entries[key] = value.string ?? value.integer.map { String($0) }
      }
      return entries
    }
  }
}

extension ModelDefault {
  /// Keeps an archived default value as it came; what stands for a number, a UUID or an address is a
  /// text, as in a model's source.
  init(_ object: ArchivedObject?) {
    guard let object else {
      self = .none
      return
    }
    // A whole number 0 or 1 also reads as a truth value and any as a real, so it comes first.
    if let value = object.integer {
      self = .integer(value)
    } else if let value = object.boolean {
      self = .boolean(value)
    } else if let value = object.real {
      self = .real(value)
    } else if let value = object.string ?? object.decimal ?? object.uuid ?? object.url {
      self = .text(value)
    } else if let seconds = object.date {
      self = .date(seconds)
    } else if let value = object.data {
      self = .data(value)
    } else {
      self = .object(className: object.className ?? "")
    }
  }
}
