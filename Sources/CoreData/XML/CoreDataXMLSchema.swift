import Bytes
import XMLFormat

/// What a first reading of an XML store finds: its entities with everything their objects have.
struct CoreDataXMLSchema: Sendable, Equatable {
  /// What the store says about itself.
  let info: CoreDataXMLInfo
  /// The entities that have objects, in the order of their first ones.
  let entities: [CoreDataXMLEntity]
  let unknownElementCount: Int

  /// Reads a store to its end and shows each object to `visit`.
  ///
  /// - Throws: `XMLError` when the document is damaged or not that of a store.
  init(
    reading store: inout CoreDataXMLStore,
    visiting visit: (CoreDataXMLObject) throws(XMLError) -> Void
  ) throws(XMLError) {
    var survey = CoreDataXMLSurvey()
    while try store.next() {
      survey.add(store.object)
      try visit(store.object)
    }
    info = store.info
    entities = survey.entities(
      names: store.names, hashedNames: store.info.metadata.entityHashes?.keys)
    unknownElementCount = survey.unknownElementCount + store.unknownElementCount
  }

  var objectCount: Int { entities.reduce(0) { $0 + $1.count } }

  /// The entity with a name in upper case.
  func entity(type: String) -> CoreDataXMLEntity? { entities.first { $0.type == type } }
}

/// An entity as far as the objects of an XML store show it.
struct CoreDataXMLEntity: Sendable, Equatable {
  /// The name as objects have it, in upper case.
  let type: String
  /// The name with its true spelling, if the store's metadata has exactly one such name.
  let trueName: String?
  let count: Int
  /// The attributes, in the order in which they first occur.
  let attributes: [CoreDataXMLAttribute]
  /// The relationships, in the order in which they first occur.
  let relationships: [CoreDataXMLRelationship]

  /// The name with its true spelling, as far as it is known.
  var name: String { trueName ?? type }
}

/// An attribute as far as the objects of an XML store show it.
struct CoreDataXMLAttribute: Sendable, Equatable {
  /// The name, in lower case as the framework writes it.
  let name: String
  let counts: [CoreDataXMLType: Int]

  /// The kind of all values; nil where they are of several kinds.
  var type: CoreDataXMLType? { counts.count == 1 ? counts.first?.key : nil }
}

/// A relationship as far as the objects of an XML store show it.
struct CoreDataXMLRelationship: Sendable, Equatable {
  /// The name, in lower case as the framework writes it.
  let name: String
  /// The bounds that occur, in most stores just one pair.
  let bounds: Set<CoreDataXMLBounds>
  /// The destinations that occur, in upper case.
  let destinations: Set<String>
  /// How many objects list it, with or without targets.
  let count: Int
  /// How many targets all objects have together.
  let targetCount: Int
  /// The most targets of one object.
  let largestTargetCount: Int

  /// Whether objects may have several targets, by what the store declares or by what they have.
  var isToMany: Bool { bounds.contains(where: \.isToMany) || largestTargetCount > 1 }
}

extension CoreDataXMLSchema {
  /// In how many points the objects are not what a model says.
  ///
  /// A point is an entity, an attribute or a relationship that the model lacks, or a required
  /// attribute that no object has.
  func misfits(of model: ManagedObjectModel) -> Int {
    let byType = Dictionary(
      keepingFirst: model.entities.indices.map { (model.entities[$0].name.uppercased(), $0) })
    return entities.reduce(0) { sum, entity in
      guard let index = byType[entity.type.uppercased()] else { return sum + 1 }
      return sum + Self.misfits(of: entity, in: model, at: index)
    }
  }

  private static func misfits(
    of entity: CoreDataXMLEntity, in model: ManagedObjectModel, at index: Int
  ) -> Int {
    let lineage = model.forest.lineage(of: index).map { model.entities[$0] }
    let attributes = lineage.flatMap(\.attributes).filter { !$0.isTransient }
    let known = Set(attributes.map { $0.name.lowercased() })
    let required = Set(attributes.filter { !$0.isOptional }.map { $0.name.lowercased() })
    let relationships = Set(lineage.flatMap(\.relationships).map { $0.name.lowercased() })
    let present = Set(entity.attributes.map { $0.name.lowercased() })
    let led = Set(entity.relationships.map { $0.name.lowercased() })
    return present.subtracting(known).count + required.subtracting(present).count
      + led.subtracting(relationships).count
  }
}

extension ModelEvidence {
  init(_ schema: CoreDataXMLSchema) {
    hashes = schema.info.metadata.entityHashes
    misfits = { schema.misfits(of: $0) }
  }
}

/// The kinds of values that attributes of an XML store have.
package enum CoreDataXMLType: String, Sendable, CaseIterable {
  case string
  case int16
  case int32
  case int64
  case float
  case double
  case decimal
  /// `0` or `1`.
  case bool
  /// Seconds since 2001-01-01 00:00:00 UTC, as a decimal number.
  case date
  /// Base64 with line breaks.
  case binary
  /// A word that is none of these, or no word at all.
  case unknown

  /// The kind that a word stands for.
  init(word: String) { self = Self(rawValue: word) ?? .unknown }
}

/// How many targets a relationship of an XML store may have.
struct CoreDataXMLBounds: Sendable, Hashable {
  /// The least number.
  let least: Int64
  /// The largest number; 0 means no limit.
  let most: Int64

  /// Whether there may be several.
  var isToMany: Bool { most != 1 }

  /// Reads `0/1` and the like; nil for anything else.
  init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let least = Int64(parts[0]), let most = Int64(parts[1]) else {
      return nil
    }
    self.least = least
    self.most = most
  }

  /// No bounds, which is what a relationship without them has.
  static let none = CoreDataXMLBounds(least: 0, most: 0)

  private init(least: Int64, most: Int64) {
    self.least = least
    self.most = most
  }
}
