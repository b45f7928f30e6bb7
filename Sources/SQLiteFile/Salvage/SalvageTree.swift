extension Salvage {
  /// A tree of a damaged file, and whose it is.
  struct Tree {
    enum Owner {
      /// A table that is searched for, by its place.
      case table(Int)
      case index
      /// A table that nobody searches for.
      case other
    }

    /// No tree of the engine is deeper.
    static let deepest = 20

    let owner: Owner
    let root: UInt32
    /// Whether it holds together.
    let isSound: Bool

    var whole: TreePart { TreePart(page: root, keys: .all, level: 1) }
  }

  /// The trees of a search, each with whether it holds together.
  func trees(of search: TableSearch) -> [Tree] {
    var proof = TreeProof(pageCount: survey.pageCount)
    let tables = search.tables.enumerated().map { place, table in
      Tree(
        owner: .table(place), root: table.root,
        isSound: proof.holds(table.root, isTable: table.hasRowIDs, in: self))
    }
    let others = search.others.map { root in
      let kind = isFree(root) ? survey.facts(root).kind : nil
      return Tree(
        owner: .other, root: root,
        isSound: proof.holds(root, isTable: kind?.isTable ?? true, in: self))
    }
    let indexes = search.indexes.map { root in
      Tree(owner: .index, root: root, isSound: proof.holds(root, isTable: false, in: self))
    }
    return tables + others + indexes
  }
}

/// Tells which trees hold together: each page contradicts nothing in itself, has the kind and depth of
/// those beside it and the keys that the pages above it say, and is no page of another such tree.
private struct TreeProof {
  private var isSeen: [Bool]
  /// How many pages may still be looked at: those that many broken trees lead to are not looked at for
  /// each of them.
  private var left: Int
  private var pages: [UInt32] = []
  private var leafLevel: Int?

  init(pageCount: Int) {
    isSeen = [Bool](repeating: false, count: pageCount + 1)
    left = 4 * pageCount
  }

  mutating func holds(_ root: UInt32, isTable: Bool, in salvage: borrowing Salvage) -> Bool {
    pages.removeAll(keepingCapacity: true)
    leafLevel = nil
    let whole = Salvage.TreePart(page: root, keys: .all, level: 1)
    guard follow(whole, isTable: isTable, salvage) else {
      for page in pages { isSeen[Int(page)] = false }
      return false
    }
    return true
  }

  private mutating func follow(
    _ part: Salvage.TreePart, isTable: Bool, _ salvage: borrowing Salvage
  ) -> Bool {
    guard left > 0, salvage.isFree(part.page), !isSeen[Int(part.page)],
      part.level <= Salvage.Tree.deepest
    else { return false }
    left -= 1
    let facts = salvage.survey.facts(part.page)
    guard facts.fault == nil, let kind = facts.kind, kind.isTable == isTable,
      !isTable || facts.cellCount == 0
        || part.keys.contains(facts.firstKey) && part.keys.contains(facts.lastKey)
    else { return false }
    isSeen[Int(part.page)] = true
    pages.append(part.page)
    guard !kind.isLeaf else {
      leafLevel = leafLevel ?? part.level
      return leafLevel == part.level
    }
    var lower = part.keys.lower
    return salvage.links(of: part.page).allSatisfy { link in
      let keys = KeyRange(lower: lower, upper: link.key ?? part.keys.upper)
      lower = link.key ?? lower
      let below = Salvage.TreePart(page: link.child, keys: keys, level: part.level + 1)
      return follow(below, isTable: isTable, salvage)
    }
  }
}
