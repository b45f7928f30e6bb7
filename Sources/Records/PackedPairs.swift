/// Pairs of numbers of which each is mostly close to the one before: a byte or two a number, and none
/// for a second one that goes on as far as the one before it did.
///
/// A few pairs make a block, whose beginning is told beside it; any pair is found by going through its
/// block.
package struct PackedPairs: Sendable {
  /// Some blocks, so that a long list grows without being copied.
  private struct Chunk {
    /// Its first pair.
    let first: (Int, Int)
    /// The first number with which each block begins, and where.
    var firsts: [Int] = []
    var starts: [Int32] = []
    var bytes: [UInt8] = []

    /// Gives back the room for more that there was.
    mutating func end() {
      firsts.trim()
      starts.trim()
      bytes.trim()
    }

    mutating func beginBlock(with number: Int) {
      firsts.append(number)
      starts.append(Int32(truncatingIfNeeded: bytes.count))
    }

    /// The way to the first pair of a block, and from there to the others.
    func walk(through block: Int) -> Walk {
      Walk(from: (firsts[block], first.1), at: Int(starts[block]))
    }

    /// Goes through so many pairs of a block as long as it is asked to.
    func forEachPair(
      of block: Int, _ count: Int, _ body: (_ inside: Int, (Int, Int)) -> Bool
    ) {
      var walk = walk(through: block)
      for inside in 0..<count {
        walk.step(through: bytes.span)
        guard body(inside, walk.pair) else { return }
      }
    }
  }

  private var chunks: [Chunk] = []
  /// The way to the last pair.
  private var walk = Walk(from: (0, 0))
  /// How many pairs there are.
  package private(set) var count = 0

  private static let blockSize = 32
  private static let chunkSize = 1 << 12
  private static let blocksOfChunk = chunkSize / blockSize

  /// No pairs yet.
  package init() {}

  /// About how many bytes they take.
  var memory: Int {
    chunks.reduce(MemoryLayout<Chunk>.stride * chunks.capacity) {
      $0 + $1.bytes.capacity + 8 * $1.firsts.capacity + 4 * $1.starts.capacity
    }
  }

  /// Adds a pair.
  package mutating func append(_ first: Int, _ second: Int) {
    if count % Self.blockSize == 0 { beginBlock(with: (first, second)) }
    walk.append(first, second, to: &chunks[chunks.count - 1].bytes)
    count += 1
  }

  private mutating func beginBlock(with first: (Int, Int)) {
    if count % Self.chunkSize == 0 {
      if !chunks.isEmpty { chunks[chunks.count - 1].end() }
      chunks.append(Chunk(first: first))
    }
    chunks[chunks.count - 1].beginBlock(with: first.0)
    walk = Walk(from: (first.0, chunks[chunks.count - 1].first.1))
  }

  /// One pair.
  package subscript(position: Int) -> (Int, Int) {
    let inside = position % Self.blockSize
    var pair = (0, 0)
    forEachPair(of: position / Self.blockSize) { number, next in
      pair = next
      return number < inside
    }
    return pair
  }

  /// The first position from which on the first numbers, which never fall, are no smaller than one.
  package func firstPosition(from number: Int) -> Int {
    guard let block = lastBlock(before: number) else { return 0 }
    let start = block * Self.blockSize
    var position = start
    forEachPair(of: block) { inside, next in
      position = start + inside
      guard next.0 < number else { return false }
      position += 1
      return true
    }
    return position
  }

  /// The last position of a first number, which never falls from one pair to the next.
  package func lastPosition(of number: Int) -> Int? {
    let position = (number == .max ? count : firstPosition(from: number + 1)) - 1
    return position >= 0 && self[position].0 == number ? position : nil
  }

  /// The second number of the last pair that has this first one.
  package func last(of number: Int) -> Int? {
    guard number < .max else { return lastPosition(of: number).map { self[$0].1 } }
    return neighbours(of: number + 1).before.flatMap { $0.0 == number ? $0.1 : nil }
  }

  /// Lends the second numbers of all pairs that have this first one, which never falls, with their
  /// positions.
  package func forEachSecond(of number: Int, _ body: (_ second: Int, _ position: Int) -> Void) {
    let block = lastBlock(before: number) ?? 0
    var position = block * Self.blockSize
    var pairs = Iterator(of: self, fromBlock: block)
    while let (first, second) = pairs.next(), first <= number {
      if first == number { body(second, position) }
      position += 1
    }
  }

  /// The last pair whose first number, none of which falls, is smaller than one, and the pair behind it.
  package func neighbours(of number: Int) -> (before: (Int, Int)?, behind: (Int, Int)?) {
    guard let block = lastBlock(before: number) else { return (nil, count > 0 ? self[0] : nil) }
    var (before, behind): ((Int, Int)?, (Int, Int)?)
    forEachPair(of: block) { _, next in
      if next.0 < number { before = next } else { behind = next }
      return behind == nil
    }
    let end = (block + 1) * Self.blockSize
    return (before, behind ?? (end < count ? self[end] : nil))
  }

  /// The last block that begins with a smaller number; nil where none does.
  private func lastBlock(before number: Int) -> Int? {
    // What others hold, too, is not touched by the way: several threads may ask.
    let chunk = firstPlace(in: chunks.indices) { chunks[$0].first.0 >= number } - 1
    guard chunk >= 0 else { return nil }
    let block = firstPlace(in: chunks[chunk].firsts) { $0 >= number } - 1
    return chunk * Self.blocksOfChunk + block
  }

  private func forEachPair(of block: Int, _ body: (_ inside: Int, (Int, Int)) -> Bool) {
    chunks[block / Self.blocksOfChunk].forEachPair(
      of: block % Self.blocksOfChunk, Swift.min(Self.blockSize, count - block * Self.blockSize),
      body)
  }
}

