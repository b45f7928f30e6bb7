import Bytes

/// The rows that operations are tied to, by the places of the operations in their queue.
package struct RowMatches: Sendable {
  /// How a row's id names the item of an operation.
  package enum Match: UInt8, Sendable {
    case none
    case otherSpelling
    case exact
  }

  /// For each operation, and behind them for what only others share: the number of its row, what
  /// stands for none, or below that another operation whose row it gets.
  private var ties: [Int32]
  private var found = FoundRows()
  /// Operations that may have another tie than their own.
  private var shared: [(index: Int32, other: Int32)] = []
  /// The names of the candidates one behind the other, and where each ends.
  private var names: [UInt8] = []
  private var nameEnds: [Int] = []
  /// The candidates that are not where the operations go.
  private var leftOut: Set<Int> = []
  /// The versions of rows, behind how many bytes they have.
  private var versions = ByteSpool(memoryLimit: 4 << 20)
  /// The row whose version came last, and where that is.
  private var lastRow: (candidate: Int, key: Int64, version: Int)?

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
    var row = FoundRow(match, candidate: candidate, key: key)
    let known = Int(ties[index])
    guard known < 0 || found[known].isWorse(than: row) else { return }
    if !version.isEmpty { row.version = place(ofVersion: version, candidate, key) }
    if known >= 0 {
      found[known] = row
    } else {
      ties[index] = Int32(clamping: found.count)
      found.append(row)
    }
  }

  /// Gives the operations the ties that they share.
  package mutating func settle() {
    for (index, other) in shared {
      let (own, others) = (ties[Int(index)], ties[Int(other)])
      guard others >= 0 else { continue }
      if own < 0 || found[Int(own)].isWorse(than: found[Int(others)]) { ties[Int(index)] = others }
    }
    shared = []
    for place in ties.indices where ties[place] < Self.none {
      ties[place] = ties[Int(Self.none - 1 - ties[place])]
    }
  }

  /// Where a row's version is; the operations on one row come one after the other.
  private mutating func place(
    ofVersion version: Span<UInt8>, _ candidate: Int, _ key: Int64
  ) -> Int? {
    if let lastRow, lastRow.candidate == candidate, lastRow.key == key { return lastRow.version }
    // What a full disk cannot take stays in memory.
    let place = versions.append(counted: version)
    lastRow = (candidate, key, place)
    return place
  }
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
    let row = found[Int(ties[place])]
    let version = operation.kind == .update ? row.version : nil
    return Row(
      key: leftOut.contains(row.candidate) ? nil : row.key, candidate: row.candidate,
      version: version.map { versions.counted(at: $0) })
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
private struct FoundRow: Sendable {
  let key: Int64
  /// One more than where the version is in 40 bits, the candidate in 22 and the match in 2.
  private var rest: UInt64

  init(_ match: RowMatches.Match, candidate: Int, key: Int64) {
    self.key = key
    rest = UInt64(truncatingIfNeeded: candidate & 0x3F_FFFF) &<< 2 | UInt64(match.rawValue)
  }

  private var match: UInt8 { UInt8(rest & 3) }
  var candidate: Int { Int(rest &>> 2 & 0x3F_FFFF) }

  /// Where the row's version is; nil where it has none.
  var version: Int? {
    get { rest &>> 24 == 0 ? nil : Int(rest &>> 24) - 1 }
    set {
      rest = rest & 0xFF_FFFF | UInt64(truncatingIfNeeded: newValue.map { $0 &+ 1 } ?? 0) &<< 24
    }
  }

  /// Whether another one goes before: the closer match, then the earlier candidate, then the lower
  /// key.
  func isWorse(than other: FoundRow) -> Bool {
    guard match == other.match else { return match < other.match }
    return (other.candidate, other.key) < (candidate, key)
  }
}

extension FoundRow {
  /// All of it in eight bytes, the key in 28 bits, the version in 29, the candidate in 5 and the
  /// match in 2; nil where one of them needs more.
  var packed: UInt64? {
    guard UInt64(bitPattern: key) < 1 << 28, rest &>> 24 < 1 << 29, candidate < 1 << 5 else {
      return nil
    }
    return UInt64(bitPattern: key) &<< 36 | (rest &>> 24) &<< 7 | rest & 0x7F
  }

  init(packed: UInt64) {
    key = Int64(packed &>> 36)
    rest = (packed &>> 7 & 0x1FFF_FFFF) &<< 24 | packed & 0x7F
  }
}

extension RowMatches {
  /// Rows in pieces, so that a long list grows without being copied.
  fileprivate struct FoundRows: Sendable {
    private var pieces: [Piece] = []
    private(set) var count = 0

    private static let size = 1 << 12

    mutating func append(_ row: FoundRow) {
      if count % Self.size == 0 { pieces.append(Piece(capacity: min(Self.size, max(16, count)))) }
      pieces[pieces.count - 1].append(row)
      count += 1
    }

    subscript(number: Int) -> FoundRow {
      get { pieces[number / Self.size][number % Self.size] }
      set { pieces[number / Self.size][number % Self.size] = newValue }
    }
  }

  /// Rows in eight bytes each, as long queues have many; in sixteen from the first one on that
  /// does not fit.
  private struct Piece: Sendable {
    private var packed: [UInt64] = []
    private var whole: [FoundRow] = []

    init(capacity: Int) { packed.reserveCapacity(capacity) }

    mutating func append(_ row: FoundRow) {
      if let bits = packedBits(of: row) { packed.append(bits) } else { whole.append(row) }
    }

    subscript(place: Int) -> FoundRow {
      get { whole.isEmpty ? FoundRow(packed: packed[place]) : whole[place] }
      set {
        if let bits = packedBits(of: newValue) {
          packed[place] = bits
        } else {
          whole[place] = newValue
        }
      }
    }

    /// The row in eight bytes; nil where rows are whole here, as they are after one that must be.
    private mutating func packedBits(of row: FoundRow) -> UInt64? {
      guard whole.isEmpty else { return nil }
      if let bits = row.packed { return bits }
      whole = packed.map { FoundRow(packed: $0) }
      packed = []
      return nil
    }
  }
}
