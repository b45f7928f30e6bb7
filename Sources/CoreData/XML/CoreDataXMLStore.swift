import Bytes
package import XMLFormat

/// A Core Data XML store, read from its start, object by object.
package struct CoreDataXMLStore: ~Copyable {
  /// What the store says about itself; complete once the first object is there.
  private(set) var info = CoreDataXMLInfo()
  /// The object that `next` has read.
  private(set) var object = CoreDataXMLObject()
  /// Elements outside of objects that mean nothing known.
  private(set) var unknownElementCount = 0
  private var reader: XMLReader
  private var table = NameTable()
  private var typesByName: [CoreDataXMLType] = []
  private var boundsByName: [CoreDataXMLBounds] = []
  private var place = Place.betweenObjects

  /// The names of entities, attributes and relationships by number.
  var names: [String] { table.names }

  /// Opens a store in a file.
  ///
  /// - Throws: `XMLError` when it cannot be read or does not start like a store.
  init(path: String) throws(XMLError) {
    try self.init(XMLReader(path: path, names: CoreDataXMLStore.Word.all, options: Self.options))
  }

  /// Opens a store in memory.
  ///
  /// - Throws: `XMLError` when it does not start like a store.
  init(bytes: [UInt8]) throws(XMLError) {
    try self.init(XMLReader(bytes: bytes, names: CoreDataXMLStore.Word.all, options: Self.options))
  }

  private init(_ reader: consuming XMLReader) throws(XMLError) {
    self.reader = reader
    guard try self.reader.next() == .startElement(CoreDataXMLStore.Word.database) else {
      throw self.reader.unexpected("the document is not a Core Data store")
    }
    try advance()
  }

  /// Whether a document that starts with these bytes is a store, as far as they show.
  package static func isStore(startingWith bytes: [UInt8]) -> Bool {
    // A document that is cut short, or no XML at all, ends in an error; until then events count.
    guard
      var reader = try? XMLReader(bytes: bytes, names: CoreDataXMLStore.Word.all, options: options),
      let first = try? reader.next(), first == .startElement(CoreDataXMLStore.Word.database),
      let second = try? reader.next()
    else { return false }
    return second == .startElement(CoreDataXMLStore.Word.databaseInfo)
  }

  /// Reads the next object into `object`; false after the last one, the document being whole.
  ///
  /// - Throws: `XMLError` when the document is damaged or not that of a store.
  package mutating func next() throws(XMLError) -> Bool {
    if place == .betweenObjects { try advance() }
    guard place == .atObject else { return false }
    try readObject()
    place = .betweenObjects
    return true
  }

  /// The most bytes of one attribute value in the document, and of one text.
  ///
  /// A relationship lists all its targets in one value.
  private static var options: XMLOptions {
    var options = XMLOptions(allowingDoctype: true)
    options.limits.attributeBytes = 10_000_000
    options.limits.textBytes = InputLimits.current.valueBytes
    return options
  }

  /// The most different names of entities, attributes and relationships.
  private static let maxNames = 100_000

  /// The words of the format, by the numbers that the reader gives them.
  fileprivate enum Word {
    static let all = [
      "database", "databaseInfo", "object", "attribute", "relationship", "type", "id", "name",
      "destination", "idrefs",
    ]
    static let database = 0
    static let databaseInfo = 1
    static let object = 2
    static let attribute = 3
    static let relationship = 4
    static let type = 5
    static let id = 6
    static let name = 7
    static let destination = 8
    static let idrefs = 9
  }
}

extension CoreDataXMLStore {
  /// Where in the document the reader is.
  private enum Place {
    case betweenObjects
    case atObject
    case atEnd
  }

  /// Goes on to the next object, past everything that is none; or to the end of the database.
  private mutating func advance() throws(XMLError) {
    while let event = try reader.next() {
      switch event {
      case .startElement(CoreDataXMLStore.Word.object):
        place = .atObject
        return
      case .startElement(CoreDataXMLStore.Word.databaseInfo):
        info = try CoreDataXMLInfo(reading: &reader)
      case .startElement:
        unknownElementCount += 1
        try reader.skipElement()
      case .text where reader.hasBlankText: continue
      case .text: throw reader.unexpected("text stands between the objects of the store")
      case .endElement:
        // Nothing follows the database; asking for it checks that the document is whole.
        _ = try reader.next()
        place = .atEnd
        return
      }
    }
  }

