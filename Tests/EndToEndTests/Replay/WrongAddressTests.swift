import Foundation
import TestSupport
import Testing

/// Answers that are not about an item settle nothing, and the next run can go on.
struct WrongAddressTests {
  @Test(arguments: ["v1", "v2-dotnet", "v2-node", "v3", "toolkit"])
  func wrongTableIsRefusedAndTheRightOneTakesEverything(_ dialect: String) async throws {
    let remote = try await RemoteReplay(dialect: dialect)
    try remote.service.tell("POST /options", #"{"openToAnyTable": false}"#)
    let wrong = await remote.replay(
      "--map", "TodoItem=Wrong", "--on-conflict", "server-wins", "--json")
    #expect(wrong.code == 2, "\(wrong.error)")
    #expect(try wrong.json()["rejected"] as? Int == 3)
    #expect(try remote.service.count("requests") == 1)
    let right = await remote.replay("--map", "TodoItem=TodoItem")
    #expect(right.code == 0, "\(right.error)")
    #expect(try remote.isDone())
  }

  @Test(arguments: [[], ["--dry-run"]])
  func nameOfAServerIsNoAddress(_ options: [String]) async throws {
    let folder = try TemporaryFolder()
    let store = try folder.copy(of: Sample(name: "ios-2016")) + "/qstodoitem.sqlite"
    // Else all runs of this test would have one journal in the current folder.
    let journal = ["--journal", folder.path("journal.rehome")]
    let outcome = await rehome(["replay", store, "--to", "rehome.example"] + journal + options)
    #expect(outcome.code == 66)
    #expect(outcome.error.contains("a server needs its whole address"), "\(outcome.error)")
  }

  /// A person may look at a store to learn what its server speaks.
  @Test(arguments: [("ios-2016", "v2"), ("toolkit-2025", "toolkit")])
  func storeWithoutOperationsSpeaksAsItsSDK(sample: String, dialect: String) async throws {
    let folder = try TemporaryFolder()
    let store = folder.path("own.rehome")
    try #require(
      await rehome("convert", "-q", "--fail-on", "never", Sample(name: sample).store(), "-o", store)
        .code == 0)
    _ = try python(
      """
      import sqlite3, sys
      with sqlite3.connect(sys.argv[1]) as db:
          db.execute('DELETE FROM rehome_operation')
          db.execute('DELETE FROM rehome_error')
      """, store)
    let outcome = await rehome("replay", store, "--dry-run")
    #expect(outcome.error.contains("0 requests") || outcome.text.contains("0 requests"))
    #expect((outcome.error + outcome.text).contains("in dialect \(dialect)"), "\(outcome.error)")
  }

  @Test func aTableHasOneNameAtTheServer() async throws {
    let store = Sample(name: "ios-2016").store()
    let maps = ["Visit=A", "Visit=B"].flatMap { ["--map", $0] }
    let outcome = await rehome(["replay", store, "--dry-run"] + maps)
    #expect(outcome.code == 64)
    #expect(outcome.error.contains("--map Visit=B: another --map"), "\(outcome.error)")
    #expect(await rehome(["replay", store, "--dry-run"] + maps[..<2] + maps[..<2]).code == 0)
  }

  /// The Toolkit's tables are called after a type, unless a person has given a name.
  @Test(arguments: [
    ([], "todoitem"), (["--rename", "TodoItems=Foo"], "foo"),
    (["--rename", "TodoItems=Foo", "--dialect", "v2"], "Foo"),
    (["--rename", "TodoItems=Foo", "--map", "Foo=Bar"], "Bar"),
    (["--rename", "TodoItems=Old.Items"], "old.items"),
  ])
  func renamedTableIsSentByItsNewName(_ options: [String], _ name: String) async throws {
    let folder = try TemporaryFolder()
    let sample = Sample(name: "toolkit-2025").store()
    let correction = Array(options.prefix(2))
    func shows(_ store: String, _ options: [String]) async -> Bool {
      let outcome = await rehome(["replay", store, "--dry-run"] + options)
      return outcome.text.contains(" tables/\(name)/")
    }
    #expect(await shows(sample, options))
    let (made, exported) = (folder.path("own.rehome"), folder.path("own.json"))
    _ = await rehome(["convert", "-q", sample, "-o", made] + correction)
    _ = await rehome(["export", "-q", sample, "--to", "json", "-o", exported] + correction)
    let others = Array(options.dropFirst(2))
    #expect(await shows(made, others))
    #expect(await shows(exported, others))
  }

