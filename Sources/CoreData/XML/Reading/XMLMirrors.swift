/// Finds out from the objects alone which relationships tell the same from two sides.
///
/// Sets of pairs are compared by sums of hashes that differ in every run, so that no document can
/// make two different sets look alike, nor the comparison slow.
struct XMLMirrors {
  private let contents: XMLContents
  private let entities: XMLEntities
  private var known: [Key: Known] = [:]

  /// A set of pairs from objects of one entity to objects of another.
  private struct Key: Hashable {
    let from: Int
    let to: Int
    let count: Int
    let sum: UInt64
  }

  private struct Known {
    var isToOne = false
    var isJoin = false
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
    for index in undecided where !list[index].isToMany {
      for (key, _) in keys(of: list[index]) { known[key, default: Known()].isToOne = true }
    }
    let toMany = undecided.filter { list[$0].isToMany }
      .sorted { (list[$0].name, $0) < (list[$1].name, $1) }
    let counterparts = counterparts(of: toMany.map { list[$0] })
    for index in toMany { list[index].form = form(of: list[index], counterparts) }
  }

  /// The sets that many-to-many relationships tell, so that they can be known as such.
  private func counterparts(of relations: [XMLRelation]) -> Set<Key> {
    Set(relations.flatMap { keys(of: $0).map(\.own) })
  }

  private mutating func form(
    of relation: XMLRelation, _ counterparts: Set<Key>
  ) -> XMLRelation.Form {
    if relation.pairs.count == 0 { return .covered }
    let keys = relation.pairs.danglingCount == 0 ? keys(of: relation) : []
    if keys.isEmpty { return relation.formWithoutInverse(contents) }
    if keys.allSatisfy({ known[$0.mirrored]?.isToOne ?? false }) { return .covered }
    let isItsOwnInverse = keys.allSatisfy { $0.own == $0.mirrored }
    if !isItsOwnInverse, keys.allSatisfy({ known[$0.mirrored]?.isJoin ?? false }) {
      return .covered
    }
    guard keys.allSatisfy({ counterparts.contains($0.mirrored) }) else {
      return relation.formWithoutInverse(contents)
    }
    for key in keys { known[key.own, default: Known()].isJoin = true }
    return .join(isUndirected: isItsOwnInverse)
  }

  /// The pairs of a relationship, a set for each entity of targets, from both sides.
  private func keys(of relation: XMLRelation) -> [(own: Key, mirrored: Key)] {
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
      (
        own: Key(from: from, to: to, count: cell.count, sum: cell.forward),
        mirrored: Key(from: to, to: from, count: cell.count, sum: cell.back)
      )
    }
  }

  private static func hash(_ first: Int, _ second: Int) -> UInt64 {
    var hasher = Hasher()
    hasher.combine(first)
    hasher.combine(second)
    return UInt64(truncatingIfNeeded: hasher.finalize())
  }
}