  private mutating func readObject() throws(XMLError) {
    guard let type = try number(of: CoreDataXMLStore.Word.type) else {
      throw reader.unexpected("an object does not say what entity it is of")
    }
    let line = reader.line
    if reader.withAttribute(
      CoreDataXMLStore.Word.id, { object.start(type: type, line: line, id: $0) }) == nil
    {
      object.start(type: type, line: line, id: Span())
    }
    while let event = try reader.next() {
      switch event {
      case .startElement(CoreDataXMLStore.Word.attribute): try readAttribute()
      case .startElement(CoreDataXMLStore.Word.relationship): try readRelationship()
      case .startElement:
        object.noteUnknownElement()
        try reader.skipElement()
      case .text where reader.hasBlankText: continue
      case .text: throw reader.unexpected("text stands between the properties of an object")
      case .endElement: return
      }
    }
  }

  private mutating func readAttribute() throws(XMLError) {
    guard let name = try number(of: CoreDataXMLStore.Word.name) else {
      throw reader.unexpected("an attribute has no name")
    }
    let type = try number(of: CoreDataXMLStore.Word.type).map { typesByName[$0] } ?? .unknown
    try object.addAttribute(name: name, type: type) { (bytes) throws(XMLError) in
      try reader.readText(into: &bytes)
    }
  }

  private mutating func readRelationship() throws(XMLError) {
    guard let name = try number(of: CoreDataXMLStore.Word.name) else {
      throw reader.unexpected("a relationship has no name")
    }
    let bounds =
      try number(of: CoreDataXMLStore.Word.type).map { boundsByName[$0] } ?? CoreDataXMLBounds.none
    let destination = try number(of: CoreDataXMLStore.Word.destination)
    let added: Void? = reader.withAttribute(CoreDataXMLStore.Word.idrefs) {
      object.addRelationship(
        name: name, bounds: bounds, destination: destination, references: $0)
    }
    if added == nil {
      object.addRelationship(
        name: name, bounds: bounds, destination: destination, references: Span())
    }
    try reader.skipElement()
  }

  /// The number of the name that an attribute of the current element has as its value.
  private mutating func number(of attribute: Int) throws(XMLError) -> Int? {
    let found = reader.withAttribute(attribute) { table.number(of: $0, limit: Self.maxNames) }
    guard let found else { return nil }
    guard let number = found else {
      throw reader.error(.limit, "the store has too many different names")
    }
    while typesByName.count < table.names.count {
      let word = table.names[typesByName.count]
      typesByName.append(CoreDataXMLType(word: word))
      boundsByName.append(CoreDataXMLBounds(word) ?? .none)
    }
    return number
  }
}

/// What an XML store says about itself, in `databaseInfo`.
struct CoreDataXMLInfo: Sendable, Equatable {
  /// The version of the format, as written.
  var version: String?
  /// The last object identifier that was given out, as written.
  var nextObjectID: String?
  /// The store's identifier, and what its property list says.
  var metadata = CoreDataMetadata()
}

extension CoreDataXMLInfo {
  /// Reads the element that has just started, to its end.
  init(reading reader: inout XMLReader) throws(XMLError) {
    while let event = try reader.next() {
      switch event {
      case .startElement: try take(&reader)
      case .endElement: return
      case .text where reader.hasBlankText: continue
      case .text:
        throw reader.unexpected("text stands between the parts of the store's description")
      }
    }
  }

  private mutating func take(_ reader: inout XMLReader) throws(XMLError) {
    switch reader.name {
    case "version": version = try reader.readText()
    case "UUID": metadata.identifier = try reader.readText()
    case "nextObjectID": nextObjectID = try reader.readText()
    case "metadata": try takeMetadata(&reader)
    default: try reader.skipElement()
    }
  }

  /// Old systems leave the element empty.
  private mutating func takeMetadata(_ reader: inout XMLReader) throws(XMLError) {
    while let event = try reader.next() {
      switch event {
      case .startElement where reader.name == "plist":
        metadata.take(try XMLPropertyList(reading: &reader))
      case .startElement: try reader.skipElement()
      case .endElement: return
      case .text: break
      }
    }
  }
}
