import Foundation
import TestSupport
import Testing

/// Operations that an SDK queued before the file went over to another, which gives the same codes
/// other meanings, are never sent.
struct OlderSDKTests {
  private let folder: TemporaryFolder
  private let device: String

  /// A device's store with an old insert, update and delete of items of their own, of which the first
  /// has failed, and behind them an update that the newer SDK has queued.
  init() throws {
    folder = try TemporaryFolder()
    device = folder.path("device.db")
    try alter(
      device,
      """
      CREATE TABLE note (id TEXT PRIMARY KEY, text TEXT, version TEXT);
      CREATE TABLE __operations (id TEXT PRIMARY KEY, kind INTEGER, state INTEGER,
        tableName TEXT, itemId TEXT, item TEXT, sequence INTEGER, version INTEGER);
      CREATE TABLE __errors (id TEXT PRIMARY KEY, status INTEGER, version INTEGER,
        kind INTEGER, tableName TEXT, item TEXT, rawResult TEXT);
      CREATE TABLE __config (id TEXT PRIMARY KEY, value TEXT);
      INSERT INTO note VALUES ('a', 'new', NULL), ('b', 'new', 'V'), ('d', 'new', 'V');
      INSERT INTO __operations VALUES
        ('0d7c1f0e-5b1a-4f0e-9a51-3c0b6d5f9e01', 0, 2, 'note', 'a', NULL, 1, 1),
        ('0d7c1f0e-5b1a-4f0e-9a51-3c0b6d5f9e02', 1, 0, 'note', 'b', NULL, 2, 1),
        ('0d7c1f0e-5b1a-4f0e-9a51-3c0b6d5f9e03', 2, 0, 'note', 'c', '{"id":"c"}', 3, 1),
        ('0d7c1f0e5b1a4f0e9a513c0b6d5f9e04', 3, 0, 'note', 'd', NULL, 4, 1);
      """)
  }

  private func alter(_ store: String, _ statements: String) throws {
    try Devices.execute(store, statements)
  }

  private func server() async throws -> String {
    let items = ["b", "c", "d"].map {
      #"{"id":"\#($0)","text":"old","version":"V","updatedAt":null,"deleted":false}"#
    }
    let file = try folder.write(#"{"note":["# + items.joined(separator: ",") + "]}", to: "s.json")
    let path = folder.path("server.rehome")
    let seeding = await rehome("seed", "-q", "-f", file, "-o", path)
    try #require(seeding.code == 0, "\(seeding.error)")
    return path
  }

  /// What a replay of a store does to each operation, and leaves at the server.
  private func replay(_ store: String) async throws -> (reasons: [String?], texts: String) {
    let server = try await server()
    let outcome = await rehome(
      ["replay", "-q", "--json", store, "--to", server]
        + (store == device ? ["--journal", folder.path("journal.rehome")] : []))
    #expect(outcome.code == 2, "\(outcome.error)")
    let operations = try #require(try outcome.json()["operations"] as? [[String: any Sendable]])
    let texts = try python(
      """
      import sqlite3, sys
      with sqlite3.connect(sys.argv[1]) as db:
          print(*['='.join(row) for row in db.execute('SELECT id, text FROM note ORDER BY id')])
      """, server)
    return (operations.map { $0["reason"] as? String }, texts)
  }

  private func expectHeld(_ store: String) async throws {
    let (reasons, texts) = try await replay(store)
    #expect(reasons == ["unreadable", "unreadable", "unreadable", nil])
    #expect(texts == "b=old c=old d=new\n")
  }

  @Test func noReplaySendsThem() async throws {
    try await expectHeld(device)
    let plan = try await rehome(
      "replay", "-n", "--json", device, "--to", "https://example.invalid"
    ).json()
    let held = try #require(plan["held"] as? [[String: any Sendable]])
    #expect(held.map { $0["sequence"] as? Int } == [1, 2, 3])
  }

  @Test func theyAreHeldWhateverWayTheStoreWent() async throws {
    let (converted, export) = (folder.path("own.rehome"), folder.path("own.json"))
    let (seeded, merged) = (folder.path("seeded.rehome"), folder.path("merged.rehome"))
    #expect(await rehome("convert", "-q", device, "-o", converted).code == 2)
    #expect(await rehome("export", "-q", converted, "--to", "json", "-o", export).code == 2)
    #expect(await rehome("seed", "-q", export, "-o", seeded).code == 2)
    let other = folder.path("other.ndjson")
    _ = try folder.write(#"{"id":"z","text":"other"}"#, to: "other.ndjson")
    #expect(await rehome("convert", "-q", device, other, "-o", merged).code == 2)
    for store in [converted, seeded, merged] { try await expectHeld(store) }
  }

  /// Stores of earlier conversions have the kinds that the newer SDK would see.
  @Test func whatWasConvertedEarlierIsHeld() async throws {
    let store = folder.path("own.rehome")
    _ = await rehome("convert", "-q", device, "-o", store)
    try alter(
      store,
      """
      UPDATE rehome_operation SET kind = 'delete' WHERE sequence = 2;
      UPDATE rehome_operation SET kind = 'insert' WHERE sequence = 3;
      """)
    try await expectHeld(store)
  }

  @Test func failedOnesWaitAndAreToldOnce() async throws {
    let audit = await rehome("audit", "--json", device)
    #expect(audit.code == 2)
    let report = try #require((try audit.json()["stores"] as? [[String: any Sendable]])?.first)
    let operations = try #require(report["operations"] as? [[String: any Sendable]])
    #expect(
      operations.map { $0["state"] as? String } == ["failed", "pending", "pending", "pending"])
    let findings = try #require(report["findings"] as? [[String: any Sendable]])
    let told = findings.filter { $0["severity"] as? String == "error" }
    #expect(Set(told.map { $0["code"] as? String }) == ["operation-of-older-sdk"])
    #expect(told.map { $0["operation"] as? Int } == [1, 2, 3])
  }

  @Test func droppedOnesAreSettled() async throws {
    let store = folder.path("own.rehome")
    _ = await rehome("convert", "-q", device, "-o", store)
    let drop = await rehome("ops", "drop", "-q", "--finding", "operation-of-older-sdk", store)
    #expect(drop.code == 0, "\(drop.error)")
    let outcome = await rehome("replay", "-q", "--json", store, "--to", try await server())
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(try outcome.json()["dropped"] as? Int == 3)
  }
}
