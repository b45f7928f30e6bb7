/// Which columns of a shared table belong to which entity, judged by where rows have content.
struct FallbackOccupancy {
  private let entities: FallbackEntities
  private let columnsOfEntity: [Int: Set<String>]
  private let columnsOfTree: [Int: Set<String>]
  private let isKnown: Bool

  /// Sorts what was found by entity and by tree; nil means nobody looked.
  init(_ occupied: Set<OccupiedColumn>?, entities: FallbackEntities) {
    var columnsOfEntity: [Int: Set<String>] = [:]
    var columnsOfTree: [Int: Set<String>] = [:]
    for place in occupied ?? [] {
      guard let index = entities.index(ofNumber: place.entity) else { continue }
      columnsOfEntity[index, default: []].insert(place.column)
      columnsOfTree[entities.forest.roots[index], default: []].insert(place.column)
    }
    self.entities = entities
    self.columnsOfEntity = columnsOfEntity
    self.columnsOfTree = columnsOfTree
    isKnown = occupied != nil
  }

  /// The columns of a tree's table that rows of one entity seem to use.
  ///
  /// Content in an ancestor's rows counts too; a column empty in all rows may be anybody's.
  func columns(of index: Int, among all: [FallbackColumn]) -> [FallbackColumn] {
    let root = entities.forest.roots[index]
    guard isKnown, !entities.forest.children[root].isEmpty else { return all }
    var held: Set<String> = []
    for ancestor in entities.forest.lineage(of: index) {
      held.formUnion(columnsOfEntity[ancestor] ?? [])
    }
    let used = columnsOfTree[root] ?? []
    return all.filter { held.contains($0.column.name) || !used.contains($0.column.name) }
  }
}
