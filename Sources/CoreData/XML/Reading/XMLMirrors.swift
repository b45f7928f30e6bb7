/// Finds out from the objects alone which relationships tell the same from two sides.
///
/// Sets of pairs are compared by sums of hashes that differ in every run, so that no document can
/// make two different sets look alike, nor the comparison slow.
struct XMLMirrors {
  private let contents: XMLContents
  private let entities: XMLEntities
  /// The relationships that tell each set of pairs.
  private var tellers: [Key: Tellers] = [:]

  /// A set of pairs from objects of one entity to objects of another.
  private struct Key: Hashable {
    let from: Int
    let to: Int
    let count: Int
    let sum: UInt64
  }

  /// A set of pairs and how it looks from its other side.
  private struct Mirrored {
    let own: Key
    let mirrored: Key

    /// Whether the pairs look alike from both sides.
    var isSymmetric: Bool { own == mirrored }
  }

  /// A set of pairs as it looks from both sides.
  private struct Cell {
    var count = 0
    var forward: UInt64 = 0
    var back: UInt64 = 0
  }

  /// Prepares to compare; nothing is known yet.
  init(_ contents: XMLContents, _ entities: XMLEntities) {
    self.contents = contents
    self.entities = entities
  }

  /// Decides what becomes of the relationships that no model knows.
  consuming func decide(_ list: inout [XMLRelation]) {
    let undecided = list.indices.filter { list[$0].place == nil }
      .sorted { (list[$0].name, $0) < (list[$1].name, $1) }
    let keysOfAll = undecided.map { keys(of: list[$0]) }
    for (rank, index) in undecided.enumerated() {
      for key in keysOfAll[rank] { tellers[key.own, default: Tellers()].add(list[index], rank) }
    }
    for (index, keys) in zip(undecided, keysOfAll) where list[index].isToMany {
      list[index].form = form(of: list[index], keys)
    }
  }

  private func form(of relation: XMLRelation, _ keys: [Mirrored]) -> XMLRelation.Form {
    if relation.pairs.count == 0 { return .covered }
    guard relation.pairs.danglingCount == 0, !keys.isEmpty else {
      return relation.formWithoutInverse(contents)
    }
    let others = keys.map { tellers[$0.mirrored] ?? Tellers() }
    let mayBeJoin = others.allSatisfy(\.hasToMany)
    if mayBeJoin || others.allSatisfy(\.hasToOne), keys.allSatisfy(isCovered) { return .covered }
    guard mayBeJoin else { return relation.formWithoutInverse(contents) }
    // A second one with the same pairs may be the inverse, and then all pairs have a direction.
    let isItsOwnInverse = keys.allSatisfy { $0.isSymmetric && tellers[$0.own]?.isOne == true }
    return .join(isUndirected: isItsOwnInverse)
  }

  /// Whether those that tell the same from the other side stand for all that tell this set.
  private func isCovered(_ key: Mirrored) -> Bool {
    guard !key.isSymmetric, let own = tellers[key.own], let other = tellers[key.mirrored] else {
      return false
    }
    return own.areCovered(by: other)
  }

  /// The pairs of a relationship, a set for each entity of targets, from both sides.
  private func keys(of relation: XMLRelation) -> [Mirrored] {
    var cells: [Int: Cell] = [:]
    var from: Int?
    for pair in relation.pairs {
      guard let target = pair.target.object,
        let to = entities.byType[contents.type(ofObject: target)]
      else { continue }
      let owner = pair.owner
      from = entities.byType[contents.type(ofObject: owner)]
      cells[to, default: Cell()].count += 1
      cells[to, default: Cell()].forward &+= Self.hash(owner, target)
      cells[to, default: Cell()].back &+= Self.hash(target, owner)
    }
    guard let from else { return [] }
    return cells.map { to, cell in
      Mirrored(
        own: Key(from: from, to: to, count: cell.count, sum: cell.forward),
        mirrored: Key(from: to, to: from, count: cell.count, sum: cell.back))
    }
  }

  private static func hash(_ first: Int, _ second: Int) -> UInt64 {
    var hasher = Hasher()
    hasher.combine(first)
    hasher.combine(second)
    return UInt64(truncatingIfNeeded: hasher.finalize())
  }
}

/// How many relationships tell one set of pairs.
private struct Tellers {
  private var toOneCount = 0
  /// Those that have no other pairs that lead to nobody.
  private var toManyCount = 0
  /// Those that have, and so stand for themselves only.
  private var danglingCount = 0
  /// The place of the first to-many one among all by name.
  private var firstRank = Int.max

  var hasToOne: Bool { toOneCount > 0 }
  var hasToMany: Bool { toManyCount + danglingCount > 0 }
  var isOne: Bool { toOneCount + toManyCount + danglingCount == 1 }

  mutating func add(_ relation: XMLRelation, _ rank: Int) {
    if !relation.isToMany {
      toOneCount += 1
    } else if relation.pairs.danglingCount > 0 {
      danglingCount += 1
    } else {
      toManyCount += 1
      firstRank = min(firstRank, rank)
    }
  }

  /// Whether the to-many ones need nothing of their own, as those of the other side stand for them.
  ///
  /// One relationship is the inverse of one only. So where the sides differ in number some have no
  /// inverse; which ones, the store does not say, and all of the larger side are kept. Of two sides
  /// that are equal the one is kept that needs fewer tables, or else the one that sorts first.
  func areCovered(by other: Tellers) -> Bool {
    let (count, otherCount) = (toOneCount + toManyCount, other.toOneCount + other.toManyCount)
    if count != otherCount { return count < otherCount }
    if toManyCount != other.toManyCount { return toManyCount > other.toManyCount }
    return firstRank > other.firstRank
  }
}
