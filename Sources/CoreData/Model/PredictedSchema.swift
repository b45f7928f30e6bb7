/// The tables and columns that a store made from a model must have.
struct PredictedSchema {
  /// One table for each root entity, by number.
  let tables: [PredictedTable]
  /// One table for each many-to-many relationship and its inverse.
  let joinTables: [PredictedJoinTable]
  /// Where the model contradicts itself.
  let differences: [SchemaDifference]
  let graph: RelationshipGraph

  init(model: ManagedObjectModel, numbering: EntityNumbering) {
    let graph = RelationshipGraph(model)
    let layout = PredictedLayout(model: model, numbering: numbering, graph: graph)
    let tables = layout.tables()
    self.tables = tables
    joinTables = PredictedJoinTable.all(of: model, numbering: numbering, graph: graph)
    differences = graph.differences + tables.flatMap(\.differences)
    self.graph = graph
  }
}

/// The table of a root entity and all its descendants.
struct PredictedTable {
  let name: String
  /// The position of the root entity in the model.
  let root: Int
  /// Its columns in the order of a table that was never migrated, without the first three.
  let columns: [PredictedColumn]
  /// Columns whose names were given with doubt.
  let differences: [SchemaDifference]
  /// Positions in `columns`, by the entity that adds them to the table.
  let columnsByHolder: [Int: [Int]]

  /// The columns that rows of an entity use, inherited ones included.
  func columns(of entity: Int, in model: ManagedObjectModel) -> [PredictedColumn] {
    let places = model.forest.lineage(of: entity).flatMap { columnsByHolder[$0] ?? [] }
    return places.sorted().map { columns[$0] }
  }
}

/// A column that an entity adds to its root's table.
struct PredictedColumn: Equatable {
  /// Its name, with a digit when earlier columns had taken the plain one.
  let name: String
  /// Its name before any digit was added.
  let base: String
  /// What it is declared with; nil when that is unknown.
  let type: DeclaredType?
  let role: PredictedRole
  /// The position in the model of the entity whose rows use it.
  let holder: Int
  /// The property it serves, by the entity that defines it.
  let property: PropertyName
}

/// What a column holds.
enum PredictedRole: Sendable, Hashable {
  /// An attribute, or an element of a composite at the end of the path.
  case attribute(AttributePlace)
  /// The target's key of a to-one relationship.
  case key(RelationshipPlace)
  /// The target's entity number of a to-one relationship.
  case entity(RelationshipPlace)
  /// The position of a row among the targets of the inverse.
  case position(RelationshipPlace)
  /// The owner's key of a to-many relationship that has no inverse.
  case ownerKey(RelationshipPlace)
  /// The position of a row among the targets of such a relationship.
  case ownerPosition(RelationshipPlace)
}

/// Where an attribute or an element of one is defined.
struct AttributePlace: Sendable, Hashable {
  /// The position of the defining entity in the model.
  let entity: Int
  /// The position of the attribute, then of the element in it, and so on.
  let path: [Int]
}

extension ManagedObjectModel {
  /// The attributes from the outermost to the one at a place that this model gave out.
  func attributes(at place: AttributePlace) -> [ModelAttribute] {
    var found: [ModelAttribute] = []
    var level = entities[place.entity].attributes
    for step in place.path {
      found.append(level[step])
      level = level[step].elements
    }
    return found
  }
}

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
