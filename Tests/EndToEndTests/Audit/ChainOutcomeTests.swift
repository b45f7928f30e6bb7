import Foundation
import TestSupport
import Testing

/// What became of a chain of operations is told once for each target, for people and on the page.
@Suite(.enabled(if: SystemProgram.python.isInstalled, "python3 is not installed"))
struct ChainOutcomeTests {
  @Test func operationsWithOneOutcomeAreCounted() async throws {
    let folder = try TemporaryFolder()
    let (device, journal) = (folder.path("device.db"), folder.path("journal.rehome"))
    try Devices.execute(
      device,
      """
      CREATE TABLE todoitem (id TEXT PRIMARY KEY, "__version" TEXT, note TEXT);
      \(QueueTables.firstDotNet)
      INSERT INTO todoitem VALUES ('a', 'v1', 'x');
      WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 60)
      INSERT INTO __operations SELECT 'o' || i, 1, 'todoitem', 'a', NULL, 1714558830, i FROM n;
      """)
    let rows = try folder.write(
      Array(#"{"id":"a","version":"v2","note":"y"}"#.utf8), to: "todoitem.ndjson")
    for name in ["one", "two"] {
      let server = folder.path("\(name).rehome")
      #expect(await rehome("seed", "-q", rows, "-o", server).code == 0)
      #expect(await rehome("replay", "-q", device, "--to", server, "--journal", journal).code == 4)
    }
    let audit = ["audit", "--fail-on", "never", journal]
    let lines = await rehome(audit).text.split(separator: "\n").filter {
      $0.contains("rehearsed: in conflict at ")
    }
    #expect(Set(lines).count == 2 && lines.count == 2, "\(lines.count)")
    #expect(lines.allSatisfy { $0.hasSuffix(" (for 60 operations)") }, "\(lines)")
    let page = await rehome(audit + ["--html", "-"]).text
    let told = page.matches(of: /<dt>Rehearsal<\/dt><dd>([^<]*)</).map { String($0.1) }
    #expect(told.allSatisfy { sentence in lines.contains { $0.hasSuffix(": \(sentence)") } })
    #expect(Set(told).count == 2 && told.count == 2, "\(told.count)")
    // The same at another moment is no other outcome, and of many those that are not shown are counted.
    try Devices.execute(
      journal, "UPDATE rehome_replay SET at = printf('2026-01-02T03:%02d:00.000Z', sequence % 60)")
    let later = await rehome(audit).text.split(separator: "\n").filter {
      $0.contains("rehearsed: in conflict at ")
    }
    #expect(later.count == 2 && later.allSatisfy { $0.hasSuffix(" (the last of 60 operations)") })
    #expect(later.allSatisfy { $0.contains("03:59") }, "\(later)")
    try Devices.execute(
      journal, "UPDATE rehome_replay SET detail = sequence WHERE event = 'conflict'")
    let text = await rehome(audit).text
    #expect(text.contains("     and 100 other outcomes, which --json tells\n"), "\(text)")
    #expect(
      await rehome(audit + ["--html", "-"]).text.contains("<dt>Besides</dt><dd>and 100 other"))
  }
}
