/// A row of `Z_PRIMARYKEY`: what a store says about one of its entities.
struct PrimaryKeyRow: Sendable, Equatable {
  /// The number that rows of the entity carry.
  var number: Int64
  /// The name, which a rename can have left behind the times.
  var name: String?
  /// The number of the parent, 0 for a root entity.
  var parent: Int64

  /// The last number a model can give; history and mirroring have theirs above.
  static let lastModelNumber: Int64 = 16_000

  /// Whether the system keeps the entity for itself.
  var isSystem: Bool { number > Self.lastModelNumber }
}
