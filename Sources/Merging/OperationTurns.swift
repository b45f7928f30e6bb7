import Bytes
import Records

/// Gives the operations of several sources, which threads read side by side, numbers in the order of
/// the sources.
final class OperationTurns: Sendable {
  /// For each source how many operations come before its own, once that is known.
  private let before: [Channel<Int64>]

  init(count: Int) {
    before = (0...count).map { _ in Channel(capacity: 1) }
    _ = before[0].send(0)
  }

  /// The turn of a source.
  subscript(place: Int) -> OperationTurn {
    OperationTurn(before: before[place], after: before[place + 1])
  }

  /// Lets nobody wait longer for a turn that does not come.
  func stop() {
    for turn in before { turn.close() }
  }
}

/// When what depends on the order of the sources is read of one.
final class OperationTurn {
  private let before: Channel<Int64>
  private let after: Channel<Int64>
  /// How many operations come before those of the source, once it is its turn.
  private var count: Int64?

  init(before: Channel<Int64>, after: Channel<Int64>) {
    (self.before, self.after) = (before, after)
  }

  /// Waits until all tables of the sources before have been read, and their operations numbered.
  ///
  /// - Returns: how many operations these have.
  @discardableResult
  func begin() throws(StoreError) -> Int64 {
    if let count { return count }
    guard let before = before.receive() else {
      throw StoreError(.interrupted, "the operations of a store before were not read")
    }
    count = before
    return before
  }

  /// Numbers the operations of the source, once its tables have been read.
  ///
  /// - Returns: how many operations come before them.
  func end(numbering own: Int) throws(StoreError) -> Int64 {
    let before = try begin()
    _ = after.send(before + Int64(own))
    return before
  }
}
