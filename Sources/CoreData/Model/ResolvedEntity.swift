/// An entity together with where its rows and values are in the store.
package struct ResolvedEntity: Sendable, Equatable {
  /// The number its rows carry in `Z_ENT`.
  var number: Int64
  /// Its name with the best spelling known.
  package var name: String
  /// Whether it cannot have rows of its own.
  var isAbstract: Bool
  /// The number of its parent, if it has one.
  package var parent: Int64?
  var hasSubentities: Bool
  /// Whether the store lists it.
  var isRecorded: Bool
  /// The name of the root of its tree.
  var root: String
  /// The table that its rows are in, shared by the whole tree; nil when it is missing.
  var table: String?
  /// What its rows hold, inherited properties included, in the order of the columns.
  var properties: [ResolvedProperty]
}

/// Something that a row of an entity holds.
enum ResolvedProperty: Sendable, Equatable {
  case attribute(ResolvedAttribute)
  /// The key of another row.
  case reference(ResolvedReference)

  /// The name with the best spelling known.
  var name: String {
    switch self {
    case .attribute(let attribute): attribute.name
    case .reference(let reference): reference.name
    }
  }

  /// The column it is mainly in; nil when that is missing.
  var column: ActualColumn? {
    switch self {
    case .attribute(let attribute): attribute.column
    case .reference(let reference): reference.keyColumn
    }
  }
}

/// An attribute, or an element of a composite, and its column.
struct ResolvedAttribute: Sendable, Equatable {
  /// The name; for an element the names from the outermost inwards, joined by underscores.
  var name: String
  var definedBy: String
  /// The attribute or element as the model describes it, or as far as its column shows.
  var attribute: ModelAttribute
  /// The column it is in; nil when that is missing.
  var column: ActualColumn?
}

/// A reference to another row and its columns.
struct ResolvedReference: Sendable, Equatable {
  /// Which way the relationship runs that the reference stands for.
  enum Kind: Sendable {
    /// The row's own to-one relationship.
    case toOne
    /// A to-one relationship whose inverse is to-one: the other side has a column as well.
    case oneToOne
    /// Another entity's to-many relationship without inverse: the key is that owner's.
    case owner
  }

  /// The relationship's name, or `<Owner>_<relationship>` for an owner.
  var name: String
  var definedBy: String
  /// Which way it runs.
  var kind: Kind
  /// The relationship as the model describes it; nil without a model.
  var relationship: ModelRelationship?
  /// The entity whose rows the key names; nil when that is not known.
  var target: ResolvedEnd?
  /// The column with the key; nil when that is missing.
  var keyColumn: ActualColumn?
  /// The column with the target's entity number.
  ///
  /// Without it the number of a polymorphic target stands in the target's own row.
  var entityColumn: ActualColumn?
  /// The column with the row's position among the rows that refer to the same target.
  var positionColumn: ActualColumn?
  /// For a one-to-one relationship, where the other side keeps its key.
  var counterpart: ResolvedCounterpart?
}

/// The entity at one end of a reference or a join table.
struct ResolvedEnd: Sendable, Equatable {
  var entity: String
  var number: Int64
  /// The table its rows are in; nil when that is missing.
  var table: String?
  /// Whether a row may belong to a descendant of the entity instead.
  var isPolymorphic: Bool
}

/// The other side of a one-to-one relationship.
struct ResolvedCounterpart: Sendable, Equatable {
  /// The inverse relationship.
  var name: PropertyName
  /// The table it is in; nil when that is missing.
  var table: String?
  /// The column with the key of this side's row; nil when that is missing.
  var keyColumn: ActualColumn?
}

/// A many-to-many relationship and where its pairs are in the store.
struct ResolvedJoinTable: Sendable, Equatable {
  /// The name it is known by: the entity and the relationship of the owner's side.
  var name: String { "\(ownerRelationship.entity)_\(ownerRelationship.property)" }
  /// The relationship that names the pair, by the entity that defines it.
  var ownerRelationship: PropertyName
  /// The relationship that leads back; the same when it is its own inverse.
  var targetRelationship: PropertyName
  /// The entity whose keys are in the owner's column.
  var owner: ResolvedEnd
  /// The entity whose keys are in the target's column.
  var target: ResolvedEnd
  /// The table; nil when it is missing.
  var table: String?
  var ownerColumn: ActualColumn?
  var targetColumn: ActualColumn?
  /// The column with the target's position within the owner.
  var positionColumn: ActualColumn?
  /// The column with the owner's position within the target.
  var reversePositionColumn: ActualColumn?
  /// Whether the relationship is its own inverse, so that pairs have no direction.
  ///
  /// Some stores then hold both directions of a pair and some only one.
  var isReflexive: Bool
}

extension ResolvedJoinTable {
  /// Swaps owner and target, with everything that belongs to them.
  mutating func turnAround() {
    self = ResolvedJoinTable(
      ownerRelationship: targetRelationship, targetRelationship: ownerRelationship,
      owner: target, target: owner, table: table, ownerColumn: targetColumn,
      targetColumn: ownerColumn, positionColumn: reversePositionColumn,
      reversePositionColumn: positionColumn, isReflexive: isReflexive)
  }
}

/// The schema of a store as a reader needs it: every entity with its actual columns.
package struct SchemaResolution: Sendable, Equatable {
  /// All entities by number, abstract ones included.
  var entities: [ResolvedEntity]
  var joinTables: [ResolvedJoinTable]
  /// In what the store is not as expected.
  var differences: [SchemaDifference]

  /// The entity whose rows carry a number.
  package func entity(numbered number: Int64) -> ResolvedEntity? {
    entities.first { $0.number == number && $0.isRecorded }
      ?? entities.first { $0.number == number }
  }

  func entity(named name: String) -> ResolvedEntity? { entities.first { $0.name == name } }
}

extension SchemaResolution {
  init(model: ManagedObjectModel, numbering: EntityNumbering, tables: [ActualTable]) {
    self = SchemaMatch(model: model, numbering: numbering, tables: tables).resolution()
  }
}