  /// A name with dots may be a type only where the store has no such table.
  @Test func itemsWithoutATableAreSentByTheirType() async throws {
    let folder = try TemporaryFolder()
    let store = try folder.copy(of: Sample(name: "toolkit-2025")) + "/todo.sqlite"
    _ = try python(
      """
      import sqlite3, sys
      with sqlite3.connect(sys.argv[1]) as db:
          db.execute("UPDATE DatasyncOperationsQueue SET EntityType = 'My.App.Gone'")
      """, store)
    let outcome = await rehome("replay", store, "--dry-run")
    #expect(outcome.text.contains(" tables/gone/"), "\(outcome.error)")
  }

  @Test(arguments: ["v1", "v2-dotnet", "v2-node", "v3", "toolkit"])
  func wrongPathIsRefused(_ dialect: String) async throws {
    let remote = try await RemoteReplay(dialect: dialect)
    let wrong = await remote.replay("--map", "TodoItem=/api/v1/TodoItem", "--json")
    #expect(wrong.code == 2, "\(wrong.error)")
    #expect(try wrong.json()["rejected"] as? Int == 3)
    #expect(try remote.service.commits.isEmpty)
    #expect(await remote.replay("--map", "TodoItem=TodoItem").code == 0)
    #expect(try remote.isDone())
  }

  @Test(arguments: [401, 403, 405, 400]) func serverThatListsNothingTakesEverything(
    _ status: Int
  ) async throws {
    let remote = try await RemoteReplay()
    try remote.service.tell("POST /options", "{\"listing\": \(status)}")
    let outcome = await remote.replay()
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(try remote.isDone())
  }

  @Test func pageOfAWebServerSettlesNothing() async throws {
    let remote = try await RemoteReplay()
    let page = "<html><body>404</body></html>"
    let raw =
      "HTTP/1.1 404 Not Found\\r\\nContent-Type: text/html\\r\\n"
      + "Content-Length: \(page.count)\\r\\n\\r\\n\(page)"
    try remote.service.tell(
      "POST /plan",
      "{\"rules\": [{\"kind\": \"raw\", \"methods\": [\"DELETE\"], \"raw\": \"\(raw)\"}]}")
    let refused = await remote.replay("--json")
    #expect(refused.code == 2, "\(refused.error)")
    #expect(try refused.json()["rejected"] as? Int == 1)
    try remote.service.tell("POST /plan", #"{"rules": []}"#)
    #expect(await remote.replay().code == 0)
    #expect(try remote.isDone())
  }

  @Test func lastingFaultIsRefusedInTheServersWords() async throws {
    let remote = try await RemoteReplay()
    try remote.service.tell(
      "POST /plan", #"{"rules": [{"kind": "status", "status": 500, "methods": ["POST"]}]}"#)
    let outcome = await remote.loudReplay("--retries", "1")
    #expect(outcome.code == 2, "\(outcome.error)")
    #expect(outcome.error.contains("refused: operation 1"))
    #expect(outcome.error.contains("500: not now"))
    #expect(!outcome.error.contains("in doubt"))
    try remote.service.tell("POST /plan", #"{"rules": []}"#)
    #expect(await remote.replay().code == 0)
    #expect(try remote.isDone())
  }

  @Test func valuesThatTheServerChangesAreTold() async throws {
    let remote = try await RemoteReplay()
    try remote.rehearsal.alter(
      remote.rehearsal.device,
      """
      ALTER TABLE TodoItem ADD COLUMN big INTEGER;
      UPDATE TodoItem SET big = 9007199254740993;
      """)
    try remote.service.tell("POST /options", #"{"doubles": true}"#)
    let outcome = await remote.loudReplay("--json", "--fail-on", "warning")
    #expect(outcome.code == 2, "\(outcome.error)")
    let report = try outcome.json()
    #expect(report["applied"] as? Int == 3 && report["serverChanged"] as? Int == 2)
    let operations = try #require(report["operations"] as? [[String: any Sendable]])
    let changes = try #require(operations.first?["serverChanges"] as? [[String: any Sendable]])
    #expect(changes.first?["field"] as? String == "big")
    #expect(changes.first?["sent"] as? Int == 9_007_199_254_740_993)
    #expect(changes.first?["server"] as? Int == 9_007_199_254_740_992)
    #expect(outcome.error.contains("[server-changed-value]"))
    let audit = await rehome("audit", "--json", remote.journal)
    let stores = try audit.json()["stores"] as? [[String: any Sendable]]
    let findings = stores?.first?["findings"] as? [[String: any Sendable]] ?? []
    #expect(findings.count { $0["code"] as? String == "server-changed-value" } == 2)
  }
}
