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
  mutating func settle(with list: [XMLRelation]) {
    let other = inverse.map { list[$0] }
    switch form {
    case .covered: break
    case .column: settleColumn(other)
    case .ownerColumn:
      for pair in pairs {
        guard let target = pair.target.object else { continue }
        owners[target] = pair
      }
    case .join(let isUndirected):
      let isReflexive = other?.place == place
      settleRows(isReflexive ? nil : other, isUndirected: isUndirected)
    }
  }

  private mutating func settleColumn(_ other: XMLRelation?) {
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

  private mutating func settleRows(_ other: XMLRelation?, isUndirected: Bool) {
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
