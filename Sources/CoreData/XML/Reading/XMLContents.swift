import Bytes

/// All objects of an XML store, packed.
///
/// The framework itself holds such a store in memory as a whole, so honest ones are small. Names
/// and identifiers are numbers, and texts lie one after the other.
struct XMLContents {
  /// An object; what it has starts at these places and ends where the next object's starts.
  struct Object {
    let type: Int
    fileprivate(set) var key: Int64
    fileprivate let values: Int
    fileprivate let links: Int
  }

  /// A value that is not nil.
  struct Value {
    let name: Int
    let type: CoreDataXMLType
    let text: Range<Int>
  }

  /// A relationship of one object, with the numbers of the identifiers it leads to.
  struct Link {
    let name: Int
    let destination: Int?
    let targets: Range<Int>
  }

  private(set) var objects: [Object] = []
  private(set) var identifiers = XMLIdentifiers()
  /// How many objects have no identifier such as `z102`.
  private(set) var unusualCount = 0
  /// How many objects have an identifier that another one has, too.
  private(set) var repeatedCount = 0
  /// How many values and relationships an object has again.
  private(set) var repeatedPropertyCount = 0
  private var values: [Value] = []
  private var links: [Link] = []
  private var targets: [Int] = []
  private var bytes: [UInt8] = []
  /// Objects that still need a key.
  private var unnumbered: [Int] = []

  mutating func add(_ object: borrowing CoreDataXMLObject) {
    let place = objects.count
    let key = object.withID { id in claim(id, for: place) }
    if key == nil { unnumbered.append(place) }
    objects.append(
      Object(type: object.type, key: key ?? 0, values: values.count, links: links.count))
    addValues(object)
    addLinks(object)
  }

  /// Numbers the objects without a usual identifier after all others.
  mutating func finish() {
    var key = identifiers.largestNumber
    for place in unnumbered {
      key += 1
      objects[place].key = key
    }
    unnumbered = []
  }

  func values(of object: Int) -> ArraySlice<Value> {
    let end = object + 1 < objects.count ? objects[object + 1].values : values.count
    return values[objects[object].values..<end]
  }

  func links(of object: Int) -> ArraySlice<Link> {
    let end = object + 1 < objects.count ? objects[object + 1].links : links.count
    return links[objects[object].links..<end]
  }

  /// The ends that a relationship leads to, each once.
  func ends(of link: Link) -> [XMLEnd] {
    let numbers = targets[link.targets]
    guard numbers.count > 1 else { return numbers.map(end) }
    var seen: Set<Int> = []
    return numbers.filter { seen.insert($0).inserted }.map(end)
  }

  /// The identifiers that a relationship lists.
  func text(of link: Link) -> [UInt8] {
    Array(targets[link.targets].map(identifiers.text).joined(separator: " ").utf8)
  }

  func withText<Result>(of value: Value, _ body: (Span<UInt8>) -> Result) -> Result {
    body(bytes.span.extracting(value.text))
  }

  /// The key that a reference to an end has; nil where its identifier is not usual and nobody's.
  func key(of end: XMLEnd) -> Int64? {
    switch end {
    case .object(let object): return objects[object].key
    case .nobody(let number):
      guard case .number(let key) = identifiers.spellings[number] else { return nil }
      return key
    }
  }

  private func end(_ number: Int) -> XMLEnd {
    identifiers.objects[number].map(XMLEnd.object) ?? .nobody(number)
  }

  private mutating func claim(_ id: Span<UInt8>, for place: Int) -> Int64? {
    let number = id.count > 0 ? identifiers.number(of: id) : nil
    if let number, !identifiers.claim(number, for: place) {
      repeatedCount += 1
      return nil
    }
    guard let number, case .number(let key) = identifiers.spellings[number] else {
      unusualCount += 1
      return nil
    }
    return key
  }

  private mutating func addValues(_ object: borrowing CoreDataXMLObject) {
    var seen: Set<Int> = []
    for attribute in object.attributes {
      guard seen.insert(attribute.name).inserted else {
        repeatedPropertyCount += 1
        continue
      }
      let start = bytes.count
      object.withText(of: attribute) { bytes.append($0) }
      values.append(
        Value(name: attribute.name, type: attribute.type, text: start..<bytes.count))
    }
  }

  private mutating func addLinks(_ object: borrowing CoreDataXMLObject) {
    var seen: Set<Int> = []
    for relationship in object.relationships {
      guard seen.insert(relationship.name).inserted else {
        repeatedPropertyCount += 1
        continue
      }
      let start = targets.count
      object.forEachID(in: relationship) { targets.append(identifiers.number(of: $0)) }
      links.append(
        Link(
          name: relationship.name, destination: relationship.destination,
          targets: start..<targets.count))
    }
  }
}

/// Where a reference leads to.
enum XMLEnd: Hashable {
  case object(Int)
  /// To an identifier, known by its number, that no object has.
  case nobody(Int)

  /// The object, if there is one.
  var object: Int? {
    if case .object(let object) = self { object } else { nil }
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
