/// The tables and columns that a store made from a model must have.
struct PredictedSchema {
  /// One table for each root entity, by number.
  let tables: [PredictedTable]
  /// One table for each many-to-many relationship and its inverse.
  let joinTables: [PredictedJoinTable]
  /// Where the model contradicts itself.
  let differences: [SchemaDifference]
  /// Where each relationship leads.
  let graph: RelationshipGraph

  /// Predicts the schema of a model whose entities have these numbers.
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
  /// Its name.
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
  /// What it is for.
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
package struct AttributePlace: Sendable, Hashable {
  /// The position of the defining entity in the model.
  package let entity: Int
  /// The position of the attribute, then of the element in it, and so on.
  package let path: [Int]
}

extension ManagedObjectModel {
  /// The attributes from the outermost to the one at a place that this model gave out.
  package func attributes(at place: AttributePlace) -> [ModelAttribute] {
    var found: [ModelAttribute] = []
    var level = entities[place.entity].attributes
    for step in place.path {
      found.append(level[step])
      level = level[step].elements
    }
    return found
  }
}
