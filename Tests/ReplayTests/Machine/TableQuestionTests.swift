import Records
import Testing

@testable import Replay

/// Each table is asked for before anything is sent to it.
struct TableQuestionTests {
  private static let page = "<!DOCTYPE html><title>404</title>"

  private func bench(
    _ operations: [PendingOperation], _ dialect: Dialect = .v2,
    change: (inout ReplaySettings) -> Void = { _ in }
  ) -> Bench {
    Bench(operations, dialect) { settings in
      settings.asksForTables = true
      change(&settings)
    }
  }

  @Test func oneQuestionServesAllItemsOfATable() throws {
    var bench = bench(
      (1...3).map { operation($0, .insert, id: "item\($0)") }, change: { $0.jobs = 3 })
    try bench.feed(.start)
    #expect(bench.sent == ["GET tables/TodoItem"])
    #expect(bench.requests.first?.query == [.init("$top", "1")])
    #expect(bench.actions.count == 1)
    try bench.answer(200, "[]")
    #expect(bench.sent == Array(repeating: "POST tables/TodoItem", count: 3))
  }

  @Test(arguments: [
    ("[]", true), (#"{"items":[]}"#, true), (#"{"results":[],"count":0}"#, true), ("", true),
    (#"{"something":"else"}"#, true), (page, false), ("hello", false),
  ])
  func whatIsNoTableServiceGetsNothing(_ body: String, _ goesOn: Bool) throws {
    var bench = bench([operation(1, .delete)], change: { $0.maxAttempts = 2 })
    try bench.feed(.start)
    try bench.answer(200, body)
    if !goesOn {
      // It may have been the weather.
      try bench.wait()
      #expect(bench.sent == ["GET tables/TodoItem"])
      try bench.answer(200, body)
    }
    #expect(bench.sent == (goesOn ? ["DELETE tables/TodoItem/a"] : []))
    #expect(bench.results.map(\.outcome) == (goesOn ? [] : [.rejected]))
  }

  @Test(arguments: ["", page, #"{"message":"No HTTP resource was found"}"#, "{}"])
  func tableThatIsNotThereRefusesEverything(_ body: String) throws {
    var bench = bench([operation(1, .delete), operation(2, .update, id: "b")])
    try bench.feed(.start)
    try bench.answer(404, body)
    #expect(bench.results.map(\.outcome) == [.rejected, .rejected])
    #expect(bench.results.allSatisfy { $0.words?.contains("no table tables/TodoItem") == true })
    #expect(bench.summary?.stop == nil)
    // What was refused begins anew in the next run.
    var history = ReplayHistory()
    history.add(1, event: "rejected", version: nil, status: 404)
    #expect(ReplayPlan([operation(1, .delete)], history: history)[0]?.isInDoubt == false)
  }

  @Test func doubtStaysWhereTheTableIsNotThere() throws {
    var history = ReplayHistory()
    history.add(1, event: "sending", version: nil)
    var bench = Bench([operation(1, .insert)], history: history) { $0.asksForTables = true }
    try bench.feed(.start)
    try bench.answer(404)
    #expect(bench.results.map(\.outcome) == [.inDoubt])
  }

  @Test(arguments: [
    (401, #"{"error":"The item does not exist"}"#, ReplayOutcome.alreadyApplied),
    (403, #"{"code":404,"error":"Error: An item with id 'x' does not exist."}"#, .alreadyApplied),
    (403, "", .rejected), (400, "{}", .rejected), (403, page, .rejected),
    (405, "", .alreadyApplied),
    (405, page, .rejected),
  ])
  func whoMayNotReadSendsAllTheSame(
    _ status: Int, _ missing: String, _ outcome: ReplayOutcome
  ) throws {
    var bench = bench([operation(1, .delete)])
    try bench.feed(.start)
    try bench.answer(status, "{}")
    #expect(bench.sent == ["DELETE tables/TodoItem/a"])
    try bench.answer(404, missing)
    #expect(bench.results.map(\.outcome) == [outcome])
  }

  @Test(arguments: [
    #"{"message":"No HTTP resource was found that matches the request URI 'https://h/item/x'."}"#,
    #"{"error":"The table does not exist"}"#,
    #"{"error":"Error: Table 'TodoItem' does not exist."}"#,
    #"{"statusCode":404,"message":"Resource not found"}"#, page, "not found", #""not found""#,
  ])
  func strangeAnswerIsNoMissingItem(_ body: String) throws {
    var bench = bench([operation(1, .delete)])
    try bench.feed(.start)
    try bench.answer(200, "[]")
    try bench.answer(404, body)
    #expect(bench.results.map(\.outcome) == [.rejected])
    #expect(bench.results.first?.words != nil)
  }

  @Test(arguments: [
    "", "{}", #"{"title":"Not Found","status":404}"#, #"{"error":"The item does not exist"}"#,
    #"{"code":404,"error":"Error: An item with id 'Table' does not exist."}"#,
  ])
  func serviceSaysThatAnItemIsMissing(_ body: String) throws {
    var bench = bench([operation(1, .delete)])
    try bench.feed(.start)
    try bench.answer(200, "[]")
    try bench.answer(404, body)
    #expect(bench.results.map(\.outcome) == [.alreadyApplied])
  }

  @Test func strangeAnswerToAnUpdateIsHeldAgainstTheItem() throws {
    var bench = bench(
      [operation(1, .update, version: "V1")], change: { $0.conflicts = .init(.serverWins) })
    try bench.feed(.start)
    try bench.answer(200, "[]")
    for _ in 0..<3 {
      try bench.answer(404, Self.page)
      #expect(bench.sent == ["GET tables/TodoItem/a"])
      try bench.answer(200, #"{"id":"a","text":"old","version":"V1"}"#)
    }
    #expect(bench.results.map(\.outcome) == [.rejected])
  }

  @Test func strangeAnswersToUpdateAndQuestionAreARefusal() throws {
    var bench = bench(
      [operation(1, .update, version: "V1")], change: { $0.conflicts = .init(.serverWins) })
    try bench.feed(.start)
    try bench.answer(200, "[]")
    try bench.answer(404, Self.page)
    try bench.answer(404, Self.page)
    #expect(bench.results.map(\.outcome) == [.rejected])
  }

  @Test func tableAtWhichTheServerFailsIsRefusedWithItsWords() throws {
    var bench = bench([operation(1, .insert)], change: { $0.maxAttempts = 2 })
    try bench.feed(.start)
    try bench.answer(500, #"{"error":"no database"}"#)
    try bench.wait()
    #expect(bench.sent == ["GET tables/TodoItem"])
    try bench.answer(500, #"{"error":"no database"}"#)
    #expect(bench.results.map(\.outcome) == [.rejected])
    #expect(bench.results.first?.status == 500)
    #expect(bench.results.first?.words?.contains("no database") == true)
    // Nothing of the operation has left, so that a later run does not doubt it.
    #expect(ReplayPlan([operation(1, .insert)], history: bench.history)[0]?.isInDoubt == false)
  }

  @Test func serverThatIsAwayIsAskedAgain() throws {
    var bench = bench([operation(1, .insert)], change: { $0.maxAttempts = 2 })
    try bench.feed(.start)
    try bench.feed(.failure(step: 0, .unknown("reset")))
    try bench.wait()
    #expect(bench.sent == ["GET tables/TodoItem"])
    try bench.feed(.failure(step: 0, .unknown("reset")))
    #expect(bench.summary?.stop == .unreachable("reset"))
    #expect(bench.results.map(\.outcome) == [.pending])
  }
}
