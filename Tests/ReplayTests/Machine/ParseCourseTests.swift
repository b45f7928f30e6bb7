import Records
import Testing

@testable import Replay

/// Steps that are sent to a server of Parse, event by event.
struct ParseCourseTests {
  private static let known = "k@2026-04-01T00:00:00.000Z"
  private static let made = #"{"objectId":"n","id":"a","text":"ours","createdAt":"T"}"#
  private static let lost = ReplayEvent.failure(step: 0, .unknown("reset"))

  private func bench(_ kind: OperationKind, policy: ConflictPolicy = .skip) -> Bench {
    Bench([operation(1, kind, version: kind == .insert ? nil : Self.known)], .parse) {
      $0.conflicts = ConflictRules(policy)
    }
  }

  private func object(_ text: String, _ day: Int) -> String {
    #"{"objectId":"k","id":"a","text":"\#(text)","updatedAt":"2026-04-0\#(day)T00:00:00.000Z"}"#
  }

  @Test func newObjectIsLookedForBeforeAndTold() throws {
    var bench = bench(.insert)
    try bench.feed(.start)
    #expect(bench.sent == ["GET classes/TodoItem"])
    #expect(bench.requests.first?.query.first?.value == #"{"id":"a","text":"ours"}"#)
    try bench.answer(200, #"{"results":[]}"#)
    var sending = JournalEntry([1], .sending)
    sending.attempt = 1
    sending.words = "found"
    #expect(bench.actions.first == .journal([sending]))
    #expect(bench.sent == ["POST classes/TodoItem"])
    try bench.answer(201, #"{"objectId":"n","createdAt":"T"}"#)
    #expect(bench.results.map(\.outcome) == [.applied])
    #expect(bench.results.map(\.version) == ["n@T"])
  }

  @Test(arguments: [#"{"results":[]}"#, #"{"results":[\#(made)]}"#])
  func equalObjectOfBeforeIsNotTheNewOne(_ before: String) throws {
    var bench = bench(.insert)
    try bench.feed(.start)
    try bench.answer(200, before)
    let first = bench.requests.first?.headers
    try bench.feed(Self.lost)
    try bench.wait()
    #expect(bench.sent == ["GET classes/TodoItem"])
    // Nothing is there that was not there before, so the same request leaves again.
    try bench.answer(200, before)
    #expect(bench.sent == ["POST classes/TodoItem"])
    #expect(bench.requests.first?.headers == first)
    try bench.feed(Self.lost)
    try bench.wait()
    let other = Self.made.replacing(#""n""#, with: #""m""#)
    try bench.answer(200, #"{"results":[\#(Self.made),\#(other)]}"#)
    #expect(bench.results.map(\.outcome) == [.alreadyApplied])
  }

  @Test func conflictHasTheStatusOfTheRefusal() throws {
    var bench = bench(.insert)
    try bench.feed(.start)
    try bench.answer(200, #"{"results":[]}"#)
    try bench.answer(400, #"{"code":137,"error":"taken"}"#)
    try bench.answer(200, #"{"results":[]}"#)
    #expect(bench.results.map(\.situation) == [.exists])
    #expect(bench.results.map(\.status) == [400])
  }

  @Test func repetitionThatIsNotThereLeavesAsAnotherRequest() throws {
    var bench = bench(.insert)
    try bench.feed(.start)
    try bench.answer(200, #"{"results":[]}"#)
    let first = bench.requests.first?.headers
    try bench.answer(400, #"{"code":159,"error":"Duplicate request"}"#)
    try bench.answer(200, #"{"results":[]}"#)
    #expect(bench.sent == ["POST classes/TodoItem"])
    #expect(bench.requests.first?.headers != first)
  }

  @Test(arguments: [
    (ConflictPolicy.skip, ReplayOutcome.conflict), (.serverWins, .dropped), (.newest, .conflict),
  ])
  func newerObjectIsAConflict(_ policy: ConflictPolicy, _ outcome: ReplayOutcome) throws {
    var bench = bench(.update, policy: policy)
    try bench.feed(.start)
    #expect(bench.sent == ["GET classes/TodoItem/k"])
    try bench.answer(200, object("theirs", 2))
    #expect(bench.results.map(\.outcome) == [outcome])
    #expect(bench.results.map(\.situation) == [.changed])
  }

  @Test func newerObjectThatIsAsWantedIsDone() throws {
    var bench = bench(.update)
    try bench.feed(.start)
    try bench.answer(200, object("ours", 2))
    #expect(bench.results.map(\.outcome) == [.alreadyApplied])
  }

  @Test func lostAnswerIsFoundOutByTimeAndValues() throws {
    var bench = bench(.update)
    try bench.feed(.start)
    try bench.answer(200, object("old", 1))
    #expect(bench.sent == ["PUT classes/TodoItem/k"])
    try bench.feed(Self.lost)
    try bench.wait()
    try bench.answer(200, object("old", 1))
    #expect(bench.sent == ["PUT classes/TodoItem/k"])
    try bench.feed(Self.lost)
    try bench.wait()
    try bench.answer(200, object("ours", 3))
    #expect(bench.results.map(\.outcome) == [.alreadyApplied])
    #expect(bench.results.map(\.version) == ["k@2026-04-03T00:00:00.000Z"])
  }

  @Test func missingObjectIsAConflictOfAnUpdateAndTheEndOfADelete() throws {
    for (kind, outcome) in [
      (OperationKind.update, ReplayOutcome.conflict), (.delete, .alreadyApplied),
    ] {
      var bench = bench(kind)
      try bench.feed(.start)
      try bench.answer(404, #"{"code":101,"error":"Object not found."}"#)
      #expect(bench.results.map(\.outcome) == [outcome])
    }
  }

  @Test func sessionThatIsNotValidEndsTheRun() throws {
    var bench = bench(.insert)
    try bench.feed(.start)
    try bench.answer(400, #"{"code":209,"error":"Invalid session token"}"#)
    #expect(bench.summary?.stop == .notPermitted(status: 400))
  }

  @Test(arguments: ["seen 2026-04-01T00:00:00.000Z 3f", "seen - -", "found", "found a b%20c"])
  func whatWasSeenReadsBack(_ text: String) throws {
    #expect(try #require(ParseSight(text)).text == text)
    if case .some = ParseSight("not sent") { Issue.record("it is none") }
  }
}
