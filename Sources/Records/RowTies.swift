import Bytes

/// The rows that operations are tied to, by the places of the operations in their queue.
package struct RowTies: Sendable {
  /// How a row's id names the item of an operation.
  package enum Match: UInt8, Sendable {
    case none
    case otherSpelling
    case exact
  }

  /// The ties of the operations, and behind them those that only others share.
  private var ties: [Tie]
  /// Operations that may have another tie than their own.
  private var shared: [(index: Int32, other: Int32)] = []
  /// The names of the candidates, then the versions of rows, one behind the other.
  private(set) var texts: [UInt8] = []
  /// Where each text ends, behind the place where the first begins.
  private var ends = [0]
  /// The row whose version came last.
  private var lastRow: (candidate: Int, key: Int64)?

  /// The row of an operation, in few bytes, as long queues have many.
  private struct Tie {
    private let candidateAndMatch: UInt32
    /// The number of the text that is the row's version; 0, which is that of a name, means none.
    var version: UInt32
    let key: Int64

    init(_ match: Match, candidate: Int = 0, key: Int64 = 0) {
      candidateAndMatch = UInt32(clamping: candidate) &<< 2 | UInt32(match.rawValue)
      version = 0
      self.key = key
    }

    var match: Match { Match(rawValue: UInt8(candidateAndMatch & 3)) ?? .none }
    var candidate: Int { Int(candidateAndMatch &>> 2) }

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
    for name in candidates { add(text: name.utf8Span.span) }
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

  /// Ties an operation to a row of a candidate, unless it has a better one.
  ///
  /// The closer match goes before, then the earlier candidate, then the lower key, whatever comes
  /// first.
  package mutating func tie(
    _ index: Int, toRow key: Int64, version: Span<UInt8>, candidate: Int, _ match: Match
  ) {
    let tie = Tie(match, candidate: candidate, key: key)
    guard ties.indices.contains(index), ties[index].isWorse(than: tie) else { return }
    ties[index] = tie
    if !version.isEmpty {
      ties[index].version = UInt32(clamping: number(ofVersion: version, candidate, key))
    }
  }

  /// Gives the operations the ties that they share, and versions only to updates among them.
  package mutating func settle(_ operations: [PendingOperation]) {
    // What shares the tie of an operation that has another one itself comes after it.
    for (index, other) in shared where ties[Int(index)].isWorse(than: ties[Int(other)]) {
      ties[Int(index)] = ties[Int(other)]
    }
    for (index, other) in shared {
      for place in [Int(index), Int(other)]
      where place < operations.count && operations[place].kind != .update {
        ties[place].version = 0
      }
    }
    shared = []
  }

  /// The number of a row's version; the operations on one row come one after the other.
  private mutating func number(
    ofVersion version: Span<UInt8>, _ candidate: Int, _ key: Int64
  ) -> Int {
    if lastRow.map({ $0 == (candidate, key) }) != true {
      lastRow = (candidate, key)
      add(text: version)
    }
    return ends.count - 2
  }

  private mutating func add(text: Span<UInt8>) {
    texts.append(text)
    ends.append(texts.count)
  }
}

extension RowTies {
  /// The row that an operation would send.
  struct Row {
    let key: Int64
    /// Where the canonical name of its table is among the texts.
    let table: Range<Int>
    /// Where the version that a condition would carry is among them, if the row has one.
    let version: Range<Int>?
  }

  /// The row of the operation at a place; nil where it has none.
  func row(ofOperationAt place: Int) -> Row? {
    let tie = ties[place]
    guard tie.match != .none else { return nil }
    let version = Int(tie.version)
    return Row(
      key: tie.key, table: text(tie.candidate), version: version > 0 ? text(version) : nil)
  }

  private func text(_ number: Int) -> Range<Int> { ends[number]..<ends[number + 1] }
}
