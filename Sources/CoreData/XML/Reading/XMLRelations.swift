import Records

/// The relationships of an XML store, from its model where there is one, and from its objects.
struct XMLRelations {
  /// All relationships, those of the model first.
  var list: [XMLRelation] = []
  /// The places in `list` by position in the model.
  private(set) var byPlace: [RelationshipPlace: Int] = [:]
  private var byName: [Key: Int] = [:]
  private let names: [String]

  /// What the document calls a relationship: the entity that has it, and the number of its name.
  private struct Key: Hashable {
    let entity: Int
    let name: Int
  }

  /// Finds all relationships with their pairs and decides what becomes of them.
  init(
    _ contents: XMLContents, _ entities: XMLEntities, names: [String], numbers: [String: Int],
    model: ManagedObjectModel?
  ) {
    self.names = names
    if let model { addRelationships(of: model, entities) }
    for (index, entity) in entities.list.enumerated() {
      addSurveyed(entity, index, numbers, model)
    }
    contents.forEachLink { link, place in addPairs(of: link, at: place, contents, entities) }
    decideByModel(contents)
    XMLMirrors(contents, entities).decide(&list)
    let decided = list
    for index in decided.indices { list[index].workOut(with: decided, contents) }
  }

  /// The place in `list` of what the document calls a relationship.
  func index(ofName name: Int, in entity: Int) -> Int? { byName[Key(entity: entity, name: name)] }

  private mutating func addRelationships(of model: ManagedObjectModel, _ entities: XMLEntities) {
    let graph = RelationshipGraph(model)
    let families = model.families(entities)
    for place in model.relationshipPlaces where !model[place].isTransient {
      let relationship = model[place]
      var relation = XMLRelation(
        name: model.name(of: place), place: place, isToMany: relationship.isToMany,
        isOrdered: relationship.isOrdered, isOptional: relationship.isOptional,
        destination: relationship.destination)
      if let destination = graph[place].destination {
        relation.destinationEntities = families[destination]
        relation.destinationHasSubentities = model.hasSubentities(destination)
      }
      relation.ownerHasSubentities = model.hasSubentities(place.entity)
      byPlace[place] = list.count
      list.append(relation)
    }
    for (place, index) in byPlace {
      // An inverse that names another inverse is none that both sides agree on.
      guard let inverse = graph[place].inverse, graph[inverse].inverse == place else { continue }
      list[index].inverse = byPlace[inverse]
    }
  }

  private mutating func addSurveyed(
    _ entity: XMLEntity, _ index: Int, _ numbers: [String: Int], _ model: ManagedObjectModel?
  ) {
    let known = entity.modelIndex.flatMap { entity in
      model.map { $0.placesByFoldedName(of: entity) }
    }
    for relationship in entity.surveyed.flatMap(\.relationships) {
      guard let number = numbers[relationship.name] else { continue }
      let key = Key(entity: index, name: number)
      guard byName[key] == nil else { continue }
      let place = known?[relationship.name.lowercased()]
      if let place, let relation = byPlace[place] {
        byName[key] = relation
      } else {
        byName[key] = list.count
        list.append(
          XMLRelation(
            name: PropertyName(entity: entity.name, property: relationship.name),
            isToMany: relationship.isToMany))
      }
    }
  }

  private mutating func addPairs(
    of link: XMLContents.Link, at place: Int, _ contents: XMLContents, _ entities: XMLEntities
  ) {
    guard let entity = entities.byType[contents.type(ofObject: link.owner)],
      let index = self.index(ofName: link.name, in: entity)
    else { return }
    let ends = contents.ends(of: link)
    if let destination = link.destination, list[index].place == nil {
      list[index].targetNames.insert(
        entities.name(ofType: names[destination], number: destination))
    }
    list[index].ownerNames.insert(entities.list[entity].name)
    if !list[index].isToMany, ends.count > 1 {
      list[index].overfull.append(link.owner, place)
      return
    }
    for (position, end) in ends.enumerated() {
      if let target = end.object.flatMap({ entities.byType[contents.type(ofObject: $0)] }) {
        list[index].targetNames.insert(entities.list[target].name)
        list[index].destinationEntities.insert(target)
      }
      list[index].pairs.append(
        XMLPair(
          owner: link.owner, target: end,
          position: list[index].isOrdered ? Int32(clamping: position + 1) : nil))
    }
  }

  private mutating func decideByModel(_ contents: XMLContents) {
    for (index, relation) in list.enumerated() where relation.place != nil {
      guard relation.isToMany else { continue }
      guard let inverse = relation.inverse else {
        list[index].form = relation.formWithoutInverse(contents)
        continue
      }
      if !list[inverse].isToMany || list[inverse].name < relation.name {
        list[index].form = .covered
      } else {
        list[index].form = .join(isUndirected: inverse == index && !relation.isOrdered)
      }
    }
  }
}

extension ManagedObjectModel {
  /// For each entity the places of the tables of itself and all its descendants.
  fileprivate func families(_ entities: XMLEntities) -> [Set<Int>] {
    var families = [Set<Int>](repeating: [], count: self.entities.count)
    for (modelIndex, table) in entities.byModelIndex {
      for ancestor in forest.lineage(of: modelIndex) { families[ancestor].insert(table) }
    }
    return families
  }

  /// The relationships that an entity has or inherits, by their names in lower case.
  fileprivate func placesByFoldedName(of entity: Int) -> [String: RelationshipPlace] {
    var places: [String: RelationshipPlace] = [:]
    for holder in forest.lineage(of: entity) {
      for (index, relationship) in entities[holder].relationships.enumerated() {
        places[relationship.name.lowercased()] = RelationshipPlace(
          entity: holder, relationship: index)
      }
    }
    return places
  }
}
