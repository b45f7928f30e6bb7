import Bytes

/// The rows that operations are tied to, by the places of the operations in their queue.
package struct RowTies: Sendable {
  /// How a row's id names the item of an operation.
  package enum Match: UInt8, Sendable {
    case none
    case otherSpelling
    case exact
    /// The tie is that of another operation.
    case ofOther
  }

  /// The ties of the operations, and behind them those that only others share.
  private var ties: [Tie]
  /// Operations that may have another tie than their own.
  private var shared: [(index: Int32, other: Int32)] = []
  /// The names of the candidates.
  private let names: [[UInt8]]
  /// The versions of rows, behind how many bytes they have.
  private var versions = ByteSpool(memoryLimit: 8 << 20)
  /// The row whose version came last, and where that is.
  private var lastRow: (candidate: Int, key: Int64, version: Int)?

  /// The row of an operation, in few bytes, as long queues have many.
  private struct Tie {
    let key: Int64
    /// Where the version is in 40 bits, one more than that, the candidate in 22 and the match in 2.
    private var rest: UInt64

    init(_ match: Match, candidate: Int = 0, key: Int64 = 0) {
      self.key = key
      rest = UInt64(truncatingIfNeeded: candidate & 0x3F_FFFF) &<< 2 | UInt64(match.rawValue)
    }

    /// The tie of an operation that has the one of another operation in the end.
    init(of other: Int) { self.init(.ofOther, key: Int64(other)) }

    var match: Match { Match(rawValue: UInt8(rest & 3)) ?? .none }
    var candidate: Int { Int(rest &>> 2 & 0x3F_FFFF) }

    /// Where the row's version is; nil where it has none.
    var version: Int? {
      get { rest &>> 24 == 0 ? nil : Int(rest &>> 24) - 1 }
      set {
        rest = rest & 0xFF_FFFF | UInt64(truncatingIfNeeded: newValue.map { $0 &+ 1 } ?? 0) &<< 24
      }
    }

    /// Whether another one goes before: the closer match, then the earlier candidate, then the
    /// lower key.
    func isWorse(than other: Tie) -> Bool {
      guard match == other.match else { return match.rawValue < other.match.rawValue }
      return match != .none && (other.candidate, other.key) < (candidate, key)
    }
  }

  /// No operation of so many has a row yet; rows may be in tables of these canonical names.
  package init(count: Int, candidates: [String]) {
    ties = [Tie](repeating: Tie(.none), count: count)
    names = candidates.map { Array($0.utf8) }
  }

  /// Makes a tie that operations can share, and tells its place.
  package mutating func add() -> Int {
    ties.append(Tie(.none))
    return ties.count - 1
  }

  /// Lets an operation have what another tie has in the end, unless its own is better.
  package mutating func share(_ index: Int, with other: Int) {
    shared.append((Int32(clamping: index), Int32(clamping: other)))
  }

  /// Lets an operation that is tied to nothing itself have what one before it has in the end.
  package mutating func follow(_ other: Int, _ index: Int) { ties[index] = Tie(of: other) }

  /// Ties an operation to a row of a candidate, unless it has a better one.
  ///
  /// The closer match goes before, then the earlier candidate, then the lower key, whatever comes
  /// first.
  package mutating func tie(
    _ index: Int, toRow key: Int64, version: Span<UInt8>, candidate: Int, _ match: Match
  ) {
    var tie = Tie(match, candidate: candidate, key: key)
    guard ties.indices.contains(index), ties[index].isWorse(than: tie) else { return }
    if !version.isEmpty { tie.version = place(ofVersion: version, candidate, key) }
    ties[index] = tie
  }

  /// Gives the operations the ties that they share, and versions only to updates among them.
  package mutating func settle(_ operations: OperationList) {
    for (index, other) in shared where ties[Int(index)].isWorse(than: ties[Int(other)]) {
      ties[Int(index)] = ties[Int(other)]
    }
    shared = []
    for place in operations.indices where ties[place].match == .ofOther {
      ties[place] = ties[Int(ties[place].key)]
    }
    for (place, operation) in operations.enumerated() where operation.kind != .update {
      ties[place].version = nil
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

extension RowTies {
  /// The row that an operation would send.
  struct Row {
    let key: Int64
    /// The canonical name of its table.
    let table: [UInt8]
    /// The version that a condition would carry, if the row has one.
    let version: [UInt8]?
  }

  /// Why a version could not be read back, if one could not.
  var readFailure: FileError? { versions.readFailure }

  /// The row of the operation at a place; nil where it has none.
  func row(ofOperationAt place: Int) -> Row? {
    let tie = ties[place]
    guard tie.match != .none else { return nil }
    return Row(
      key: tie.key, table: names[tie.candidate],
      version: tie.version.map { versions.counted(at: $0) })
  }
}
