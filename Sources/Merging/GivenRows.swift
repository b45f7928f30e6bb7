import Records

/// Rows of a source that gave way to those of others.
struct GivenRows {
  private(set) var keys: [Int64] = []
  private var sources: [Int32] = []

  /// Takes a row that gave way to one of another source.
  mutating func append(_ key: Int64, givenTo source: Int) {
    keys.append(key)
    sources.append(Int32(clamping: source))
  }

  /// Brings the rows into the order of their keys, which is mostly the one in which they came.
  mutating func sort() {
    guard zip(keys, keys.dropFirst()).contains(where: { $0 > $1 }) else { return }
    let order = keys.indices.sorted { keys[$0] < keys[$1] }
    sources = order.map { sources[$0] }
    keys = order.map { keys[$0] }
  }

  /// The source to which a row gave way; nil where it did not.
  func source(of key: Int64) -> Int? {
    let place = firstPlace(in: keys) { $0 >= key }
    return place < keys.count && keys[place] == key ? Int(sources[place]) : nil
  }
}
