package import Bytes

/// Sums of row hashes over ranges of keys, by which two tables are compared without holding either.
///
/// One table draws the borders while it is read in key order; the other's rows are then sorted
/// into the same ranges. Only ranges whose sums differ can hold a difference.
package struct KeyBlocks: Sendable {
  /// The first key of each block but the first, which begins at the lowest key there is.
  private var borders: [Int64] = []
  private var sums: [DigestSum] = []
  private var rowsInLast = 0

  /// How many rows of the first table make a block.
  private static let size = 1024

  /// One block without rows.
  package init() {
    sums = [DigestSum()]
  }

  /// Blocks without rows for about that many keys, which lie anywhere with the same chance.
  package init(spreadKeys count: Int) {
    let blocks = UInt64(max(count, 0) / Self.size + 1)
    let width = UInt64.max / blocks
    borders = (1..<max(blocks, 1)).map { Int64(bitPattern: ($0 &* width) ^ (1 << 63)) }
    sums = Array(repeating: DigestSum(), count: borders.count + 1)
  }

  /// The same blocks, without rows.
  package var emptied: KeyBlocks {
    var blocks = self
    blocks.sums = Array(repeating: DigestSum(), count: sums.count)
    return blocks
  }

  /// Adds a row of the table that draws the borders; keys come in order.
  package mutating func draw(_ key: Int64, _ digest: SHA256Digest) {
    if rowsInLast == Self.size {
      borders.append(key)
      sums.append(DigestSum())
      rowsInLast = 0
    }
    rowsInLast += 1
    sums[sums.count - 1].add(digest)
  }

  /// Adds a row of the other table, in any order.
  package mutating func sort(_ key: Int64, _ digest: SHA256Digest) {
    sums[block(of: key)].add(digest)
  }

  /// The first blocks whose sums differ, at most `limit`.
  package func differences(from other: KeyBlocks, limit: Int) -> Set<Int> {
    Set(zip(sums, other.sums).enumerated().lazy.filter { $1.0 != $1.1 }.prefix(limit).map(\.offset))
  }

  /// The block to which a key belongs.
  package func block(of key: Int64) -> Int {
    var low = 0
    var high = borders.count
    while low < high {
      let middle = (low + high) / 2
      if borders[middle] <= key { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
