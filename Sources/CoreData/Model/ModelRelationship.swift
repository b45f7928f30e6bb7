/// A relationship of an entity.
package struct ModelRelationship: Sendable, Equatable {
  /// The name with its true spelling.
  package var name: String
  /// The entity it leads to.
  package var destination: String
  /// The relationship that leads back, if there is one.
  var inverseName: String?
  /// The entity the inverse was archived with, which may be a descendant of its definer.
  var inverseEntity: String?
  /// The largest number of targets; 0 and negative numbers mean no limit.
  var maxCount: Int64 = 1
  /// The smallest number of targets.
  var minCount: Int64 = 0
  /// Whether the targets have an order of their own.
  package var isOrdered = false
  /// Whether it lives in memory only.
  var isTransient = false
  /// Whether it may be empty.
  package var isOptional = true
  /// What deleting the owner does; nil when the model says something unknown.
  var deleteRule: DeleteRule? = .nullify

  /// Whether it may have several targets.
  package var isToMany: Bool { maxCount != 1 }
}

/// What deleting an object does to the targets of a relationship.
enum DeleteRule: Int64, Sendable {
  case noAction = 0
  case nullify = 1
  case cascade = 2
  case deny = 3
}
