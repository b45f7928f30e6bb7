import Records

/// A relationship of an XML store as a whole: who may have it, what it leads to, and its pairs.
struct XMLRelation {
  /// What becomes of a relationship.
  enum Form: Equatable {
    /// A reference column of the owners.
    case column
    /// Nothing of its own: another relationship tells the same from the other side.
    case covered
    /// A reference column of the targets, because no column of theirs leads back.
    case ownerColumn
    /// A table of pairs, each once in one direction where `isUndirected`.
    case join(isUndirected: Bool)
  }

  /// The relationship with its true spelling, and the entity that defines it.
  let name: PropertyName
  /// The place in the model, where the model has it.
  var place: RelationshipPlace?
  /// Whether it may lead to several objects.
  let isToMany: Bool
  /// Whether the targets have an order of their own.
  var isOrdered = false
  /// Whether it may lead nowhere.
  var isOptional = true
  /// The name of the entity it leads to, where that is known.
  var destination: String?
  /// The entities with tables that it may lead to.
  var destinationEntities: Set<Int> = []
  /// Whether entities descend from the destination.
  var destinationHasSubentities = false
  /// Whether entities descend from the one that defines it.
  var ownerHasSubentities = false
  /// The relationship of the model that leads back, by its place among all.
  var inverse: Int?
  var form = Form.column
  /// All its pairs, in the order of the document.
  var pairs = XMLPairs()
  /// The names of the entities that its targets are of, and that the document names.
  var targetNames: Set<String> = []
  var ownerNames: Set<String> = []

  /// What each owner leads to, as codes of ends, where it is a column.
  private(set) var ends = PackedPairs()
  /// The place of each owner among those with the same target, where that side is ordered.
  private(set) var positions = PackedPairs()
  /// The pairs by their targets, where it is a column of theirs.
  private(set) var owners: XMLTurnedPairs?
  /// Its rows, where it is a table.
  private(set) var rows: XMLJoinRows?
  /// Owners of several targets where there may be one only, and where the relationship is.
  var overfull = PackedPairs()
  /// How many pairs only the other side knows.
  private(set) var oneSidedCount = 0
  /// How many pairs the other side knows that contradict this one.
  private(set) var contradictionCount = 0

  /// Whether it may lead to objects of several entities.
  var isPolymorphic: Bool {
    destinationHasSubentities || targetNames.union(destination.map { [$0] } ?? []).count > 1
  }

  /// Whether objects of several entities may have it.
  var ownerIsPolymorphic: Bool {
    ownerHasSubentities || ownerNames.union([name.entity]).count > 1
  }

  /// The one entity that it leads to.
  var target: String? { isPolymorphic ? nil : destination ?? targetNames.first }
}

extension XMLRelation {
  /// What an owner leads to, where it is a column.
  func end(of owner: Int) -> XMLEnd? { ends.last(of: owner).map(XMLEnd.init(code:)) }

  /// What becomes of a to-many relationship that nothing leads back to.
  ///
  /// A column of the targets has room for one owner each, and none for targets that are not there.
  func formWithoutInverse(_ contents: XMLContents) -> Form {
    guard pairs.danglingCount == 0, pairs.count <= contents.objectCount else {
      return .join(isUndirected: false)
    }
    // Many relationships may have few pairs each, so not all objects are gone through for one.
    var targets = pairs.compactMap { $0.target.object.map { Int32(truncatingIfNeeded: $0) } }
    targets.sort()
    let isRepeated = zip(targets, targets.dropFirst()).contains(where: ==)
    return isRepeated ? .join(isUndirected: false) : .ownerColumn
  }

  /// Works out the contents of its columns or rows, with what only the other side knows.
  mutating func workOut(with list: [XMLRelation], _ contents: XMLContents) {
    let other = inverse.map { list[$0] }
    switch form {
    case .covered: break
    case .column: workOutColumn(other)
    case .ownerColumn: owners = XMLTurnedPairs(pairs)
    case .join(let isUndirected):
      let isReflexive = other?.place == place
      workOutRows(isReflexive ? nil : other, isUndirected: isUndirected, contents)
    }
  }

  private mutating func workOutColumn(_ other: XMLRelation?) {
    ends = pairs.ends
    guard let other else { return }
    targetNames.formUnion(other.ownerNames)
    var filled = PackedPairs()
    var last: (object: Int, end: Int)?
    XMLTurnedPairs(other.pairs).forEachPair { object, owner, position in
      guard overfull.lastPosition(of: object) == nil else { return }
      let back = XMLEnd(object: owner).code
      let end = ends.last(of: object) ?? (last?.object == object ? last?.end : nil)
      if let end {
        if end != back { contradictionCount += 1 }
      } else {
        filled.append(object, back)
        last = (object, back)
        oneSidedCount += 1
      }
      if let position, end ?? back == back { positions.append(object, Int(position)) }
    }
    if filled.count > 0 { ends = PackedPairs(merging: ends, filled) }
  }

  private mutating func workOutRows(
    _ other: XMLRelation?, isUndirected: Bool, _ contents: XMLContents
  ) {
    targetNames.formUnion(other?.ownerNames ?? [])
    ownerNames.formUnion(other?.targetNames ?? [])
    let rows = XMLJoinRows(pairs, other?.pairs, isUndirected: isUndirected, contents)
    oneSidedCount = rows.oneSidedCount
    self.rows = rows
  }
}
