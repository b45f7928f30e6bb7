/// Some keys of rows, for quick questions: a bit each where they lie close together.
package struct KeyLookup: Sendable {
  /// The least key, and a bit for each from it on; no bits where keys lie far apart.
  private let first: Int64
  private let words: [UInt64]
  /// The keys in their order, where there are no bits.
  private let sorted: [Int64]

  /// Keys in any order; most come in their own.
  package init(_ keys: consuming [Int64] = []) {
    var sorted = keys
    // Sorting what others have, too, would copy it.
    if !isAscending(sorted) { sorted.sort() }
    first = sorted.first ?? 0
    let span = UInt64(bitPattern: (sorted.last ?? 0) &- first)
    // The bits then take no more memory than the keys would.
    guard span / 64 < UInt64(sorted.count) else {
      words = []
      self.sorted = sorted
      return
    }
    var words = [UInt64](repeating: 0, count: Int(span / 64) + 1)
    for key in sorted {
      let offset = UInt64(bitPattern: key &- first)
      words[Int(offset >> 6)] |= 1 << (offset & 63)
    }
    self.words = words
    self.sorted = []
  }

  /// Whether there are none.
  package var isEmpty: Bool { words.isEmpty && sorted.isEmpty }

  /// Whether a key is among them.
  package func contains(_ key: Int64) -> Bool {
    guard !words.isEmpty else {
      let place = firstPlace(in: sorted) { $0 >= key }
      return place < sorted.count && sorted[place] == key
    }
    // A key before the first one is far behind the last when it is taken without its sign.
    let offset = UInt64(bitPattern: key &- first)
    let word = offset >> 6
    return word < UInt64(words.count) && words[Int(word)] >> (offset & 63) & 1 == 1
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
