/// Gathers the properties of an entity while its columns are gone through one by one.
struct PropertyCollection {
  private var properties: [ResolvedProperty] = []
  private var references: [RelationshipPlace: Int] = [:]

  /// Adds an attribute.
  mutating func add(_ attribute: ResolvedAttribute) { properties.append(.attribute(attribute)) }

  /// Adds a reference that belongs to no relationship of a model.
  mutating func add(_ reference: ResolvedReference) { properties.append(.reference(reference)) }

  /// Changes the reference of a relationship, after adding it if this is its first column.
  mutating func update(
    _ place: RelationshipPlace, with initial: @autoclosure () -> ResolvedReference,
    _ change: (inout ResolvedReference) -> Void
  ) {
    let index = references[place] ?? properties.count
    var reference: ResolvedReference
    if index < properties.count, case .reference(let existing) = properties[index] {
      reference = existing
    } else {
      reference = initial()
      references[place] = index
      properties.append(.reference(reference))
    }
    change(&reference)
    properties[index] = .reference(reference)
  }

  /// The properties as their columns stand in the table, those without a column last.
  func inColumnOrder() -> [ResolvedProperty] {
    let places = properties.map { $0.column?.position ?? Int.max }
    return properties.indices
      .sorted { (places[$0], $0) < (places[$1], $1) }
      .map { properties[$0] }
  }
}
