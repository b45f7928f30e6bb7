import Bytes

/// The rows that operations are tied to, by the places of the operations in their queue.
package struct RowMatches: Sendable {
  /// How a row's id names the item of an operation.
  package enum Match: UInt8, Sendable {
    case none
    case otherSpelling
    case exact
  }

  /// For each operation, and behind them for what only others share: where its row is among the
  /// found ones in steps, what stands for none, or below that another operation whose row it gets.
  private var ties: [Int32]
  /// The rows that were found, of which long queues have so many that they go into a file.
  private var found = ByteSpool(memoryLimit: 8 << 20)
  /// The memory in which a row is put together.
  private var packed: [UInt8] = []
  /// Operations that may have another tie than their own.
  private var shared: [(index: Int32, other: Int32)] = []
  /// The names of the candidates one behind the other, and where each ends.
  private var names: [UInt8] = []
  private var nameEnds: [Int] = []
  /// The candidates that are not where the operations go.
  private var leftOut: Set<Int> = []
  /// The row that came last, whether it has a version, and where it is.
  private var last: (row: FoundRow, hasVersion: Bool, place: Int32)?

  private static let none: Int32 = -1

  /// No operation of so many has a row yet; rows may be in tables of these canonical names.
  package init(count: Int = 0, candidates: [String] = []) {
    ties = [Int32](repeating: Self.none, count: count)
    for name in candidates {
      names.append(contentsOf: name.utf8)
      nameEnds.append(names.count)
    }
  }

  /// Makes a tie that operations can share, and tells its place.
  package mutating func add() -> Int {
    ties.append(Self.none)
    return ties.count - 1
  }

  /// Lets an operation have what another tie has in the end, unless its own is better.
  package mutating func share(_ index: Int, with other: Int) {
    shared.append((Int32(clamping: index), Int32(clamping: other)))
  }

  /// Lets an operation that is tied to nothing itself have what one before it has in the end.
  package mutating func follow(_ other: Int, _ index: Int) {
    ties[index] = Self.none - 1 - Int32(clamping: other)
  }

  /// Ties an operation to a row of a candidate, unless it has a better one.
  ///
  /// The closer match goes before, then the earlier candidate, then the lower key, whatever comes
  /// first.
  package mutating func tie(
    _ index: Int, toRow key: Int64, version: Span<UInt8>, candidate: Int, _ match: Match
  ) {
    guard match != .none, ties.indices.contains(index) else { return }
    let row = FoundRow(match, candidate: candidate, key: key)
    guard found(ties[index])?.isWorse(than: row) ?? true else { return }
    if let place = place(of: row, version: version) { ties[index] = place }
  }

  /// Gives the operations the ties that they share.
  package mutating func settle() {
    for (index, other) in shared {
      let (own, others) = (ties[Int(index)], ties[Int(other)])
      guard let better = found(others), found(own)?.isWorse(than: better) ?? true else { continue }
      ties[Int(index)] = others
    }
    shared = []
    for place in ties.indices where ties[place] < Self.none {
      ties[place] = ties[Int(Self.none - 1 - ties[place])]
    }
  }

  /// Where a row is put; the operations on one row come one after the other.
  ///
  /// Nil behind the first 32 GiB of rows, where no tie leads.
  private mutating func place(of row: FoundRow, version: Span<UInt8>) -> Int32? {
    if let last, last.row == row, last.hasVersion == !version.isEmpty { return last.place }
    // A span of the member would keep all of this value occupied.
    var packed: [UInt8] = []
    swap(&packed, &self.packed)
    defer { swap(&packed, &self.packed) }
    packed.removeAll(keepingCapacity: true)
    row.append(to: &packed, with: version)
    // What a full disk cannot take stays in memory.
    let start = found.append(counted: packed.span, step: Self.step)
    guard let place = Int32(exactly: start / Self.step) else { return nil }
    last = (row, !version.isEmpty, place)
    return place
  }

  /// The row at a place among those found; nil where there is none or it cannot be read.
  private func found(_ place: Int32) -> FoundRow? {
    place < 0 ? nil : found.withCounted(at: Int(place) * Self.step) { FoundRow(packedIn: $0) }
  }

  /// Rows begin at multiples of so many bytes, which is what one without a version takes.
  private static let step = 16
}

extension RowMatches {
  /// The row that an operation would send.
  struct Row {
    /// Its key; nil where its table is left out, so that it is gone.
    let key: Int64?
    /// The number of its table among those that rows may be in.
    fileprivate let candidate: Int
    /// The version that a condition would carry, if the row has one.
    let version: [UInt8]?
  }

  /// The row of an operation at its place, with a version where it is an update; nil where it has
  /// none.
  func row(of operation: borrowing PendingOperation, at place: Int) -> Row? {
    guard place < ties.count, ties[place] >= 0 else { return nil }
    return found.withCounted(at: Int(ties[place]) * Self.step) { packed in
      guard let row = FoundRow(packedIn: packed), nameEnds.indices.contains(row.candidate) else {
        return nil
      }
      var version: [UInt8]?
      if operation.kind == .update, packed.count > FoundRow.size {
        version = [UInt8](copying: packed.extracting(FoundRow.size...))
      }
      return Row(
        key: leftOut.contains(row.candidate) ? nil : row.key, candidate: row.candidate,
        version: version)
    }
  }

  /// Lets rows of other tables than some be gone.
  mutating func keepRows(ofTables names: Set<ExactText>) {
    leftOut = Set(
      nameEnds.indices.filter { candidate in
        let name = self.names[(candidate == 0 ? 0 : nameEnds[candidate - 1])..<nameEnds[candidate]]
        return !names.contains(ExactText(String(decoding: name, as: UTF8.self)))
      })
  }

  /// Lends the canonical name of a row's table.
  ///
  /// Threads that took hold of the name would take the counter of its memory from each other.
  func with<Result>(tableOf row: Row, _ body: (Span<UInt8>) -> Result) -> Result {
    let start = row.candidate == 0 ? 0 : nameEnds[row.candidate - 1]
    return body(names.span.extracting(start..<nameEnds[row.candidate]))
  }
}

/// A row to which an operation is tied.
private struct FoundRow: Sendable, Equatable {
  let match: UInt8
  let candidate: Int
  let key: Int64

  init(_ match: RowMatches.Match, candidate: Int, key: Int64) {
    (self.match, self.candidate, self.key) = (match.rawValue, candidate, key)
  }

  /// Whether another one goes before: the closer match, then the earlier candidate, then the lower
  /// key.
  func isWorse(than other: FoundRow) -> Bool {
    guard match == other.match else { return match < other.match }
    return (other.candidate, other.key) < (candidate, key)
  }
}

extension FoundRow {
  /// How many bytes it takes, behind which the version of the row is.
  static let size = 13

  /// Appends all of it, and the version of the row.
  func append(to bytes: inout [UInt8], with version: Span<UInt8>) {
    bytes.append(match)
    bytes.appendBigEndian(UInt32(truncatingIfNeeded: candidate))
    bytes.appendBigEndian(UInt64(bitPattern: key))
    bytes.append(version)
  }

  init?(packedIn bytes: Span<UInt8>) {
    guard bytes.count >= Self.size else { return nil }
    match = bytes[0]
    candidate = Int(loadWord(from: bytes, at: 0).byteSwapped &>> 24 & 0xFFFF_FFFF)
    key = Int64(bitPattern: loadWord(from: bytes, at: 5).byteSwapped)
  }
}
