import Formats
import Records
import Testing

@testable import Replay

/// Servers that say that they took a change, and do not show the item as it was sent.
struct PromiseTests {
  private static let shown = #"{"id":"a","text":"ou","by":"us","version":"V2"}"#
  private static let silent = ["", #"{"ok":true}"#, "OK", "null"]

  private func bench(
    _ kind: OperationKind, version: String? = nil, policy: ConflictPolicy = .skip,
    history: ReplayHistory = ReplayHistory()
  ) throws -> Bench {
    var operation = operation(1, kind, version: version)
    operation.item = Array(#"{"id":"a","text":"ours","by":"us","done":false}"#.utf8)
    var bench = Bench([operation], history: history) { $0.conflicts = ConflictRules(policy) }
    try bench.feed(.start)
    return bench
  }

  @Test(arguments: [Dialect.v1, .v2, .v3, .toolkit], [404, 405])
  func insertUnderAnIDOfTheServersIsDone(_ dialect: Dialect, _ status: Int) throws {
    var bench = Bench([operation(1, .insert)], dialect)
    try bench.feed(.start)
    try bench.answer(201, #"{"id":"server-1","text":"ours"}"#)
    #expect(bench.sent.map { $0.prefix(4) } == ["GET "])
    try bench.answer(status)
    let result = try #require(bench.results.first)
    #expect(result.outcome == .applied && result.status == 201)
    #expect(
      result.changes == [
        ServerChange(field: "id", sent: .string("a"), kept: .string("server-1"))
      ])
    #expect(bench.history.isDone(1))
  }

  @Test(arguments: [OperationKind.insert, .update])
  func itemThatTheServerCallsOtherwiseEachTimeIsCompared(_ kind: OperationKind) throws {
    var bench = try bench(kind)
    let other = #"{"id":"A-1","text":"ours","by":"us","done":false,"version":"V2"}"#
    try bench.answer(200, other)
    try bench.answer(200, other)
    #expect(bench.results.map(\.outcome) == [.applied])
    #expect(bench.results.first?.changes.map(\.field) == ["id"])
  }

  @Test(
    arguments: silent, [ConflictPolicy.skip, .clientWins, .serverWins, .newest])
  func whatIsTakenAndNotShownIsNotSentAgain(_ body: String, _ policy: ConflictPolicy) throws {
    for kind in [OperationKind.insert, .update] {
      var bench = try bench(kind, policy: policy)
      try bench.answer(200, body)
      try bench.answer(404)
      #expect(bench.results.map(\.outcome) == [.inDoubt])
      #expect(bench.results.map(\.reason) == [.undecided])
      #expect(bench.summary?.temporary == 0)
    }
  }

  /// Nothing is known of the item, so that no policy can decide; each run asks again.
  @Test(arguments: ["", "{}"], [ConflictPolicy.skip, .clientWins, .serverWins, .newest])
  func whatIsTakenAndNeverAnsweredForIsAskedForAgain(
    _ body: String, _ policy: ConflictPolicy
  ) throws {
    var history = ReplayHistory()
    for _ in 0..<3 {
      var bench = try bench(.insert, policy: policy, history: history)
      while bench.summary == nil {
        if bench.requests.isEmpty { try bench.wait() } else { try bench.answer(200, body) }
      }
      #expect(bench.results.map(\.outcome) == [.inDoubt])
      #expect(bench.results.map(\.reason) == [nil])
      #expect(bench.results.first?.words?.hasPrefix(Delivery.promiseMark) == true)
      history = bench.history
    }
  }

  @Test(arguments: [ReplayEvent.failure(step: 0, .unknown("reset")), .tick])
  func laterRunLeavesItToAPerson(_ end: ReplayEvent) throws {
    var bench = try bench(.insert)
    try bench.answer(201)
    // The connection is lost before the item is shown, or the program killed.
    try bench.feed(end)
    var later = try self.bench(.insert, history: bench.history)
    #expect(later.sent == ["GET tables/TodoItem/a"])
    try later.answer(404)
    #expect(later.results.map(\.reason) == [.undecided])
    var given = try self.bench(.insert, policy: .serverWins, history: later.history)
    try given.answer(404)
    #expect(given.results.map(\.outcome) == [.dropped])
    var sent = try self.bench(.insert, policy: .clientWins, history: later.history)
    try sent.answer(404)
    #expect(sent.sent == ["POST tables/TodoItem"])
    try sent.answer(201)
    try sent.answer(404)
    #expect(sent.results.map(\.reason) == [.undecided])
    // The policy may stand in a command that is run each night.
    var again = try self.bench(.insert, policy: .clientWins, history: sent.history)
    try again.answer(404)
    #expect(again.results.map(\.reason) == [.undecided])
    var found = try self.bench(.insert, history: later.history)
    try found.answer(200, Self.shown)
    #expect(found.results.map(\.outcome) == [.applied])
  }

  /// A sign-in in front of the service answers with success, too, and passes nothing on.
  @Test func pageIsNoWordOfTheServer() throws {
    var bench = try bench(.insert)
    try bench.answer(200, " <html>Sign in</html>")
    try bench.answer(404)
    #expect(bench.results.map(\.outcome) == [.inDoubt])
    #expect(bench.summary?.temporary == 1)
    var later = try self.bench(.insert, history: bench.history)
    try later.answer(404)
    #expect(later.sent == ["POST tables/TodoItem"])
    var other = try self.bench(.update)
    try other.answer(200, "<html>Sign in</html>")
    try other.answer(200, Self.shown)
    #expect(other.results.map(\.outcome) == [.inDoubt])
  }

  @Test func sendingOnceMoreIsJournalledAndEndsInDoubtWhateverIsHeard() throws {
    var bench = try bench(.insert)
    try bench.answer(201)
    try bench.answer(404)
    var sent = try self.bench(.insert, policy: .clientWins, history: bench.history)
    try sent.answer(404)
    let isTold = sent.actions.contains { action in
      guard case .journal(let entries) = action else { return false }
      return entries.contains { $0.event == .sending }
    }
    #expect(isTold)
    // The program is killed here, or the connection lost.
    try sent.feed(.failure(step: 0, .unknown("reset")))
    var later = try self.bench(.insert, policy: .clientWins, history: sent.history)
    #expect(later.sent == ["GET tables/TodoItem/a"])
    try later.answer(404)
    #expect(later.results.map(\.reason) == [.undecided])
  }

  /// An item that has none of the values is another one, or is as it was before.
  @Test(
    arguments: [OperationKind.insert, .update],
    [
      #"{"id":"a","text":"theirs","by":"them","done":false,"version":"V9"}"#,
      #"{"id":"a","text":"theirs","by":"them"}"#,
    ])
  func itemWithoutAnyOfTheValuesIsLeftToAPerson(_ kind: OperationKind, _ shown: String) throws {
    for version in kind == .insert ? [nil] : [nil, "V1"] {
      var bench = try bench(kind, version: version)
      try bench.answer(200)
      try bench.answer(200, shown)
      #expect(bench.results.map(\.reason) == [.undecided])
      #expect(!bench.history.isDone(1))
    }
  }

  /// Without a version of before, values that are as sent may have been so before.
  @Test(arguments: [OperationKind.insert, .update])
  func whatIsKeptOtherwiseIsTold(_ kind: OperationKind) throws {
    var blind = try bench(.update)
    try blind.answer(200)
    try blind.answer(200, Self.shown)
    #expect(blind.results.map(\.reason) == [.undecided])
    var bench = try bench(kind, version: kind == .insert ? nil : "V1")
    try bench.answer(200)
    try bench.answer(200, Self.shown)
    let result = try #require(bench.results.first)
    #expect(result.outcome == .applied && result.version == "V2")
    #expect(result.changes.map(\.field) == ["text"])
  }

  @Test(arguments: [OperationKind.update, .delete])
  func changeOfWhichNothingIsDoneIsRefused(_ kind: OperationKind) throws {
    var bench = try bench(kind, version: "V1")
    try bench.answer(200, #"{"ok":true}"#)
    try bench.answer(200, #"{"id":"a","text":"old","version":"V1"}"#)
    #expect(bench.results.map(\.outcome) == [.rejected])
    #expect(bench.results.first?.words == ItemCourse.nothingDone)
  }

  @Test func newObjectOfParseIsSentOnce() throws {
    var bench = Bench([operation(1, .insert)], .parse)
    try bench.feed(.start)
    try bench.answer(200, #"{"results":[]}"#)
    try bench.answer(201)
    #expect(bench.sent == ["GET classes/TodoItem"])
    try bench.answer(200, #"{"results":[]}"#)
    #expect(bench.results.map(\.reason) == [.undecided])
  }

  /// Another request would raise a number of Parse once more.
  @Test(arguments: [("null", ReplayOutcome.rejected), ("<html>Sign in</html>", .inDoubt)])
  func changeOfParseIsSentOnce(_ body: String, _ outcome: ReplayOutcome) throws {
    let version = ParseVersion(objectID: "x", updatedAt: nil).text
    var bench = Bench([operation(1, .update, version: version)], .parse)
    try bench.feed(.start)
    let shown = #"{"objectId":"x","text":"old","updatedAt":"2020-01-01T00:00:00.000Z"}"#
    try bench.answer(200, shown)
    #expect(bench.sent == ["PUT classes/TodoItem/x"])
    try bench.answer(200, body)
    #expect(bench.sent == ["GET classes/TodoItem/x"])
    try bench.answer(200, shown)
    #expect(bench.results.map(\.outcome) == [outcome])
  }
}
