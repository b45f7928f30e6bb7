import Records

/// The keys of one table of one source, and those that its rows have in the united table.
///
/// Keys that lie close together move together, so that most tables take one run. New keys are above
/// zero.
struct KeyRuns: Sendable {
  private struct Run: Sendable {
    let first: Int64
    var last: Int64
    /// The new key of the first.
    let new: Int64
  }

  /// The last runs, which are all of most tables.
  private var runs: [Run] = []
  /// The first keys of the runs before them, and their new keys.
  private var packed = PackedPairs()
  /// Which of those have more keys than one, and how far the last is from the first.
  private var lengths = PackedPairs()
  /// The least key that is free behind all others.
  private(set) var next: Int64

  /// How far keys of one run may lie apart.
  private static let widestGap: Int64 = 1 << 16

  /// How many runs are not packed.
  private static let mostRuns = 1 << 12

  /// How many keys may have been given to rows that are gone.
  private static let farthest: Int64 = 1 << 32

  /// No keys yet; new ones begin at `next` or behind it.
  init(from next: Int64) {
    self.next = next
  }

  /// Adds keys in their order; those of a table whose rows come in another are told in theirs later.
  mutating func add(_ keys: [Int64]) {
    for key in keys { add(key) }
  }

  private mutating func add(_ key: Int64) {
    guard let last = runs.last else { return begin(key) }
    guard key > last.last else { return }
    let (gap, overflow) = key.subtractingReportingOverflow(last.last)
    guard !overflow, gap <= Self.widestGap else { return begin(key) }
    runs[runs.count - 1].last = key
    next &+= gap
  }

  /// Begins a run, which keeps its keys where nothing is in the way.
  private mutating func begin(_ key: Int64) {
    let isNear = key >= next && key &- next < Self.widestGap
    let new = isNear ? key : next
    if runs.count == Self.mostRuns { pack() }
    runs.append(Run(first: key, last: key, new: new))
    next = new &+ 1
  }

  private mutating func pack() {
    for run in runs {
      if run.last > run.first { lengths.append(packed.count, Int(run.last &- run.first)) }
      packed.append(Int(run.first), Int(run.new))
    }
    runs.removeAll(keepingCapacity: true)
  }

  /// The least free key behind all others, given the one that the source itself had for further
  /// rows: behind those of its rows that gave way.
  func next(behind own: Int64?) -> Int64 {
    guard let own, let last = runs.last, own > last.last else { return next }
    // As far as the last of its rows has moved; a number that leads nowhere is left aside.
    let (moved, overflow) = own.addingReportingOverflow(last.new &- last.first)
    return overflow || moved &- next > Self.farthest ? next : max(next, moved)
  }

  /// The new key of a row; nil where there can be none with this key.
  func new(_ key: Int64) -> Int64? {
    guard let run = run(from: key), key <= run.last else { return nil }
    return run.new &+ (key &- run.first)
  }

  /// The last run that begins with a key or before it.
  private func run(from key: Int64) -> Run? {
    guard let first = runs.first?.first, key < first else {
      let place = firstPlace(in: runs) { $0.first > key }
      return place > 0 ? runs[place - 1] : nil
    }
    let place = packed.firstPosition(from: Int(key) + 1) - 1
    guard place >= 0 else { return nil }
    let (start, new) = packed[place]
    let number = lengths.firstPosition(from: place)
    let isLong = number < lengths.count && lengths[number].0 == place
    let last = start + (isLong ? lengths[number].1 : 0)
    return Run(first: Int64(start), last: Int64(last), new: Int64(new))
  }

  /// The new key of a row, or for one that there is not a number that no row has.
  func newOrFree(_ key: Int64) -> Int64 { new(key) ?? Self.free(key) }

  /// A number that no row has, and that tells the key that no row had.
  static func free(_ key: Int64) -> Int64 { key > 0 ? -key : key }
}
