import Bytes

/// An attribute in a model's source.
struct SourceAttribute {
  private let element: SourceElement
  private let name: String

  /// Looks at the element of an attribute.
  init(_ element: SourceElement, name: String) {
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

  /// The class that a compiled model names for values of the type.
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
