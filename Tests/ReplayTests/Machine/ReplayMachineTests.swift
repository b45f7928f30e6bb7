import Records
import Testing

@testable import Replay

struct ReplayMachineTests {
  private static let ours = #"{"id":"a","text":"ours","version":"V2"}"#
  private static let theirs = #"{"id":"a","text":"theirs","version":"V2"}"#

  @Test func journalComesBeforeRequestAndAfterAnswer() throws {
    var bench = Bench([operation(1, .insert)])
    try bench.feed(.start)
    var sending = JournalEntry([1], .sending)
    sending.attempt = 1
    #expect(bench.actions.first == .journal([sending]))
    #expect(bench.actions.count == 2)
    #expect(bench.sent == ["POST tables/TodoItem"])
    try bench.answer(201, Self.ours, etag: "\"V3\"")
    var ended = JournalEntry([1], .outcome(.applied))
    ended.status = 201
    ended.version = "V3"
    #expect(bench.actions.first == .journal([ended]))
    #expect(bench.summary?[.applied] == 1)
    #expect(bench.summary?.stop == nil)
  }

  @Test(arguments: [
    ReplayEvent.failure(step: 0, .unknown("reset")),
    .answer(step: 0, ReplayAnswer(status: 500)),
    .answer(step: 0, ReplayAnswer(status: 503)),
    .answer(step: 0, ReplayAnswer(status: 200, body: Array("<html>".utf8))),
    .answer(step: 0, ReplayAnswer(status: 200, body: Array(#"{"id":"b"}"#.utf8))),
    .failure(step: 0, .redirected(to: "https://elsewhere.example/", status: 302)),
  ])
  func whatMayHaveArrivedIsAskedAbout(_ event: ReplayEvent) throws {
    var bench = Bench([operation(1, .update, version: "V1")])
    try bench.feed(.start)
    try bench.feed(event)
    if bench.requests.isEmpty { try bench.wait() }
    #expect(bench.sent == ["GET tables/TodoItem/a"])
    try bench.answer(200, Self.ours)
    #expect(bench.results.map(\.outcome.isFinal) == [true])
    #expect(bench.results.map(\.version) == ["V2"])
  }

  /// The second device meets what the first has left, whatever became of that.
  @Test func deviceWaitsForTheLastStepOfTheOneBefore() throws {
    var operations = [
      operation(1, .insert), operation(2, .insert, id: "b"), operation(3, .update, version: "V1"),
      operation(4, .insert, id: "c"),
    ]
    for place in operations.indices { operations[place].source = place < 2 ? 1 : 2 }
    var bench = Bench(operations) { $0.jobs = 4 }
    try bench.feed(.start)
    #expect(bench.sent == ["POST tables/TodoItem", "POST tables/TodoItem"])
    try bench.answer(201, Self.ours, step: 0)
    #expect(bench.requests.isEmpty)
    try bench.answer(400, #"{"error":"no"}"#, step: 1)
    #expect(bench.sent == ["PATCH tables/TodoItem/a", "POST tables/TodoItem"])
    #expect(bench.requests.first?.condition == "\"V1\"")
  }

  /// What a passing failure leaves for a later run is overtaken neither by what the next device has for
  /// the item nor by its other spelling.
  @Test(arguments: [408, 429, 500, 503], [false, true])
  func unsettledChangeIsNotOvertaken(status: Int, isTwin: Bool) throws {
    var operations = [
      operation(1, .update), operation(2, .update, id: isTwin ? "A" : "a"),
      operation(3, .update, id: "b"),
    ]
    for place in operations.indices where !isTwin { operations[place].source = place == 0 ? 1 : 2 }
    let habits = FoldHabits(exactSources: isTwin ? [0] : [])
    var bench = Bench(operations, habits: habits) {
      ($0.jobs, $0.maxAttempts) = (1, 1)
    }
    try bench.feed(.start)
    try bench.answer(status)
    if status == 500 { try bench.answer(200, #"{"id":"a","text":"old"}"#) }
    #expect(bench.sent == ["PATCH tables/TodoItem/b"])
    try bench.answer(200, #"{"id":"b","text":"ours"}"#, step: 2)
    #expect(bench.results.map(\.outcome.isFinal) == [false, false, true])
    #expect(bench.results[1].reason == .afterUnfinished)

    var later = Bench(operations, history: bench.history, habits: habits) { $0.jobs = 4 }
    var changes: [Int] = []
    try later.feed(.start)
    while let request = later.requests.first {
      if request.purpose != .ask { changes.append(request.step) }
      let text = request.purpose == .ask ? "old" : "ours"
      try later.answer(
        200, #"{"id":"\#(request.path.suffix(1))","text":"\#(text)"}"#, step: request.step)
    }
    #expect(changes == [0, 1])
    #expect(later.summary?[.applied] == 2)
  }

  /// What the server has to say about one device's change, it says in every run.
  @Test(arguments: [400, 412])
  func settledRefusalHoldsNoOtherDeviceBack(_ status: Int) throws {
    var operations = [operation(1, .update, version: "V1"), operation(2, .update)]
    for place in operations.indices { operations[place].source = Int32(place + 1) }
    var bench = Bench(operations)
    try bench.feed(.start)
    try bench.answer(status, status == 412 ? Self.theirs : "")
    #expect(bench.sent == ["PATCH tables/TodoItem/a"])
    #expect(bench.requests.first?.step == 1)
  }

  /// A change that was refused does not end on top of a later device's, which the same run sent: where
  /// no version lets the server tell.
  @Test(arguments: [nil, "V1"], [ConflictPolicy.skip, .clientWins, .serverWins])
  func refusedChangeIsNotSentBehindALaterOne(version: String?, policy: ConflictPolicy) throws {
    var operations = [
      operation(1, .update, version: version), operation(2, .update, id: "b"),
      operation(3, .update),
    ]
    for place in operations.indices { operations[place].source = place == 2 ? 2 : 1 }
    var bench = Bench(operations)
    try bench.feed(.start)
    try bench.answer(400)
    try bench.answer(400, step: 1)
    try bench.answer(200, Self.theirs, step: 2)
    #expect(bench.results.map(\.outcome) == [.rejected, .rejected, .applied])

    var later = Bench(operations, history: bench.history) {
      ($0.jobs, $0.conflicts) = (1, ConflictRules(policy))
    }
    try later.feed(.start)
    let isHeld = version == nil
    #expect(later.machine.plan.held.map(\.reason) == (isHeld ? [.overtaken] : []))
    // What nobody has overtaken has its turn again.
    #expect(later.sent == ["PATCH tables/TodoItem/\(isHeld ? "b" : "a")"])
    #expect(isHeld || later.requests.first?.condition == "\"V1\"")
    #expect(later.results.isEmpty)
    guard !isHeld else { return }
    // That the device wins against the server is no word about another device.
    try later.answer(412, Self.theirs)
    #expect(later.results.map(\.outcome) == [policy == .serverWins ? .dropped : .conflict])
    #expect(later.sent == ["PATCH tables/TodoItem/b"])
  }

  /// What no run could send is still older than what a run has sent behind it.
  @Test func changeThatWaitsForADecisionIsOlderThanALaterOne() throws {
    var operations = [
      operation(1, .delete, version: "V1"), operation(2, .insert), operation(3, .update),
    ]
    for place in operations.indices { operations[place].source = place == 2 ? 2 : 1 }
    var bench = Bench(operations)
    try bench.feed(.start)
    try bench.answer(412, Self.theirs)
    #expect(bench.requests.map(\.step) == [2])
    try bench.answer(200, Self.theirs, step: 2)
    #expect(bench.results.map(\.outcome) == [.conflict, .pending, .applied])
    #expect(bench.history.state(of: 2) == .ended(.pending))
    // Alone the device knows by itself what comes first.
    for place in operations.indices { operations[place].source = 1 }
    var alone = Bench(operations)
    try alone.feed(.start)
    try alone.answer(412, Self.theirs)
    #expect(alone.history.state(of: 2) == nil)
  }

  @Test func heldOperationIsKeptBeforeALaterDeviceSends() throws {
    var operations = [operation(1, .update), operation(2, .update)]
    for place in operations.indices { operations[place].source = Int32(place + 1) }
    operations[0].rowKey = nil
    var bench = Bench(operations) { $0.asksForTables = true }
    try bench.feed(.start)
    // A server that never answers is told of in no journal.
    #expect(bench.sent.count == 1 && bench.history.isEmpty)
    try bench.answer(200, "[]")
    #expect(bench.sent == ["PATCH tables/TodoItem/a"])
    #expect(bench.history.state(of: 1) == .ended(.pending))
    let events = bench.actions.flatMap { action -> [JournalEntry.Event] in
      if case .journal(let entries) = action { entries.map(\.event) } else { [] }
    }
    #expect(events == [.held, .sending])
  }

  /// A later device's change that an earlier run has sent may be there already, or is sent once more.
  @Test(arguments: [true, false])
  func heldOperationIsKeptBeforeADoubtIsSettled(isThere: Bool) throws {
    var operations = [operation(1, .update), operation(2, .update)]
    for place in operations.indices { operations[place].source = Int32(place + 1) }
    operations[0].rowKey = nil
    var history = ReplayHistory()
    history.add(2, event: "sending", version: nil)
    var bench = Bench(operations, history: history)
    try bench.feed(.start)
    try bench.answer(200, isThere ? #"{"id":"a","text":"new"}"# : #"{"id":"a","text":"old"}"#)
    if bench.sent.last?.hasPrefix("PATCH") == true {
      try bench.answer(200, #"{"id":"a","text":"new"}"#)
    }
    #expect(bench.results.last?.outcome.isFinal == true)
    #expect(bench.history.state(of: 1) == .ended(.pending))
  }

  /// Of very many items some may be taken for unsettled, and none of those that are is missed.
  @Test func manyUnsettledItemsAreAllKnown() {
    let count = UnsettledItems.mostHashes
    var items = UnsettledItems(capacity: 2 * count)
    let hashes = (0..<2 * count).map { _ in UInt64.random(in: .min ... .max) }
    #expect(items.isEmpty && !items.mayContain(hashes[0]))
    for hash in hashes[..<count] { items.insert(hash) }
    #expect(hashes[..<count].allSatisfy(items.mayContain))
    #expect(!hashes[count...].contains(where: items.mayContain))
    for hash in hashes[count...] { items.insert(hash) }
    #expect(hashes.allSatisfy(items.mayContain))
  }

  @Test(arguments: [("https://elsewhere.example/", "elsewhere.example"), (nil, "302")])
  func redirectIsToldByWhatIsKnownOfIt(place: String?, words: String) {
    #expect(TransportFailure.redirected(to: place, status: 302).words.contains(words))
  }

  @Test func whatSurelyNeverLeftIsSentAgainUnasked() throws {
    var bench = Bench([operation(1, .insert)])
    try bench.feed(.start)
    try bench.feed(.failure(step: 0, .notSent("refused")))
    #expect(bench.requests.isEmpty)
    try bench.wait()
    #expect(bench.sent == ["POST tables/TodoItem"])
    // The journal knows it already.
    #expect(bench.actions.count == 1)
  }

  @Test(arguments: [
    (Dialect.v1, ["GET tables/TodoItem/a"]), (.v2, ["GET tables/TodoItem/a"]), (.v3, []),
    (.toolkit, []),
  ])
  func clashIsComparedWithWhatTheServerReallyHas(_ dialect: Dialect, _ sent: [String]) throws {
    var bench = Bench([operation(1, .insert)], dialect)
    try bench.feed(.start)
    try bench.answer(409, Self.ours)
    #expect(bench.sent == sent)
    if !sent.isEmpty { try bench.answer(200, #"{"id":"a","text":"theirs"}"#) }
    #expect(bench.results.first?.outcome == (sent.isEmpty ? .alreadyApplied : .conflict))
    #expect(bench.results.first?.situation == (sent.isEmpty ? nil : .exists))
  }

  @Test func refusedConditionWithoutItemIsAskedAbout() throws {
    var bench = Bench([operation(1, .update, version: "V1")])
    try bench.feed(.start)
    try bench.answer(412, "null")
    #expect(bench.sent == ["GET tables/TodoItem/a"])
    try bench.answer(200, Self.theirs)
    let result = try #require(bench.results.first)
    #expect(result.outcome == .conflict && result.situation == .changed)
    #expect(result.version == "V2" && result.serverItem == Array(Self.theirs.utf8))
  }

  /// What is refused of an item in the version that the device knows is refused for another reason.
  @Test(
    arguments: [OperationKind.update, .delete],
    [
      (409, #"{"error":"is referenced"}"#, "is referenced"), (412, "", nil),
      (409, #"{"id":"a","title":"a value"}"#, nil),
    ] as [(Int, String, String?)])
  func refusalOfAnItemOfTheKnownVersionIsNoConflict(
    kind: OperationKind, answer: (status: Int, body: String, words: String?)
  ) throws {
    for policy in [ConflictPolicy.skip, .clientWins] {
      var bench = Bench([operation(1, kind, version: "V1")]) {
        $0.conflicts = ConflictRules(policy)
      }
      try bench.feed(.start)
      while !bench.requests.isEmpty {
        try bench.answer(answer.status, answer.body)
        try bench.answer(200, #"{"id":"a","text":"old","version":"V1"}"#)
      }
      let result = try #require(bench.results.first)
      #expect(result.outcome == .rejected && result.status == answer.status)
      #expect(
        result.words
          == answer.words
          ?? "the server refuses the change of an item that has the version asked for")
    }
  }

  @Test func conflictHasTheStatusOfTheRefusal() throws {
    for (kind, status) in [(OperationKind.insert, 409), (.update, 412), (.delete, 412)] {
      var bench = Bench([operation(1, kind, version: kind == .insert ? nil : "V1")])
      try bench.feed(.start)
      try bench.answer(status)
      try bench.answer(200, Self.theirs)
      #expect(bench.results.map(\.outcome) == [.conflict])
      #expect(bench.results.map(\.status) == [status])
    }
  }

  /// A refusal that was mended is not told of the one that follows.
  @Test func laterRefusalHasItsOwnStatus() throws {
    var bench = Bench([operation(1, .update, version: "V1")])
    try bench.feed(.start)
    try bench.answer(409, #"{"error":"a race"}"#)
    try bench.answer(200, #"{"id":"a","text":"old","version":"V1"}"#)
    try bench.answer(400, #"{"error":"no milk"}"#)
    #expect(bench.results.map(\.status) == [400])
    #expect(bench.results.map(\.words) == ["no milk"])
  }

  @Test(arguments: [404, 410]) func deletingWhatIsNotThereIsDone(_ status: Int) throws {
    var bench = Bench([operation(1, .delete, version: "V1")], .v3)
    try bench.feed(.start)
    try bench.answer(status)
    #expect(bench.results.map(\.outcome) == [.alreadyApplied])
  }

  @Test func changingWhatIsNotThereIsAConflict() throws {
    var bench = Bench([operation(1, .update, version: "V1")])
    try bench.feed(.start)
    try bench.answer(404)
    try bench.answer(404)
    #expect(bench.results.map(\.situation) == [.deleted])
  }

  @Test func refusalKeepsTheServersWordsAndStopsTheItem() throws {
    var bench = Bench([
      operation(1, .delete), operation(2, .insert), operation(3, .insert, id: "b"),
    ])
    try bench.feed(.start)
    try bench.answer(400, #"{"error":"no milk"}"#)
    #expect(bench.results.first?.words == "no milk")
    #expect(bench.results.map(\.outcome) == [.rejected, .pending])
    try bench.answer(201, #"{"id":"b"}"#, step: 2)
    #expect(bench.results.map(\.reason) == [nil, .afterUnfinished, nil])
    #expect(bench.summary?.counts == [.rejected: 1, .pending: 1, .applied: 1])
    #expect(bench.summary?.temporary == 0)
  }

  @Test(arguments: [401, 403]) func missingRightsStopAtOnce(_ status: Int) throws {
    var bench = Bench(
      (1...4).map { operation($0, .insert, id: "item\($0)") }, change: { $0.jobs = 2 })
    try bench.feed(.start)
    #expect(bench.requests.count == 2)
    try bench.answer(status)
    #expect(bench.requests.isEmpty && bench.summary == nil)
    try bench.answer(201, #"{"id":"item2"}"#, step: 1)
    #expect(bench.summary?.stop == .notPermitted(status: status))
    #expect(bench.summary?.counts == [.pending: 3, .applied: 1])
    #expect(bench.results.map(\.reason) == [.notPermitted, nil, .stopped, .stopped])
  }

  /// What the server has not refused itself only had no turn.
  @Test func aRefusalIsThatOfOneItem() throws {
    var bench = Bench(
      [operation(1, .insert), operation(2, .update, id: "b")], change: { $0.jobs = 2 })
    try bench.feed(.start)
    // The item that is not there is asked for, and the question waits.
    try bench.answer(404, "{}", step: 1)
    try bench.answer(429, step: 1)
    try bench.answer(403, #"{"error":"not yours"}"#)
    #expect(bench.results.map(\.status) == [403, 429])
    #expect(bench.results.map(\.reason) == [.notPermitted, .stopped])
  }

  @Test func serverThatNeverAnswersIsUnreachable() throws {
    var bench = Bench([operation(1, .insert), operation(2, .insert, id: "b")])
    try bench.feed(.start)
    var tries = 0
    while bench.summary == nil, tries < 100 {
      tries += bench.requests.count
      try bench.feed(.failure(step: 0, .notSent("refused")))
      if bench.summary == nil { try bench.wait() }
    }
    #expect(tries == 8)
    #expect(bench.summary?.stop == .unreachable("refused"))
    #expect(bench.summary?.temporary == 2)
  }

  @Test func answersWithoutWordsAreAnswers() throws {
    var bench = Bench((1...4).map { operation($0, .update, id: "item\($0)") })
    try bench.feed(.start)
    var tries = 0
    while bench.summary == nil, tries < 100 {
      tries += 1
      guard let request = bench.requests.first else {
        try bench.wait()
        continue
      }
      try bench.answer(503, step: request.step)
    }
    #expect(bench.summary?.stop == .unavailable("status 503 without words"))
  }

  /// Three changes that the server answers with failures alone end the run, and one between them that it
  /// takes lets it go on.
  @Test(arguments: [true, false])
  func threeChangesGivenUpInARowEndTheRun(isOneTaken: Bool) throws {
    var bench = Bench(
      (1...5).map { operation($0, .update, id: "item\($0)") },
      change: { ($0.maxAttempts, $0.jobs) = (1, 1) })
    try bench.feed(.start)
    for _ in 0..<40 where bench.summary == nil {
      if let request = bench.requests.first {
        let isTaken = isOneTaken && request.step == 2
        try bench.answer(
          isTaken ? 200 : 503, #"{"id":"item3","text":"ours"}"#, step: request.step)
      } else {
        try bench.wait()
      }
    }
    #expect((bench.summary?.stop == nil) == isOneTaken)
    #expect(
      bench.summary?.counts
        == (isOneTaken ? [.inDoubt: 4, .applied: 1] : [.inDoubt: 3, .pending: 2]))
  }

  @Test func doubtThatNobodySettlesStays() throws {
    var bench = Bench([operation(1, .insert)], change: { $0.maxAttempts = 2 })
    try bench.feed(.start)
    try bench.feed(.failure(step: 0, .unknown("reset")))
    try bench.wait()
    try bench.answer(500)
    #expect(bench.results.map(\.outcome) == [.inDoubt])
    #expect(bench.summary?.temporary == 1)
  }

  @Test func pauseThatTheServerAsksForHoldsForAll() throws {
    var bench = Bench(
      [operation(1, .insert), operation(2, .insert, id: "b")], change: { $0.jobs = 1 })
    try bench.feed(.start)
    try bench.answer(429, retryAfter: "7")
    #expect(bench.actions == [.wake(at: bench.now + 7000)])
    try bench.feed(.tick, after: 6999)
    #expect(bench.requests.isEmpty)
    try bench.feed(.tick, after: 1)
    #expect(bench.sent == ["GET tables/TodoItem/a"])
  }

  @Test func doubtOfAnEarlierRunIsAskedAboutFirst() throws {
    var history = ReplayHistory()
    history.add(1, event: "sending", version: nil)
    var bench = Bench([operation(1, .insert)], .v1, history: history)
    try bench.feed(.start)
    #expect(bench.sent == ["GET tables/TodoItem/a"])
    #expect(bench.requests.first?.query.first?.value == "*")
    try bench.answer(404)
    #expect(bench.sent == ["POST tables/TodoItem"])
  }

  @Test func rateSpacesRequests() throws {
    var bench = Bench(
      (1...3).map { operation($0, .insert, id: "item\($0)") },
      change: { settings in
        settings.jobs = 3
        settings.rate = 4
      })
    try bench.feed(.start)
    #expect(bench.requests.count == 1)
    #expect(bench.actions.last == .wake(at: bench.now + 250))
    try bench.wait()
    #expect(bench.requests.count == 1)
  }

  @Test(arguments: 0...2 as ClosedRange<Int>)
  func moreFailuresThanAllowedEndTheRun(_ most: Int) throws {
    var bench = Bench(
      (1...4).map { operation($0, .insert, id: "item\($0)") }, change: { $0.maxFailures = most })
    try bench.feed(.start)
    for step in 0...most {
      #expect(bench.summary == nil)
      try bench.answer(400, step: step)
    }
    #expect(bench.summary?.stop == .tooManyFailures)
    #expect(bench.summary?.counts == [.rejected: most + 1, .pending: 3 - most])
  }

  @Test func conflictsAreNoFailures() throws {
    var bench = Bench(
      (1...2).map { operation($0, .update, id: "item\($0)", version: "V1") },
      change: { $0.maxFailures = 0 })
    try bench.feed(.start)
    for step in 0...1 {
      try bench.answer(412, #"{"id":"item\#(step + 1)","version":"V2"}"#, step: step)
    }
    #expect(bench.summary?.stop == nil)
    #expect(bench.summary?.counts == [.conflict: 2])
  }

  /// To the device, ids that differ only in letter case are two.
  private static let exact = FoldHabits(exactSources: [0])

  @Test(arguments: [Dialect.v1, .v2, .v3, .toolkit])
  func oneItemUnderTwoSpellingsOfItsIDIsChangedInOrder(_ dialect: Dialect) throws {
    var bench = Bench(
      [
        operation(1, .delete, id: "é1"), operation(2, .delete, id: "É1"),
        operation(3, .insert, id: "é1"), operation(4, .update, id: "b"),
      ], dialect, habits: Self.exact, change: { $0.jobs = 4 })
    try bench.feed(.start)
    #expect(bench.requests.map(\.step) == [0, 3])
    try bench.answer(204, step: 0)
    #expect(bench.requests.map(\.step) == [1])
    try bench.answer(200, #"{"id":"b"}"#, step: 3)
    #expect(bench.requests.isEmpty)
    try bench.answer(204, step: 1)
    #expect(bench.requests.map(\.step) == [2])
    try bench.answer(201, #"{"id":"é1"}"#, step: 2)
    #expect(bench.results.map(\.outcome) == Array(repeating: .applied, count: 4))
    #expect(bench.summary != nil)
  }

  /// Each step on an item expects the version that the one before has left, whatever other items do
  /// meanwhile.
  @Test func stepsOnOneItemHandOnItsVersion() throws {
    var habits = FoldHabits()
    habits.keepsApart = true
    let items = ["a", "b", "a", "b", "a", "c"]
    var bench = Bench(
      items.enumerated().map { operation(Int64($0 + 1), .update, id: $1, version: "\($1)0") },
      habits: habits, change: { $0.jobs = 2 })
    try bench.feed(.start)
    #expect(bench.requests.map(\.condition) == ["\"a0\"", "\"b0\""])
    try bench.answer(200, #"{"id":"a"}"#, step: 0, etag: "\"a1\"")
    #expect(bench.requests.map(\.condition) == ["\"a1\""])
    try bench.answer(200, #"{"id":"b"}"#, step: 1)
    #expect(bench.requests.map(\.step) == [3])
    #expect(bench.requests.map(\.condition) == [nil])
    try bench.answer(200, #"{"id":"a"}"#, step: 2, etag: "\"a2\"")
    #expect(bench.requests.map(\.condition) == ["\"a2\""])
    try bench.answer(400, step: 3)
    #expect(bench.requests.map(\.condition) == ["\"c0\""])
    try bench.answer(200, #"{"id":"a"}"#, step: 4, etag: "\"a3\"")
    try bench.answer(200, #"{"id":"c"}"#, step: 5, etag: "\"c1\"")
    #expect(bench.results.count == items.count && bench.summary != nil)
  }

  @Test func manySpellingsOfOneIDTakeTheirTurns() throws {
    let ids = ["abc", "ABC", "Abc", "aBC", "abC", "other"]
    var bench = Bench(
      ids.enumerated().map { operation(Int64($0 + 1), .delete, id: $1) }, habits: Self.exact,
      change: { $0.jobs = 3 })
    try bench.feed(.start)
    #expect(bench.requests.map(\.step) == [0, 5])
    for step in 0..<4 {
      try bench.answer(204, step: step)
      #expect(bench.requests.map(\.step) == [step + 1])
    }
    try bench.feed(.stop("interrupted"))
    try bench.answer(204, step: 4)
    try bench.answer(204, step: 5)
    #expect(bench.summary?.counts == [.applied: 6])
  }

  @Test func spellingsThatNeverHadTheirTurnAreTold() throws {
    var bench = Bench(
      [operation(1, .delete, id: "abc"), operation(2, .delete, id: "ABC")], habits: Self.exact,
      change: { $0.jobs = 2 })
    try bench.feed(.start)
    try bench.feed(.stop("interrupted"))
    try bench.answer(204)
    #expect(bench.results.map(\.outcome) == [.applied, .pending])
    #expect(bench.summary != nil)
  }

  @Test func failuresAreCountedByOperation() throws {
    var bench = Bench(
      [operation(1, .insert), operation(2, .update), operation(3, .insert, id: "b")],
      change: { $0.maxFailures = 1 })
    try bench.feed(.start)
    try bench.answer(400)
    #expect(bench.summary?.counts == [.rejected: 2, .pending: 1])
  }

  @Test func stopLeavesWhatIsUnderWayToEnd() throws {
    var bench = Bench([operation(1, .insert), operation(2, .insert, id: "b")])
    try bench.feed(.start)
    try bench.feed(.stop("interrupted"))
    #expect(bench.summary == nil)
    try bench.feed(.failure(step: 0, .unknown("reset")))
    #expect(bench.results.map(\.outcome) == [.inDoubt, .pending])
    #expect(bench.summary?.stop == .requested("interrupted"))
  }
}
