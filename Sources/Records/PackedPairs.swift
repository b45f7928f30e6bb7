/// Pairs of numbers of which each is mostly close to the one before: a byte or two a number.
///
/// A few pairs make a block, of which the first is written in full; any pair is found by going
/// through its block.
package struct PackedPairs: Sendable {
  /// Some blocks, so that a long list grows without being copied.
  private struct Chunk {
    /// The first number of its first pair.
    let first: Int
    var bytes: [UInt8] = []
    var starts: [Int32] = []

    /// Gives back the room for more that there was.
    mutating func end() {
      var exact: [UInt8] = []
      exact.reserveCapacity(bytes.count)
      exact += bytes
      bytes = exact
    }

    /// The last block that begins with a smaller number, where the first one does.
    func lastBlock(before number: Int) -> Int {
      let bytes = bytes.span
      return firstPlace(in: starts) { start in
        var place = Int(start)
        return PackedPairs.difference(bytes, &place) >= number
      } - 1
    }
  }

  private var chunks: [Chunk] = []
  private var last = (0, 0)
  /// How many pairs there are.
  package private(set) var count = 0

  private static let blockSize = 16
  private static let chunkSize = 1 << 12
  private static let blocksOfChunk = chunkSize / blockSize

  /// No pairs yet.
  package init() {}

  /// About how many bytes they take.
  var memory: Int {
    chunks.reduce(MemoryLayout<Chunk>.stride * chunks.capacity) {
      $0 + $1.bytes.capacity + 4 * $1.starts.capacity
    }
  }

  /// Adds a pair.
  package mutating func append(_ first: Int, _ second: Int) {
    if count % Self.chunkSize == 0 {
      if !chunks.isEmpty { chunks[chunks.count - 1].end() }
      chunks.append(Chunk(first: first))
    }
    if count % Self.blockSize == 0 {
      let start = Int32(truncatingIfNeeded: chunks[chunks.count - 1].bytes.count)
      chunks[chunks.count - 1].starts.append(start)
      last = (0, 0)
    }
    chunks[chunks.count - 1].bytes.append(difference: first &- last.0)
    chunks[chunks.count - 1].bytes.append(difference: second &- last.1)
    last = (first, second)
    count += 1
  }

  /// One pair.
  package subscript(position: Int) -> (Int, Int) {
    let inside = position % Self.blockSize
    var pair = (0, 0)
    inBlock(position / Self.blockSize) { number, next in
      pair = next
      return number < inside
    }
    return pair
  }

  /// The first position from which on the first numbers, which never fall, are no smaller than one.
  package func firstPosition(from number: Int) -> Int {
    // What chunks and blocks begin with is found without a way through them.
    let chunk = firstPlace(in: chunks) { $0.first >= number } - 1
    guard chunk >= 0 else { return 0 }
    let block = chunk * Self.blocksOfChunk + chunks[chunk].lastBlock(before: number)
    let start = block * Self.blockSize
    var position = start
    inBlock(block) { inside, next in
      position = start + inside
      guard next.0 < number else { return false }
      position += 1
      return position < count
    }
    return position
  }

  /// Goes through the pairs of a block as long as it is asked to.
  private func inBlock(_ block: Int, _ body: (_ inside: Int, (Int, Int)) -> Bool) {
    let chunk = chunks[block / Self.blocksOfChunk]
    let bytes = chunk.bytes.span
    var place = Int(chunk.starts[block % Self.blocksOfChunk])
    var pair = (0, 0)
    for inside in 0..<Swift.min(Self.blockSize, count - block * Self.blockSize) {
      pair.0 &+= Self.difference(bytes, &place)
      pair.1 &+= Self.difference(bytes, &place)
      guard body(inside, pair) else { return }
    }
  }

  /// Reads a difference, seven bits a byte, the lowest first; its sign is the lowest bit.
  private static func difference(_ bytes: Span<UInt8>, _ place: inout Int) -> Int {
    var bits: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      let byte = bytes[place]
      place &+= 1
      bits |= UInt64(byte & 0x7F) &<< shift
      guard byte & 0x80 != 0 else { break }
      shift &+= 7
    }
    return Int(Int64(bitPattern: bits &>> 1 ^ (0 &- (bits & 1))))
  }
}

extension PackedPairs: Sequence {
  /// Goes through all pairs in their order.
  package func makeIterator() -> Iterator { Iterator(of: self) }

  /// One pair after the other.
  package struct Iterator: IteratorProtocol {
    private let list: PackedPairs
    private var position = 0
    /// Where in its chunk the next pair is.
    private var place = 0
    private var pair = (0, 0)

    fileprivate init(of list: PackedPairs) { self.list = list }

    /// The next pair.
    package mutating func next() -> (Int, Int)? {
      guard position < list.count else { return nil }
      if position % PackedPairs.blockSize == 0 { pair = (0, 0) }
      if position % PackedPairs.chunkSize == 0 { place = 0 }
      let chunk = list.chunks[position / PackedPairs.chunkSize]
      let bytes = chunk.bytes.span
      pair.0 &+= PackedPairs.difference(bytes, &place)
      pair.1 &+= PackedPairs.difference(bytes, &place)
      position += 1
      return pair
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

extension [UInt8] {
  fileprivate mutating func append(difference: Int) {
    let number = Int64(difference)
    var bits = UInt64(bitPattern: number &<< 1 ^ number &>> 63)
    while bits >= 0x80 {
      append(UInt8(truncatingIfNeeded: bits) | 0x80)
      bits &>>= 7
    }
    append(UInt8(truncatingIfNeeded: bits))
  }
}
