/// Where each relationship of a model leads, and which one leads back.
struct RelationshipGraph {
  struct Edge {
    /// The position of the destination in the model; nil when the model does not have it.
    let destination: Int?
    /// The relationship that leads back, where it is defined.
    let inverse: RelationshipPlace?
  }

  /// The relationships that the model contradicts itself in.
  private(set) var differences: [SchemaDifference] = []
  private var edges: [RelationshipPlace: Edge] = [:]
  private let model: ManagedObjectModel

  init(_ model: ManagedObjectModel) {
    self.model = model
    for place in model.relationshipPlaces { edges[place] = edge(from: place) }
    for place in model.relationshipPlaces { checkInverse(of: place) }
  }

  subscript(place: RelationshipPlace) -> Edge {
    edges[place] ?? Edge(destination: nil, inverse: nil)
  }

  private mutating func edge(from place: RelationshipPlace) -> Edge {
    let relationship = model[place]
    guard let destination = model.index(of: relationship.destination) else {
      differences.append(
        .destinationUnknown(model.name(of: place), destination: relationship.destination))
      return Edge(destination: nil, inverse: nil)
    }
    guard let name = relationship.inverseName else {
      return Edge(destination: destination, inverse: nil)
    }
    let inverse = model.relationship(named: name, of: destination)
    if inverse == nil {
      differences.append(.inverseUnknown(model.name(of: place), inverse: name))
    }
    return Edge(destination: destination, inverse: inverse)
  }

  private mutating func checkInverse(of place: RelationshipPlace) {
    guard let inverse = self[place].inverse, self[inverse].inverse != place else { return }
    differences.append(
      .inverseNotMutual(
        model.name(of: place), inverse: model.name(of: inverse),
        leadsBackTo: self[inverse].inverse.map { model.name(of: $0).description }))
  }
}

extension ManagedObjectModel {
  /// Every relationship, by entity and name.
  var relationshipPlaces: [RelationshipPlace] {
    entities.indices.flatMap { entity in
      entities[entity].relationships.indices.map {
        RelationshipPlace(entity: entity, relationship: $0)
      }
    }
  }

  /// The name of a relationship, with the entity that defines it.
  package func name(of place: RelationshipPlace) -> PropertyName {
    PropertyName(entity: entities[place.entity].name, property: self[place].name)
  }
}

/// The columns of a join table, found by exact name first, then with digits at the end; one that is
/// found may not be readable.
struct JoinColumns {
  let owner: ActualColumn?
  let target: ActualColumn?
  /// The column with the target's position within the owner.
  let position: ActualColumn?
  /// The column with the owner's position within the target.
  let reversePosition: ActualColumn?
  let extra: [ActualColumn]

  init(_ predicted: PredictedJoinTable, in table: ActualTable) {
    let wanted = [
      predicted.ownerColumn, predicted.targetColumn, predicted.positionColumn,
      predicted.reversePositionColumn,
    ]
    var open = table.columns
    var found: [ActualColumn?] = [nil, nil, nil, nil]
    let tests: [(String, String) -> Bool] = [
      { $0 == $1 }, { StoredName.isSuffixed($0, of: $1) },
      { StoredName.folded($0) == StoredName.folded($1) },
    ]
    for test in tests {
      for (place, name) in wanted.enumerated() where found[place] == nil {
        guard let name, let index = open.firstIndex(where: { test($0.name, name) }) else {
          continue
        }
        found[place] = open.remove(at: index)
      }
    }
    (owner, target, position, reversePosition) = (found[0], found[1], found[2], found[3])
    extra = open.filter(\.isReadable)
  }

  /// Whether the table is that of the relationships at all.
  var hasBothKeys: Bool { owner != nil && target != nil }
}
