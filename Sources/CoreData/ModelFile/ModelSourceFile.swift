import Bytes
import XMLFormat

extension ManagedObjectModel {
  /// Reads the source of a model: the `contents` file of an `.xcdatamodel` folder.
  ///
  /// - Throws: `ModelFileError` when it is not XML, not a model, or not a usable one.
  init(
    xcdatamodelContents bytes: [UInt8], limits: ModelLimits = .standard
  ) throws(ModelFileError) {
    let root: ModelSourceFile.Element
    do {
      root = try ModelSourceFile.Element(parsing: bytes)
    } catch {
      throw ModelFileError(error)
    }
    guard root.name == "model" else {
      throw ModelFileError(.notAModel, "the XML document is not the source of a model")
    }
    do {
      let source = ModelSourceFile(root)
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
struct ModelSourceFile {
  private let composites: [String: ModelSourceFile.Element]

  /// Looks at the outermost element of a model's source.
  init(_ root: ModelSourceFile.Element) {
    composites = Dictionary(
      keepingFirst: root.children(named: "composite").compactMap { element in
        element.attributes["name"].map { ($0, element) }
      })
  }

  /// Translates an entity.
  ///
  /// - Throws: `ModelError` when something has no name, or there is too much of it.
  func entity(
    _ element: ModelSourceFile.Element, _ budget: inout PropertyBudget
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
    _ element: ModelSourceFile.Element, of entity: String, depth: Int,
    _ budget: inout PropertyBudget
  ) throws(ModelError) -> ModelAttribute {
    let name = try Self.name(of: element, "attribute of \(entity)")
    var attribute = ModelSourceFile.Attribute(element, name: name).attribute
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
    _ element: ModelSourceFile.Element, of entity: String
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
    of element: ModelSourceFile.Element, _ what: String
  ) throws(ModelError) -> String {
    guard let name = element.attributes["name"] else { throw ModelError(.missingName, what) }
    return name
  }

  struct Attribute {
    private let element: ModelSourceFile.Element
    private let name: String

    init(_ element: ModelSourceFile.Element, name: String) {
      self.element = element
      self.name = name
    }

    /// The attribute, without the elements of a composite.
    var attribute: ModelAttribute {
      let type = AttributeType(source: element.attributes["attributeType"])
      return ModelAttribute(
        name: name, type: type, isOptional: element.isSet("optional"),
        isTransient: element.isSet("transient"),
        isDerived: element.isSet("derived") || element.attributes["derivationExpression"] != nil,
        allowsExternalStorage: element.isSet("allowsExternalBinaryDataStorage"),
        preservesHistory: element.isSet("preserveAfterDeletion"),
        valueTransformerName: element.attributes["valueTransformerName"],
        valueClassName: element.attributes["customClassName"] ?? type.valueClassName,
        defaultValue: defaultValue(type), userInfo: userInfo)
    }

    private var userInfo: [String: String] {
      var entries: [String: String] = [:]
      for entry in element.children(named: "userInfo").flatMap({ $0.children(named: "entry") }) {
        if let key = entry.attributes["key"] { entries[key] = entry.attributes["value"] }
      }
      return entries
    }

    /// The default in the form that a compiled model has it in; none where it is not spelled right.
    private func defaultValue(_ type: AttributeType) -> ModelDefault {
      if type == .date {
        let seconds = element.attributes["defaultDateTimeInterval"].flatMap { Double($0) }
        return seconds.map { .date($0) } ?? .none
      }
      guard let text = element.attributes["defaultValueString"] else { return .none }
      return switch type {
      case .integer16, .integer32, .integer64: Int64(text).map { .integer($0) } ?? .none
      case .double, .float: Double(text).map { .real($0) } ?? .none
      case .boolean: .boolean(text == "YES")
      default: .text(text)
      }
    }
  }

  /// An element of a model's source, with those of its children that say something about data.
  struct Element {
    let name: String
    /// The attributes by name.
    let attributes: [String: String]
    /// The children in their order.
    private(set) var children: [ModelSourceFile.Element] = []

    /// Reads the `contents` file of a model.
    ///
    /// - Throws: `XMLError` when it is not whole, or not XML.
    init(parsing bytes: [UInt8]) throws(XMLError) {
      var limits = XMLLimits.standard
      limits.totalBytes = Self.maxBytes
      var reader = try XMLReader(
        bytes: bytes, options: XMLOptions(allowingDoctype: true, limits: limits))
      // A document that is whole starts with an element.
      _ = try reader.next()
      try self.init(&reader)
      _ = try reader.next()
    }

    /// The most bytes that a model's source may have.
    static let maxBytes = 64 << 20

    func children(named name: String) -> [ModelSourceFile.Element] {
      children.filter { $0.name == name }
    }

    /// Whether an attribute says yes; one that is not there says no.
    func isSet(_ attribute: String) -> Bool { attributes[attribute] == "YES" }

    /// Reads the element that has just started, to its end.
    private init(_ reader: inout XMLReader) throws(XMLError) {
      name = reader.name
      var attributes: [String: String] = [:]
      for index in 0..<reader.attributeCount {
        let name = reader.names[reader.attributeName(at: index)]
        attributes[name] = reader.attribute(name)
      }
      self.attributes = attributes
      while let event = try reader.next() {
        switch event {
        case .startElement where Self.known.contains(reader.name):
          children.append(try ModelSourceFile.Element(&reader))
        case .startElement: try reader.skipElement()
        case .endElement: return
        case .text: break
        }
      }
    }

    /// What is not about how data are stored, such as places in a diagram, is left out.
    private static let known: Set<String> = [
      "entity", "attribute", "relationship", "fetchedProperty", "composite", "userInfo", "entry",
    ]
  }
}

extension AttributeType {
  /// Translates the word that a model's source has for a type; without one it is undefined.
  init(source word: String?) {
    self =
      switch word {
      case nil, "", "Undefined": .undefined
      case "Integer 16": .integer16
      case "Integer 32": .integer32
      case "Integer 64": .integer64
      case "Decimal": .decimal
      case "Double": .double
      case "Float": .float
      case "String": .string
      case "Boolean": .boolean
      case "Date": .date
      case "Binary": .binary
      case "UUID": .uuid
      case "URI": .uri
      case "Transformable": .transformable
      case "Object ID", "ObjectID": .objectID
      case "Composite": .composite
      // No framework writes a negative code.
      default: .other(-1)
      }
  }

  var valueClassName: String? {
    switch self {
    case .integer16, .integer32, .integer64, .double, .float, .boolean: "NSNumber"
    case .decimal: "NSDecimalNumber"
    case .string: "NSString"
    case .date: "NSDate"
    case .binary: "NSData"
    case .uuid: "NSUUID"
    case .uri: "NSURL"
    case .undefined, .transformable, .objectID, .composite, .other: nil
    }
  }
}
