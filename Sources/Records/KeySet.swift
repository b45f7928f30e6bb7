/// A set of row keys that takes about two bits a key where keys lie close together, and about five bytes
/// where they lie far apart.
///
/// A bit stands for each key. Words of 64 are looked up by their places while they are few, and
/// wait in packed lists when they are many.
package struct KeySet: Sendable, ExpressibleByArrayLiteral {
  private var words: [Int64: UInt64] = [:]
  /// The words that were touched earlier; the last list that has one tells it, unless it was touched
  /// since.
  private var packs: [PackedWords] = []
  /// The word that was touched last; keys mostly come in order.
  private var base: Int64 = 0
  private var word: UInt64 = 0
  /// Whether that word may be another than the stored one.
  private var isChanged = false
  /// How many keys there are.
  private var count = 0

  /// How many words are not packed.
  private static let mostWords = 1 << 16
  /// How many words of two lists become one list: both are there until it is made.
  private static let mostMerged = 1 << 20

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
    if place != base { turn(to: place) }
    let bit: UInt64 = 1 << UInt64(truncatingIfNeeded: key & 63)
    let old = word
    word = isThere ? word | bit : word & ~bit
    guard word != old else { return }
    count += isThere ? 1 : -1
    isChanged = true
  }

  /// Whether it has no keys.
  package var isEmpty: Bool { count == 0 }

  /// How many words of 64 keys it takes.
  package var wordCount: Int { packs.reduce(words.count + 1) { $0 + $1.count } }

  /// About how many bytes it takes.
  var memory: Int { packs.reduce(24 * words.capacity) { $0 + $1.pairs.memory } }

  /// Adds the keys of another set.
  package mutating func formUnion(_ other: KeySet) {
    guard !isEmpty else {
      self = other
      return
    }
    store()
    // What comes together is packed together, so that lists of keys in order follow each other.
    if words.count + other.words.count >= Self.mostWords { pack() }
    other.forEachWord { place, bits in
      guard bits != 0 else { return }
      if place != base { turn(to: place) }
      let added = bits & ~word
      guard added != 0 else { return }
      count += added.nonzeroBitCount
      word |= added
      isChanged = true
    }
  }

  /// Whether a key is in the set.
  package func contains(_ key: Int64) -> Bool {
    bits(at: key >> 6) >> UInt64(truncatingIfNeeded: key & 63) & 1 == 1
  }

  /// The keys that the other set lacks: how many, and the least of them.
  package func missing(in other: KeySet) -> (count: Int, least: Int64?) {
    var count = 0
    var least: Int64?
    // Many words are faster to find in their order.
    var others = packs.isEmpty ? nil : other.sortedWords
    forEachWord { place, bits in
      let lacking = bits & ~(others?.bits(at: place) ?? other.bits(at: place))
      guard lacking != 0 else { return }
      count += lacking.nonzeroBitCount
      let first = place << 6 | Int64(lacking.trailingZeroBitCount)
      least = min(least ?? first, first)
    }
    return (count, least)
  }

  private func bits(at place: Int64) -> UInt64 {
    place == base ? word : stored(at: place)
  }

  private func stored(at place: Int64) -> UInt64 {
    if let bits = words[place] { return bits }
    for pack in packs.reversed() {
      if let bits = pack.bits(at: place) { return bits }
    }
    return 0
  }

  private mutating func turn(to place: Int64) {
    store()
    if words.count >= Self.mostWords { pack() }
    base = place
    word = stored(at: place)
  }

  private mutating func store() {
    guard isChanged else { return }
    isChanged = false
    // Among packed words there may be an earlier one in the place of one without keys.
    words[base] = word == 0 && packs.isEmpty ? nil : word
  }

  /// Packs the words, behind those before them where they are.
  private mutating func pack() {
    let places = words.keys.sorted()
    guard let first = places.first else { return }
    if packs.last.map({ $0.last < first }) != true { packs.append(PackedWords()) }
    for place in places { packs[packs.count - 1].append(words[place] ?? 0, at: place) }
    words.removeAll(keepingCapacity: true)
    // Each list is longer than the ones behind it, so that there are few.
    while packs.count > 1 {
      let last = packs.suffix(2).map(\.count)
      guard last[0] / 2 < last[1], last[0] + last[1] <= Self.mostMerged else { return }
      var merged = PackedWords()
      var words = SortedWords(of: Array(packs.suffix(2)))
      while let (place, bits) = words.next() { merged.append(bits, at: place) }
      packs.removeLast(2)
      packs.append(merged)
    }
  }

  /// Lends all words, in their order where they are many.
  private func forEachWord(_ body: (_ place: Int64, _ bits: UInt64) -> Void) {
    guard packs.isEmpty else {
      var words = sortedWords
      while let (place, bits) = words.next() { body(place, bits) }
      return
    }
    for (place, bits) in words where place != base { body(place, bits) }
    body(base, word)
  }

  private var sortedWords: SortedWords {
    var recent = PackedWords()
    var words = words
    words[base] = word
    for place in words.keys.sorted() { recent.append(words[place] ?? 0, at: place) }
    return SortedWords(of: packs + [recent])
  }
}

