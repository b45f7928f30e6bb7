/// Places in a long list, in ascending order, which take a bit each of the list's length.
package struct PlaceList: Sendable {
  private var words: [UInt64] = []
  /// How many places are before each group of words.
  private var counts: [Int32] = []
  /// How many places there are.
  package private(set) var count = 0

  private static let groupSize = 8

  /// No places yet.
  package init() {}

  /// Adds a place behind all others.
  package mutating func append(_ place: Int) {
    while words.count <= place >> 6 {
      if words.count % Self.groupSize == 0 { counts.append(Int32(truncatingIfNeeded: count)) }
      words.append(0)
    }
    words[place >> 6] |= 1 << UInt64(place & 63)
    count += 1
  }

  /// Whether a place was added.
  package func contains(_ place: Int) -> Bool {
    place >> 6 < words.count && words[place >> 6] >> UInt64(place & 63) & 1 == 1
  }

  /// How many places come before one that was added.
  package func count(before place: Int) -> Int {
    let word = place >> 6
    let group = word / Self.groupSize
    var before = Int(counts[group])
    for other in group * Self.groupSize..<word { before += words[other].nonzeroBitCount }
    return before + (words[word] & ((1 << UInt64(place & 63)) - 1)).nonzeroBitCount
  }
}

extension PlaceList: RandomAccessCollection {
  /// Where the first place is.
  package var startIndex: Int { 0 }
  /// How many places there are.
  package var endIndex: Int { count }

  /// Goes through all places, bit by bit.
  package func makeIterator() -> Iterator { Iterator(words: words) }

  /// Looks places up that are mostly asked for one after the other.
  package struct Lookup {
    private let list: PlaceList
    private var iterator: Iterator
    /// How many places the iterator has behind it.
    private var position = 0

    /// Looks up places of a list.
    package init(_ list: PlaceList) {
      self.list = list
      iterator = list.makeIterator()
    }

    /// One place, as the list tells it.
    package mutating func place(at position: Int) -> Int {
      if position != self.position { iterator.go(to: list[position]) }
      self.position = position + 1
      // There is a place, as the list has one.
      return iterator.next() ?? list[position]
    }
  }

  /// One place after the other.
  package struct Iterator: IteratorProtocol {
    fileprivate let words: [UInt64]
    /// The word at hand, and its bits that are still to come.
    private var word = -1
    private var bits: UInt64 = 0

    fileprivate init(words: [UInt64]) { self.words = words }

    /// Makes a place the next one.
    fileprivate mutating func go(to place: Int) {
      word = place >> 6
      bits = words[word] & (UInt64.max &<< UInt64(place & 63))
    }

    /// The next place.
    package mutating func next() -> Int? {
      while bits == 0 {
        guard word + 1 < words.count else { return nil }
        word += 1
        bits = words[word]
      }
      defer { bits &= bits - 1 }
      return word << 6 | bits.trailingZeroBitCount
    }
  }

  /// One place, found by how many are before it.
  package subscript(position: Int) -> Int {
    var (low, high) = (0, counts.count)
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if counts[middle] <= position { low = middle } else { high = middle }
    }
    var rest = position - Int(counts[low])
    var word = low * Self.groupSize
    while rest >= words[word].nonzeroBitCount {
      rest -= words[word].nonzeroBitCount
      word += 1
    }
    var bits = words[word]
    for _ in 0..<rest { bits &= bits - 1 }
    return word << 6 | bits.trailingZeroBitCount
  }
}
