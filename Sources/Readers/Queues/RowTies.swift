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
  /// The versions of the rows, one behind the other, and where each ends; the first is none.
  private var versions: [UInt8] = []
  private var versionEnds = [0]
  /// The row whose version came last.
  private var lastRow: (candidate: Int, key: Int64)?

  /// The row of an operation, in few bytes, as long queues have many.
  private struct Tie {
    private let candidateAndMatch: UInt32
    /// The number of the row's version.
    let version: UInt32
    let key: Int64

    init(_ match: Match, candidate: Int = 0, version: Int = 0, key: Int64 = 0) {
      candidateAndMatch = UInt32(clamping: candidate) &<< 2 | UInt32(match.rawValue)
      self.version = UInt32(clamping: version)
      self.key = key
    }

    var match: Match { Match(rawValue: UInt8(candidateAndMatch & 3)) ?? .none }
    var candidate: Int { Int(candidateAndMatch &>> 2) }
  }

  /// No operation has a row yet.
  init(count: Int) { ties = [Tie](repeating: Tie(.none), count: count) }

  /// Ties an operation to a row of a candidate, unless it has a better one.
  ///
  /// The closer match goes before, then the earlier candidate, then the lower key, whatever comes
  /// first.
  mutating func tie(
    _ index: Int, to row: NamedRows.Row, version: Span<UInt8>, candidate: Int, _ match: Match
  ) {
    let old = ties[index]
    guard match.rawValue >= old.match.rawValue, match != .none else { return }
    if match == old.match, (old.candidate, old.key) <= (candidate, row.key) { return }
    let number = version.isEmpty ? 0 : number(of: version, candidate, row.key)
    ties[index] = Tie(match, candidate: candidate, version: number, key: row.key)
  }

  /// Whether an operation has a row that no row of a candidate with this key or a higher one can
  /// be better than.
  func isSettled(_ index: Int, candidate: Int, key: Int64) -> Bool {
    let tie = ties[index]
    return tie.match == .exact && (tie.candidate, tie.key) <= (candidate, key)
  }

  /// The number of a row's version; the operations on one row come one after the other.
  private mutating func number(of version: Span<UInt8>, _ candidate: Int, _ key: Int64) -> Int {
    if let lastRow, lastRow == (candidate, key) { return versionEnds.count - 1 }
    lastRow = (candidate, key)
    versions.append(version)
    versionEnds.append(versions.count)
    return versionEnds.count - 1
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
      let name = candidates[tie.candidate]
      packing.add(
        operation, rowTable: operation.table == name ? nil : name,
        baseVersion: version(number: Int(tie.version)))
    }
    return packing.take()
  }

  private func version(number: Int) -> ArraySlice<UInt8>? {
    number > 0 ? versions[versionEnds[number - 1]..<versionEnds[number]] : nil
  }
}
