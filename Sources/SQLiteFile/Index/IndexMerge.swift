import Bytes
package import Records

/// Merges sorted runs of an index, of which only a piece each is in memory.
package struct IndexMerge: Sendable {
  /// A run and its smallest entry that was not yet taken.
  private struct Cursor: Sendable {
    /// What was not read yet.
    var rest: Range<Int>
    /// What was read and not yet taken; the entry is at its start.
    var window: Range<Int>
    var keyEnd = 0
  }

  /// A run's place in the heap.
  private struct Head: Sendable {
    var prefix: UInt64
    let run: Int
  }

  private let runs: IndexRuns
  private let pieceSize: Int
  /// A piece for each run.
  private var bytes: [UInt8] = []
  private var cursors: [Cursor] = []
  /// The run with the smallest entry comes first; both children of a place are not smaller.
  private var heap: [Head] = []

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
    try start()
    while let head = heap.first {
      let cursor = cursors[head.run]
      let row = Int64(bitPattern: UInt64(bigEndian: loadWord(from: bytes.span, at: cursor.keyEnd)))
      try body(bytes.span.extracting(cursor.window.lowerBound + 2..<cursor.keyEnd), row)
      cursors[head.run].window = cursor.keyEnd + 8..<cursor.window.upperBound
      if let prefix = try advance(head.run) {
        heap[0].prefix = prefix
      } else {
        heap[0] = heap[heap.count - 1]
        heap.removeLast()
      }
      if !heap.isEmpty { sink(0) }
    }
  }

  private mutating func start() throws(StoreError) {
    bytes = [UInt8](repeating: 0, count: pieceSize * runs.ranges.count)
    for (run, range) in runs.ranges.enumerated() {
      let start = run * pieceSize
      cursors.append(Cursor(rest: range, window: start..<start))
      if let prefix = try advance(run) { heap.append(Head(prefix: prefix, run: run)) }
    }
    for place in stride(from: heap.count / 2 - 1, through: 0, by: -1) { sink(place) }
  }

  /// Looks at the next entry of a run; nil at its end.
  private mutating func advance(_ run: Int) throws(StoreError) -> UInt64? {
    if entryEnd(cursors[run].window) == nil { try refill(run) }
    let window = cursors[run].window
    guard let end = entryEnd(window) else { return nil }
    cursors[run].keyEnd = end - 8
    return IndexKey.prefix(of: bytes.span.extracting(window.lowerBound + 2..<end - 8))
  }

  /// Where the first entry of a window ends; nil where the window does not have all of it.
  private func entryEnd(_ window: Range<Int>) -> Int? {
    guard window.count >= 2 else { return nil }
    let start = window.lowerBound
    let end = start + 2 + (Int(bytes[start]) << 8 | Int(bytes[start + 1])) + 8
    return end <= window.upperBound ? end : nil
  }

  /// Moves what is left of a run's piece to its start, and reads on behind it.
  private mutating func refill(_ run: Int) throws(StoreError) {
    let cursor = cursors[run]
    let count = min(pieceSize - cursor.window.count, cursor.rest.count)
    guard count > 0 else { return }
    let next = cursor.rest.lowerBound + count
    let read = try storeErrors { () throws(FileError) in
      try runs.read(cursor.rest.lowerBound..<next)
    }
    let piece = bytes[cursor.window] + read
    let start = run * pieceSize
    bytes.replaceSubrange(start..<start + piece.count, with: piece)
    cursors[run].window = start..<start + piece.count
    cursors[run].rest = next..<cursor.rest.upperBound
  }

  /// Moves the run at a place of the heap down to where it belongs.
  private mutating func sink(_ first: Int) {
    var place = first
    while true {
      var child = place * 2 + 1
      guard child < heap.count else { return }
      if child + 1 < heap.count, isLess(heap[child + 1], heap[child]) { child += 1 }
      guard isLess(heap[child], heap[place]) else { return }
      heap.swapAt(place, child)
      place = child
    }
  }

  @inline(__always)
  private func isLess(_ left: Head, _ right: Head) -> Bool {
    if left.prefix != right.prefix { return left.prefix < right.prefix }
    let first = cursors[left.run]
    let second = cursors[right.run]
    let order = order(
      of: bytes.span.extracting(first.window.lowerBound + 2..<first.keyEnd),
      and: bytes.span.extracting(second.window.lowerBound + 2..<second.keyEnd))
    // Every row of a run comes before those of the runs that follow.
    return order == 0 ? left.run < right.run : order < 0
  }
}

/// Entries of an index as they stand on its pages, one behind the other.
package struct IndexEntries: Sendable {
  fileprivate(set) var bytes: [UInt8] = []
  /// Where each ends.
  fileprivate(set) var ends: [Int] = []

  /// How many bytes are handed on together.
  fileprivate static let size = 128 << 10
}

extension IndexMerge {
  /// Lends all entries in order, some at a time; another thread merges the next meanwhile.
  ///
  /// - Throws: `StoreError` when a run cannot be read, and what `body` throws.
  package func forEachPiece(
    _ body: (IndexEntries) throws(StoreError) -> Void
  ) throws(StoreError) {
    let pieces = Channel<Result<IndexEntries, StoreError>>(capacity: 2)
    let thread = WorkThread {
      do throws(StoreError) {
        try makePieces { (piece) throws(StoreError) in
          guard pieces.send(.success(piece)) else {
            throw StoreError(.interrupted, "nobody takes the entries")
          }
        }
      } catch {
        _ = pieces.send(.failure(error))
      }
      pieces.close()
    }
    guard let thread else { return try makePieces(body) }
    var failure: StoreError?
    while failure == nil, let piece = pieces.receive() {
      do throws(StoreError) { try body(try piece.get()) } catch { failure = error }
    }
    pieces.close()
    thread.join()
    if let failure { throw failure }
  }

  private func makePieces(
    _ take: (IndexEntries) throws(StoreError) -> Void
  ) throws(StoreError) {
    var merge = self
    var piece = IndexEntries()
    try merge.forEachEntry { (key, row) throws(StoreError) in
      piece.bytes.appendIndexEntry(key, row: row)
      piece.ends.append(piece.bytes.count)
      guard piece.bytes.count >= IndexEntries.size else { return }
      try take(piece)
      piece = IndexEntries()
    }
    if !piece.ends.isEmpty { try take(piece) }
  }
}
