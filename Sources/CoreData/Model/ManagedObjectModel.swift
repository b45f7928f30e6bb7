import Bytes

/// The entities that an app keeps in its store, checked to be consistent.
///
/// It does not matter whether they came from an archive or from a model's source.
package struct ManagedObjectModel: Sendable, Equatable {
  /// The entities by number, each with its own properties only.
  let entities: [ModelEntity]
  /// Who descends from whom, by position in `entities`.
  let forest: EntityForest
  /// How many fetched properties were left out because they store nothing.
  let fetchedPropertyCount: Int
  private let indexes: [String: Int]
  private let relationshipIndexes: [[String: Int]]

  /// Checks entities, sorts them, and drops inherited properties that are listed again.
  ///
  /// - Throws: `ModelError` when names clash, inheritance makes no sense or a limit is passed.
  init(entities listed: [ModelEntity], limits: ModelLimits = .standard) throws(ModelError) {
    guard listed.count <= limits.entities else {
      throw ModelError(.tooManyEntities, String(listed.count))
    }
    let planted = try EntityForest(
      names: listed.map(\.name), parents: listed.map(\.parent), limits: limits)
    let ordered = planted.order.map { listed[$0] }
    forest = try EntityForest(
      names: ordered.map(\.name), parents: ordered.map(\.parent), limits: limits)
    indexes = Self.indexes(of: ordered.map(\.name))
    try ModelSize(ordered, indexes: indexes, forest: forest).check(limits)
    entities = try OwnProperties(forest: forest).of(ordered)
    fetchedPropertyCount = entities.reduce(0) { $0 + $1.fetchedPropertyCount }
    relationshipIndexes = entities.map { Self.indexes(of: $0.relationships.map(\.name)) }
  }

  /// The position of an entity in `entities`.
  package func index(of name: String) -> Int? { indexes[name] }

  /// Whether other entities descend from one.
  func hasSubentities(_ index: Int) -> Bool { !forest.children[index].isEmpty }

  /// The definer of a relationship that an entity has or inherits, and its place there.
  func relationship(named name: String, of index: Int) -> RelationshipPlace? {
    var next: Int? = index
    while let entity = next {
      if let place = relationshipIndexes[entity][name] {
        return RelationshipPlace(entity: entity, relationship: place)
      }
      next = forest.parents[entity]
    }
    return nil
  }

  /// The relationship at a place that this model gave out.
  subscript(place: RelationshipPlace) -> ModelRelationship {
    entities[place.entity].relationships[place.relationship]
  }

  private static func indexes(of names: [String]) -> [String: Int] {
    Dictionary(keepingFirst: names.enumerated().map { ($1, $0) })
  }
}

/// Where a relationship is defined.
package struct RelationshipPlace: Sendable, Hashable {
  let entity: Int
  /// The position among the relationships of that entity.
  let relationship: Int
}

/// An entity of a model, with the properties that it adds to those of its parent.
struct ModelEntity: Sendable, Equatable {
  /// The name with its true spelling.
  var name: String
  var className: String?
  /// Whether it exists only to be inherited from.
  var isAbstract = false
  var parent: String?
  /// The name it had in an earlier model, or its own.
  var renamingIdentifier: String?
  /// Its own attributes, by name without regard to case.
  var attributes: [ModelAttribute] = []
  /// Its own relationships, by name without regard to case.
  var relationships: [ModelRelationship] = []
  /// How many fetched properties it has; they store nothing.
  var fetchedPropertyCount = 0
}

/// An attribute of an entity, or an element of a composite attribute.
struct ModelAttribute: Sendable, Equatable {
  /// The name with its true spelling.
  var name: String
  var type: AttributeType
  /// Whether it may be nil.
  var isOptional = true
  /// Whether it lives in memory only.
  var isTransient = false
  /// Whether the framework computes it; it has an ordinary column all the same.
  var isDerived = false
  /// Whether values carry a tag byte and may live in files beside the store.
  var allowsExternalStorage = false
  /// Whether history keeps its last value after a deletion.
  var preservesHistory = false
  /// The transformer that made the bytes of a transformable.
  var valueTransformerName: String?
  var valueClassName: String?
  var defaultValue = ModelDefault.none
  /// The parts of a composite, in the order the model lists them.
  var elements: [ModelAttribute] = []
  /// The entries of the user info that are plain text on both sides.
  var userInfo: [String: String] = [:]
}

/// The default value of an attribute, kept in the form it came in.
enum ModelDefault: Sendable, Equatable {
  case none
  case integer(Int64)
  case real(Double)
  case boolean(Bool)
  case text(String)
  case data([UInt8])
  /// Seconds since 2001-01-01 00:00:00 UTC.
  case date(Double)
  /// An object of a class that is not looked into.
  case object(className: String)
}

extension ModelAttribute {
  /// What the flags of the archived attribute stand for.
  struct Flags: OptionSet, Sendable {
    /// The bits as stored.
    let rawValue: Int64
    /// The value may live in a file beside the store.
    static let allowsExternalStorage = Flags(rawValue: 4)
    /// The value outlives its row in the history.
    static let preservesHistory = Flags(rawValue: 16)
  }
}

/// A relationship of an entity.
struct ModelRelationship: Sendable, Equatable {
  /// The name with its true spelling.
  var name: String
  /// The entity it leads to.
  var destination: String
  /// The relationship that leads back, if there is one.
  var inverseName: String?
  /// The entity the inverse was archived with, which may be a descendant of its definer.
  var inverseEntity: String?
  /// The largest number of targets; 0 and negative numbers mean no limit.
  var maxCount: Int64 = 1
  /// The smallest number of targets.
  var minCount: Int64 = 0
  /// Whether the targets have an order of their own.
  var isOrdered = false
  /// Whether it lives in memory only.
  var isTransient = false
  /// Whether it may be empty.
  var isOptional = true
  /// What deleting the owner does; nil when the model says something unknown.
  var deleteRule: DeleteRule? = .nullify

  /// Whether it may have several targets.
  var isToMany: Bool { maxCount != 1 }
}

/// What deleting an object does to the targets of a relationship.
enum DeleteRule: Int64, Sendable {
  case noAction = 0
  case nullify = 1
  case cascade = 2
  case deny = 3
}
