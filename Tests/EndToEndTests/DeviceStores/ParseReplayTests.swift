import TestSupport
import Testing

/// What waits in a Local Datastore of Parse can be rehearsed, and the audit says what would be sent.
struct ParseReplayTests {
  private static let sample = Project.path("samples/parse-android-2016/ParseOfflineStore")

  @Test func auditSaysWhatWouldBeSent() async throws {
    let outcome = await rehome("audit", Self.sample, "--fail-on", "never")
    #expect(outcome.text.contains("a replay would send its changes as they were stored"))
    #expect(!outcome.text.contains("a replay would write its fields"))
  }

  @Test func rehearsalSendsObjectsUnderTheirNames() async throws {
    let folder = try TemporaryFolder()
    let target = folder.path("server.rehome")
    _ = await rehome("convert", "-q", Self.sample, "-o", target)
    _ = try python(
      """
      import sqlite3, sys
      database = sqlite3.connect(sys.argv[1])
      database.execute("DELETE FROM Game WHERE objectId IS NULL")
      database.execute("UPDATE Game SET score = 10, deleted = 0")
      database.commit()
      """, target)
    let outcome = await rehome(
      "replay", "--json", Self.sample, "--to", target, "--hard-delete", "--journal",
      folder.path("j.rehome"))
    #expect(outcome.code == 0, "\(outcome.error)")
    let report = try outcome.json()
    #expect(report["applied"] as? Int == 4)
    let rows = await rehome("export", target, "--to", "ndjson", "--table", "Game").text
    #expect(rows.contains(#""score":15"#))
    #expect(rows.contains(#""objectId":"5a0e0000-0000-4000-8000-000000000002","_uuid":null"#))
    #expect(!rows.contains("Zz9Zz9Zz9Z"))
  }
}
