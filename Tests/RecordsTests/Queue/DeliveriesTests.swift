import Bytes
import TestSupport
import Testing

@testable import Records

struct DeliveriesTests {
  private func delivery(
    _ target: String, _ outcome: ReplayOutcome, at seconds: Int64
  ) throws -> Delivery {
    Delivery(
      target: target, outcome: outcome,
      time: try #require(Timestamp(wholeSecondsSince1970: seconds, nanoseconds: 250_000_000)),
      status: nil, detail: nil)
  }

  @Test func eachTargetHasItsCountsAndItsLatestTime() throws {
    var deliveries = Deliveries()
    try deliveries.add(delivery("a", .applied, at: 5), of: 1, entry: 1)
    try deliveries.add(delivery("b", .conflict, at: -7), of: 1, entry: 4)
    try deliveries.add(delivery("a", .applied, at: 3), of: 2, entry: 2)
    try deliveries.add(delivery("a", .rejected, at: 4), of: 9, entry: 3)
    let summaries = deliveries.summaries
    #expect(summaries.map(\.target) == ["a", "b"])
    #expect(summaries.map(\.counts) == [[.applied: 2, .rejected: 1], [.conflict: 1]])
    #expect(summaries.map { $0.last?.secondsSince1970 } == [5, -7])
    deliveries.settle()
    #expect(deliveries.latestTargets == ["b"] && deliveries.latest(of: 9) == nil)
    #expect(deliveries[1].map(\.outcome) == [.applied, .conflict])
  }

  @Test func onlyServersSettleOperations() throws {
    var queue = Queue()
    for sequence in 1...4 as ClosedRange<Int64> {
      var operation = PendingOperation()
      operation.sequence = sequence
      if sequence == 4 { operation.state = .dropped }
      queue.operations.append(operation)
    }
    try queue.deliveries.add(delivery("https://a", .applied, at: 1), of: 1, entry: 1)
    try queue.deliveries.add(delivery("rehome:1f", .applied, at: 3), of: 1, entry: 3)
    try queue.deliveries.add(delivery("rehome:1f", .applied, at: 4), of: 2, entry: 4)
    try queue.deliveries.add(delivery("https://a", .conflict, at: 2), of: 3, entry: 2)
    try queue.deliveries.add(delivery("https://a", .applied, at: 2), of: 4, entry: 2)
    queue.deliveries.settle()
    #expect(queue.deliveries.latestTargets == ["https://a"])
    #expect(queue.deliveries.summaries.map(\.isRehearsal) == [false, true])
    // What a server has is done, whatever a person has marked since.
    #expect(
      queue.afterReplay().operations.map(\.state) == [.completed, .pending, .failed, .completed])
  }

  /// A journal may name another target in each line.
  @Test func timeDoesNotGrowWithTargetsTimesEntries() throws {
    let clock = ThreadClock()
    var deliveries = Deliveries()
    for number in 0..<60_000 as Range<Int64> {
      let target = "http://service.example/tables/of/a/long/name/\(number)"
      try deliveries.add(delivery(target, .applied, at: number), of: number, entry: number)
    }
    deliveries.settle()
    #expect(deliveries.summaries.allSatisfy { $0.counts == [.applied: 1] })
    #expect(deliveries.latest(of: 59_999)?.outcome == .applied)
    #expect(clock.seconds < 20)
  }
}
