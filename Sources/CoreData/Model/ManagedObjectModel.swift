/// The entities that an app keeps in its store, checked to be consistent.
///
/// It does not matter whether they came from an archive or from a model's source.
package struct ManagedObjectModel: Sendable, Equatable {
  /// The entities by number, each with its own properties only.
  package let entities: [ModelEntity]
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
  package func relationship(named name: String, of index: Int) -> RelationshipPlace? {
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
  package subscript(place: RelationshipPlace) -> ModelRelationship {
    entities[place.entity].relationships[place.relationship]
  }

  private static func indexes(of names: [String]) -> [String: Int] {
    Dictionary(names.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
  }
}

/// Where a relationship is defined.
package struct RelationshipPlace: Sendable, Hashable {
  /// The position of the defining entity in the model.
  package let entity: Int
  /// The position among the relationships of that entity.
  package let relationship: Int
}
