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

/// Pairs of numbers in the order of the first ones, all of which have a position or none.
private struct PositionedPairs {
  private(set) var numbers = PackedPairs()
  /// The positions, as the first of two numbers, where there are some.
  private var positions = PackedPairs()

  /// Whether they have positions.
  var isOrdered: Bool { positions.count > 0 }

  mutating func append(_ first: Int, _ second: Int, position: Int32?) {
    numbers.append(first, second)
    if let position { positions.append(Int(position), 0) }
  }

  subscript(place: Int) -> (first: Int, second: Int, position: Int32?) {
    let (first, second) = numbers[place]
    return (first, second, position(at: place))
  }

  /// Lends those that have a first number.
  func forEachSecond(of first: Int, _ body: (_ second: Int, _ position: Int32?) -> Void) {
    numbers.forEachSecond(of: first) { second, place in body(second, position(at: place)) }
  }

  private func position(at place: Int) -> Int32? {
    place < positions.count ? Int32(truncatingIfNeeded: positions[place].0) : nil
  }
}

extension PositionedPairs: Sequence {
  func makeIterator() -> Iterator {
    Iterator(numbers: numbers.makeIterator(), positions: positions.makeIterator())
  }

  /// One pair after the other.
  struct Iterator: IteratorProtocol {
    fileprivate var numbers: PackedPairs.Iterator
    fileprivate var positions: PackedPairs.Iterator

    mutating func next() -> (first: Int, second: Int, position: Int32?)? {
      guard let (first, second) = numbers.next() else { return nil }
      return (first, second, positions.next().map { Int32(truncatingIfNeeded: $0.0) })
    }
  }
}

/// The pairs of a relationship in the order of their owners: a few bytes each.
struct XMLPairs {
  /// The owners, and the codes of the ends that they lead to.
  private var list = PositionedPairs()
  /// How many pairs lead to nobody.
  private(set) var danglingCount = 0

  var count: Int { list.numbers.count }

  /// The owners, and the codes of the ends that they lead to, without positions.
  var ends: PackedPairs { list.numbers }

  /// Whether the targets of each owner have an order.
  fileprivate var isOrdered: Bool { list.isOrdered }

  /// Adds a pair of the last owner, or of one behind it.
  mutating func append(_ pair: XMLPair) {
    list.append(pair.owner, pair.target.code, position: pair.position)
    if pair.target.object == nil { danglingCount += 1 }
  }

  /// The pairs of one owner.
  func pairs(of owner: Int) -> [XMLPair] {
    var found: [XMLPair] = []
    list.forEachSecond(of: owner) { code, position in
      found.append(XMLPair(owner: owner, target: XMLEnd(code: code), position: position))
    }
    return found
  }

  fileprivate subscript(place: Int) -> XMLPair {
    let (owner, code, position) = list[place]
    return XMLPair(owner: owner, target: XMLEnd(code: code), position: position)
  }
}

extension XMLPairs: Sequence {
  /// Goes through all pairs in their order.
  func makeIterator() -> some IteratorProtocol<XMLPair> {
    list.lazy.map { XMLPair(owner: $0, target: XMLEnd(code: $1), position: $2) }.makeIterator()
  }
}

/// The pairs of a relationship in the order of the objects that they lead to, and for each of these
/// in their own.
struct XMLTurnedPairs {
  /// The targets and their owners.
  private var list = PositionedPairs()
  /// The pairs that lead to nobody, in their own order.
  private(set) var dangling: [XMLPair] = []

  init(_ pairs: XMLPairs) {
    // The owners of a target are in their order, too, unless one leads to it twice.
    var sorted: [UInt64] = []
    sorted.reserveCapacity(pairs.count)
    for (place, pair) in pairs.enumerated() {
      guard let target = pair.target.object else {
        dangling.append(pair)
        continue
      }
      let second = pairs.isOrdered ? place : pair.owner
      sorted.append(UInt64(target) << 32 | UInt64(UInt32(truncatingIfNeeded: second)))
    }
    sorted.sort()
    for entry in sorted { append(entry, of: pairs) }
  }

  private mutating func append(_ entry: UInt64, of pairs: XMLPairs) {
    let (target, second) = (Int(entry >> 32), Int(UInt32(truncatingIfNeeded: entry)))
    guard pairs.isOrdered else { return list.append(target, second, position: nil) }
    let pair = pairs[second]
    list.append(target, pair.owner, position: pair.position ?? 0)
  }

  /// The last pair that leads to an object.
  func last(to target: Int) -> XMLPair? {
    list.numbers.lastPosition(of: target).map { place in
      let (_, owner, position) = list[place]
      return XMLPair(owner: owner, target: XMLEnd(object: target), position: position)
    }
  }

  /// The pairs that lead to an object.
  func pairs(to target: Int) -> [XMLPair] {
    var found: [XMLPair] = []
    list.forEachSecond(of: target) { owner, position in
      found.append(XMLPair(owner: owner, target: XMLEnd(object: target), position: position))
    }
    return found
  }

  /// Lends all pairs that lead to objects.
  func forEachPair(_ body: (_ target: Int, _ owner: Int, _ position: Int32?) -> Void) {
    for (target, owner, position) in list { body(target, owner, position) }
  }
}
