import Bytes
import Records

/// A store that keeps nothing, for a run that only tells what another one would do.
///
/// It counts the rows of one table after the other, so it has identity.
final class NoStore: StoreWriter {
  /// What is told is what another run would tell.
  static var keepsRejects: Bool { true }

  private var balance = TableBalance(name: "")
  private var balances: [TableBalance] = []

  func begin(
    _ description: SourceDescription, catalogue: Catalogue, at time: Timestamp, toolVersion: String
  ) {}

  func beginTable(_ table: Table) { balance = TableBalance(name: table.name) }

  func insert(_ batch: inout RecordBatch) {
    var tally = RowTally()
    tally.count(batch)
    balance.count(tally)
    balance.written += tally.read
    batch.removeAll()
  }

  func endTable(counted count: Int, lost: Int, merged: Int) throws(StoreError) {
    try balance.end(counted: count, lost: lost, merged: merged)
    balances.append(balance)
  }

  func write(_ queue: MatchedQueue) throws(StoreError) -> QueueCounts {
    try checkWhatWasSetAside()
    return QueueCounts(queue.queue)
  }

  func write(_ items: [DeviceItem]) {}

  func write(_ lines: [JournalLine]) {}

  func write(_ rejects: [RejectedValue]) {}

  func write(_ rows: [MergedRow]) {}

  func write(findings: Findings, files: [SourceFile]) {}

  func takeBalances() -> [TableBalance] {
    defer { balances = [] }
    return balances
  }

  func takeFindings() -> [Finding] { [] }

  consuming func publish() {}
}
