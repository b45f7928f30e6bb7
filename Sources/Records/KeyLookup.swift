/// Some keys of rows, for quick questions: a bit each where they lie close together.
package struct KeyLookup: Sendable {
  /// The least key, and a bit for each from it on; no bits where keys lie far apart.
  private let first: Int64
  fileprivate let words: [UInt64]
  /// The keys in their order, where there are no bits.
  private let shelves: KeyShelves

  /// Keys in any order; most come in their own.
  package init(_ keys: consuming [Int64] = []) {
    first = keys.min() ?? 0
    let span = UInt64(bitPattern: (keys.max() ?? 0) &- first)
    // The bits then take no more memory than the keys would.
    guard span / 64 < UInt64(keys.count) else {
      words = []
      shelves = KeyShelves(keys, from: first, span: span)
      return
    }
    var words = [UInt64](repeating: 0, count: Int(span / 64) + 1)
    for key in keys {
      let offset = UInt64(bitPattern: key &- first)
      words[Int(offset >> 6)] |= 1 << (offset & 63)
    }
    self.words = words
    shelves = KeyShelves()
  }

  /// Whether there are none.
  package var isEmpty: Bool { words.isEmpty && shelves.isEmpty }

  /// Whether a key is among them.
  package func contains(_ key: Int64) -> Bool {
    // A key before the first one is far behind the last when it is taken without its sign.
    let offset = UInt64(bitPattern: key &- first)
    guard !words.isEmpty else { return shelves.place(of: key, offset) != nil }
    let word = offset >> 6
    return word < UInt64(words.count) && words[Int(word)] >> (offset & 63) & 1 == 1
  }

  /// Lends all of them in their order.
  package func forEachKey(_ body: (Int64) -> Void) {
    for (number, word) in words.enumerated() {
      var rest = word
      while rest != 0 {
        let offset = UInt64(number) << 6 | UInt64(rest.trailingZeroBitCount)
        body(first &+ Int64(bitPattern: offset))
        rest &= rest &- 1
      }
    }
    for key in shelves.keys { body(key) }
  }

  /// The place of a key in the order of all, given how many are before each word; nil where it is
  /// not among them.
  fileprivate func place(of key: Int64, countedBy counts: [Int32]) -> Int? {
    let offset = UInt64(bitPattern: key &- first)
    guard !words.isEmpty else { return shelves.place(of: key, offset) }
    let number = offset >> 6
    guard number < UInt64(words.count) else { return nil }
    let word = words[Int(number)]
    let bit: UInt64 = 1 << (offset & 63)
    return word & bit == 0
      ? nil : Int(counts[Int(number)]) + (word & (bit &- 1)).nonzeroBitCount
  }
}

/// Some keys of rows, each with its place in their order, so that a list can tell more of them.
package struct KeyPlaces: Sendable {
  /// The keys alone.
  package let keys: KeyLookup
  /// How many keys are before each word of them.
  private var counts: [Int32] = []

  /// Keys in any order.
  package init(_ keys: consuming [Int64] = []) {
    self.keys = KeyLookup(keys)
    counts.reserveCapacity(self.keys.words.count)
    var count: Int32 = 0
    for word in self.keys.words {
      counts.append(count)
      count &+= Int32(truncatingIfNeeded: word.nonzeroBitCount)
    }
  }

  /// The place of a key, below the number of keys that were given; nil where it is not among them.
  package func place(of key: Int64) -> Int? { keys.place(of: key, countedBy: counts) }
}

/// Keys that lie far apart, in their order, and where those are that have the same highest bits.
///
/// So neither sorting them nor looking for one takes many steps where they are spread like hashes;
/// where most of them share their highest bits it takes as many as in any sorted list.
private struct KeyShelves: Sendable {
  private(set) var keys: [Int64] = []
  /// Where the keys of each shelf begin, and where the last one ends.
  private var starts: [Int32] = [0]
  /// By how much the distance from the least key is shifted to tell the shelf.
  private var shift: UInt64 = 0

  /// How many keys are on a shelf, about, and how many are put in order one by one.
  private static let shelfSize = 8
  private static let shelfLimit = 64

  init() {}

  /// Keys in any order, from the least one on.
  init(_ keys: consuming [Int64], from first: Int64, span: UInt64) {
    self.keys = keys
    let count = UInt64(self.keys.count / Self.shelfSize)
    while shift < 63, span &>> shift > count { shift &+= 1 }
    let shift = shift
    let shelf = { Int(truncatingIfNeeded: UInt64(bitPattern: $0 &- first) &>> shift) }
    starts = [Int32](repeating: 0, count: Int(span &>> shift) + 2)
    for key in self.keys { starts[shelf(key) + 1] += 1 }
    let isCrowded = starts.contains { $0 > Self.shelfLimit }
    for number in starts.indices.dropFirst() { starts[number] += starts[number - 1] }
    // Sorting what others have, too, would copy it.
    if isAscending(self.keys) { return }
    if isCrowded { self.keys.sort() } else { arrange(by: shelf) }
  }

  /// Puts the keys of each shelf together, and then in order.
  private mutating func arrange(by shelf: (Int64) -> Int) {
    // What is before these places is where it belongs.
    var places = starts
    for (number, end) in starts.dropFirst().enumerated() {
      while places[number] < end {
        let home = shelf(keys[Int(places[number])])
        keys.swapAt(Int(places[number]), Int(places[home]))
        places[home] += 1
      }
      keys.sortFew(Int(starts[number])..<Int(end))
    }
  }

  var isEmpty: Bool { keys.isEmpty }

  /// The place of a key, which has this distance from the least one; nil where it is not here.
  func place(of key: Int64, _ offset: UInt64) -> Int? {
    let shelf = offset &>> shift
    guard shelf < UInt64(starts.count &- 1) else { return nil }
    var (low, high) = (Int(starts[Int(shelf)]), Int(starts[Int(shelf) &+ 1]))
    while low < high {
      let middle = low &+ (high &- low) / 2
      if keys[middle] >= key { high = middle } else { low = middle &+ 1 }
    }
    return low < keys.count && keys[low] == key ? low : nil
  }
}

extension [Int64] {
  /// Sorts the keys of some places, which are few.
  fileprivate mutating func sortFew(_ places: Range<Int>) {
    for place in places.dropFirst() {
      let key = self[place]
      var hole = place
      while hole > places.lowerBound, self[hole &- 1] > key {
        self[hole] = self[hole &- 1]
        hole &-= 1
      }
      self[hole] = key
    }
  }
}

private func isAscending(_ keys: [Int64]) -> Bool {
  for place in keys.indices.dropFirst() where keys[place] < keys[place - 1] { return false }
  return true
}

/// The first place in a sorted list from which on all elements fulfil a condition.
@inlinable
package func firstPlace<List: RandomAccessCollection>(
  in list: List, where isBehind: (List.Element) -> Bool
) -> Int where List.Index == Int {
  var (low, high) = (list.startIndex, list.endIndex)
  while low < high {
    let middle = low + (high - low) / 2
    if isBehind(list[middle]) { high = middle } else { low = middle + 1 }
  }
  return low
}
