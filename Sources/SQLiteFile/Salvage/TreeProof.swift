extension Salvage {
  /// Which of the tables have trees that hold together.
  ///
  /// The list of free pages is wrong where it names some pages of such a tree. Where it names most of
  /// them, the tree is one of a table that is gone.
  mutating func soundTrees(of tables: [TableProfile]) -> [Bool] {
    var proof = TreeProof(pageCount: survey.pageCount)
    return tables.map { table in
      guard let pages = proof.pages(ofTreeAt: table.root, isTable: table.hasRowIDs, in: self) else {
        return false
      }
      let listed = pages.filter { isListedFree[Int($0)] }
      guard 2 * listed.count < pages.count else { return false }
      for page in listed { isListedFree[Int(page)] = false }
      if !listed.isEmpty { account.isFreelistDamaged = true }
      return true
    }
  }
}

/// Tells which trees hold together.
///
/// Each page contradicts nothing in itself, has the kind and depth of those beside it and the keys that
/// the pages above it say, and is no page of another such tree.
struct TreeProof {
  /// No tree of the engine is deeper.
  static let deepest = 20

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

  /// The pages of a tree that holds together; nil where it does not.
  mutating func pages(
    ofTreeAt root: UInt32, isTable: Bool, in salvage: borrowing Salvage
  ) -> [UInt32]? {
    pages.removeAll(keepingCapacity: true)
    leafLevel = nil
    let whole = Salvage.TreePart(page: root, keys: .all, level: 1)
    guard follow(whole, isTable: isTable, salvage) else {
      for page in pages { isSeen[Int(page)] = false }
      return nil
    }
    return pages
  }

  private mutating func follow(
    _ part: Salvage.TreePart, isTable: Bool, _ salvage: borrowing Salvage
  ) -> Bool {
    guard left > 0, part.page > 0, Int(part.page) < isSeen.count, !isSeen[Int(part.page)],
      !salvage.isUsed[Int(part.page)], part.level <= Self.deepest
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
    for link in salvage.links(of: part.page) {
      let keys = KeyRange(lower: lower, upper: link.key ?? part.keys.upper)
      lower = link.key ?? lower
      let below = Salvage.TreePart(page: link.child, keys: keys, level: part.level + 1)
      guard follow(below, isTable: isTable, salvage) else { return false }
    }
    return true
  }
}
