/// How much a model asks a reader to keep in mind.
struct ModelSize {
  private let entities: [ModelEntity]
  private let forest: EntityForest
  private let incoming: [Int]

  /// Takes entities as listed, before inherited copies are dropped.
  init(_ entities: [ModelEntity], indexes: [String: Int], forest: EntityForest) {
    self.entities = entities
    self.forest = forest
    // A to-many relationship without inverse puts a column into its destination's table.
    var incoming = [Int](repeating: 0, count: entities.count)
    for relationship in entities.lazy.flatMap(\.relationships) where relationship.isToMany {
      if let destination = indexes[relationship.destination] { incoming[destination] += 1 }
    }
    self.incoming = incoming
  }

  /// Compares the size with the limits.
  ///
  /// - Throws: `ModelError` when the model is too large, or an element has no name.
  func check(_ limits: ModelLimits) throws(ModelError) {
    var budget = PropertyBudget(limits)
    var held = [Int](repeating: 0, count: entities.count)
    var total = 0
    for index in forest.order {
      let entity = entities[index]
      var own = entity.attributes.count + entity.relationships.count
      try budget.spend(own, at: entity.name)
      for attribute in entity.attributes {
        own += try Self.elements(of: attribute, depth: 0, entity.name, &budget)
      }
      held[index] = own + incoming[index] + (forest.parents[index].map { held[$0] } ?? 0)
      total += held[index]
      guard total <= limits.inheritedProperties else {
        throw ModelError(.tooManyProperties, entity.name)
      }
    }
  }

  private static func elements(
    of attribute: ModelAttribute, depth: Int, _ entity: String, _ budget: inout PropertyBudget
  ) throws(ModelError) -> Int {
    guard !attribute.elements.isEmpty else { return 0 }
    let context = "\(entity).\(attribute.name)"
    var count = attribute.elements.count
    try budget.enter(depth: depth, spending: count, at: context)
    for element in attribute.elements {
      guard !element.name.isEmpty else { throw ModelError(.missingName, "element of \(context)") }
      count += try elements(of: element, depth: depth + 1, entity, &budget)
    }
    return count
  }
}
