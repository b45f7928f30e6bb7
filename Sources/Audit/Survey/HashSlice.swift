/// One of several equal parts of all hashes, so that a large table is looked at part by part.
struct HashSlice {
  let index: UInt64
  let count: UInt64

  /// How many hashes are held at once: 10 MiB of them.
  static let limit = 10 << 17

  /// The slices for a table of so many rows, of which so many may share one.
  static func all(forRows rows: Int, limit: Int) -> [HashSlice] {
    let count = UInt64(max(1, (rows + limit - 1) / limit))
    return (0..<count).map { HashSlice(index: $0, count: count) }
  }

  /// Whether a hash belongs to this part.
  func contains(_ hash: UInt64) -> Bool {
    count == 1 || (hash >> 32) % count == index
  }
}
