/// A set of row keys that takes about two bits a key where keys lie close together, and five to
/// eight bytes where they lie far apart.
///
/// A bit stands for each key. Words of 64 wait until they are many, and are then packed in their order.
package struct KeySet: Sendable, ExpressibleByArrayLiteral {
  /// The words that were added last.
  private var words: [Int64: UInt64] = [:]
  /// Those before them; what is in one list may be in another, too.
  private var lists: [PackedWords] = []
  /// The word that was added last; keys mostly come in order.
  private var last = KeyWord(place: 0, bits: 0)

  /// How many words are not packed.
  private static let mostWords = 1 << 16

  /// Some keys.
  package init(_ keys: some Sequence<Int64>) {
    for key in keys { insert(key) }
  }

  /// The keys that a lookup has.
  package init(_ keys: KeyLookup) {
    keys.forEachKey { insert($0) }
  }

  /// Some keys.
  package init(arrayLiteral keys: Int64...) { self.init(keys) }

  /// Adds a key.
  package mutating func insert(_ key: Int64) { add(KeyWord(of: key)) }

  /// Adds the keys of another set.
  package mutating func formUnion(_ other: KeySet) {
    guard !isEmpty else {
      self = other
      return
    }
    store()
    // What comes together is packed together, so that lists of keys in order follow each other.
    if words.count + other.words.count >= Self.mostWords || !other.lists.isEmpty { pack() }
    for list in other.lists { pack(list, from: list.first) }
    for (place, bits) in other.words { add(KeyWord(place: place, bits: bits)) }
    add(other.last)
  }

  private mutating func add(_ word: KeyWord) {
    if word.place != last.place {
      store()
      last.place = word.place
    }
    last.bits |= word.bits
  }

  private mutating func store() {
    guard last.bits != 0 else { return }
    if words.count >= Self.mostWords { pack() }
    words[last.place, default: 0] |= last.bits
    last.bits = 0
  }

  /// Packs the words that wait.
  private mutating func pack() {
    let sorted = words.map { KeyWord(place: $0, bits: $1) }.sorted { $0.place < $1.place }
    words.removeAll(keepingCapacity: true)
    if let first = sorted.first { pack(sorted, from: first.place) }
  }

  /// Packs words that come in their order, behind those before them where they are.
  private mutating func pack(_ words: some Sequence<KeyWord>, from first: Int64) {
    if lists.last.map({ $0.last < first }) != true { lists.append(PackedWords()) }
    for word in words { lists[lists.count - 1].append(word) }
    // Each list is longer than the ones behind it, so that there are few, and none is merged often.
    while lists.count > 1, lists[lists.count - 2].count / 2 < lists[lists.count - 1].count {
      var both = SortedWords(lists.suffix(2).map { $0.drain() })
      lists.removeLast(2)
      var merged = PackedWords()
      while let word = both.next() { merged.append(word) }
      lists.append(merged)
    }
  }
}

// MARK: - Questions

extension KeySet {
  /// Whether it has no keys.
  package var isEmpty: Bool { last.bits == 0 && words.isEmpty && lists.isEmpty }

  /// About how many bytes it takes.
  package var memory: Int { lists.reduce(24 * words.capacity) { $0 + $1.memory } }

  /// Whether a key is in the set.
  package func contains(_ key: Int64) -> Bool {
    let word = KeyWord(of: key)
    return word.place == last.place && last.bits & word.bits != 0
      || (words[word.place] ?? 0) & word.bits != 0
      || lists.contains { $0.bits(at: word.place) & word.bits != 0 }
  }

  /// Whether no key is in both sets.
  package func isDisjoint(with other: KeySet) -> Bool {
    var isDisjoint = true
    forEachWord(besideThoseOf: other) { word, others in
      isDisjoint = word.bits & others == 0
      return isDisjoint
    }
    return isDisjoint
  }

  /// The keys that the other set lacks: how many, and the least of them.
  package func missing(in other: KeySet) -> (count: Int, least: Int64?) {
    var count = 0
    var least: Int64?
    forEachWord(besideThoseOf: other) { word, others in
      let lacking = KeyWord(place: word.place, bits: word.bits & ~others)
      guard lacking.bits != 0 else { return true }
      count += lacking.bits.nonzeroBitCount
      least = min(least ?? lacking.firstKey, lacking.firstKey)
      return true
    }
    return (count, least)
  }

  /// Lends words, each with that of the other set in its place, as long as it is asked to.
  private func forEachWord(
    besideThoseOf other: KeySet, _ body: (_ word: KeyWord, _ others: UInt64) -> Bool
  ) {
    // Many words are faster to find in their order.
    guard lists.isEmpty else {
      var (words, others) = (sortedWords, other.sortedWords)
      while let word = words.next(), body(word, others.bits(at: word.place)) {}
      return
    }
    var words = words
    words[last.place, default: 0] |= last.bits
    for (place, bits) in words {
      guard body(KeyWord(place: place, bits: bits), other.bits(at: place)) else { return }
    }
  }

