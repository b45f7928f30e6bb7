import Foundation
import TestSupport
import Testing

/// Random stores of the offline SDKs, damaged ones among them, as an oracle reads them that shares
/// no code with the tool.
struct OfflineStoresTests {
  @Test(arguments: ["watermelondb", "powersync", "couchbase"])
  func randomStoresAreReadAsAnOracleReadsThem(family: String) throws {
    let outcome = try Program.python.run([
      "-B", Project.path("Tests/Oracles/compare_offline.py"), Project.executable.path, family, "7",
      "24",
    ])
    #expect(outcome.text == "")
    #expect(outcome.code == 0, "\(outcome.error)")
  }

  /// An update of PowerSync holds only what changed.
  @Test func rehearsalLeavesOtherColumnsAlone() async throws {
    let folder = try TemporaryFolder()
    let (store, target) = (folder.path("a.rehome"), folder.path("b.rehome"))
    let sample = Sample(name: "powersync-2025").store()
    #expect(await rehome("convert", "-q", sample, "-o", store).code == 0)
    #expect(await rehome("convert", "-q", sample, "-o", target).code == 0)
    _ = try python(
      """
      import sqlite3, sys
      database = sqlite3.connect(sys.argv[1])
      database.execute("UPDATE todos SET completed = 0")
      database.commit()
      """, target)
    #expect(await rehome("replay", store, "--to", target, "--dialect", "v3").code == 64)
    let outcome = await rehome("replay", store, "--to", target, "--on-conflict", "client-wins")
    #expect(outcome.code == 0, "\(outcome.error)")
    let rows = try python(
      """
      import sqlite3, sys
      rows = sqlite3.connect(sys.argv[1]).execute(
          "SELECT description, completed, price FROM todos ORDER BY _pk")
      print(list(rows))
      """, target)
    #expect(rows == "[('milk', 1, 1.5), ('line one\\nline two', 0, 3.0)]\n")
  }
}
