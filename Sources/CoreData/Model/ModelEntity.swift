/// An entity of a model, with the properties that it adds to those of its parent.
package struct ModelEntity: Sendable, Equatable {
  /// The name with its true spelling.
  package var name: String
  /// The class its objects have in the app.
  package var className: String?
  /// Whether it exists only to be inherited from.
  package var isAbstract = false
  /// The entity it descends from.
  package var parent: String?
  /// The name it had in an earlier model, or its own.
  var renamingIdentifier: String?
  /// Its own attributes, by name without regard to case.
  package var attributes: [ModelAttribute] = []
  /// Its own relationships, by name without regard to case.
  package var relationships: [ModelRelationship] = []
  /// How many fetched properties it has; they store nothing.
  var fetchedPropertyCount = 0
}
