import Bytes
package import Records

/// Merges sorted runs of an index, of which only a piece each is in memory.
package struct IndexMerge: Sendable {
  /// A run and its smallest entry that was not yet taken.
  private struct Cursor: Sendable {
    /// What was not read yet.
    var rest: Range<Int>
    /// Where the entry begins in what was read, its key ends, and what was read ends.
    var start: Int
    var keyEnd: Int
    var end: Int
    var isAtEnd = false

    @inline(__always)
    var key: Range<Int> { start &+ 2..<keyEnd }
  }

  private let runs: IndexRuns
  private let pieceSize: Int
  /// A piece for each run.
  private var bytes: [UInt8] = []
  private var cursors: [Cursor] = []
  /// How the key of each run's entry begins.
  private var prefixes: [UInt64] = []
  /// The run that lost each match in a tree of them, and before these the one that lost none.
  ///
  /// The smaller entry wins. Below match `number` are `number * 2` and the one behind it, and those
  /// behind all matches are the runs themselves.
  private var losers: [Int] = []

  /// The memory for all pieces together, unless there are so many that each gets the least.
  private static let memory = 8 << 20
  private static let leastPiece = 4096

  init(_ runs: IndexRuns) {
    self.runs = runs
    pieceSize = max(Self.leastPiece, min(1 << 16, Self.memory / max(1, runs.ranges.count)))
  }

  /// Lends all entries in order.
  ///
  /// - Throws: `StoreError` when a run cannot be read, and what `body` throws.
  package mutating func forEachEntry(
    _ body: (_ key: Span<UInt8>, _ row: Int64) throws(StoreError) -> Void
  ) throws(StoreError) {
    guard !runs.ranges.isEmpty else { return }
    try start()
    while true {
      let run = losers[0]
      let cursor = cursors[run]
      guard !cursor.isAtEnd else { return }
      let row = Int64(bitPattern: UInt64(bigEndian: loadWord(from: bytes.span, at: cursor.keyEnd)))
      try body(bytes.span.extracting(cursor.key), row)
      cursors[run].start = cursor.keyEnd &+ 8
      try advance(run)
      playAgain(run)
    }
  }

  private mutating func start() throws(StoreError) {
    bytes = [UInt8](repeating: 0, count: pieceSize * runs.ranges.count)
    prefixes = [UInt64](repeating: 0, count: runs.ranges.count)
    for (run, range) in runs.ranges.enumerated() {
      let start = run * pieceSize
      cursors.append(Cursor(rest: range, start: start, keyEnd: start, end: start))
      try advance(run)
    }
    let count = runs.ranges.count
    losers = [Int](repeating: 0, count: count)
    var winners = Array(repeating: 0, count: count) + Array(0..<count)
    for number in stride(from: count - 1, to: 0, by: -1) {
      let (left, right) = (winners[number * 2], winners[number * 2 + 1])
      let wins = isLess(left, right)
      winners[number] = wins ? left : right
      losers[number] = wins ? right : left
    }
    losers[0] = winners[min(1, winners.count - 1)]
  }

  /// Looks at the next entry of a run, which begins at its start.
  private mutating func advance(_ run: Int) throws(StoreError) {
    if !findEntry(run) {
      try refill(run)
      if !findEntry(run) { end(run) }
    }
  }

  /// Lets a run without entries lose against all others; no key begins with such a byte.
  private mutating func end(_ run: Int) {
    cursors[run].isAtEnd = true
    prefixes[run] = .max
  }

  /// Finds the end of a run's entry; false where not all of it was read.
  @inline(__always)
  private mutating func findEntry(_ run: Int) -> Bool {
    let cursor = cursors[run]
    guard cursor.start &+ 2 <= cursor.end else { return false }
    let size = Int(bytes[cursor.start]) &<< 8 | Int(bytes[cursor.start &+ 1])
    let keyEnd = cursor.start &+ 2 &+ size
    guard keyEnd &+ 8 <= cursor.end else { return false }
    cursors[run].keyEnd = keyEnd
    prefixes[run] = IndexKey.prefix(of: bytes.span.extracting(cursor.start &+ 2..<keyEnd))
    return true
  }

  /// Moves what is left of a run's piece to its start, and reads on behind it.
  private mutating func refill(_ run: Int) throws(StoreError) {
    let cursor = cursors[run]
    let left = cursor.start..<cursor.end
    let count = min(pieceSize - left.count, cursor.rest.count)
    guard count > 0 else { return }
    let next = cursor.rest.lowerBound + count
    let read = try storeErrors { () throws(FileError) in
      try runs.read(cursor.rest.lowerBound..<next)
    }
    let piece = bytes[left] + read
    let start = run * pieceSize
    bytes.replaceSubrange(start..<start + piece.count, with: piece)
    cursors[run].start = start
    cursors[run].end = start + piece.count
    cursors[run].rest = next..<cursor.rest.upperBound
  }

  /// Lets a run that has another entry play all its matches again, from its own up to the last.
  @inline(__always)
  private mutating func playAgain(_ run: Int) {
    var winner = run
    var number = (run &+ losers.count) / 2
    while number > 0 {
      let other = losers[number]
      // Nobody can guess who wins, so nothing hangs on it but what is kept.
      let wins = isLess(other, winner)
      losers[number] = wins ? winner : other
      winner = wins ? other : winner
      number /= 2
    }
    losers[0] = winner
  }

  @inline(__always)
  private func isLess(_ left: Int, _ right: Int) -> Bool {
    let (first, second) = (prefixes[left], prefixes[right])
    return first == second ? isLessInAll(left, right) : first < second
  }

  private func isLessInAll(_ left: Int, _ right: Int) -> Bool {
    let (first, second) = (cursors[left], cursors[right])
    guard !first.isAtEnd, !second.isAtEnd else { return second.isAtEnd && !first.isAtEnd }
    let order = order(
      of: bytes.span.extracting(first.key), and: bytes.span.extracting(second.key))
    // Every row of a run comes before those of the runs that follow.
    return order == 0 ? left < right : order < 0
  }
}

