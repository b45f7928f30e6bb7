/// The entities of a model as trees: who descends from whom.
struct EntityForest: Sendable, Equatable {
  let parents: [Int?]
  /// The direct descendants of each entity, by name without regard to case.
  let children: [[Int]]
  /// All entities, depth first, each parent before its children: the order of their numbers.
  let order: [Int]
  let depths: [Int]
  let roots: [Int]

  /// Plants the trees.
  ///
  /// - Throws: `ModelError` for duplicate names, unknown parents, cycles, and too deep trees.
  init(names: [String], parents parentNames: [String?], limits: ModelLimits) throws(ModelError) {
    let indexes = try Self.indexes(of: names)
    parents = try Self.parents(of: names, parentNames, indexes)
    let sorted = Self.sortedByName(names)
    var children = [[Int]](repeating: [], count: names.count)
    for index in sorted {
      if let parent = parents[index] { children[parent].append(index) }
    }
    self.children = children
    var depths = [Int](repeating: -1, count: names.count)
    var roots = [Int](repeating: 0, count: names.count)
    var order: [Int] = []
    // The stack holds what is still to visit, last first; it replaces recursion.
    var stack = Array(sorted.filter { [parents] in parents[$0] == nil }.reversed())
    while let index = stack.popLast() {
      let parent = parents[index]
      depths[index] = parent.map { depths[$0] + 1 } ?? 0
      roots[index] = parent.map { roots[$0] } ?? index
      guard depths[index] < limits.inheritanceDepth else {
        throw ModelError(.inheritanceTooDeep, names[index])
      }
      order.append(index)
      stack.append(contentsOf: children[index].reversed())
    }
    // What cannot be reached from a root hangs on a cycle.
    if let lost = depths.firstIndex(of: -1) { throw ModelError(.cyclicSuperentity, names[lost]) }
    self.order = order
    self.depths = depths
    self.roots = roots
  }

  /// An entity and all its ancestors, the root first.
  func lineage(of index: Int) -> [Int] {
    var line = [index]
    while let parent = line.last.flatMap({ parents[$0] }) { line.append(parent) }
    return line.reversed()
  }

  private static func indexes(of names: [String]) throws(ModelError) -> [String: Int] {
    var indexes: [String: Int] = [:]
    indexes.reserveCapacity(names.count)
    for (index, name) in names.enumerated() {
      guard !name.isEmpty else { throw ModelError(.missingName, "entity") }
      guard indexes.updateValue(index, forKey: name) == nil else {
        throw ModelError(.duplicateEntity, name)
      }
    }
    return indexes
  }

  private static func parents(
    of names: [String], _ parentNames: [String?], _ indexes: [String: Int]
  ) throws(ModelError) -> [Int?] {
    var parents: [Int?] = []
    for (name, parentName) in zip(names, parentNames) {
      guard let parentName else {
        parents.append(nil)
        continue
      }
      guard let parent = indexes[parentName] else {
        throw ModelError(.unknownSuperentity, "\(name) from \(parentName)")
      }
      parents.append(parent)
    }
    return parents
  }

  private static func sortedByName(_ names: [String]) -> [Int] {
    let keys = names.map { CaselessName($0) }
    return keys.indices.sorted { keys[$0] < keys[$1] }
  }
}

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

/// Gathers the properties of an entity while its columns are gone through one by one.
struct PropertyCollection {
  private var properties: [ResolvedProperty] = []
  private var references: [RelationshipPlace: Int] = [:]

  mutating func add(_ attribute: ResolvedAttribute) { properties.append(.attribute(attribute)) }

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
