/// A relationship of an XML store as a whole: who may have it, what it leads to, and its pairs.
struct XMLRelation {
  /// A way from one end to another, with the target's place among its owner's targets, from 1.
  package struct Pair {
    package let owner: XMLEnd
    package let target: XMLEnd
    package let position: Int64
  }

  /// What becomes of a relationship.
  package enum Form: Equatable {
    /// A reference column of the owners.
    case column
    /// Nothing of its own: another relationship tells the same from the other side.
    case covered
    /// A reference column of the targets, because no column of theirs leads back.
    case ownerColumn
    /// A table of pairs, each once in one direction where `isUndirected`.
    case join(isUndirected: Bool)
  }

  /// The relationship with its true spelling, and the entity that defines it.
  let name: PropertyName
  /// The place in the model, where the model has it.
  var place: RelationshipPlace?
  /// Whether it may lead to several objects.
  let isToMany: Bool
  /// Whether the targets have an order of their own.
  var isOrdered = false
  /// Whether it may lead nowhere.
  var isOptional = true
  /// The name of the entity it leads to, where that is known.
  var destination: String?
  /// The entities with tables that it may lead to.
  var destinationEntities: Set<Int> = []
  /// Whether entities descend from the destination.
  var destinationHasSubentities = false
  /// Whether entities descend from the one that defines it.
  var ownerHasSubentities = false
  /// The relationship of the model that leads back, by its place among all.
  var inverse: Int?
  /// What becomes of it.
  var form = Form.column
  /// All its pairs, in the order of the document.
  var pairs: [Pair] = []
  /// The names of the entities that its targets are of, and that the document names.
  var targetNames: Set<String> = []
  /// The names of the entities that its owners are of.
  var ownerNames: Set<String> = []

  /// What each owner leads to, where it is a column.
  var ends: [Int: XMLEnd] = [:]
  /// The place of each owner among those with the same target, where that side is ordered.
  var positions: [Int: Int64] = [:]
  /// The pair that leads to each target, where it is a column of theirs.
  var owners: [Int: Pair] = [:]
  /// Its rows, where it is a table.
  var rows: [XMLJoinRow] = []
  /// Owners of several targets where there may be one only, with the identifiers.
  var overfull: [Int: [UInt8]] = [:]
  /// How many pairs only the other side knows.
  var oneSidedCount = 0
  /// How many pairs the other side knows that contradict this one.
  var contradictionCount = 0

  /// Whether it may lead to objects of several entities.
  var isPolymorphic: Bool {
    destinationHasSubentities || targetNames.union(destination.map { [$0] } ?? []).count > 1
  }

  /// Whether objects of several entities may have it.
  var ownerIsPolymorphic: Bool {
    ownerHasSubentities || ownerNames.union([name.entity]).count > 1
  }

  /// The one entity that it leads to.
  var target: String? { isPolymorphic ? nil : destination ?? targetNames.first }

  /// How many pairs lead to nobody.
  var danglingCount: Int { pairs.count { $0.target.object == nil } }
}
