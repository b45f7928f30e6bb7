/// A property and the entity that defines it.
package struct PropertyName: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The name of the defining entity.
  package let entity: String
  /// The name of the property.
  package let property: String

  /// The form that people read and that relationships are sorted by.
  package var description: String { "\(entity).\(property)" }

  /// Orders names by their written form.
  package static func < (left: Self, right: Self) -> Bool { left.description < right.description }
}
