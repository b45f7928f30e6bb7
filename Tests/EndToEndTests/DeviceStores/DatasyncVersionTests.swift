import Foundation
import TestSupport
import Testing

/// Microsoft.Datasync.Client sends the version of an item as a member, too, which other services
/// refuse.
struct DatasyncVersionTests {
  private func bodies(_ store: String, _ options: String...) async throws -> [[String: Any]] {
    let plan = await rehome(
      ["replay", "--dry-run", "--json", store, "--to", "https://example.invalid"] + options)
    let steps = try #require(try plan.json()["steps"] as? [[String: Any]], "\(plan.error)")
    return steps.compactMap { $0["body"] as? [String: Any] }
  }

  @Test(arguments: [false, true])
  func versionIsAMemberOfWhatIsSent(isConverted: Bool) async throws {
    let folder = try TemporaryFolder()
    let sample = Project.path("samples/datasync-2023/offline.db")
    let converted = folder.path("c.rehome")
    if isConverted { #expect(await rehome("convert", "-q", sample, "-o", converted).code <= 2) }
    let store = isConverted ? converted : sample
    let sent = try await bodies(store)
    #expect(sent.map { $0["version"] as? String } == [nil, "AAAAAAAAB9E="])
    #expect(sent.map { $0.keys.contains("version") } == [false, true])
    for dialect in ["v1", "v2", "toolkit"] {
      let elsewhere = try await bodies(store, "--dialect", dialect)
      #expect(elsewhere.count == 2 && elsewhere.allSatisfy { $0["version"] == nil }, "\(dialect)")
    }
  }

  /// In a merge what a device would send is kept beside the operation.
  @Test func mergedStoreSendsVersionsToTheirServiceAlone() async throws {
    let folder = try TemporaryFolder()
    let merged = folder.path("m.rehome")
    let samples = ["datasync-2023/offline.db", "ios-2016/qstodoitem.sqlite"]
    let convert = await rehome(
      ["convert", "-q"] + samples.map { Project.path("samples/\($0)") } + ["-o", merged])
    #expect(convert.code <= 2, "\(convert.error)")
    for (dialect, count) in [("v1", 0), ("v2", 0), ("v3", 1)] {
      let sent = try await bodies(merged, "--dialect", dialect)
      #expect(sent.count { $0["version"] != nil } == count, "\(dialect)")
    }
  }

  /// The snapshots of the Toolkit hold what only its own service takes.
  @Test func snapshotsKeepTheirSystemPropertiesForTheirService() async throws {
    let sample = Project.path("samples/toolkit-2025/todo.sqlite")
    let names = ["version", "updatedAt"]
    for (dialect, expected) in [("v1", []), ("v2", []), ("v3", ["version"]), ("toolkit", names)] {
      let sent = try await bodies(sample, "--dialect", dialect)
      let item = try #require(sent.first { $0["id"] as? String == "a1" })
      #expect(names.filter { item[$0] != nil } == expected, "\(dialect)")
      #expect(item["title"] != nil)
    }
  }

  /// An app's own column is sent to whatever service, and refused where there is none for it.
  @Test(arguments: ["v1", "v3"])
  func versionOfTheAppsOwnIsNotLost(dialect: String) async throws {
    let folder = try TemporaryFolder()
    let (rows, server) = (folder.path("T.json"), folder.path("server.rehome"))
    try Data(#"[{"id":"a","text":"old"}]"#.utf8).write(to: URL(fileURLWithPath: rows))
    #expect(await rehome("seed", "-q", rows, "-o", server).code == 0)
    let device = folder.path("device.db")
    _ = try python(
      """
      import sqlite3, sys
      with sqlite3.connect(sys.argv[1]) as base:
          base.executescript('''
          CREATE TABLE T (id TEXT PRIMARY KEY, text TEXT, __version TEXT, version INTEGER);
          CREATE TABLE __operations (id TEXT PRIMARY KEY, kind REAL, tableName TEXT, itemId TEXT,
            __createdat TEXT, __queueloadedat TEXT, sequence REAL, state REAL);
          CREATE TABLE __itembackups (id TEXT PRIMARY KEY);
          CREATE TABLE __incrementalpulldata (id TEXT PRIMARY KEY, maxupdateddate TEXT);
          INSERT INTO T VALUES ('b', 'new', NULL, 7);
          INSERT INTO __operations VALUES ('1', 0, 'T', 'b', NULL, NULL, 1, 0);
          ''')
      """, device)
    let outcome = await rehome(
      "replay", device, "--to", server, "--dialect", dialect, "--journal",
      folder.path("j.rehome"))
    #expect(outcome.error.contains("no column version"), "\(outcome.error)")
  }

  /// Operations of the Toolkit name types, of which a store may have no table.
  @Test(arguments: ["toolkit", "v3"])
  func typeWithoutTableIsAskedForByItsLastPart(dialect: String) async throws {
    let folder = try TemporaryFolder()
    let toolkit = Sample(name: "toolkit-2025")
    let device = toolkit.store(in: try folder.copy(of: toolkit))
    _ = try python(
      """
      import sqlite3, sys
      with sqlite3.connect(sys.argv[1]) as base:
          base.execute("UPDATE DatasyncOperationsQueue SET EntityType = 'MyApp.Data.Nowhere'")
      """, device)
    let plan = try await rehome(
      "replay", "--dry-run", "--json", device, "--to", "https://example.invalid", "--dialect",
      dialect
    ).json()
    let steps = try #require(plan["steps"] as? [[String: Any]])
    let paths = steps.compactMap { $0["path"] as? String }
    #expect(!paths.isEmpty && paths.allSatisfy { $0.hasPrefix("tables/nowhere") }, "\(paths)")
  }

  /// A store of rows from elsewhere has no column for versions, and needs none.
  @Test(arguments: [[], ["--dynamic-schema"]])
  func storeWithoutVersionsTakesTheChanges(options: [String]) async throws {
    let folder = try TemporaryFolder()
    let (rows, server) = (folder.path("todoitem.json"), folder.path("server.rehome"))
    let row = #"{"id":"ID","title":"old","isComplete":false,"due":null,"photo":null,"place":null}"#
    let text =
      "[" + ["a1", "b2"].map { row.replacing("ID", with: $0) }.joined(separator: ",") + "]"
    try Data(text.utf8).write(to: URL(fileURLWithPath: rows))
    #expect(await rehome("seed", "-q", rows, "-o", server).code == 0)
    let device = folder.path("offline.db")
    try FileManager.default.copyItem(
      atPath: Project.path("samples/datasync-2023/offline.db"), toPath: device)
    // The other table has no column for what is a document here.
    _ = try python(
      """
      import sqlite3, sys
      with sqlite3.connect(sys.argv[1]) as base: base.execute("UPDATE todoitem SET place = NULL")
      """, device)
    let outcome = await rehome(
      [
        "replay", device, "--to", server, "--journal", folder.path("j.rehome"), "--on-conflict",
        "client-wins",
      ] + options)
    #expect(!outcome.text.contains("no column version"), "\(outcome.text)")
    let after = await rehome("export", server, "--to", "ndjson", "--table", "todoitem").text
    #expect(after.contains("Milk") && !after.contains("AAAAAAAAB9E="), "\(after)")
  }
}
