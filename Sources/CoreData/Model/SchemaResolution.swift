/// The schema of a store as a reader needs it: every entity with its actual columns.
package struct SchemaResolution: Sendable, Equatable {
  /// All entities by number, abstract ones included.
  package var entities: [ResolvedEntity]
  /// The many-to-many relationships.
  var joinTables: [ResolvedJoinTable]
  /// In what the store is not as expected.
  package var differences: [SchemaDifference]

  /// The entity whose rows carry a number.
  package func entity(numbered number: Int64) -> ResolvedEntity? {
    entities.first { $0.number == number && $0.isRecorded }
      ?? entities.first { $0.number == number }
  }

  /// The entity with a name.
  package func entity(named name: String) -> ResolvedEntity? { entities.first { $0.name == name } }
}

extension SchemaResolution {
  /// Finds the tables and columns of a model in a store.
  init(model: ManagedObjectModel, numbering: EntityNumbering, tables: [ActualTable]) {
    self = SchemaMatch(model: model, numbering: numbering, tables: tables).resolution()
  }
}
