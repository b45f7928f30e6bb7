import Bytes

/// An object of a Core Data XML store, whose bytes are lent until the next one is read.
///
/// Names are numbers, which the store's `names` spell.
struct CoreDataXMLObject {
  /// An attribute that is not nil.
  struct Attribute {
    /// The name, in lower case as the framework writes it.
    let name: Int
    /// What kind of value the text stands for.
    let type: CoreDataXMLType
    fileprivate let text: Range<Int>
  }

  /// A relationship, be it empty or not.
  struct Relationship {
    /// The name, in lower case as the framework writes it.
    let name: Int
    /// How many targets it may have.
    let bounds: CoreDataXMLBounds
    /// The name of the destination in upper case; nil where the document names none.
    let destination: Int?
    fileprivate let references: Range<Int>
  }

  /// The name of the entity in upper case.
  private(set) var type = 0
  private(set) var line = 0
  /// The attributes in their order.
  private(set) var attributes: [Attribute] = []
  /// The relationships in their order.
  private(set) var relationships: [Relationship] = []
  /// Elements inside that mean nothing known.
  private(set) var unknownElementCount = 0
  private var bytes: [UInt8] = []
  private var idEnd = 0

  /// Hands out the object's own identifier; empty where the document has none.
  func withID<Result>(_ body: (Span<UInt8>) throws -> Result) rethrows -> Result {
    try body(bytes.span.extracting(0..<idEnd))
  }

  func withText<Result>(
    of attribute: Attribute, _ body: (Span<UInt8>) throws -> Result
  ) rethrows -> Result {
    try body(bytes.span.extracting(attribute.text))
  }

  /// Hands out the identifiers that a relationship leads to, one by one in their order.
  func forEachID(
    in relationship: Relationship, _ body: (Span<UInt8>) throws -> Void
  ) rethrows {
    let text = bytes.span.extracting(relationship.references)
    var start = 0
    for place in 0...text.count where place == text.count || Self.isBlank(text[place]) {
      if place > start { try body(text.extracting(start..<place)) }
      start = place + 1
    }
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }
}

extension CoreDataXMLObject {
  /// Becomes an object without contents.
  mutating func start(type: Int, line: Int, id: Span<UInt8>) {
    self.type = type
    self.line = line
    attributes.removeAll(keepingCapacity: true)
    relationships.removeAll(keepingCapacity: true)
    unknownElementCount = 0
    bytes.removeAll(keepingCapacity: true)
    bytes.append(id)
    idEnd = bytes.count
  }

  /// Adds an attribute whose text `append` appends.
  mutating func addAttribute<Failure: Error>(
    name: Int, type: CoreDataXMLType, text append: (inout [UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    let start = bytes.count
    try append(&bytes)
    attributes.append(Attribute(name: name, type: type, text: start..<bytes.count))
  }

  mutating func addRelationship(
    name: Int, bounds: CoreDataXMLBounds, destination: Int?, references: Span<UInt8>
  ) {
    let start = bytes.count
    bytes.append(references)
    relationships.append(
      Relationship(
        name: name, bounds: bounds, destination: destination, references: start..<bytes.count))
  }

  mutating func noteUnknownElement() { unknownElementCount += 1 }
}

/// Short byte strings, each known by a number, that are looked up without making a `String`.
struct NameTable {
  /// The names by number.
  private(set) var names: [String] = []
  private var bytes: [UInt8] = []
  private var ends: [Int] = []
  /// Numbers plus one by hash; zero where a place is free.
  private var slots = [Int32](repeating: 0, count: 64)

  /// The number of a name, a new one if it is new; nil when that would make more than `limit`.
  mutating func number(of name: Span<UInt8>, limit: Int) -> Int? {
    var place = Self.hash(name) & (slots.count - 1)
    while slots[place] != 0 {
      let number = Int(slots[place]) - 1
      if isName(number, name) { return number }
      place = (place + 1) & (slots.count - 1)
    }
    guard names.count < limit, names.count < Int(Int32.max) else { return nil }
    bytes.append(name)
    ends.append(bytes.count)
    names.append(String(decoding: bytes[start(names.count)...], as: UTF8.self))
    slots[place] = Int32(names.count)
    // A table that is half full is enlarged, so that there is always a free place.
    if names.count * 2 > slots.count { grow() }
    return names.count - 1
  }

  private func start(_ number: Int) -> Int { number == 0 ? 0 : ends[number - 1] }

  private func isName(_ number: Int, _ name: Span<UInt8>) -> Bool {
    let start = start(number)
    guard ends[number] - start == name.count else { return false }
    for place in name.indices where bytes[start + place] != name[place] { return false }
    return true
  }

  private mutating func grow() {
    slots = [Int32](repeating: 0, count: slots.count * 2)
    for number in names.indices {
      var place = Self.hash(bytes.span.extracting(start(number)..<ends[number])) & (slots.count - 1)
      while slots[place] != 0 { place = (place + 1) & (slots.count - 1) }
      slots[place] = Int32(number + 1)
    }
  }

  private static func hash(_ name: Span<UInt8>) -> Int {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for place in name.indices { hash = (hash ^ UInt64(name[place])) &* 0x100_0000_01B3 }
    return Int(truncatingIfNeeded: hash >> 20)
  }
}
