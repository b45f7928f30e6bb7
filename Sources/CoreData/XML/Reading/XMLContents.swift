import Bytes
import Records

/// All objects of an XML store, packed.
///
/// The framework itself holds such a store in memory as a whole, so honest ones are small. The values
/// of an object are one piece of bytes and each of its relationships is another, of which many lie in
/// a file; of the object itself there are a few numbers.
struct XMLContents {
  /// A value that is not nil, and where its text is among the bytes that are lent with it.
  struct Value {
    let name: Int
    let type: CoreDataXMLType
    let text: Range<Int>
  }

  /// A relationship of one object, with the identifiers that it leads to.
  struct Link {
    let owner: Int
    let name: Int
    let destination: Int?
    let targets: [XMLIdentifier]
  }

  private(set) var identifiers = XMLIdentifiers()
  /// How many objects have no identifier such as `z102`.
  private(set) var unusualCount = 0
  /// How many objects have an identifier that another one has, too.
  private(set) var repeatedCount = 0
  /// How many values and relationships an object has again.
  private(set) var repeatedPropertyCount = 0
  /// All objects in the order of their keys: those whose identifiers are such numbers, then others.
  private(set) var byKey: [Int32] = []
  /// Where the objects of such numbers are among these.
  private var numbered = KeyPlaces()
  private var types: [Int32] = []
  private var keys: [Int64] = []
  /// Where the values of the objects begin.
  private var starts: [Int] = []
  private var values = ByteSpool(memoryLimit: 8 << 20)
  /// All relationships one behind the other, apart from values: all are gone through once more.
  private var links = ByteSpool()
  private var piece: [UInt8] = []

  /// Stands for the key of an object that still needs one.
  private static let noKey: Int64 = -1

  mutating func add(_ object: borrowing CoreDataXMLObject) {
    let key = object.withID { id in claim(id, for: objectCount) }
    types.append(Int32(truncatingIfNeeded: object.type))
    keys.append(key ?? Self.noKey)
    // A span of the member would keep all of this value occupied.
    var piece: [UInt8] = []
    swap(&piece, &self.piece)
    defer { swap(&piece, &self.piece) }
    keepLinks(object, by: &piece)
    keepValues(object, by: &piece)
  }

  /// Finds out which object is meant by each identifier, and numbers the objects without a usual one
  /// after all others.
  mutating func finish() {
    var sorted: [Int32] = []
    sorted.reserveCapacity(objectCount)
    for (object, key) in keys.enumerated() where key != Self.noKey {
      sorted.append(Int32(truncatingIfNeeded: object))
    }
    let keys = keys
    // Swift's sorting keeps the order of equal elements, of which the first has the identifier.
    sorted.sort { keys[Int($0)] < keys[Int($1)] }
    giveKeys(sorted)
  }

  private mutating func giveKeys(_ sorted: [Int32]) {
    byKey.reserveCapacity(objectCount)
    var numbers: [Int64] = []
    numbers.reserveCapacity(sorted.count)
    for object in sorted {
      let key = keys[Int(object)]
      if numbers.last == key {
        repeatedCount += 1
        keys[Int(object)] = Self.noKey
      } else {
        numbers.append(key)
        byKey.append(object)
      }
    }
    numbered = KeyPlaces(numbers)
    var key = identifiers.largestNumber
    for object in keys.indices where keys[object] == Self.noKey {
      key += 1
      keys[object] = key
      byKey.append(Int32(truncatingIfNeeded: object))
    }
  }

  private mutating func claim(_ id: Span<UInt8>, for object: Int) -> Int64? {
    if id.count > 0 {
      switch identifiers.identifier(id) {
      case .number(let key): return key
      case .other(let place):
        guard identifiers.claim(place, for: object) else {
          repeatedCount += 1
          return nil
        }
      }
    }
    unusualCount += 1
    return nil
  }
}

extension XMLContents {
  var objectCount: Int { keys.count }

  /// The number of the name that an object has as its type.
  func type(ofObject object: Int) -> Int { Int(types[object]) }

  func key(ofObject object: Int) -> Int64 { keys[object] }

  /// The key that a reference to an end has; nil where its identifier is not usual and nobody's.
  func key(of end: XMLEnd) -> Int64? {
    if let object = end.object { return keys[object] }
    guard case .number(let key) = end.identifierOfNobody else { return nil }
    return key
  }

  /// Lends the values of an object, and the bytes in which their texts are.
  func withValues<Result>(
    of object: Int, _ body: ([Value], _ bytes: Span<UInt8>) -> Result
  ) -> Result {
    let start = starts[object]
    let end = object + 1 < objectCount ? starts[object + 1] : nil
    return values.withCounted(at: start, expecting: end.map { $0 - start }) { piece in
      var reader = XMLPieceReader()
      var values: [Value] = []
      while let value = reader.nextValue(of: piece) { values.append(value) }
      return body(values, piece)
    }
  }

  /// Lends all relationships in the order of their objects, and where they are found again.
  func forEachLink(_ body: (Link, _ place: Int) -> Void) {
    links.forEachCounted { start, piece in
      var reader = XMLPieceReader()
      if let link = reader.link(of: piece) { body(link, start) }
    }
  }

