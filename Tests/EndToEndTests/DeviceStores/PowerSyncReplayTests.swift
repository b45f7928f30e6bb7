import Foundation
import TestSupport
import Testing

/// What waits in a store of PowerSync can be rehearsed: a PUT is the whole item, and a PATCH what
/// changed.
struct PowerSyncReplayTests {
  private let folder: TemporaryFolder
  private var store: String { folder.path("todos.sqlite") }
  private var server: String { folder.path("server.rehome") }

  init() throws { folder = try TemporaryFolder() }

  /// Makes a store of one table with an item, and what the server has of it.
  private func make(_ entries: [String], row: String?) async throws {
    _ = try python(
      """
      import json, sqlite3, sys
      database = sqlite3.connect(sys.argv[1])
      database.executescript('''
        \(QueueTables.powerSyncTodos)
        ''')
      if sys.argv[2]:
          database.execute("INSERT INTO ps_data__todos VALUES ('i', ?)", (sys.argv[2],))
      for entry in json.loads(sys.argv[3]):
          database.execute("INSERT INTO ps_crud (data) VALUES (?)", (json.dumps(entry),))
      database.commit()
      """, store, row ?? "", "[\(entries.joined(separator: ","))]")
    try folder.write(#"[{"id":"i","a":"old","n":2}]"#, to: "todos.json")
    let seeding = await rehome("seed", "-q", folder.path("todos.json"), "-o", server)
    try #require(seeding.code == 0, "\(seeding.error)")
  }

  private static let delete = #"{"op":"DELETE","id":"i","type":"todos"}"#
  private static func put(_ data: String) -> String {
    #"{"op":"PUT","id":"i","type":"todos","data":\#(data)}"#
  }
  private static func patch(_ data: String) -> String {
    #"{"op":"PATCH","id":"i","type":"todos","data":\#(data)}"#
  }

  /// Each with what the server has in the end, which is what the device has.
  @Test(arguments: [
    ([delete, put(#"{"a":"old"}"#)], #""a":"old","n":null"#),
    ([delete, put(#"{"a":"new"}"#)], #""a":"new","n":null"#),
    ([delete, put(#"{"a":"new"}"#), patch(#"{"n":7}"#)], #""a":"new","n":7"#),
    ([patch(#"{"n":7}"#), delete, put(#"{"a":"new"}"#)], #""a":"new","n":null"#),
    ([patch(#"{"n":null}"#)], #""a":"old","n":null"#),
    // Values of other types are what the view of the device shows.
    ([patch(#"{"n":"7"}"#)], #""a":"old","n":7"#), ([patch(#"{"a":5}"#)], #""a":"5","n":2"#),
    ([patch(#"{"a":true,"n":true}"#)], #""a":"1","n":1"#),
    ([patch(#"{"a":[1, 2]}"#)], #""a":"[1,2]","n":2"#),
  ])
  func itemBecomesThatOfTheDevice(entries: [String], expected: String) async throws {
    try await make(entries, row: "{}")
    let outcome = await rehome(
      "replay", "--json", store, "--to", server, "--journal", folder.path("j.rehome"))
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(try outcome.json()["applied"] as? Int == entries.count)
    let rows = await rehome("export", server, "--to", "ndjson", "--table", "todos").text
    #expect(rows.contains(expected), "\(rows)")
  }

  /// What a PUT leaves out is NULL, so an item that has more is another one.
  @Test(arguments: [(#"{"a":"old"}"#, 4 as Int32), (#"{"a":"old","n":2}"#, 0 as Int32)])
  func itemThatIsThereIsComparedAsAWhole(data: String, code: Int32) async throws {
    try await make([Self.put(data)], row: "{}")
    let outcome = await rehome(
      "replay", "--json", store, "--to", server, "--journal", folder.path("j.rehome"))
    #expect(outcome.code == code, "\(outcome.error)")
    #expect(try outcome.json()["alreadyApplied"] as? Int == (code == 0 ? 1 : 0))
  }

  /// JSON of PowerSync has truth as numbers, which only a person can tell apart.
  @Test func numbersThatMayBeTruthAreToldBeforeAServiceGetsThem() async throws {
    try await make([Self.patch(#"{"n":0}"#)], row: #"{"a":"old","n":0}"#)
    let replay = ["replay", "-n", store, "--dialect", "v2"]
    let plan = await rehome(replay)
    #expect(plan.error.contains("--type todos.n=boolean"), "\(plan.error)")
    #expect(plan.text.contains(#""n":0"#), "\(plan.text)")
    let told = await rehome(replay + ["--type", "todos.n=boolean"])
    #expect(!told.error.contains("does not tell"), "\(told.error)")
    #expect(told.text.contains(#""n":false"#), "\(told.text)")
    // Whoever takes rows as they are is told nothing.
    let rehearsal = await rehome("replay", "-n", store, "--to", server)
    #expect(!rehearsal.error.contains("does not tell"), "\(rehearsal.error)")
  }

  @Test func itemThatIsGoneIsMadeAgain() async throws {
    try await make([Self.delete, Self.put(#"{"a":"new"}"#)], row: "{}")
    _ = try python(
      "import sqlite3, sys; d = sqlite3.connect(sys.argv[1]); d.execute('DELETE FROM todos'); "
        + "d.commit()", server)
    let outcome = await rehome(
      "replay", "-q", store, "--to", server, "--journal", folder.path("j.rehome"))
    #expect(outcome.code == 0, "\(outcome.error)")
    let rows = await rehome("export", server, "--to", "ndjson", "--table", "todos").text
    #expect(rows.contains(#""id":"i","a":"new","n":null"#), "\(rows)")
  }

  private static let explained: [([String], String?, Int32)] = [
    ([patch(#"{"a":"new"}"#)], #"{"a":"new","n":2}"#, 0),
    ([patch(#"{"n":null}"#)], #"{"a":"old"}"#, 0),
    ([patch(#"{"n":5}"#)], #"{"a":"new","n":5}"#, 5),
    ([patch("{}")], #"{"a":"new","n":2}"#, 5),
    ([patch(#"{"n":5}"#), patch(#"{"a":"new"}"#)], #"{"a":"new","n":5}"#, 0),
    ([delete, put(#"{"a":"new"}"#)], #"{"a":"new"}"#, 0),
    ([put(#"{"a":"new"}"#)], #"{"a":"new"}"#, 5),
    ([delete], nil, 0),
  ]

  /// A change explains a difference in what it sets, and in nothing else.
  @Test(arguments: explained)
  func differenceIsExplainedByWhatSetsIt(
    entries: [String], row: String?, code: Int32
  ) async throws {
    try await make(entries, row: row)
    for sides in [[store, server], [server, store]] {
      let outcome = await rehome(["verify", "--by-id", "--pending"] + sides)
      #expect(outcome.code == code, "\(outcome.text)\(outcome.error)")
      #expect(outcome.text.contains("explains it") == (code == 0))
    }
  }
}
