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
  /// The column with the owner's key.
  var ownerColumn: ActualColumn?
  /// The column with the target's key.
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