  /// The identifiers that a relationship lists, by where it is.
  func text(ofLinkAt place: Int) -> [UInt8] {
    links.withCounted(at: place) { piece in
      var reader = XMLPieceReader()
      let targets = reader.link(of: piece)?.targets ?? []
      return Array(targets.map(identifiers.text).joined(separator: " ").utf8)
    }
  }

  /// The ends that a relationship leads to, each once.
  func ends(of link: Link) -> [XMLEnd] {
    guard link.targets.count > 1 else { return link.targets.map(end) }
    var seen: Set<XMLIdentifier> = []
    return link.targets.filter { seen.insert($0).inserted }.map(end)
  }

  private func end(_ identifier: XMLIdentifier) -> XMLEnd {
    let object =
      switch identifier {
      case .number(let key): numbered.place(of: key).map { Int(byKey[$0]) }
      case .other(let place): identifiers.owner(of: place)
      }
    return object.map(XMLEnd.init(object:)) ?? XMLEnd(ofNobody: identifier)
  }
}

extension XMLContents {
  /// Keeps the relationships of the last object.
  private mutating func keepLinks(
    _ object: borrowing CoreDataXMLObject, by piece: inout [UInt8]
  ) {
    var seen: Set<Int> = []
    for relationship in object.relationships {
      guard seen.insert(relationship.name).inserted else {
        repeatedPropertyCount += 1
        continue
      }
      piece.removeAll(keepingCapacity: true)
      piece.appendLink(
        of: objectCount - 1, name: relationship.name, destination: relationship.destination)
      object.forEachID(in: relationship) { id in
        piece.append(number: identifiers.identifier(id).code)
      }
      _ = links.append(counted: piece.span)
    }
  }

  /// Keeps the values of the last object.
  private mutating func keepValues(
    _ object: borrowing CoreDataXMLObject, by piece: inout [UInt8]
  ) {
    piece.removeAll(keepingCapacity: true)
    var seen: Set<Int> = []
    for attribute in object.attributes {
      guard seen.insert(attribute.name).inserted else {
        repeatedPropertyCount += 1
        continue
      }
      object.withText(of: attribute) { text in
        piece.appendValue(name: attribute.name, attribute.type, text)
      }
    }
    starts.append(values.append(counted: piece.span))
  }
}

/// An entity of an XML store whose objects get a table.
struct XMLEntity {
  /// The name with its true spelling, as far as it is known.
  let name: String
  /// The names, by number, that its objects have as their type.
  var types: Set<Int> = []
  /// The position in the model, where the model has it.
  var modelIndex: Int?
  /// What its objects have, as far as they show it.
  var surveyed: [CoreDataXMLEntity] = []
}

/// The entities of an XML store in the order of their tables.
struct XMLEntities {
  private(set) var list: [XMLEntity] = []
  /// The place in `list` by number of the type's name.
  private(set) var byType: [Int: Int] = [:]
  /// The place in `list` by position in the model.
  private(set) var byModelIndex: [Int: Int] = [:]
  private let trueNames: [String: String]

  /// Brings together what the objects show and what a model says.
  ///
  /// `numbers` are those that the document's names are known by.
  init(_ schema: CoreDataXMLSchema, numbers: [String: Int], model: ManagedObjectModel?) {
    let hashed = Dictionary(grouping: schema.info.metadata.entityHashes?.keys.map { $0 } ?? []) {
      $0.uppercased()
    }
    trueNames = hashed.compactMapValues { $0.count == 1 ? $0.first : nil }
    if let model { addEntities(of: model, schema, numbers) }
    let rest = schema.entities.filter { entity in
      numbers[entity.type].map { byType[$0] == nil } ?? false
    }
    for entity in rest.sorted(by: { CaselessName($0.name) < CaselessName($1.name) }) {
      guard let number = numbers[entity.type] else { continue }
      byType[number] = list.count
      list.append(XMLEntity(name: entity.name, types: [number], surveyed: [entity]))
    }
  }

  /// The entity's name with its true spelling, whether it has a table or not.
  func name(ofType type: String, number: Int) -> String {
    byType[number].map { list[$0].name } ?? trueNames[type.uppercased()] ?? type
  }

  /// The entities of the model in its own order, abstract ones only if they have objects.
  private mutating func addEntities(
    of model: ManagedObjectModel, _ schema: CoreDataXMLSchema, _ numbers: [String: Int]
  ) {
    let surveyed = Dictionary(grouping: schema.entities) { $0.type.uppercased() }
    var taken: Set<String> = []
    for (index, entity) in model.entities.enumerated() {
      // Two entities that differ only in case look the same in the store; the first has the rows.
      let folded = entity.name.uppercased()
      let found = taken.insert(folded).inserted ? surveyed[folded] ?? [] : []
      guard !entity.isAbstract || !found.isEmpty else { continue }
      let types = Set(found.compactMap { numbers[$0.type] })
      for type in types { byType[type] = list.count }
      byModelIndex[index] = list.count
      list.append(
        XMLEntity(name: entity.name, types: types, modelIndex: index, surveyed: found))
    }
  }
}
