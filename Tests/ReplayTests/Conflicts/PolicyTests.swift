import Records
import Testing

@testable import Replay

struct PolicyTests {
  private static let changed = #"{"id":"a","text":"theirs","version":"V2"}"#
  private static let deleted = #"{"id":"a","text":"old","version":"V2","deleted":true}"#

  @Test func clientWinsSendsOnTopOfTheServersVersion() throws {
    var bench = Bench([operation(1, .update, version: "V1")], change: policy(.clientWins))
    try bench.feed(.start)
    try bench.answer(412, Self.changed)
    #expect(bench.sent == ["PATCH tables/TodoItem/a"])
    #expect(bench.requests.first?.condition == "\"V2\"")
  }

  @Test func clientWinsChangesTheItemThatExists() throws {
    var bench = Bench([operation(1, .insert)], .v3, change: policy(.clientWins))
    try bench.feed(.start)
    try bench.answer(409, Self.changed)
    #expect(bench.sent == ["PUT tables/todoitem/a"])
    #expect(bench.requests.first?.condition == "\"V2\"")
  }

  @Test(arguments: [
    (Dialect.v2, "POST tables/TodoItem/a", true), (.v3, "PATCH tables/todoitem/a", true),
    (.toolkit, "PUT tables/todoitem/a", false),
  ])
  func clientWinsBringsTheItemBack(_ dialect: Dialect, _ sent: String, _ isApart: Bool) throws {
    var bench = Bench([operation(1, .update, version: "V1")], dialect, change: policy(.clientWins))
    try bench.feed(.start)
    try bench.answer(410)
    try bench.answer(200, Self.deleted)
    #expect(bench.sent == [sent])
    #expect(bench.requests.first?.condition == "\"V2\"")
    guard isApart else {
      #expect(bench.requests.first?.query == [.init("__includedeleted", "true")])
      return
    }
    try bench.answer(200, #"{"id":"a","text":"old","version":"V3"}"#)
    #expect(bench.requests.first?.purpose == .apply)
    #expect(bench.requests.first?.condition == "\"V3\"")
  }

  @Test func clientWinsBringsAHiddenItemBackWhoseIDIsTaken() throws {
    var bench = try hidden()
    #expect(bench.sent == ["POST tables/TodoItem/a"])
    #expect(bench.requests.first?.body == nil)
    try bench.answer(200, #"{"id":"a","text":"old","version":"V3"}"#)
    #expect(bench.sent == ["PATCH tables/TodoItem/a"])
    #expect(bench.requests.first?.condition == "\"V3\"")
    try bench.answer(200, #"{"id":"a","text":"ours","version":"V4"}"#)
    #expect(bench.results.map(\.outcome) == [.applied])
  }

  @Test(arguments: [400, 404, 405]) func hiddenItemThatNothingBringsBackIsRefused(
    _ status: Int
  ) throws {
    var bench = try hidden()
    try bench.answer(status, #"{"error":"no"}"#)
    let result = try #require(bench.results.first)
    #expect(result.outcome == .rejected)
    #expect(result.words?.contains("brings none back") == true)
  }

  @Test func deletedItemThatNothingBringsBackIsRefused() throws {
    var bench = Bench([operation(1, .insert)], change: policy(.clientWins))
    try bench.feed(.start)
    try bench.answer(409)
    try bench.answer(200, Self.deleted)
    #expect(bench.sent == ["POST tables/TodoItem/a"])
    try bench.answer(405, #"{"message":"The requested resource does not support it"}"#)
    let result = try #require(bench.results.first)
    #expect(result.outcome == .rejected)
    #expect(result.words?.contains("does not bring the deleted item back") == true)
  }

  /// An insert whose id is taken by an item that the server shows to nobody.
  private func hidden() throws -> Bench {
    var bench = Bench([operation(1, .insert)], change: policy(.clientWins))
    try bench.feed(.start)
    for _ in 0..<3 {
      try bench.answer(409, #"{"id":"a","text":"ours"}"#)
      try bench.answer(404)
    }
    return bench
  }

  @Test func clientWinsCreatesWhatIsGone() throws {
    var bench = Bench([operation(1, .update, version: "V1")], change: policy(.clientWins))
    try bench.feed(.start)
    try bench.answer(404)
    try bench.answer(404)
    #expect(bench.sent == ["POST tables/TodoItem"])
  }

  @Test func serverWinsGivesTheChangeUpForGood() throws {
    var bench = Bench([operation(1, .update, version: "V1")], change: policy(.serverWins))
    try bench.feed(.start)
    try bench.answer(412, Self.changed)
    #expect(bench.results.map(\.outcome) == [.dropped])
    #expect(bench.results.map(\.serverItem) == [Array(Self.changed.utf8)])
  }

  @Test func stopBeginsNothingNew() throws {
    var bench = Bench(
      [operation(1, .update, version: "V1"), operation(2, .insert, id: "b")],
      change: policy(.stop))
    try bench.feed(.start)
    try bench.answer(412, Self.changed)
    #expect(bench.summary?.stop == .conflict)
    #expect(bench.results.map(\.outcome) == [.conflict, .pending])
  }

  @Test(arguments: [
    ("2020-01-01T00:00:00Z", "2019-12-31T23:59:59.999Z", ReplayOutcome?.none),
    ("2020-01-01T00:00:00Z", "2020-01-01T01:00:00+01:00", .dropped),
    ("2020-01-01T00:00:00Z", "2020-01-01T00:00:01Z", .dropped),
    ("2020-01-01T00:00:00Z", "yesterday", .conflict),
    // What .NET has where nobody has set a time.
    ("0001-01-01T00:00:00.000Z", "2020-01-01T00:00:01Z", .conflict),
    ("2020-01-01T00:00:00Z", "0001-01-01T00:00:00+00:00", .conflict),
  ])
  func newestComparesTimes(_ ours: String, _ theirs: String, _ expected: ReplayOutcome?) throws {
    var change = operation(1, .update, version: "V1")
    change.item = Array(#"{"id":"a","text":"ours","updatedAt":"\#(ours)"}"#.utf8)
    var bench = Bench([change], change: policy(.newest))
    try bench.feed(.start)
    try bench.answer(412, #"{"id":"a","version":"V2","updatedAt":"\#(theirs)"}"#)
    #expect(bench.results.first?.outcome == expected)
    #expect(bench.requests.isEmpty == (expected != nil))
  }

  /// One text that was cut inside of a character hides no item.
  @Test func copyWithHalfACharacterIsACopy() throws {
    var bench = Bench([operation(1, .update, version: "V1")], change: policy(.skip))
    try bench.feed(.start)
    try bench.answer(412, #"{"id":"a","version":"V2","text":"half of \ud83d"}"#)
    #expect(bench.results.map(\.outcome) == [.conflict])
  }

  /// A version that was cut is none on which a change could be sent.
  @Test func versionWithHalfACharacterIsAskedForAgain() throws {
    var bench = Bench([operation(1, .update, version: "V1")], change: policy(.clientWins))
    try bench.feed(.start)
    let item = #"{"id":"a","version":"\ud83d","text":"theirs"}"#
    try bench.answer(412, item)
    #expect(bench.sent == ["GET tables/TodoItem/a"])
    try bench.answer(200, item)
    #expect(bench.sent == [])
  }

  /// As deep as a store may have them.
  @Test(arguments: [70, 500])
  func deepValuesAreSent(depth: Int) throws {
    let value = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    var change = operation(1, .update, version: "V1")
    change.item = Array(#"{"id":"a","value":\#(value)}"#.utf8)
    var bench = Bench([change], change: policy(.skip))
    try bench.feed(.start)
    #expect(bench.requests.map(\.body) == [Array(#"{"id":"a","value":\#(value)}"#.utf8)])
    try bench.answer(412, #"{"id":"a","version":"V2","value":\#(value)}"#)
    #expect(bench.results.map(\.outcome) == [.alreadyApplied])
  }

  private func policy(_ policy: ConflictPolicy) -> (inout ReplaySettings) -> Void {
    { $0.conflicts = ConflictRules(policy) }
  }
}
