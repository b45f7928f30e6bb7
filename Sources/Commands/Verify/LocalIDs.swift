import Bytes
import Records

/// What new items are called on their device, by the keys of their rows: few bytes of memory each.
struct LocalIDs {
  /// Keys, and where their ids are, or a negative number.
  private var places = PackedPairs()
  private var ids = ByteSpool(memoryLimit: 1 << 20)
  /// The last keys, which may come in any order.
  private var recent: [(key: Int, place: Int)] = []
  /// Lists of earlier keys, each in its order.
  private var runs: [PackedPairs] = []

  /// How many keys are put in order at once.
  private static let mostRecent = 1 << 16

  /// Adds the id of a row, for which the last one counts.
  mutating func add(_ id: String?, ofRow key: Int64) {
    let place = id.map { ids.append(counted: $0.utf8Span.span) }
    recent.append((Int(key), place ?? -1))
    if recent.count == Self.mostRecent { pack() }
  }

  /// Gets ready to be asked.
  mutating func finish() {
    pack()
    places = runs.reversed().reduce(PackedPairs()) { PackedPairs(merging: $1, $0) }
    (recent, runs) = ([], [])
  }

  /// The id of a row, once all are there.
  subscript(key: Int64) -> String? {
    guard let place = places.last(of: Int(key)), place >= 0 else { return nil }
    return String(decoding: ids.counted(at: place), as: UTF8.self)
  }

  /// Makes a list of the last keys, and one of those before them that are not much more.
  private mutating func pack() {
    var run = PackedPairs()
    // Swift's sorting keeps the order of equal elements.
    recent.sort { $0.key < $1.key }
    for (key, place) in recent { run.append(key, place) }
    recent.removeAll(keepingCapacity: true)
    while let last = runs.last, last.count <= 2 * run.count {
      run = PackedPairs(merging: last, run)
      runs.removeLast()
    }
    runs.append(run)
  }
}
