/// A property and the entity that defines it.
struct PropertyName: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The name of the defining entity.
  let entity: String
  /// The name of the property.
  let property: String

  /// The form that people read and that relationships are sorted by.
  var description: String { "\(entity).\(property)" }

  /// Orders names by their written form.
  static func < (left: Self, right: Self) -> Bool { left.description < right.description }
}