extension KeySet: Equatable {
  /// Whether both have the same keys.
  package static func == (left: KeySet, right: KeySet) -> Bool {
    left.count == right.count && left.missing(in: right).count == 0
  }
}

/// Words of 64 keys in their order, by their places: those of one key take little more than the way from
/// the key before it.
private struct PackedWords: Sendable {
  /// The place, and whether the word has one key; then which, or the whole word.
  fileprivate var pairs = PackedPairs()
  /// The last place.
  private(set) var last = Int64.min

  var count: Int { pairs.count }

  /// Adds a word behind all others.
  mutating func append(_ bits: UInt64, at place: Int64) {
    let isOne = bits.nonzeroBitCount == 1
    pairs.append(
      Int(place) << 1 | (isOne ? 1 : 0),
      isOne ? bits.trailingZeroBitCount : Int(Int64(bitPattern: bits)))
    last = place
  }

  /// The word at a place; nil where it is not in the list.
  func bits(at place: Int64) -> UInt64? {
    // Most words come behind all others.
    guard place <= last else { return nil }
    let position = pairs.firstPosition(from: Int(place) << 1)
    guard position < pairs.count else { return nil }
    let found = Self.word(pairs[position])
    return found.place == place ? found.bits : nil
  }

  static func word(_ pair: (Int, Int)) -> (place: Int64, bits: UInt64) {
    let bits = pair.0 & 1 == 1 ? 1 << UInt64(pair.1) : UInt64(bitPattern: Int64(pair.1))
    return (Int64(pair.0 >> 1), bits)
  }
}

/// The words of several lists in their order; where more than one list has a word, the last one tells it.
private struct SortedWords {
  private var lists: [PackedPairs.Iterator]
  /// The next word of each list.
  private var heads: [(place: Int64, bits: UInt64)?]
  /// What was found last for a place.
  private var current: (place: Int64, bits: UInt64)?

  init(of lists: [PackedWords]) {
    self.lists = lists.map { $0.pairs.makeIterator() }
    heads = self.lists.indices.map { _ in nil }
    for number in heads.indices { turn(number) }
  }

  private mutating func turn(_ number: Int) {
    heads[number] = lists[number].next().map(PackedWords.word)
  }

  mutating func next() -> (place: Int64, bits: UInt64)? {
    var least: (place: Int64, bits: UInt64)?
    for case let head? in heads where least.map({ head.place <= $0.place }) ?? true { least = head }
    guard let least else { return nil }
    for number in heads.indices where heads[number]?.place == least.place { turn(number) }
    return least
  }

  /// The word at a place, none before that of the last question.
  mutating func bits(at place: Int64) -> UInt64 {
    while current.map({ $0.place < place }) ?? true {
      guard let word = next() else { return 0 }
      current = word
    }
    return current?.place == place ? current?.bits ?? 0 : 0
  }
}