extension PackedPairs: Sequence {
  /// Goes through all pairs in their order.
  package func makeIterator() -> Iterator { Iterator(of: self, fromBlock: 0) }

  /// Goes through all pairs, and gives back the room of those behind it where nobody else has them.
  package func drain() -> Iterator { Iterator(of: self, fromBlock: 0, drains: true) }

  /// Goes through the pairs, whose first numbers never fall, from a few on before the first one that
  /// is no smaller than a number.
  package func iterator(before number: Int) -> Iterator {
    Iterator(of: self, fromBlock: lastBlock(before: number) ?? 0)
  }

  /// One pair after the other.
  package struct Iterator: IteratorProtocol {
    private var chunks: [Chunk]
    private let drains: Bool
    private let count: Int
    private var position: Int
    /// Those of the chunk that is gone through.
    private var bytes: [UInt8] = []
    private var walk = Walk(from: (0, 0))

    fileprivate init(of list: PackedPairs, fromBlock block: Int, drains: Bool = false) {
      (chunks, count, self.drains) = (list.chunks, list.count, drains)
      position = block * PackedPairs.blockSize
    }

    /// The next pair.
    package mutating func next() -> (Int, Int)? {
      guard position < count else { return nil }
      if position % PackedPairs.blockSize == 0 { turn() }
      // While the bytes are lent, nothing here may change.
      var next = walk
      next.step(through: bytes.span)
      walk = next
      position += 1
      return next.pair
    }

    private mutating func turn() {
      let number = position / PackedPairs.chunkSize
      let block = position / PackedPairs.blockSize % PackedPairs.blocksOfChunk
      if block == 0 || bytes.isEmpty {
        bytes = chunks[number].bytes
        if drains { chunks[number].bytes = [] }
      }
      walk = chunks[number].walk(through: block)
    }
  }

  /// The pairs of two lists in the order of their first numbers, which never fall in either; of equal
  /// ones those of the first list come first.
  package init(merging first: PackedPairs, _ second: PackedPairs) {
    self.init()
    var (left, right) = (first.makeIterator(), second.makeIterator())
    var next = left.next()
    var other = right.next()
    while let pair = next {
      while let earlier = other, earlier.0 < pair.0 {
        append(earlier.0, earlier.1)
        other = right.next()
      }
      append(pair.0, pair.1)
      next = left.next()
    }
    while let pair = other {
      append(pair.0, pair.1)
      other = right.next()
    }
  }
}

/// The way through the pairs of a block.
private struct Walk {
  private(set) var pair: (Int, Int)
  /// How far the second number went last.
  private var stride = 0
  /// Where the next pair is among the bytes.
  private var place: Int

  init(from pair: (Int, Int), at place: Int = 0) { (self.pair, self.place) = (pair, place) }

  /// Goes to another pair, and notes how.
  ///
  /// The lowest bit of the first byte tells that the second number goes on as far as before.
  mutating func append(_ first: Int, _ second: Int, to bytes: inout [UInt8]) {
    let way = folded(first &- pair.0)
    let next = second &- pair.1
    let goesOn = next == stride
    let head = UInt8(truncatingIfNeeded: way & 0x3F) &<< 1 | (goesOn ? 1 : 0)
    bytes.append(way > 0x3F ? head | 0x80 : head)
    if way > 0x3F { bytes.append(packed: way &>> 6) }
    if !goesOn { bytes.append(packed: folded(next)) }
    (pair, stride) = ((first, second), next)
  }

  /// Goes to the next pair.
  mutating func step(through bytes: Span<UInt8>) {
    let head = bytes[place]
    place &+= 1
    var way = UInt64(head &>> 1 & 0x3F)
    if head & 0x80 != 0 { way |= packedNumber(bytes, &place) &<< 6 }
    pair.0 &+= unfolded(way)
    if head & 1 == 0 { stride = unfolded(packedNumber(bytes, &place)) }
    pair.1 &+= stride
  }
}

extension Array {
  /// Gives back the room for more elements.
  fileprivate mutating func trim() {
    var exact: [Element] = []
    exact.reserveCapacity(count)
    exact += self
    self = exact
  }
}
