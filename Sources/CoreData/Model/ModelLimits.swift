/// Bounds that honest models stay far under, so that a hostile one is refused early.
struct ModelLimits: Sendable, Equatable {
  /// Entities in one model; from 16001 on the numbers belong to the system's own entities.
  var entities = 16_000
  /// Properties and composite elements in one model, counted in each entity that lists them.
  var properties = 50_000
  /// What all rows can hold: own and inherited properties, elements, and owners of rows.
  var inheritedProperties = 200_000
  /// Entities on the way from a root entity to its deepest descendant.
  var inheritanceDepth = 64
  /// Composites inside composites.
  var compositeDepth = 8
  /// Bytes of a model after unpacking.
  var unpackedBytes = 64 << 20

  /// What is used unless a test asks for less.
  static let standard = ModelLimits()
}