/// Entries of an index as they stand on its pages, one behind the other.
package struct IndexEntries: Sendable {
  fileprivate(set) var bytes: [UInt8] = []
  /// Where each ends.
  fileprivate(set) var ends: [Int] = []
  /// The rows that share their key with others, where that was asked for.
  package fileprivate(set) var twins: [Int64] = []

  /// How many bytes are handed on together.
  fileprivate static let size = 128 << 10
}

/// The entry before the one at hand.
private struct LastEntry {
  private var key: [UInt8] = []
  private var row: Int64 = 0
  private var isNoted = false

  /// Takes the next entry; where it has the same key, which none of them lacks, both are twins.
  mutating func follow(_ next: Span<UInt8>, row nextRow: Int64, noting twins: inout [Int64]) {
    let isTwin = order(of: key.span, and: next) == 0
    if isTwin {
      if !isNoted { twins.append(row) }
      twins.append(nextRow)
    } else {
      key.removeAll(keepingCapacity: true)
      key.append(next)
    }
    isNoted = isTwin
    row = nextRow
  }
}

extension IndexMerge {
  /// Lends all entries in order, some at a time; another thread merges the next meanwhile.
  ///
  /// - Throws: `StoreError` when a run cannot be read, and what `body` throws.
  package func forEachPiece(
    notingTwins: Bool = false, _ body: (IndexEntries) throws(StoreError) -> Void
  ) throws(StoreError) {
    let pieces = Channel<Result<IndexEntries, StoreError>>(capacity: 2)
    let thread = WorkThread {
      do throws(StoreError) {
        try makePieces(notingTwins) { (piece) throws(StoreError) in
          guard pieces.send(.success(piece)) else {
            throw StoreError(.interrupted, "nobody takes the entries")
          }
        }
      } catch {
        _ = pieces.send(.failure(error))
      }
      pieces.close()
    }
    guard let thread else { return try makePieces(notingTwins, body) }
    var failure: StoreError?
    while failure == nil, let piece = pieces.receive() {
      do throws(StoreError) { try body(try piece.get()) } catch { failure = error }
    }
    pieces.close()
    thread.join()
    if let failure { throw failure }
  }

  private func makePieces(
    _ isNotingTwins: Bool, _ take: (IndexEntries) throws(StoreError) -> Void
  ) throws(StoreError) {
    var merge = self
    var piece = IndexEntries()
    var last = LastEntry()
    try merge.forEachEntry { (key, row) throws(StoreError) in
      if isNotingTwins { last.follow(key, row: row, noting: &piece.twins) }
      piece.bytes.appendIndexEntry(key, row: row)
      piece.ends.append(piece.bytes.count)
      guard piece.bytes.count >= IndexEntries.size else { return }
      try take(piece)
      piece = IndexEntries()
    }
    if !piece.ends.isEmpty { try take(piece) }
  }
}
