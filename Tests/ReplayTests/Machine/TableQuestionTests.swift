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
    ("[]", true), (#"{"items":[]}"#, true), (#"{"results":[],"count":0}"#, true),
    (#"{"something":"else"}"#, true), (#"[{"text":"half of \ud83d"}]"#, true),
    (String(repeating: "[", count: 100) + String(repeating: "]", count: 100), true), (page, false),
    ("hello", false), ("", false), (" \n", false),
    ("null", false), (#""ok""#, false), ("true", false),
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
    #expect(bench.results.allSatisfy { $0.lack == .service })
  }

  /// Where nothing is listed, a success without an item may be what answers everything.
  @Test(arguments: [
    (404, "", ReplayOutcome.applied), (410, #"{"error":"The item does not exist"}"#, .applied),
    (200, #"{"id":"a","version":"V1"}"#, .rejected), (200, #"{"id":"a","deleted":true}"#, .applied),
    (204, "", .inDoubt), (200, #"{"status":"ok"}"#, .inDoubt), (404, page, .inDoubt),
    (403, "{}", .inDoubt),
  ])
  func deletionIsLookedAtWhereNothingIsListed(
    _ status: Int, _ body: String, _ outcome: ReplayOutcome
  ) throws {
    var bench = bench([operation(1, .delete, version: "V1"), operation(2, .delete, id: "b")]) {
      ($0.maxAttempts, $0.jobs) = (1, 1)
    }
    try bench.feed(.start)
    try bench.answer(200, #"{"status":"ok"}"#)
    #expect(bench.sent == ["DELETE tables/TodoItem/a"])
    try bench.answer(204)
    #expect(bench.sent == ["GET tables/TodoItem/a"])
    try bench.answer(status, body)
    #expect(bench.results.map(\.outcome) == [outcome])
    // A host that speaks of success whatever it is asked may be none that has tables.
    let isStrange = outcome == .inDoubt && (200..<300).contains(status)
    #expect(bench.results.map(\.lack) == [isStrange ? .service : nil])
    // What has deleted an item is believed from then on.
    #expect(bench.sent == ["DELETE tables/TodoItem/b"])
    try bench.answer(204, step: 1)
    #expect(bench.results.count == (outcome == .applied ? 2 : 1))
  }

  /// What shows whatever it is sent proves nothing of deletions, which an item does that it has deleted.
  @Test func echoProvesNoDeletionWhereNothingIsListed() throws {
    var bench = bench(
      [operation(1, .insert)] + (2...4).map { operation($0, .delete, id: "item\($0)") }
    ) { ($0.maxAttempts, $0.jobs) = (1, 1) }
    try bench.feed(.start)
    try bench.answer(200, #"{"status":"ok"}"#)
    try bench.answer(200, Bench.row)
    #expect(bench.results.map(\.outcome) == [.applied])
    for (step, status, outcome) in [(1, 200, ReplayOutcome.inDoubt), (2, 404, .applied)] {
      try bench.answer(204, step: step)
      #expect(bench.sent == ["GET tables/TodoItem/item\(step + 1)"])
      try bench.answer(status, status == 404 ? "" : #"{"status":"ok"}"#, step: step)
      #expect(bench.results.last?.outcome == outcome)
    }
    try bench.answer(204, step: 3)
    #expect(bench.results.map(\.outcome) == [.applied, .inDoubt, .applied, .applied])
  }

  /// Whoever may not read is told nothing by an answer that finds nothing and does not say what.
  @Test(arguments: [
    ("", ReplayOutcome.inDoubt), (#"{"error":"The item does not exist"}"#, .applied),
  ])
  func deletionThatIsNotShownStaysInDoubtWhereTheTableIsClosed(
    _ body: String, _ outcome: ReplayOutcome
  ) throws {
    var bench = bench([operation(1, .delete)])
    try bench.feed(.start)
    try bench.answer(403)
    try bench.answer(200, #"{"status":"ok"}"#)
    #expect(bench.sent == ["GET tables/TodoItem/a"])
    try bench.answer(404, body)
    #expect(bench.results.map(\.outcome) == [outcome])
  }

  /// An empty object is what a server of Parse answers to a deletion, and no list.
  @Test(arguments: [
    ("{}", false), ("[]", false), (#"{"items":[]}"#, false), (#"{"value":[]}"#, false),
    (#"{"results":{}}"#, false), (#"{"results":[]}"#, true),
    (#"{"results":[{"objectId":"k"}]}"#, true),
  ])
  func listsOfParseHaveOneForm(_ body: String, _ isList: Bool) throws {
    var bench = bench([operation(1, .delete, version: "k@")], .parse) { $0.maxAttempts = 1 }
    try bench.feed(.start)
    #expect(bench.sent == ["GET classes/TodoItem"])
    try bench.answer(200, body)
    #expect(bench.results.map(\.outcome) == (isList ? [] : [.rejected]))
    #expect(bench.sent == (isList ? ["DELETE classes/TodoItem/k"] : []))
  }

  @Test(arguments: ["", page, #"{"message":"No HTTP resource was found"}"#, "{}"])
  func tableThatIsNotThereRefusesEverything(_ body: String) throws {
    var bench = bench([operation(1, .delete), operation(2, .update, id: "b")])
    try bench.feed(.start)
    try bench.answer(404, body)
    #expect(bench.results.map(\.outcome) == [.rejected, .rejected])
    #expect(bench.results.allSatisfy { $0.words?.contains("no table tables/TodoItem") == true })
    #expect(bench.results.allSatisfy { $0.lack == .table })
    #expect(bench.summary?.stop == nil)
    // What was refused begins anew in the next run.
    var history = ReplayHistory()
    history.add(1, event: "rejected", version: nil, status: 404)
    #expect(ReplayPlan([operation(1, .delete)], history: history)[0]?.isInDoubt == false)
  }

  /// A server of another version would refuse every change as it refuses the question.
  @Test(arguments: [
    #"{"message":"An invalid API version was specified in the request."}"#,
    "Bad request: ZUMO-API-VERSION is not supported",
    #"{"error":{"code":"ApiVersionUnspecified","message":"An API version is required."}}"#,
  ])
  func serverOfAnotherVersionGetsNothing(_ body: String) throws {
    var bench = bench([operation(1, .update), operation(2, .delete, id: "b")])
    try bench.feed(.start)
    try bench.answer(400, body)
    #expect(bench.sent == [])
    #expect(bench.results.map(\.outcome) == [.rejected, .rejected])
    #expect(bench.results.allSatisfy { $0.lack == .version && $0.status == 400 })
  }

  /// A query that is not allowed says nothing of changes.
  @Test(arguments: [
    "the version of top is invalid", "parameter $top is not supported in this API version",
    "the API version is fine, the parameter is not",
  ])
  func serverThatRefusesTheQuestionAloneIsSentChanges(_ words: String) throws {
    var bench = bench([operation(1, .delete)])
    try bench.feed(.start)
    try bench.answer(400, #"{"error":"\#(words)"}"#)
    #expect(bench.sent == ["DELETE tables/TodoItem/a"])
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

  /// That an item cannot be read says nothing of the credentials, with which changes pass.
  @Test(arguments: [401, 403], [true, false])
  func whatMayNotBeComparedKeepsNothingElseBack(_ status: Int, _ isClosed: Bool) throws {
    var bench = bench([operation(1, .insert), operation(2, .insert, id: "b")]) { $0.jobs = 1 }
    try bench.feed(.start)
    try bench.answer(isClosed ? status : 200, "[]")
    try bench.answer(409, "{}")
    #expect(bench.sent == ["GET tables/TodoItem/a"])
    try bench.answer(status, "{}")
    #expect(bench.results.map(\.outcome) == [.conflict])
    #expect(bench.results.first?.situation == .exists && bench.results.first?.serverItem == nil)
    #expect(bench.sent == ["POST tables/TodoItem"])
    try bench.answer(201, #"{"id":"b","text":"ours"}"#, step: 1)
    #expect(bench.summary?.counts == [.conflict: 1, .applied: 1])
    #expect(bench.summary?.stop == nil)
  }

  private func doubtful(_ count: Int, change: (inout ReplaySettings) -> Void = { _ in }) -> Bench {
    var history = ReplayHistory()
    history.add(1, event: "sending", version: nil)
    let operations = [operation(1, .insert), operation(2, .insert, id: "b")].prefix(count)
    return Bench(Array(operations), history: history) { settings in
      (settings.asksForTables, settings.jobs) = (true, 1)
      change(&settings)
    }
  }

  @Test(arguments: [401, 403], [201, 401])
  func changeTellsWhetherTheCredentialsAreGood(_ status: Int, _ answer: Int) throws {
    var bench = doubtful(2)
    try bench.feed(.start)
    try bench.answer(status)
    #expect(bench.sent == ["GET tables/TodoItem/a"])
    try bench.answer(status)
    #expect(bench.results.map(\.outcome) == [.inDoubt])
    #expect(bench.sent == ["POST tables/TodoItem"])
    try bench.answer(answer, #"{"id":"b","text":"ours"}"#, step: 1)
    #expect(bench.summary?.stop == (answer == 201 ? nil : .notPermitted(status: 401)))
    #expect(bench.summary?.counts == [.inDoubt: 1, answer == 201 ? .applied : .pending: 1])
  }

  /// A server that refuses a change for what it has lets the credentials change something.
  @Test(arguments: [409, 412])
  func conflictTellsThatTheCredentialsAreGood(_ answer: Int) throws {
    var bench = doubtful(2)
    try bench.feed(.start)
    for _ in 0..<2 { try bench.answer(403) }
    #expect(bench.sent == ["POST tables/TodoItem"])
    let item = #"{"id":"b","text":"theirs","version":"V"}"#
    try bench.answer(answer, item, step: 1)
    if bench.summary == nil { try bench.answer(200, item, step: 1) }
    #expect(bench.results.map(\.outcome) == [.inDoubt, .conflict])
    #expect(bench.summary != nil && bench.summary?.stop == nil)
  }

  @Test(arguments: [401, 403]) func runInWhichNothingPassedWantsOtherCredentials(
    _ status: Int
  ) throws {
    var bench = doubtful(1)
    try bench.feed(.start)
    try bench.answer(status)
    try bench.answer(status)
    #expect(bench.results.map(\.outcome) == [.inDoubt])
    #expect(bench.summary?.stop == .notPermitted(status: status))
  }

  @Test func proxyThatWantsCredentialsStopsTheRun() throws {
    var bench = doubtful(2)
    try bench.feed(.start)
    try bench.answer(200, "[]")
    try bench.answer(407)
    #expect(bench.summary?.stop == .notPermitted(status: 407))
    #expect(bench.summary?.counts == [.inDoubt: 1, .pending: 1])
  }

  /// A success without the item stays in doubt; whoever may have signed out gives nothing up, nor
  /// sends it once more.
  @Test(arguments: [ConflictPolicy.skip, .clientWins, .serverWins])
  func successThatMayNotBeSeenStaysInDoubt(_ policy: ConflictPolicy) throws {
    var bench = bench([operation(1, .insert), operation(2, .insert, id: "b")]) {
      ($0.jobs, $0.conflicts) = (1, ConflictRules(policy))
    }
    try bench.feed(.start)
    try bench.answer(403)
    try bench.answer(204)
    try bench.answer(403)
    #expect(bench.results.map(\.outcome) == [.inDoubt])
    #expect(bench.results.first?.words?.contains("does not let the item be read") == true)
    try bench.answer(204, step: 1)
    try bench.answer(403, step: 1)
    #expect(bench.summary?.stop == nil)
    var later = Bench([operation(1, .insert)], history: bench.history) {
      $0.conflicts = ConflictRules(policy)
    }
    try later.feed(.start)
    try later.answer(401)
    #expect(later.results.map(\.outcome) == [.inDoubt])
    #expect(later.results.map(\.reason) == [nil])
    #expect(later.summary?.stop == .notPermitted(status: 401))
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
    #expect(bench.results.first?.lack == nil)
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
