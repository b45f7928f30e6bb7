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
    #expect(deliveries.latestTarget == "b" && deliveries.latest(of: 9) == nil)
    #expect(deliveries[1].map(\.outcome) == [.applied, .conflict])
  }

  /// A journal may name another target in each line.
  @Test(.timeLimit(.minutes(15)))
  func timeDoesNotGrowWithTargetsTimesEntries() throws {
    let clock = ThreadClock()
    var deliveries = Deliveries()
    for number in 0..<60_000 as Range<Int64> {
      let target = "http://service.example/tables/of/a/long/name/\(number)"
      try deliveries.add(delivery(target, .applied, at: number), of: number, entry: number)
    }
    #expect(deliveries.summaries.allSatisfy { $0.counts == [.applied: 1] })
    #expect(deliveries.latest(of: 59_999)?.outcome == .applied)
    #expect(clock.seconds < 20)
  }
}
