import Records

/// A way from an object to an end.
struct XMLPair {
  let owner: Int
  let target: XMLEnd
  /// The target's place among its owner's targets, from 1, where these have an order.
  let position: Int32?
}

/// Where a reference leads to, as one number.
struct XMLEnd: Hashable {
  let code: Int

  init(code: Int) { self.code = code }

  init(object: Int) { code = object << 1 }

  /// An identifier that no object has.
  init(ofNobody identifier: XMLIdentifier) { code = identifier.code << 1 | 1 }

  /// The object, if there is one.
  var object: Int? { code & 1 == 0 ? code >> 1 : nil }

  /// The identifier, if no object has it.
  var identifierOfNobody: XMLIdentifier? { code & 1 == 1 ? XMLIdentifier(code: code >> 1) : nil }
}

/// The pairs of a relationship in the order of their owners: a few bytes each.
struct XMLPairs {
  /// The owners, and the codes of the ends that they lead to.
  private(set) var ends = PackedPairs()
  /// The positions, as the first of two numbers, where there are some.
  private var positions = PackedPairs()
  /// How many pairs lead to nobody.
  private(set) var danglingCount = 0

  var count: Int { ends.count }

  /// Adds a pair of the last owner, or of one behind it.
  mutating func append(_ pair: XMLPair) {
    ends.append(pair.owner, pair.target.code)
    if let position = pair.position { positions.append(Int(position), 0) }
    if pair.target.object == nil { danglingCount += 1 }
  }

  /// The pairs of one owner.
  func pairs(of owner: Int) -> [XMLPair] {
    var found: [XMLPair] = []
    for place in ends.firstPosition(from: owner)..<ends.count {
      let pair = self[place]
      guard pair.owner == owner else { break }
      found.append(pair)
    }
    return found
  }

  fileprivate subscript(place: Int) -> XMLPair {
    let (owner, code) = ends[place]
    let position = positions.count > place ? Int32(truncatingIfNeeded: positions[place].0) : nil
    return XMLPair(owner: owner, target: XMLEnd(code: code), position: position)
  }

  /// Whether the targets of each owner have an order.
  fileprivate var isOrdered: Bool { positions.count > 0 }
}

extension XMLPairs: Sequence {
  func makeIterator() -> Iterator {
    Iterator(ends: ends.makeIterator(), positions: positions.makeIterator())
  }

  /// One pair after the other.
  struct Iterator: IteratorProtocol {
    fileprivate var ends: PackedPairs.Iterator
    fileprivate var positions: PackedPairs.Iterator

    mutating func next() -> XMLPair? {
      guard let (owner, code) = ends.next() else { return nil }
      let position = positions.next().map { Int32(truncatingIfNeeded: $0.0) }
      return XMLPair(owner: owner, target: XMLEnd(code: code), position: position)
    }
  }
}

/// The pairs of a relationship in the order of the objects that they lead to, and for each of these
/// in their own.
struct XMLTurnedPairs {
  /// The targets and their owners.
  private var owners = PackedPairs()
  private var positions = PackedPairs()
  /// The pairs that lead to nobody, in their own order.
  private(set) var dangling: [XMLPair] = []

  init(_ pairs: XMLPairs) {
    // The owners of a target are in their order, too, unless one leads to it twice.
    var list: [UInt64] = []
    list.reserveCapacity(pairs.count)
    for (place, pair) in pairs.enumerated() {
      guard let target = pair.target.object else {
        dangling.append(pair)
        continue
      }
      let second = pairs.isOrdered ? place : pair.owner
      list.append(UInt64(target) << 32 | UInt64(UInt32(truncatingIfNeeded: second)))
    }
    list.sort()
    for entry in list { append(entry, of: pairs) }
  }

  private mutating func append(_ entry: UInt64, of pairs: XMLPairs) {
    let (target, second) = (Int(entry >> 32), Int(UInt32(truncatingIfNeeded: entry)))
    guard pairs.isOrdered else { return owners.append(target, second) }
    let pair = pairs[second]
    owners.append(target, pair.owner)
    positions.append(Int(pair.position ?? 0), 0)
  }

  /// The last pair that leads to an object.
  func last(to target: Int) -> XMLPair? { owners.lastPosition(of: target).map { self[$0] } }

  /// The pairs that lead to an object.
  func pairs(to target: Int) -> [XMLPair] {
    var found: [XMLPair] = []
    for place in owners.firstPosition(from: target)..<owners.count {
      let pair = self[place]
      guard pair.target.object == target else { break }
      found.append(pair)
    }
    return found
  }

  private subscript(place: Int) -> XMLPair {
    let (target, owner) = owners[place]
    let position = positions.count > place ? Int32(truncatingIfNeeded: positions[place].0) : nil
    return XMLPair(owner: owner, target: XMLEnd(object: target), position: position)
  }

  /// Lends all pairs that lead to objects.
  func forEachPair(_ body: (_ target: Int, _ owner: Int, _ position: Int32?) -> Void) {
    var positions = positions.makeIterator()
    for (target, owner) in owners {
      body(target, owner, positions.next().map { Int32(truncatingIfNeeded: $0.0) })
    }
  }
}
