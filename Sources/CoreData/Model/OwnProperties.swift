/// Reduces the properties that entities list to those they define themselves.
///
/// A subentity may list inherited properties as full copies.
struct OwnProperties {
  /// Who descends from whom.
  let forest: EntityForest

  /// Entities with their own properties, sorted by name without regard to case.
  ///
  /// - Throws: `ModelError` for properties that clash or have no name.
  func of(_ entities: [ModelEntity]) throws(ModelError) -> [ModelEntity] {
    var own = entities
    var names = [Set<String>](repeating: [], count: entities.count)
    for index in forest.order {
      let inherited = forest.lineage(of: index).dropLast()
      let isOwn = { (name: String) in !inherited.contains { names[$0].contains(name) } }
      own[index].attributes = sorted(entities[index].attributes.filter { isOwn($0.name) }, \.name)
      own[index].relationships = sorted(
        entities[index].relationships.filter { isOwn($0.name) }, \.name)
      names[index] = try checkedNames(of: own[index])
    }
    return own
  }

  private func checkedNames(of entity: ModelEntity) throws(ModelError) -> Set<String> {
    var names: Set<String> = []
    for name in entity.attributes.map(\.name) + entity.relationships.map(\.name) {
      guard !name.isEmpty else { throw ModelError(.missingName, "property of \(entity.name)") }
      guard names.insert(name).inserted else {
        throw ModelError(.duplicateProperty, "\(entity.name).\(name)")
      }
    }
    return names
  }

  private func sorted<Property>(
    _ properties: [Property], _ name: KeyPath<Property, String>
  ) -> [Property] {
    let keyed = properties.map { (key: CaselessName($0[keyPath: name]), property: $0) }
    return keyed.sorted { $0.key < $1.key }.map(\.property)
  }
}
