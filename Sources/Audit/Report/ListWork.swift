import Bytes
import Records

/// Writes a long list of a report: several threads spell a stretch of it each.
struct ListWork {
  /// Appends the element at a place to what was written before.
  typealias Writer = (_ place: Int, _ bytes: inout [UInt8]) -> Void

  let count: Int
  /// How many threads may spell them.
  let threads: Int

  /// How many elements a thread takes at a time: so many that two threads are seldom at operations
  /// that share memory, whose counter they would take from each other.
  private static let stretch = 1024
  /// How many bytes are handed on at once; elements may be long.
  ///
  /// Mostly it is all of a stretch, so that no thread waits until the stretches before are done.
  private var pieceSize: Int { max(128 << 10, min(512 << 10, (8 << 20) / max(1, threads))) }

  /// Lends the text in pieces to `write`, in the list's order; each thread has a writer of its own.
  func forEachPiece(
    by makeWriter: @escaping @Sendable () -> Writer,
    _ write: ([UInt8]) throws(StoreError) -> Void
  ) throws(StoreError) {
    let pieceSize = pieceSize
    var work = OrderedWork<Range<Int>, [UInt8]>(threads: threads) {
      let writer = makeWriter()
      // Stretches are mostly about as long as the one before.
      var room = 0
      return { stretch, emit in
        var bytes: [UInt8] = []
        bytes.reserveCapacity(room)
        for place in stretch {
          writer(place, &bytes)
          guard bytes.count > pieceSize else { continue }
          guard emit(bytes) else { return }
          bytes = []
        }
        room = min(bytes.count + bytes.count / 4, 2 * pieceSize)
        _ = emit(bytes)
      }
    }
    for start in stride(from: 0, to: count, by: Self.stretch) {
      try work.put(start..<min(start + Self.stretch, count), write)
    }
    try work.finish(write)
  }
}
