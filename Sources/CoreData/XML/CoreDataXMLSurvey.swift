/// Counts what objects have, by numbers of names.
struct CoreDataXMLSurvey {
  /// Elements inside objects that mean nothing known.
  private(set) var unknownElementCount = 0
  private var found: [CoreDataXMLSurvey.Entity] = []
  private var indexes: [Int: Int] = [:]

  mutating func add(_ object: borrowing CoreDataXMLObject) {
    unknownElementCount += object.unknownElementCount
    let index = indexes[object.type] ?? found.count
    if index == found.count {
      found.append(CoreDataXMLSurvey.Entity(type: object.type))
      indexes[object.type] = index
    }
    found[index].count += 1
    for attribute in object.attributes { found[index].add(attribute) }
    for relationship in object.relationships {
      var targets = 0
      object.forEachID(in: relationship) { _ in targets += 1 }
      found[index].add(relationship, targets: targets)
    }
  }

  /// The entities, with names for numbers; `hashedNames` are the true ones.
  func entities(
    names: [String], hashedNames: (some Collection<String>)?
  ) -> [CoreDataXMLEntity] {
    let trueNames = Dictionary(grouping: hashedNames.map { Array($0) } ?? []) { $0.uppercased() }
    return found.map { entity in
      let type = names[entity.type]
      let spelled = trueNames[type.uppercased()] ?? []
      return CoreDataXMLEntity(
        type: type, trueName: spelled.count == 1 ? spelled.first : nil, count: entity.count,
        attributes: entity.attributes.map { $0.attribute(names) },
        relationships: entity.relationships.map { $0.relationship(names) })
    }
  }

  /// What the objects of one entity have, by numbers of names.
  fileprivate struct Entity {
    let type: Int
    var count = 0
    private(set) var attributes: [CoreDataXMLSurvey.Attribute] = []
    private(set) var relationships: [CoreDataXMLSurvey.Relationship] = []
    private var attributeIndexes: [Int: Int] = [:]
    private var relationshipIndexes: [Int: Int] = [:]

    init(type: Int) { self.type = type }

    mutating func add(_ attribute: CoreDataXMLObject.Attribute) {
      let index = attributeIndexes[attribute.name] ?? attributes.count
      if index == attributes.count {
        attributes.append(CoreDataXMLSurvey.Attribute(name: attribute.name))
        attributeIndexes[attribute.name] = index
      }
      attributes[index].counts[attribute.type, default: 0] += 1
    }

    mutating func add(_ relationship: CoreDataXMLObject.Relationship, targets: Int) {
      let index = relationshipIndexes[relationship.name] ?? relationships.count
      if index == relationships.count {
        relationships.append(CoreDataXMLSurvey.Relationship(name: relationship.name))
        relationshipIndexes[relationship.name] = index
      }
      relationships[index].add(relationship, targets: targets)
    }
  }

  fileprivate struct Attribute {
    let name: Int
    var counts: [CoreDataXMLType: Int] = [:]

    func attribute(_ names: [String]) -> CoreDataXMLAttribute {
      CoreDataXMLAttribute(name: names[name], counts: counts)
    }
  }

  fileprivate struct Relationship {
    let name: Int
    private var bounds: Set<CoreDataXMLBounds> = []
    private var destinations: Set<Int> = []
    private var count = 0
    private var targetCount = 0
    private var largestTargetCount = 0

    init(name: Int) { self.name = name }

    mutating func add(_ relationship: CoreDataXMLObject.Relationship, targets: Int) {
      bounds.insert(relationship.bounds)
      if let destination = relationship.destination { destinations.insert(destination) }
      count += 1
      targetCount += targets
      largestTargetCount = max(largestTargetCount, targets)
    }

    func relationship(_ names: [String]) -> CoreDataXMLRelationship {
      CoreDataXMLRelationship(
        name: names[name], bounds: bounds, destinations: Set(destinations.map { names[$0] }),
        count: count, targetCount: targetCount, largestTargetCount: largestTargetCount)
    }
  }
}
