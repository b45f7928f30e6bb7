import Records
import TestSupport
import Testing

@testable import Replay

/// A change that brings a deleted item back comes to the same whatever gets lost on the way.
struct RevivalTests {
  private static let dialects: [Dialect] = [.v1, .v2, .v3]

  /// An update of an item that the server has deleted, up to the request that brings it back.
  private func bench(
    _ dialect: Dialect = .v2, _ kind: OperationKind = .update, history: ReplayHistory? = nil,
    policy: ConflictPolicy? = nil
  ) throws -> Bench {
    var rules = ConflictRules(policy ?? .skip)
    if policy == nil {
      let folder = try TemporaryFolder()
      let text = "table,operation,situation,decision\n*,*,deleted,client-wins\n"
      try rules.addTable(at: folder.write(text, to: "rules.csv"))
    }
    var change = operation(1, kind, version: kind == .update ? "V1" : nil)
    change.item = Array(#"{"id":"a","text":"ours","updatedAt":"2020-01-01T00:00:00Z"}"#.utf8)
    var bench = Bench([change], dialect, history: history ?? ReplayHistory()) {
      $0.conflicts = rules
    }
    try bench.feed(.start)
    guard history == nil else { return bench }
    try bench.answer(kind == .update ? 404 : 409)
    try bench.answer(200, item("old", "V2", isDeleted: true, dialect))
    #expect(bench.requests.map(\.purpose) == [.undelete])
    return bench
  }

  /// The item as the server shows it; it was changed late unless it is deleted.
  private func item(
    _ text: String, _ version: String, isDeleted: Bool = false, _ dialect: Dialect = .v2
  ) -> String {
    let mark = dialect == .v1 ? "__" : ""
    let time = isDeleted ? "2019-01-01T00:00:00Z" : "2026-01-01T00:00:00Z"
    return #"{"id":"a","\#(mark)version":"\#(version)","\#(mark)updatedAt":"\#(time)","#
      + #""text":"\#(text)","\#(mark)deleted":\#(isDeleted)}"#
  }

  private func expectChange(_ bench: Bench, condition: String?) {
    #expect(bench.requests.map(\.purpose) == [.apply])
    #expect(bench.requests.first?.method.hasPrefix("P") == true)
    #expect(bench.requests.first?.path.hasSuffix("/a") == true)
    #expect(bench.requests.first?.condition == condition.map { "\"" + $0 + "\"" })
  }

  @Test(arguments: dialects, [OperationKind.update, .insert])
  func lostAnswerChangesNoDecision(_ dialect: Dialect, _ kind: OperationKind) throws {
    var bench = try bench(dialect, kind)
    try bench.loseAnswer()
    try bench.answer(200, item("old", "V3", dialect))
    expectChange(bench, condition: "V3")
    try bench.answer(200, item("ours", "V4", dialect))
    #expect(bench.results.map(\.outcome) == [.applied])
  }

  @Test func newestComparesWithWhatWasDeleted() throws {
    var bench = try bench(policy: .newest)
    try bench.loseAnswer()
    try bench.answer(200, item("old", "V3"))
    expectChange(bench, condition: "V3")
  }

  @Test func successThatShowsNothingIsLookedAt() throws {
    var bench = try bench()
    try bench.answer(200)
    try bench.answer(200, item("old", "V3"))
    expectChange(bench, condition: "V3")
  }

  @Test func whatSomebodyElseChangedSinceIsAConflict() throws {
    var bench = try bench()
    try bench.loseAnswer()
    try bench.answer(200, item("theirs", "V4"))
    #expect(bench.results.map(\.situation) == [.changed])
  }

  @Test func itemThatIsStillDeletedIsBroughtBackAgain() throws {
    var bench = try bench()
    try bench.loseAnswer()
    try bench.answer(200, item("old", "V2", isDeleted: true))
    #expect(bench.requests.map(\.purpose) == [.undelete])
  }

  @Test(arguments: dialects, [OperationKind.update, .insert])
  func laterRunGoesOnAfterADeathBehindTheRequest(
    _ dialect: Dialect, _ kind: OperationKind
  ) throws {
    let dead = try bench(dialect, kind)
    var bench = try bench(dialect, kind, history: dead.history)
    #expect(bench.requests.map(\.purpose) == [.ask])
    try bench.answer(200, item("old", "V3", dialect))
    expectChange(bench, condition: "V3")
  }

  @Test(arguments: ["old", "theirs"])
  func laterRunGoesOnAfterADeathBehindTheAnswer(_ text: String) throws {
    var dead = try bench(.v2, .insert)
    try dead.answer(200, item("old", "V3"))
    expectChange(dead, condition: "V3")
    var bench = try bench(.v2, .insert, history: dead.history)
    try bench.answer(200, item(text, text == "old" ? "V3" : "V4"))
    if text == "old" {
      expectChange(bench, condition: "V3")
    } else {
      #expect(bench.results.map(\.situation) == [.changed])
    }
  }

  @Test func laterRunGoesOnAfterAStop() throws {
    var stopped = try bench()
    try stopped.feed(.stop("interrupted"))
    try stopped.answer(200, item("old", "V3"))
    #expect(stopped.results.map(\.outcome) == [.inDoubt])
    var bench = try bench(history: stopped.history)
    try bench.answer(200, item("old", "V3"))
    expectChange(bench, condition: "V3")
  }

  @Test func refusedChangeIsTriedOnWhatIsBack() throws {
    var refused = try bench(.v2, .insert)
    try refused.answer(200, item("old", "V3"))
    try refused.answer(400)
    #expect(refused.results.map(\.outcome) == [.rejected])
    expectChange(try bench(.v2, .insert, history: refused.history), condition: "V3")
  }

  @Test func hiddenItemIsBroughtBackAgain() throws {
    var bench = Bench([operation(1, .insert)]) { $0.conflicts = ConflictRules(.clientWins) }
    try bench.feed(.start)
    for _ in 0..<2 {
      for status in [409, 404, 409, 404, 409, 404] {
        try bench.answer(status)
        // A step that sends on and on takes a rest.
        if bench.requests.isEmpty { try bench.wait() }
      }
      #expect(bench.sent == ["POST tables/TodoItem/a"])
      try bench.loseAnswer()
      try bench.answer(404)
    }
    #expect(bench.sent == ["POST tables/TodoItem"])
  }

  @Test(arguments: [Revival.asked(mark: "0a"), .done(version: nil), .done(version: " A b ")])
  func journalGivesBackWhatItKeeps(_ revival: Revival) {
    #expect(Revival(revival.text) == revival)
  }

  @Test(arguments: ["", "undelete", "seen - -", "found", "undeletes x"])
  func otherWordsSayNothing(_ text: String) {
    #expect(Revival(text) == nil)
  }
}
