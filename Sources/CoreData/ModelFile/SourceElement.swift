import XMLFormat

/// An element of a model's source, with those of its children that say something about data.
struct SourceElement {
  /// The name.
  let name: String
  /// The attributes by name.
  let attributes: [String: String]
  /// The children in their order.
  private(set) var children: [SourceElement] = []

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

  /// The children with a name.
  func children(named name: String) -> [SourceElement] { children.filter { $0.name == name } }

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
        children.append(try SourceElement(&reader))
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
