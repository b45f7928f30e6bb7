import Records
import Testing

@testable import Replay

/// What a server itself fails at for good is a refusal, and no doubt.
struct ServerFaultTests {
  private static let old = #"{"id":"a","text":"old","version":"V1"}"#
  private static let words = #"{"error":"no such column"}"#

  /// A run in which the server fails at every change, up to the last look.
  private func failing(_ kind: OperationKind = .update) throws -> Bench {
    var bench = Bench(
      [operation(1, kind, version: kind == .insert ? nil : "V1")], change: { $0.maxAttempts = 3 })
    try bench.feed(.start)
    for number in 1...3 {
      try bench.answer(500, Self.words)
      if number < 3 {
        try bench.wait()
        if kind == .insert { try bench.answer(404) } else { try bench.answer(200, Self.old) }
      }
    }
    return bench
  }

  @Test(arguments: [OperationKind.insert, .update, .delete])
  func lastingFaultIsARefusalWithTheServersWords(_ kind: OperationKind) throws {
    var bench = try failing(kind)
    if bench.requests.isEmpty { try bench.wait() }
    #expect(bench.sent == ["GET tables/TodoItem/a"])
    if kind == .insert { try bench.answer(404) } else { try bench.answer(200, Self.old) }
    let result = try #require(bench.results.first)
    #expect(result.outcome == .rejected && result.status == 500)
    #expect(result.words == "no such column")
    #expect(bench.summary?.temporary == 0)
  }

  @Test func changeThatArrivedAllTheSameIsThere() throws {
    var bench = try failing()
    if bench.requests.isEmpty { try bench.wait() }
    try bench.answer(200, #"{"id":"a","text":"ours","version":"V2"}"#)
    #expect(bench.results.map(\.outcome) == [.alreadyApplied])
  }

  @Test func serverThatFailsAtEverythingIsAskedFirstNextTime() throws {
    var bench = try failing()
    if bench.requests.isEmpty { try bench.wait() }
    try bench.answer(500)
    #expect(bench.results.map(\.outcome) == [.rejected])
    #expect(bench.history.state(of: 1) == .ended(.rejected))
    #expect(ReplayPlan([operation(1, .insert)], history: bench.history)[0]?.isInDoubt == true)
  }

  @Test func lackOfAnAnswerStaysADoubt() throws {
    var bench = try failing()
    if bench.requests.isEmpty { try bench.wait() }
    try bench.feed(.failure(step: 0, .unknown("reset")))
    #expect(bench.results.map(\.outcome) == [.inDoubt])
  }

  @Test(arguments: [502, 503, 504, 429]) func busyServerIsLeftForLater(_ status: Int) throws {
    var bench = Bench([operation(1, .update, version: "V1")], change: { $0.maxAttempts = 1 })
    try bench.feed(.start)
    try bench.answer(status, Self.words)
    #expect(bench.results.map(\.outcome) == [.inDoubt])
    #expect(bench.results.first?.words == "no such column")
  }
}
