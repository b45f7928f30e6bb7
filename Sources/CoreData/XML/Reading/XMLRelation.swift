/// A relationship of an XML store as a whole: who may have it, what it leads to, and its pairs.
struct XMLRelation {
  /// A way from one end to another, with the target's place among its owner's targets, from 1.
  struct Pair {
    let owner: XMLEnd
    let target: XMLEnd
    let position: Int64
  }

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
  var pairs: [Pair] = []
  /// The names of the entities that its targets are of, and that the document names.
  var targetNames: Set<String> = []
  var ownerNames: Set<String> = []

  /// What each owner leads to, where it is a column.
  var ends: [Int: XMLEnd] = [:]
  /// The place of each owner among those with the same target, where that side is ordered.
  var positions: [Int: Int64] = [:]
  /// The pair that leads to each target, where it is a column of theirs.
  var owners: [Int: Pair] = [:]
  /// Its rows, where it is a table.
  var rows: [XMLJoinRow] = []
  /// Owners of several targets where there may be one only, with the identifiers.
  var overfull: [Int: [UInt8]] = [:]
  /// How many pairs only the other side knows.
  var oneSidedCount = 0
  /// How many pairs the other side knows that contradict this one.
  var contradictionCount = 0

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

  /// How many pairs lead to nobody.
  var danglingCount: Int { pairs.count { $0.target.object == nil } }
}

extension XMLRelation {
  /// What becomes of a to-many relationship that nothing leads back to.
  ///
  /// A column of the targets has room for one owner each, and none for targets that are not there.
  var formWithoutInverse: Form {
    var owners: [Int: XMLEnd] = [:]
    for pair in pairs {
      guard let target = pair.target.object else { return .join(isUndirected: false) }
      guard owners.updateValue(pair.owner, forKey: target) == nil else {
        return .join(isUndirected: false)
      }
    }
    return .ownerColumn
  }

  /// Works out the contents of its columns or rows, with what only the other side knows.
  mutating func workOut(with list: [XMLRelation]) {
    let other = inverse.map { list[$0] }
    switch form {
    case .covered: break
    case .column: workOutColumn(other)
    case .ownerColumn:
      for pair in pairs {
        guard let target = pair.target.object else { continue }
        owners[target] = pair
      }
    case .join(let isUndirected):
      let isReflexive = other?.place == place
      workOutRows(isReflexive ? nil : other, isUndirected: isUndirected)
    }
  }

  private mutating func workOutColumn(_ other: XMLRelation?) {
    for pair in pairs {
      if let owner = pair.owner.object { ends[owner] = pair.target }
    }
    guard let other else { return }
    targetNames.formUnion(other.ownerNames)
    for pair in other.pairs {
      guard let object = pair.target.object, overfull[object] == nil else { continue }
      if let own = ends[object] {
        if own != pair.owner { contradictionCount += 1 }
      } else {
        ends[object] = pair.owner
        oneSidedCount += 1
      }
      if other.isOrdered, ends[object] == pair.owner { positions[object] = pair.position }
    }
  }

  private mutating func workOutRows(_ other: XMLRelation?, isUndirected: Bool) {
    var places: [Ends: Int] = [:]
    for pair in pairs {
      let ends = Ends(owner: pair.owner, target: pair.target)
      if isUndirected, places[Ends(owner: pair.target, target: pair.owner)] != nil { continue }
      places[ends] = rows.count
      rows.append(
        XMLJoinRow(ends: ends, position: isOrdered ? pair.position : nil, ownerPosition: nil))
    }
    targetNames.formUnion(other?.ownerNames ?? [])
    ownerNames.formUnion(other?.targetNames ?? [])
    for pair in other?.pairs ?? [] {
      let ends = Ends(owner: pair.target, target: pair.owner)
      let position = other?.isOrdered == true ? pair.position : nil
      if let place = places[ends] {
        rows[place].ownerPosition = position
      } else {
        oneSidedCount += 1
        places[ends] = rows.count
        rows.append(XMLJoinRow(ends: ends, position: nil, ownerPosition: position))
      }
    }
  }

  /// The two ends of a row.
  struct Ends: Hashable {
    let owner: XMLEnd
    let target: XMLEnd
  }
}

/// A row of a table of pairs.
struct XMLJoinRow {
  let ends: XMLRelation.Ends
  /// The target's place among its owner's targets.
  let position: Int64?
  /// The owner's place among its target's owners.
  var ownerPosition: Int64?
}
