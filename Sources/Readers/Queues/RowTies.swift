import Bytes
import Records

/// Which row each operation is tied to, while the tables are gone through.
struct RowTies {
  /// How a row's id names the item of an operation.
  enum Match: UInt8 {
    case none
    case otherSpelling
    case exact
  }

  private var ties: [Tie]
  /// The versions of the rows, one behind the other.
  private var versions: [UInt8] = []

  /// The row of an operation.
  struct Tie {
    var match = Match.none
    var candidate: Int32 = 0
    var key: Int64 = 0
    /// Where its version is; no bytes where it has none.
    var version = 0..<0
  }

  /// No operation has a row yet.
  init(count: Int) { ties = [Tie](repeating: Tie(), count: count) }

  /// Ties an operation to a row of a candidate, unless it has a better one.
  ///
  /// The closer match goes before, then the earlier candidate, then the lower key, whatever comes
  /// first.
  mutating func tie(
    _ index: Int, to row: NamedRows.Row, version: Span<UInt8>, candidate: Int, _ match: Match
  ) {
    let old = ties[index]
    guard match.rawValue >= old.match.rawValue, match != .none else { return }
    if match == old.match, (Int(old.candidate), old.key) <= (candidate, row.key) { return }
    let start = versions.count
    versions.append(version)
    ties[index] = Tie(
      match: match, candidate: Int32(clamping: candidate), key: row.key,
      version: start..<versions.count)
  }

  /// Tells the operations of their rows, and updates of the versions, and puts all of them into
  /// memory that neighbours share.
  func apply(to operations: inout [PendingOperation], candidates: [String]) {
    var work = OrderedWork<Chunk, [PendingOperation]>(threads: processorCount()) {
      { chunk, emit in _ = emit(packed(chunk, candidates)) }
    }
    var done = 0
    let take = { (packed: [PendingOperation]) in
      for operation in packed {
        operations[done] = operation
        done += 1
      }
    }
    for start in stride(from: 0, to: operations.count, by: Self.chunkSize) {
      let end = min(start + Self.chunkSize, operations.count)
      work.put(Chunk(start: start, operations: Array(operations[start..<end])), take)
    }
    work.finish(take)
  }

  /// How many operations are packed at a time.
  private static let chunkSize = 4096

  private struct Chunk: Sendable {
    let start: Int
    let operations: [PendingOperation]
  }

  private func packed(_ chunk: Chunk, _ candidates: [String]) -> [PendingOperation] {
    var packing = OperationPacking()
    for (place, operation) in chunk.operations.enumerated() {
      let tie = ties[chunk.start + place]
      guard tie.match != .none else {
        packing.add(operation)
        continue
      }
      var operation = operation
      operation.rowKey = tie.key
      let name = candidates[Int(tie.candidate)]
      packing.add(
        operation, rowTable: operation.table == name ? nil : name,
        baseVersion: tie.version.isEmpty ? nil : versions[tie.version])
    }
    return packing.take()
  }
}
