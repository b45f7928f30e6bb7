import TestSupport
import Testing

/// Columns of an app that are called as the server's own of other SDKs are rehearsed like all others.
struct ServerNamesTests {
  private let folder: TemporaryFolder
  private var store: String { folder.path("store.db") }
  private var server: String { folder.path("server.rehome") }

  init() throws { folder = try TemporaryFolder() }

  private func run(_ script: String) throws {
    _ = try python(
      "import json, sqlite3, sys; database = sqlite3.connect(sys.argv[1])\n" + script
        + "\ndatabase.commit()", store)
  }

  /// Sends what waits to what the store was before, and returns the rows there.
  private func rehearse(_ applied: Int) async throws -> String {
    let outcome = await rehome(
      "replay", "--json", store, "--to", server, "--journal", folder.path("j.rehome"))
    #expect(try outcome.json()["applied"] as? Int == applied, "\(outcome.text)\(outcome.error)")
    return await rehome("export", server, "--to", "ndjson", "--table", "lists").text
  }

  @Test func changesOfPowerSyncAreApplied() async throws {
    try run(
      """
      database.executescript('''
        \(QueueTables.powerSync)
        CREATE TABLE "ps_data__lists"(id TEXT PRIMARY KEY NOT NULL, data TEXT);
        CREATE VIEW "lists"("id", "deleted", "version", "updatedAt") AS SELECT id,
          CAST(json_extract(data, '$.deleted') as INTEGER),
          CAST(json_extract(data, '$.version') as TEXT),
          CAST(json_extract(data, '$.updatedAt') as TEXT) FROM "ps_data__lists"
          -- powersync-auto-generated
        ''')
      old = json.dumps({'deleted': 0, 'version': 'v1', 'updatedAt': 'u1'})
      database.execute("INSERT INTO ps_data__lists VALUES ('i', ?)", (old,))
      """)
    #expect(await rehome("convert", "-q", store, "-o", server).code == 0)
    try run(
      """
      new = {'deleted': 1, 'version': 'v2', 'updatedAt': 'u2'}
      for entry in (
          {'op': 'PATCH', 'id': 'i', 'type': 'lists', 'data': {'deleted': 1}},
          {'op': 'PUT', 'id': 'j', 'type': 'lists', 'data': new}):
          database.execute("INSERT INTO ps_crud (data) VALUES (?)", (json.dumps(entry),))
      """)
    let rows = try await rehearse(2)
    #expect(rows.contains(#""id":"i","deleted":1,"version":"v1","updatedAt":"u1""#), "\(rows)")
    #expect(rows.contains(#""id":"j","deleted":1,"version":"v2","updatedAt":"u2""#), "\(rows)")
  }

  @Test func changesOfWatermelonDBAreApplied() async throws {
    try run(
      """
      database.executescript('''
        CREATE TABLE local_storage (key varchar(16) PRIMARY KEY NOT NULL, value text NOT NULL);
        INSERT INTO local_storage VALUES ('__watermelon_last_pulled_at', '1714558830123');
        CREATE TABLE lists (id PRIMARY KEY, _changed, _status, name, deleted, version);
        INSERT INTO lists VALUES ('i', '', 'synced', 'old', 0, 'v1');
        ''')
      """)
    #expect(await rehome("convert", "-q", store, "-o", server).code == 0)
    try run(
      """
      database.executescript('''
        UPDATE lists SET _changed = 'deleted,version', _status = 'updated', deleted = 1,
          version = 'v2';
        INSERT INTO lists VALUES ('j', '', 'created', 'new', 1, 'v3');
        ''')
      """)
    let rows = try await rehearse(2)
    #expect(rows.contains(#""id":"i","name":"old","deleted":1,"version":"v2""#), "\(rows)")
    #expect(rows.contains(#""id":"j","name":"new","deleted":1,"version":"v3""#), "\(rows)")
  }
}
