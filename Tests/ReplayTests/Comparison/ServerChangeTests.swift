import Formats
import Records
import Testing

@testable import Replay

/// What a server keeps otherwise than it was sent is told.
struct ServerChangeTests {
  @Test(arguments: [
    (#"{"n":9007199254740993}"#, #"{"n":9007199254740992}"#),
    (#"{"n":9007199254740993}"#, #"{"n":9007199254740992.0}"#),
    (#"{"n":-9223372036854775807}"#, #"{"n":-9.223372036854775808e18}"#),
    (#"{"n":1.2345678901234567891}"#, #"{"n":1.2345678901234567}"#),
    (#"{"n":5}"#, #"{"n":"5"}"#), (#"{"n":5.5}"#, #"{"n":5}"#),
    (#"{"t":"long text"}"#, #"{"t":"long"}"#), (#"{"t":"a "}"#, #"{"t":"a"}"#),
    (#"{"d":"2016-10-01T09:15:30.123Z"}"#, #"{"d":"2016-10-01T09:15:30Z"}"#),
    (#"{"t":"kept","n":1}"#, #"{"t":"kept"}"#),
    (#"{"o":{"n":9007199254740993}}"#, #"{"o":{"n":9007199254740992}}"#),
    (#"{"n":null}"#, #"{"n":0}"#),
  ])
  func changedValueIsTold(_ sent: String, _ kept: String) throws {
    #expect(try fields(sent, kept).count == 1)
  }

  @Test(arguments: [
    (#"{"n":9007199254740993}"#, #"{"n":9007199254740993}"#), (#"{"n":5}"#, #"{"n":5.0}"#),
    (#"{"n":0.1}"#, #"{"n":0.10000000000000001}"#), (#"{"n":1.50}"#, #"{"n":1.5}"#),
    (#"{"n":1.2345678901234568e+20}"#, #"{"n":123456789012345683968}"#),
    (#"{"n":-0}"#, #"{"n":0}"#),
    (#"{"d":"2016-10-01T09:15:30.1239Z"}"#, #"{"d":"2016-10-01T11:15:30.123+02:00"}"#),
    (#"{"b":true}"#, #"{"b":1}"#), (#"{"t":"a","x":null,"y":false}"#, #"{"T":"a"}"#),
    (#"{"t":"a","n":5}"#, #"{"version":"V"}"#),
    (#"{"version":"x","updatedAt":"y"}"#, #"{"version":"z"}"#),
  ])
  func spellingIsNoChange(_ sent: String, _ kept: String) throws {
    #expect(try fields(sent, kept).isEmpty)
  }

  @Test(arguments: [
    (#"{"b":false}"#, #"{"t":"a","b":true}"#, true), (#"{"n":0}"#, #"{"t":"a","n":5}"#, true),
    (#"{"b":false}"#, #"{"t":"a","b":false}"#, false), (#"{"b":false}"#, #"{"t":"a"}"#, false),
    // An enumeration has a name for zero.
    (#"{"n":0}"#, #"{"t":"a","n":"Low"}"#, false),
  ])
  func whatWasLeftOutIsToldWhereItStays(
    _ leftOut: String, _ kept: String, _ isTold: Bool
  ) throws {
    let changed = try fields(#"{"t":"a"}"#, kept, leftOut: leftOut)
    #expect(changed.isEmpty != isTold)
  }

  @Test func itemOfDefaultsAloneIsCompared() throws {
    #expect(try fields("{}", #"{"b":true}"#, leftOut: #"{"b":false}"#) == ["b"])
  }

  @Test func runTellsWhatWasChangedAndTheJournalWhere() throws {
    var change = operation(1, .insert)
    change.item = Array(#"{"id":"a","n":9007199254740993,"secret":"kept"}"#.utf8)
    var bench = Bench([change])
    try bench.feed(.start)
    try bench.answer(201, #"{"id":"a","n":9007199254740992,"secret":"kept","version":"V"}"#)
    let result = try #require(bench.results.first)
    #expect(result.outcome == .applied)
    #expect(result.changes.map(\.field) == ["n"])
    guard case .journal(let entries)? = bench.actions.first else { return #expect(Bool(false)) }
    #expect(entries.map(\.words) == ["server-changed-value: n"])
  }

  private func fields(
    _ sent: String, _ kept: String, leftOut: String = "{}"
  ) throws -> [String] {
    let sent = try #require(sentItem(sent, leftOut: leftOut))
    let body = Array("{\"id\":\"a\",".utf8) + kept.utf8.dropFirst()
    let shown = try #require(ServerItem(ReplayAnswer(status: 200, body: body), id: "a", .v2))
    return changes(of: sent, by: shown, .v2).map(\.field)
  }
}
