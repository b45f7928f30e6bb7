/// An entity of an XML store whose objects get a table.
struct XMLEntity {
  /// The name with its true spelling, as far as it is known.
  let name: String
  /// The names, by number, that its objects have as their type.
  var types: Set<Int> = []
  /// The position in the model, where the model has it.
  var modelIndex: Int?
  /// What its objects have, as far as they show it.
  var surveyed: [CoreDataXMLEntity] = []
}

/// The entities of an XML store in the order of their tables.
struct XMLEntities {
  /// The entities that get a table.
  private(set) var list: [XMLEntity] = []
  /// The place in `list` by number of the type's name.
  private(set) var byType: [Int: Int] = [:]
  /// The place in `list` by position in the model.
  private(set) var byModelIndex: [Int: Int] = [:]
  private let trueNames: [String: String]

  /// Brings together what the objects show and what a model says.
  ///
  /// `numbers` are those that the document's names are known by.
  init(_ schema: CoreDataXMLSchema, numbers: [String: Int], model: ManagedObjectModel?) {
    let hashed = Dictionary(grouping: schema.info.entityHashes?.keys.map { $0 } ?? []) {
      $0.uppercased()
    }
    trueNames = hashed.compactMapValues { $0.count == 1 ? $0.first : nil }
    if let model { addEntities(of: model, schema, numbers) }
    let rest = schema.entities.filter { entity in
      numbers[entity.type].map { byType[$0] == nil } ?? false
    }
    for entity in rest.sorted(by: { CaselessName($0.name) < CaselessName($1.name) }) {
      guard let number = numbers[entity.type] else { continue }
      byType[number] = list.count
      list.append(XMLEntity(name: entity.name, types: [number], surveyed: [entity]))
    }
  }

  /// The entity's name with its true spelling, whether it has a table or not.
  func name(ofType type: String, number: Int) -> String {
    byType[number].map { list[$0].name } ?? trueNames[type.uppercased()] ?? type
  }

  /// The entities of the model in its own order, abstract ones only if they have objects.
  private mutating func addEntities(
    of model: ManagedObjectModel, _ schema: CoreDataXMLSchema, _ numbers: [String: Int]
  ) {
    let surveyed = Dictionary(grouping: schema.entities) { $0.type.uppercased() }
    var taken: Set<String> = []
    for (index, entity) in model.entities.enumerated() {
      // Two entities that differ only in case look the same in the store; the first has the rows.
      let folded = entity.name.uppercased()
      let found = taken.insert(folded).inserted ? surveyed[folded] ?? [] : []
      guard !entity.isAbstract || !found.isEmpty else { continue }
      let types = Set(found.compactMap { numbers[$0.type] })
      for type in types { byType[type] = list.count }
      byModelIndex[index] = list.count
      list.append(
        XMLEntity(name: entity.name, types: types, modelIndex: index, surveyed: found))
    }
  }
}
