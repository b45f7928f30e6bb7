/// The table of a many-to-many relationship and its inverse.
struct PredictedJoinTable: Equatable {
  /// The side that names the pair: its `Entity.relationship` sorts first.
  let owner: RelationshipPlace
  /// The other side; the same as `owner` for a relationship that is its own inverse.
  let target: RelationshipPlace
  /// The names it can have, the likelier one first.
  let candidates: [String]
  /// The column with the key of the owner's side.
  let ownerColumn: String
  /// The column with the key of the target's side.
  let targetColumn: String
  /// The column with the target's position within the owner, if that order is kept.
  let positionColumn: String?
  /// The column with the owner's position within the target, if that order is kept.
  let reversePositionColumn: String?

  /// Whether the relationship is its own inverse.
  var isReflexive: Bool { owner == target }
}

extension PredictedJoinTable {
  /// The join tables of a model, one for each pair of relationships.
  static func all(
    of model: ManagedObjectModel, numbering: EntityNumbering, graph: RelationshipGraph
  ) -> [PredictedJoinTable] {
    var seen: Set<Set<RelationshipPlace>> = []
    var tables: [PredictedJoinTable] = []
    for place in model.relationshipPlaces {
      guard let inverse = graph[place].inverse else { continue }
      let sides = [model[place], model[inverse]]
      guard sides.allSatisfy({ $0.isToMany && !$0.isTransient }) else { continue }
      guard seen.insert([place, inverse]).inserted else { continue }
      let (owner, target) =
        model.name(of: inverse) < model.name(of: place) ? (inverse, place) : (place, inverse)
      tables.append(Self(owner, target, model, numbering))
    }
    return tables
  }

  private init(
    _ owner: RelationshipPlace, _ target: RelationshipPlace, _ model: ManagedObjectModel,
    _ numbering: EntityNumbering
  ) {
    let forward = model[owner]
    let back = model[target]
    let ownerNumber = numbering.numbers[owner.entity]
    let targetNumber = numbering.numbers[target.entity]
    let ownerTable = StoredName.join(forward.name, number: ownerNumber)
    let targetTable = StoredName.join(back.name, number: targetNumber)
    self.owner = owner
    self.target = target
    // A column has the number of the entity whose key it holds and the name that leads to it.
    positionColumn =
      forward.isOrdered ? StoredName.positionColumn(forward.name, number: targetNumber) : nil
    if owner == target {
      candidates = [ownerTable]
      ownerColumn = ownerTable
      targetColumn = StoredName.reflexiveColumn
      reversePositionColumn = nil
      return
    }
    ownerColumn = StoredName.join(back.name, number: ownerNumber)
    targetColumn = StoredName.join(forward.name, number: targetNumber)
    reversePositionColumn =
      back.isOrdered ? StoredName.positionColumn(back.name, number: ownerNumber) : nil
    let ownerHasSubentities = model.hasSubentities(owner.entity)
    let ownerNames =
      ownerHasSubentities == model.hasSubentities(target.entity)
      ? ownerNumber <= targetNumber : ownerHasSubentities
    candidates = ownerNames ? [ownerTable, targetTable] : [targetTable, ownerTable]
  }
}
