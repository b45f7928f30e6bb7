/// Which bytes of a page are in use, a bit for each.
struct ByteMap {
  private var words: [UInt64]

  /// A map of so many bytes, none of them in use.
  init(size: Int) {
    words = [UInt64](repeating: 0, count: (size + 63) / 64)
  }

  /// Forgets what is in use.
  mutating func removeAll() {
    for place in words.indices { words[place] = 0 }
  }

  /// Marks bytes as used; false, and not all are marked, when one of them was so already.
  mutating func mark(_ bytes: Range<Int>) -> Bool {
    var start = bytes.lowerBound
    while start < bytes.upperBound {
      let word = start >> 6
      let end = min(bytes.upperBound, (word + 1) << 6)
      let mask = (UInt64.max &>> UInt64(64 - (end - start))) &<< UInt64(start & 63)
      guard words[word] & mask == 0 else { return false }
      words[word] |= mask
      start = end
    }
    return true
  }
}
