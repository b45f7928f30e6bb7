import Bytes
package import Records
import Synchronization

/// Sorts the entries of an index while the rows of its table are loaded.
///
/// A second thread sorts run after run, and many runs go to a file without a name, so that memory
/// stays flat. What it cannot do is left to the engine.
package struct IndexSort: ~Copyable {
  private var run = IndexRun()
  private var work: OrderedWork<IndexRun, [UInt8]>
  private var runs: IndexRuns
  /// Where the room is shared, whether there is any must be asked before a run becomes long.
  private var room: IndexRoom?
  private var longest = 0
  private var hasIntegers = false
  private var hasReals = false
  private var isGivenUp = false

  /// Has no entries yet.
  ///
  /// Where several indexes share a room, each sorts on the thread that adds the entries, and keeps no
  /// more than one run in memory.
  package init(sharing room: IndexRoom? = nil) {
    self.room = room
    runs = IndexRuns(most: room == nil ? 4 << 20 : 0)
    work = OrderedWork(threads: room == nil ? 2 : 1) {
      { run, emit in _ = emit(run.sorted()) }
    }
  }

  /// The longest key; longer ones would need pages of their own.
  static let longestKey = 1900
  /// With more runs, each would have too little memory while they are merged.
  private static let mostRuns = 4096

  /// Adds the entry of a row; rows ascend.
  @inline(__always)
  package mutating func add(_ cell: Cell, arena: Span<UInt8>, row: Int64) {
    guard !isGivenUp else { return }
    // Numbers of two kinds would have to be compared with each other.
    hasIntegers = hasIntegers || cell.kind == .integer
    hasReals = hasReals || cell.kind == .real
    guard cell.range.count < Self.longestKey, !(hasIntegers && hasReals) else { return giveUp() }
    longest = max(longest, run.append(cell, arena: arena, row: row))
    if room != nil, run.isLong, !takeRoom() { return giveUp() }
    if run.isFull { endRun() }
  }

  /// The sorted entries for pages of a usable size; nil where the engine must build the index.
  package consuming func finish(usableSize: Int) -> IndexMerge? {
    if !run.isEmpty { endRun() }
    withRuns { work, runs in work.finish { sorted in runs.append(sorted) } }
    // Two types and a row take less than this besides the value.
    guard !isGivenUp, !runs.isLost,
      longest + 16 <= PayloadSizes(usableSize: usableSize, isTable: false).largest
    else { return nil }
    return IndexMerge(runs)
  }

  /// Asks once for room where it is shared.
  private mutating func takeRoom() -> Bool {
    defer { room = nil }
    return room?.take() ?? true
  }

  private mutating func endRun() {
    var full = IndexRun()
    swap(&full, &run)
    withRuns { work, runs in work.put(full) { sorted in runs.append(sorted) } }
    if runs.isLost || runs.ranges.count > Self.mostRuns { giveUp() }
  }

  private mutating func withRuns(
    _ body: (inout OrderedWork<IndexRun, [UInt8]>, inout IndexRuns) -> Void
  ) {
    var taken = IndexRuns(most: 0)
    swap(&taken, &runs)
    body(&work, &taken)
    swap(&taken, &runs)
  }

  private mutating func giveUp() {
    isGivenUp = true
    run = IndexRun()
    runs = IndexRuns(most: 0)
  }
}

/// The memory for indexes that are sorted side by side.
package final class IndexRoom: Sendable {
  /// How many indexes have more entries than cost nothing.
  private let left = Mutex(8)

  /// Has nothing in it.
  package init() {}

  /// Makes room for one more index; false where there is none.
  func take() -> Bool {
    left.withLock { left in
      left -= 1
      return left >= 0
    }
  }
}

/// Sorted entries, run behind run: a few in memory, many in a file.
struct IndexRuns: Sendable {
  /// Where each run lies.
  private(set) var ranges: [Range<Int>] = []
  private var bytes: [UInt8] = []
  private var file: SpoolFile?
  private var end = 0
  /// Whether a run could not be kept.
  private(set) var isLost = false

  /// How many bytes stay in memory.
  private let most: Int

  init(most: Int) { self.most = most }

  mutating func append(_ run: [UInt8]) {
    ranges.append(end..<end + run.count)
    end += run.count
    do {
      try write(run)
    } catch {
      // Without a file for the runs, the engine sorts in the way that it is used to.
      isLost = true
    }
  }

  private mutating func write(_ run: [UInt8]) throws(FileError) {
    if let file { return try file.append(run.span) }
    bytes += run
    guard bytes.count > most else { return }
    let made = try SpoolFile()
    try made.append(bytes.span)
    file = made
    bytes = []
  }

  /// The bytes at a place.
  func read(_ range: Range<Int>) throws(FileError) -> [UInt8] {
    guard let file else { return Array(bytes[range]) }
    return try file.read(at: range.lowerBound, count: range.count)
  }
}

extension IndexSort {
  /// As many entries of an index as are sorted at once.
  struct IndexRun: Sendable {
    /// An entry and where its key lies.
    private struct Entry {
      let prefix: UInt64
      let row: Int64
      let start: UInt32
      let end: UInt32
    }

    private var keys: [UInt8] = []
    private var entries: [Entry] = []

    /// Whether it takes more memory than an index of each table may.
    var isLong: Bool { entries.count > 100 }

    var isFull: Bool { entries.count >= 1 << 15 || keys.count >= 2 << 20 }

    var isEmpty: Bool { entries.isEmpty }

    /// Adds the entry of a row.
    ///
    /// - Returns: the size of its key.
    @inline(__always)
    mutating func append(_ cell: Cell, arena: Span<UInt8>, row: Int64) -> Int {
      let start = keys.count
      keys.appendIndexKey(cell, arena: arena)
      entries.append(
        Entry(
          prefix: IndexKey.prefix(of: keys.span.extracting(start...)), row: row,
          start: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: keys.count)))
      return keys.count &- start
    }

    /// The entries in their order: the size of a key in two bytes, the key, and the row in eight.
    consuming func sorted() -> [UInt8] {
      let keys = keys
      entries.sort { left, right in
        if left.prefix != right.prefix { return left.prefix < right.prefix }
        let order = order(
          of: keys.span.extracting(Int(left.start)..<Int(left.end)),
          and: keys.span.extracting(Int(right.start)..<Int(right.end)))
        return order == 0 ? left.row < right.row : order < 0
      }
      var bytes: [UInt8] = []
      bytes.append(roomFor: keys.count + entries.count * Self.headSize) { room in
        for (place, entry) in entries.enumerated() {
          // The keys are now in another order than in memory.
          let later = entries[min(place &+ 16, entries.count &- 1)]
          prefetch(keys.span, at: Int(later.start))
          let key = Int(entry.start)..<Int(entry.end)
          room.append(UInt8(truncatingIfNeeded: key.count &>> 8))
          room.append(UInt8(truncatingIfNeeded: key.count))
          room.append(keys.span, key)
          room.appendBigEndian(UInt64(bitPattern: entry.row))
        }
      }
      return bytes
    }

    /// How many bytes an entry has besides its key.
    private static let headSize = 10
  }
}
