/// A set of row keys that takes about two bits a key where keys lie close together.
package struct KeySet: Sendable, Equatable, ExpressibleByArrayLiteral {
  private var words: [Int64: UInt64] = [:]
  /// The word that was touched last; keys mostly come in order.
  private var base: Int64 = 0
  private var word: UInt64 = 0

  /// Some keys.
  package init(_ keys: some Sequence<Int64>) {
    for key in keys { insert(key) }
  }

  /// Some keys.
  package init(arrayLiteral keys: Int64...) { self.init(keys) }

  /// Adds a key.
  package mutating func insert(_ key: Int64) { set(key, to: true) }

  /// Adds a key, or takes it out.
  package mutating func set(_ key: Int64, to isThere: Bool) {
    let place = key >> 6
    if place != base {
      store()
      base = place
      word = words[place] ?? 0
    }
    let bit: UInt64 = 1 << UInt64(truncatingIfNeeded: key & 63)
    word = isThere ? word | bit : word & ~bit
  }

  /// Whether it has no keys.
  package var isEmpty: Bool {
    // What is kept of the word that was touched last may be of earlier.
    word == 0 && words.count == (words[base] == nil ? 0 : 1)
  }

  /// How many words of 64 keys it takes.
  package var wordCount: Int { words.count + 1 }

  /// Adds the keys of another set.
  package mutating func formUnion(_ other: KeySet) {
    store()
    for (place, bits) in other.all { words[place, default: 0] |= bits }
    word = words[base] ?? 0
  }

  /// Whether a key is in the set.
  package func contains(_ key: Int64) -> Bool {
    bits(at: key >> 6) >> UInt64(truncatingIfNeeded: key & 63) & 1 == 1
  }

  /// The keys that the other set lacks: how many, and the least of them.
  package func missing(in other: KeySet) -> (count: Int, least: Int64?) {
    var count = 0
    var least: Int64?
    for (place, bits) in all {
      let lacking = bits & ~other.bits(at: place)
      guard lacking != 0 else { continue }
      count += lacking.nonzeroBitCount
      let first = place << 6 | Int64(lacking.trailingZeroBitCount)
      least = min(least ?? first, first)
    }
    return (count, least)
  }

  private var all: [Int64: UInt64] {
    var copy = self
    copy.store()
    return copy.words
  }

  private func bits(at place: Int64) -> UInt64 {
    place == base ? word : words[place] ?? 0
  }

  private mutating func store() {
    words[base] = word == 0 ? nil : word
  }
}
