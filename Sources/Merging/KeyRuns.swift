import Records

/// The keys of one table of one source, and those that its rows have in the united table.
///
/// Keys that lie close together move together, so that most tables take one run.
struct KeyRuns: Sendable {
  fileprivate struct Run: Sendable {
    /// Its first key, and the new key of that.
    ///
    /// New keys are above zero: where this is not, no row has a key from the first one to the next run,
    /// and with the other sign it ends the run before.
    let first: Int64
    let new: Int64

    /// The run that a packed pair tells.
    init(_ pair: (Int, Int)) { (first, new) = (Int64(pair.0), Int64(pair.1)) }

    init(first: Int64, new: Int64) { (self.first, self.new) = (first, new) }

    /// Where the new keys of the run before it end.
    var start: Int64 { new < 0 ? -new : new }

    /// The new key of a row from its first one on; nil where that would be behind the run, of which the
    /// next one begins with `end`.
    func new(_ key: Int64, before end: Int64) -> Int64? {
      let distance = UInt64(bitPattern: key &- first)
      guard new > 0, distance < UInt64(bitPattern: end &- new) else { return nil }
      return new &+ Int64(bitPattern: distance)
    }
  }

  /// The last runs, which are all of most tables.
  private var runs: [Run] = []
  /// The first keys of the runs before them, and their new keys.
  private var packed = PackedPairs()
  /// The greatest key.
  private var last = Int64.min
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
    guard !runs.isEmpty else { return begin(key) }
    guard key > last else { return }
    let (gap, overflow) = key.subtractingReportingOverflow(last)
    guard !overflow, gap <= Self.widestGap else { return begin(key) }
    last = key
    next &+= gap
  }

  /// Begins a run, which keeps its keys where nothing is in the way.
  private mutating func begin(_ key: Int64) {
    let isNear = key >= next && key &- next < Self.widestGap
    let new = isNear ? key : next
    if new > next, !runs.isEmpty { append(Run(first: last + 1, new: -next)) }
    append(Run(first: key, new: new))
    last = key
    next = new &+ 1
  }

  private mutating func append(_ run: Run) {
    if runs.count == Self.mostRuns { pack() }
    runs.append(run)
  }

  private mutating func pack() {
    for run in runs { packed.append(Int(run.first), Int(run.new)) }
    runs.removeAll(keepingCapacity: true)
  }

  /// The least free key behind all others, given the one that the source itself had for further
  /// rows: behind those of its rows that gave way.
  func next(behind own: Int64?) -> Int64 {
    guard let own, let run = runs.last, own > last else { return next }
    // As far as the last of its rows has moved; a number that leads nowhere is left aside.
    let (moved, overflow) = own.addingReportingOverflow(run.new &- run.first)
    return overflow || moved &- next > Self.farthest ? next : max(next, moved)
  }

  /// The new key of a row; nil where there can be none with this key.
  func new(_ key: Int64) -> Int64? {
    guard let first = runs.first, key < first.first else { return newOfLast(key) }
    let (run, next) = packed.neighbours(of: Int(key) + 1)
    return run.flatMap { Run($0).new(key, before: next.map { Run($0) }?.start ?? first.start) }
  }

  /// The same, of a row of the runs that are not packed.
  private func newOfLast(_ key: Int64) -> Int64? {
    let place = firstPlace(in: runs) { $0.first > key }
    guard place > 0 else { return nil }
    return runs[place - 1].new(key, before: place < runs.count ? runs[place].start : next)
  }

  /// The new key of a row, or for one that there is not a number that no row has.
  func newOrFree(_ key: Int64) -> Int64 { new(key) ?? Self.free(key) }

  /// The same, for keys that come in their order.
  func newOrFree(_ key: Int64, by cursor: inout Cursor) -> Int64 {
    guard let first = runs.first, key < first.first else { return newOfLast(key) ?? Self.free(key) }
    cursor.move(to: key, in: packed)
    return cursor.run?.new(key, before: (cursor.next ?? first).start) ?? Self.free(key)
  }

  /// A number that no row has, and that tells the key that no row had.
  static func free(_ key: Int64) -> Int64 { key > 0 ? -key : key }
}

extension KeyRuns {
  /// Where among packed runs a key was found, from which the next one is mostly not far.
  struct Cursor {
    private var rest: PackedPairs.Iterator?
    /// The last run that begins with the key or before it; nil where none does.
    fileprivate private(set) var run: Run?
    /// The run behind that one; nil where no other is packed.
    fileprivate private(set) var next: Run?

    /// How many runs are gone through before a key is looked for.
    private static let mostSteps = 32

    fileprivate mutating func move(to key: Int64, in packed: PackedPairs) {
      if let run, run.first <= key {
        for _ in 0..<Self.mostSteps {
          guard let next, next.first <= key else { return }
          step()
        }
      }
      look(for: key, in: packed)
    }

    private mutating func look(for key: Int64, in packed: PackedPairs) {
      rest = packed.iterator(before: Int(key) + 1)
      next = nil
      repeat { step() } while next.map { $0.first <= key } ?? false
    }

    private mutating func step() {
      run = next
      next = rest?.next().map { Run($0) }
    }
  }
}