  private func bits(at place: Int64) -> UInt64 {
    lists.reduce((words[place] ?? 0) | (place == last.place ? last.bits : 0)) {
      $0 | $1.bits(at: place)
    }
  }

  private var sortedWords: SortedWords {
    var waiting = self
    waiting.lists = []
    waiting.store()
    waiting.pack()
    return SortedWords((lists + waiting.lists).map { $0.makeIterator() })
  }
}

extension KeySet: Equatable {
  /// Whether both have the same keys.
  package static func == (left: KeySet, right: KeySet) -> Bool {
    left.missing(in: right).count == 0 && right.missing(in: left).count == 0
  }
}

/// Which of 64 keys that follow each other are there.
private struct KeyWord: Sendable {
  /// The keys without their six lowest bits.
  var place: Int64
  var bits: UInt64

  init(place: Int64, bits: UInt64) { (self.place, self.bits) = (place, bits) }

  init(of key: Int64) {
    self.init(place: key >> 6, bits: 1 << UInt64(truncatingIfNeeded: key & 63))
  }

  /// The word for a pair that stands for one.
  init(_ pair: (Int, Int)) {
    self.init(
      place: Int64(pair.0 >> 1),
      bits: pair.0 & 1 == 1 ? 1 << UInt64(pair.1) : UInt64(bitPattern: Int64(pair.1)))
  }

  /// The place, and whether the word has one key; then which, or the whole word.
  var pair: (Int, Int) {
    let isOne = bits.nonzeroBitCount == 1
    return (
      Int(place) << 1 | (isOne ? 1 : 0),
      isOne ? bits.trailingZeroBitCount : Int(Int64(bitPattern: bits))
    )
  }

  var firstKey: Int64 { place << 6 | Int64(bits.trailingZeroBitCount) }
}

/// Words in their order: those of one key take little more than the way from the key before it.
private struct PackedWords: Sendable {
  private var pairs = PackedPairs()
  /// The places of the first word and of the last one.
  private(set) var first = Int64.max
  private(set) var last = Int64.min

  var count: Int { pairs.count }
  var memory: Int { pairs.memory }

  /// Adds a word behind all others.
  mutating func append(_ word: KeyWord) {
    let (first, second) = word.pair
    pairs.append(first, second)
    if count == 1 { self.first = word.place }
    last = word.place
  }

  /// The word at a place; none is 0.
  func bits(at place: Int64) -> UInt64 {
    guard place >= first, place <= last else { return 0 }
    guard let word = pairs.neighbours(of: Int(place) << 1).behind.map({ KeyWord($0) }) else {
      return 0
    }
    return word.place == place ? word.bits : 0
  }
}

extension PackedWords: Sequence {
  func makeIterator() -> Iterator { Iterator(pairs: pairs.makeIterator()) }

  /// Goes through words that nobody needs behind it.
  func drain() -> Iterator { Iterator(pairs: pairs.drain()) }

  struct Iterator: IteratorProtocol {
    fileprivate var pairs: PackedPairs.Iterator

    mutating func next() -> KeyWord? { pairs.next().map { KeyWord($0) } }
  }
}

/// The words of several lists in their order.
private struct SortedWords {
  private var lists: [PackedWords.Iterator]
  /// The next word of each list that has one.
  private var heads: [KeyWord] = []
  /// What was found last for a place.
  private var current: KeyWord?

  init(_ lists: [PackedWords.Iterator]) {
    self.lists = lists
    for number in lists.indices.reversed() {
      if let head = self.lists[number].next() {
        heads.insert(head, at: 0)
      } else {
        self.lists.remove(at: number)
      }
    }
  }

  mutating func next() -> KeyWord? {
    guard var word = heads.first else { return nil }
    for head in heads.dropFirst() where head.place < word.place { word = head }
    for number in heads.indices.reversed() where heads[number].place == word.place {
      word.bits |= heads[number].bits
      turn(number)
    }
    return word
  }

  private mutating func turn(_ number: Int) {
    if let head = lists[number].next() {
      heads[number] = head
    } else {
      lists.remove(at: number)
      heads.remove(at: number)
    }
  }

  /// The word at a place, none before that of the last question; none is 0.
  mutating func bits(at place: Int64) -> UInt64 {
    while current.map({ $0.place < place }) ?? true {
      guard let word = next() else { return 0 }
      current = word
    }
    return current?.place == place ? current?.bits ?? 0 : 0
  }
}
