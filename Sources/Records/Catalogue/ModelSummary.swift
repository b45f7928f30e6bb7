/// A source's object model as a person wants to see it.
package struct ModelSummary: Sendable, Equatable {
  /// An entity of the model.
  package struct Entity: Sendable, Equatable {
    /// The name with its true spelling.
    package var name: String
    /// The entity it descends from.
    package var parent: String?
    /// Whether it cannot have rows of its own.
    package var isAbstract: Bool
    /// The values of its rows, inherited ones included.
    package var attributes: [Attribute]
    /// The relationships of its rows, inherited ones included.
    package var relationships: [Relationship]

    /// An entity.
    package init(
      name: String, parent: String?, isAbstract: Bool, attributes: [Attribute],
      relationships: [Relationship]
    ) {
      self.name = name
      self.parent = parent
      self.isAbstract = isAbstract
      self.attributes = attributes
      self.relationships = relationships
    }
  }

  /// A value that rows of an entity have.
  package struct Attribute: Sendable, Equatable {
    /// The name with its true spelling.
    package var name: String
    /// The type as the model calls it.
    package var type: String
    /// Whether it may be missing.
    package var isOptional: Bool

    /// An attribute.
    package init(name: String, type: String, isOptional: Bool) {
      self.name = name
      self.type = type
      self.isOptional = isOptional
    }
  }

  /// A way from rows of one entity to rows of another.
  package struct Relationship: Sendable, Equatable {
    /// The name with its true spelling.
    package var name: String
    /// The entity it leads to, where that is known.
    package var destination: String?
    /// Whether it leads to several rows.
    package var isToMany: Bool
    /// Whether those rows have an order.
    package var isOrdered: Bool
    /// The relationship that leads back.
    package var inverse: String?

    /// A relationship.
    package init(
      name: String, destination: String?, isToMany: Bool, isOrdered: Bool, inverse: String?
    ) {
      self.name = name
      self.destination = destination
      self.isToMany = isToMany
      self.isOrdered = isOrdered
      self.inverse = inverse
    }
  }

  /// The entities in the order of the store.
  package var entities: [Entity]

  /// A model of these entities.
  package init(entities: [Entity]) {
    self.entities = entities
  }
}
