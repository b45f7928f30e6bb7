import TestSupport
import Testing

/// Operations in a state that their SDK does not have are sent, as the SDK sends them, and told before.
struct UnknownStateTests {
  private let folder: TemporaryFolder
  private let device: String
  private let code = "unknown-operation-state"

  init() throws {
    folder = try TemporaryFolder()
    device = folder.path("device.db")
    _ = try python(
      """
      import sqlite3, sys
      with sqlite3.connect(sys.argv[1]) as db:
          db.executescript('''
          CREATE TABLE TodoItem (id TEXT PRIMARY KEY, text TEXT, version TEXT,
            createdAt DATETIME, updatedAt DATETIME, deleted BOOLEAN);
          CREATE TABLE Other (id TEXT PRIMARY KEY, text TEXT, version TEXT);
          \(QueueTables.dotNet)
          INSERT INTO TodoItem VALUES('a1', 'new', 'V', NULL, NULL, 0);
          INSERT INTO Other VALUES('b1', 'new', NULL);
          INSERT INTO __operations VALUES
            ('o1', 1, 7, 'TodoItem', 0, 'a1', NULL, NULL, 1, 1),
            ('o2', 2, 9, 'TodoItem', 0, 'a2', '{"id":"a2","version":"V"}', NULL, 2, 1),
            ('o3', 0, 2, 'Other', 0, 'b1', NULL, NULL, 3, 1);
          ''')
      """, device)
  }

  @Test func areToldBeforeTheyAreSent() async throws {
    let store = folder.path("store.rehome")
    #expect(await rehome("convert", "-q", device, "-o", store).code == 0)
    let server = folder.path("server.rehome")
    let items = try folder.write(
      #"{"TodoItem":[{"id":"a1","text":"old","version":"V"},"#
        + #"{"id":"a2","text":"old","version":"V"}],"Other":[{"id":"b2","text":"old"}]}"#,
      to: "server.json")
    #expect(await rehome("seed", "-q", items, "-o", server).code == 0)
    for source in [device, store] {
      let audit = await rehome("audit", "--json", source)
      let stores = try audit.json()["stores"] as? [[String: any Sendable]]
      let findings = try #require(stores?.first?["findings"] as? [[String: any Sendable]])
      let told = findings.filter { $0["code"] as? String == code }
      #expect(told.map { $0["operation"] as? Int } == [1, 2])
      #expect(told.allSatisfy { $0["severity"] as? String == "warning" })
      #expect(told.allSatisfy { $0["table"] as? String == "TodoItem" })
    }
    let preview = await rehome("replay", "-n", store, "--to", "https://a.example")
    #expect(preview.error.contains("(TodoItem: 2) [\(code)]"), "\(preview.error)")
    let drop = await rehome("ops", "drop", "-q", store, "2")
    #expect(drop.code == 0, "\(drop.error)")
    let replay = await rehome("replay", "--json", store, "--to", server)
    #expect(replay.error.contains("(TodoItem: 1) [\(code)]"), "\(replay.error)")
    #expect(try replay.json()["applied"] as? Int == 2, "\(replay.text)")
    #expect(await rehome("ops", "drop", "-q", store, "--finding", code).code == 0)
    let quiet = await rehome("replay", store, "--to", server)
    #expect(!quiet.error.contains(code), "\(quiet.error)")
  }
}
