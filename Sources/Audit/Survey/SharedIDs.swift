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
    /// How many rows have each spelling, by its hash; more than a thousand say no more.
    var counts: [UInt64: Int] = [:]
    /// The spellings that came twice.
    var repeated: [(text: String, hash: UInt64)] = []
  }

  private var spellings: [ExactText: Spellings] = [:]
  private var order: [ExactText] = []
  private let candidates: Set<UInt64>
  private let room: Int
  private let kept: Set<UInt64>
  /// The hashes of the others, in order.
  private let others: [UInt64]
  /// For each of the others, two spellings; nil while none was seen.
  private var seen: [(first: UInt64, second: UInt64)?]
  /// For each of the others, whether a spelling came twice.
  private var isRepeated: [Bool]

  private static let mostSpellings = 1000

  /// None yet of the ids with these hashes, of which so many are listed.
  init(of candidates: Set<UInt64>, listing room: Int) {
    self.candidates = candidates
    let sorted = candidates.sorted()
    self.room = room
    kept = Set(sorted.prefix(room))
    others = Array(sorted.dropFirst(room))
    seen = Array(repeating: nil, count: others.count)
    isRepeated = Array(repeating: false, count: others.count)
  }

  /// Looks at the ids of rows, on any thread.
  struct Look: Sendable {
    fileprivate let candidates: Set<UInt64>
    fileprivate let kept: Set<UInt64>
    /// The column of the ids.
    let id: Int

    /// An id that may be one of them.
    struct Sight: Sendable {
      let hash: UInt64
      let spelling: UInt64
      /// The id itself, where it is compared exactly.
      let text: String?
    }

    /// The ids of a batch that may be among them, in the order of their rows.
    func see(_ batch: borrowing RecordBatch) -> [Sight] {
      let arena = batch.arena
      var seen: [Sight] = []
      for row in 0..<batch.rowCount {
        let cell = batch.cell(id, ofRow: row)
        guard let hash = cell.idHash(arena), candidates.contains(hash) else { continue }
        let text = cell.idText(arena)
        seen.append(
          Sight(
            hash: hash, spelling: spelledHash(text.utf8Span.span, seed: foldingSeed),
            text: kept.contains(hash) ? text : nil))
      }
      return seen
    }
  }

  /// What looks for them in a column.
  func look(inColumn id: Int) -> Look { Look(candidates: candidates, kept: kept, id: id) }

  /// Takes the ids of rows.
  mutating func add(_ sights: [Look.Sight]) {
    for sight in sights {
      if let text = sight.text {
        add(text, sight.spelling)
      } else {
        addOther(sight.spelling, hash: sight.hash)
      }
    }
  }

  private mutating func add(_ text: String, _ spelling: UInt64) {
    let folded = ExactText(folding: text)
    if spellings[folded] == nil { order.append(folded) }
    var known = spellings[folded] ?? Spellings(first: text)
    spellings[folded] = nil
    known.rows += 1
    if let count = known.counts[spelling] {
      known.counts[spelling] = count + 1
      if count == 1 { known.repeated.append((text, spelling)) }
    } else if known.counts.count < Self.mostSpellings {
      known.counts[spelling] = 1
    }
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
  var listed: ArraySlice<TableFacts.SharedID> { exact.prefix(room) }

  /// Those that were compared exactly; more than are listed where several have the same hash.
  private var exact: [TableFacts.SharedID] {
    order.compactMap { folded in
      guard let known = spellings[folded], known.rows > 1 else { return nil }
      return TableFacts.SharedID(
        first: known.first, rows: known.rows, spellings: known.counts.count,
        repeated: known.repeated.map { .init(text: $0.text, rows: known.counts[$0.hash] ?? 0) })
    }
  }

  var unlisted: TableFacts.UnlistedIDs {
    let rest = exact.dropFirst(room)
    var counts = TableFacts.UnlistedIDs()
    counts.repeated = isRepeated.count { $0 } + rest.count { !$0.repeated.isEmpty }
    counts.twins =
      seen.count { spellings in spellings.map { $0.first != $0.second } ?? false }
      + rest.count { $0.spellings > 1 }
    return counts
  }
}
