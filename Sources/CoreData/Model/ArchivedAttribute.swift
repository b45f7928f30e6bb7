import Formats

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

extension ModelDefault {
  /// Keeps an archived default value as it came.
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
    } else if let value = object.string {
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
