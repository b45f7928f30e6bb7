import Bytes
import Records

/// The ids that several rows of a table share, from all ids whose hashes came twice.
///
/// The first are compared exactly and listed. Of the others there may be as many as there are rows,
/// so that two hashes of each have to do for their number.
struct SharedIDs {
  private struct Spellings {
    var first: String
    var rows = 0
    /// The hashes of the spellings; more than a thousand say no more.
    var hashes: Set<UInt64> = []
  }

  private var spellings: [ExactText: Spellings] = [:]
  private var order: [ExactText] = []
  private let kept: Set<UInt64>
  /// The hashes of the others, in order.
  private let others: [UInt64]
  /// For each of the others, two spellings; nil while none was seen.
  private var seen: [(first: UInt64, second: UInt64)?]
  /// For each of the others, whether a spelling came twice.
  private var isRepeated: [Bool]

  private static let mostSpellings = 1000

  /// None yet of the ids with these hashes.
  init(of candidates: Set<UInt64>) {
    let sorted = candidates.sorted()
    kept = Set(sorted.prefix(TableFacts.listLimit))
    others = Array(sorted.dropFirst(TableFacts.listLimit))
    seen = Array(repeating: nil, count: others.count)
    isRepeated = Array(repeating: false, count: others.count)
  }

  /// Takes the id of a row.
  mutating func add(_ text: String, hash: UInt64) {
    let spelling = spelledHash(text.utf8Span.span, seed: foldingSeed)
    guard kept.contains(hash) else { return addOther(spelling, hash: hash) }
    let folded = ExactText(folding: text)
    if spellings[folded] == nil { order.append(folded) }
    var known = spellings[folded] ?? Spellings(first: text)
    spellings[folded] = nil
    known.rows += 1
    if known.hashes.count < Self.mostSpellings { known.hashes.insert(spelling) }
    spellings[folded] = known
  }

  private mutating func addOther(_ spelling: UInt64, hash: UInt64) {
    var (low, high) = (0, others.count)
    while low < high {
      let middle = low + (high - low) / 2
      if others[middle] < hash { low = middle + 1 } else { high = middle }
    }
    guard low < others.count, others[low] == hash else { return }
    guard let known = seen[low] else {
      seen[low] = (spelling, spelling)
      return
    }
    if spelling == known.first || (spelling == known.second && known.first != known.second) {
      isRepeated[low] = true
    } else {
      seen[low] = (known.first, spelling)
    }
  }

  /// The first of them, in the order of their rows.
  var listed: [TableFacts.SharedID] {
    order.compactMap { folded in
      guard let known = spellings[folded], known.rows > 1 else { return nil }
      return TableFacts.SharedID(
        first: known.first, rows: known.rows, spellings: known.hashes.count)
    }
  }

  var unlisted: TableFacts.UnlistedIDs {
    var counts = TableFacts.UnlistedIDs()
    counts.repeated = isRepeated.count { $0 }
    counts.twins = seen.count { spellings in spellings.map { $0.first != $0.second } ?? false }
    return counts
  }
}
