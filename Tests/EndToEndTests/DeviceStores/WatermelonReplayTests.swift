import Foundation
import TestSupport
import Testing

/// WatermelonDB keeps `created_at` and `updated_at` for the app, which sends them as its other values.
struct WatermelonReplayTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A new row of 2014, and one that was changed then; the time of a third is none.
  private func device(lacking: Bool = false) throws -> String {
    let path = folder.path("watermelon.db")
    _ = try python(
      """
      import sqlite3, sys
      with sqlite3.connect(sys.argv[1]) as base:
          base.executescript('''
          create table "local_storage" ("key" varchar(16) primary key not null, "value" text not null);
          create table "tasks" ("id" primary key, "_changed", "_status", "name", "created_at",
            "updated_at");
          insert into local_storage values('__watermelon_last_pulled_at', '1714558830123');
          insert into tasks values('n', '', 'created', 'new', 1388534400000.0, 1388534401000.0);
          insert into tasks values('u', 'name,updated_at', 'updated', 'old', 1388534400000.0,
            1388534402000.0);
          ''')
          if sys.argv[2] == 'true':
              base.execute("insert into tasks values('x', '', 'created', 'x', 'never', 1.0)")
      """, path, String(lacking))
    return path
  }

  private func server(_ row: String) async throws -> String {
    let file = try folder.write(#"{"tasks":[\#(row)]}"#, to: "s.json")
    let path = folder.path("server.rehome")
    try #require(await rehome("seed", "-q", file, "-o", path).code == 0)
    return path
  }

  private func items(_ store: String) async throws -> [[String: Any]] {
    try await rehome("export", store, "--to", "ndjson", "--table", "tasks").jsonLines()
  }

  @Test func bodiesHoldTheTimesOfTheApp() async throws {
    let store = try device()
    let plan = try await rehome(
      "replay", "--dry-run", "--json", store, "--to", try await server(#"{"id":"u"}"#)
    ).json()
    let steps = try #require(plan["steps"] as? [[String: Any]])
    let bodies = steps.compactMap { $0["body"] as? [String: Any] }
    #expect(
      bodies.map { $0["created_at"] as? String }
        == ["2014-01-01T00:00:00.000Z", "2014-01-01T00:00:00.000Z"])
    #expect(
      bodies.map { $0["updated_at"] as? String }
        == ["2014-01-01T00:00:01.000Z", "2014-01-01T00:00:02.000Z"])
  }

  /// A store that has the times under the names of the system's columns, and one that has the app's.
  @Test(arguments: [
    #"{"id":"u","name":"s","createdAt":"2024-05-01T10:20:30.123Z","updatedAt":"2024-05-01T10:20:30.123Z"}"#,
    #"{"id":"u","name":"s","created_at":"2024-05-01T10:20:30.123Z","updated_at":"2024-05-01T10:20:30.123Z"}"#,
  ])
  func storeTakesTheTimesThatWereSent(row: String) async throws {
    let (device, server) = (try device(), try await server(row))
    // What was done once is found done, also by who knows nothing of it.
    for journal in ["j.rehome", "k.rehome"] {
      let run = await rehome(
        "replay", "--json", device, "--to", server, "--journal", folder.path(journal))
      let report = try run.json()
      #expect((report["applied"] as? Int ?? 0) + (report["alreadyApplied"] as? Int ?? 0) == 2)
      #expect(run.code == 0, "\(run.text) \(run.error)")
    }
    let items = try await items(server)
    let times = items.map { item in
      ["createdAt", "updatedAt", "created_at", "updated_at"].compactMap { item[$0] as? String }
    }
    #expect(
      Set(times) == [
        ["2014-01-01T00:00:00.000Z", "2014-01-01T00:00:01.000Z"],
        ["2014-01-01T00:00:00.000Z", "2014-01-01T00:00:02.000Z"],
      ], "\(items)")
  }

  /// Null would take the place of the time that the server has.
  @Test func rowWithoutItsTimeIsHeldBack() async throws {
    let store = try device(lacking: true)
    let audit = await rehome("audit", "--json", "--fail-on", "never", store)
    let stores = try #require(try audit.json()["stores"] as? [[String: Any]])
    let findings = try #require(stores.first?["findings"] as? [[String: Any]])
    let items = findings.filter { $0["code"] as? String == "operation-without-value" }
    #expect(items.map { $0["itemId"] as? String } == ["x"])
  }

  /// What is the app's in one store stays the server's in another.
  @Test(arguments: ["v2", "v3"], ["datasync-2023", "ios-2016", "amplify-ios-2024"])
  func timesOfOtherDevicesStayTheServers(_ dialect: String, _ other: String) async throws {
    let merged = folder.path("merged.rehome")
    let stores = ["watermelon-2024", other].map { Sample(name: $0).store() }
    #expect([0, 2].contains(await rehome(["convert", "-q"] + stores + ["-o", merged]).code))
    let copies = (1...4).map { folder.path("\($0).rehome") }
    for copy in copies { try FileManager.default.copyItem(atPath: merged, toPath: copy) }
    for store in copies.prefix(3) {
      let outcome = await rehome(
        "replay", store, "--to", copies[3], "--dialect", dialect, "--on-conflict", "client-wins",
        "--json", "--retries", "0")
      let report = try outcome.json()
      #expect((report["inDoubt"] as? Int) == 0, "\(outcome.error)")
      #expect(!outcome.error.contains("leaves it out"), "\(outcome.error)")
    }
  }
}
