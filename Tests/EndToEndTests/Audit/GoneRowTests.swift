import Foundation
import TestSupport
import Testing

/// An insert or update whose row is not in a store of ours cannot be sent, and that is told.
@Suite(.enabled(if: SystemProgram.python.isInstalled, "python3 is not installed"))
struct GoneRowTests {
  private let folder: TemporaryFolder
  private let device: String

  init() throws {
    folder = try TemporaryFolder()
    device = try CordovaStore.make(
      "device.db", in: folder,
      """
      CREATE TABLE other (id TEXT PRIMARY KEY, version TEXT);
      INSERT INTO other VALUES ('x', 'V');
      INSERT INTO note VALUES ('y', 1, 'V'), ('z', 2, 'V');
      INSERT INTO __operations VALUES (1, 'note', 'update', 'y', '{"version":"V"}'),
        (2, 'note', 'update', 'z', '{"version":"V"}');
      """)
  }

  private func expectLost(
    _ code: String, _ count: Int, in store: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let outcome = await rehome("audit", "--json", store)
    #expect(outcome.code == 2, sourceLocation: sourceLocation)
    let audit = try #require((try outcome.json()["stores"] as? [[String: any Sendable]])?.first)
    let findings = try #require(audit["findings"] as? [[String: any Sendable]])
    #expect(
      findings.count { $0["code"] as? String == code } == count, "\(outcome.text)",
      sourceLocation: sourceLocation)
    let operations = try #require(audit["operations"] as? [[String: any Sendable]])
    #expect(
      operations.count { $0["item"] as? [String: any Sendable] == nil } == count, "\(outcome.text)",
      sourceLocation: sourceLocation)
    let text = await rehome("audit", store).text
    #expect(text.contains("\(count) cannot be sent"), "\(text)", sourceLocation: sourceLocation)
  }

  @Test(arguments: [["convert"], ["export", "--to", "json"], ["export", "--to", "csv"]])
  func whatLeavesRowsOutTellsOfTheirChanges(_ command: [String]) async throws {
    for (options, isTold) in [
      (["--exclude-table", "note"], true), (["--exclude-table", "other"], false),
    ] {
      let outcome = await rehome(command + [device, "-f", "-o", folder.path("out")] + options)
      #expect(outcome.code == 0, "\(outcome.error)")
      let words = "changes of rows of note, which was left out, that cannot be sent from here"
      #expect(outcome.error.contains(words) == isTold, "\(outcome.error)")
      try? FileManager.default.removeItem(atPath: folder.path("out"))
    }
  }

  /// What the queue keeps is sent without its row; what is told agrees with what a replay does.
  @Test(arguments: ["cordova-2017", "toolkit-2025", "powersync-2025", "amplify-ios-2024"])
  func changesWithoutRowsAreCountedAsAReplayDoes(_ name: String) async throws {
    let (store, server) = (folder.path("t.rehome"), folder.path("s.rehome"))
    let sample = Sample(name: name).store()
    _ = await rehome("convert", "-q", sample, "-o", server)
    let outcome = await rehome("convert", "--json", sample, "--exclude-table", "*", "-o", store)
    let findings = try #require(try outcome.json()["findings"] as? [[String: any Sendable]])
    let told = findings.compactMap { $0["message"] as? String }.filter {
      $0.contains("which was left out")
    }
    func count(_ words: String) -> Int {
      told.filter { $0.contains(words) }.compactMap { $0.split(separator: " ").last }
        .reduce(0) { $0 + (Int($1) ?? 0) }
    }
    let plan = await rehome("replay", store, "--to", server, "--dry-run").text
    let gone = plan.split(separator: "\n").count {
      $0.hasSuffix("the row that would be sent is gone")
    }
    #expect(count("cannot be sent from here") == gone, "\(told), \(plan)")
    let waiting = try Devices.query(
      store,
      "SELECT count(*) FROM rehome_operation WHERE state IN ('pending', 'attempted', 'failed')")
    #expect(
      count("can be sent as the queue holds them") == (Int(waiting.dropLast()) ?? -1) - gone,
      "\(told)")
  }

  @Test func rowsOfTablesThatWereLeftOutAreGone() async throws {
    let (store, export) = (folder.path("t.rehome"), folder.path("t.json"))
    _ = await rehome("convert", "-q", device, "--table", "other", "-o", store)
    try await expectLost("operation-for-unknown-table", 2, in: store)
    #expect(try Devices.query(store, "SELECT count(rowKey) FROM rehome_operation") == "0\n")
    _ = await rehome("export", "-q", device, "--table", "other", "--to", "json", "-o", export)
    try await expectLost("operation-for-unknown-table", 2, in: export)
    let whole = folder.path("whole.rehome")
    _ = await rehome("convert", "-q", device, "-o", whole)
    let document = folder.path("t.xml")
    _ = await rehome("export", "-q", whole, "--table", "other", "--to", "xml", "-o", document)
    try await expectLost("operation-for-unknown-table", 2, in: document)
  }

  @Test func rowsThatSomebodyTookAwayAreGone() async throws {
    let (store, export) = (folder.path("t.rehome"), folder.path("t.json"))
    _ = await rehome("convert", "-q", device, "-o", store)
    _ = try python(
      """
      import sqlite3, sys
      with sqlite3.connect(sys.argv[1]) as db: db.execute("DELETE FROM note WHERE id = 'y'")
      """, store)
    try await expectLost("operation-without-row", 1, in: store)
    _ = await rehome("export", "-q", store, "--to", "json", "-o", export)
    try await expectLost("operation-without-row", 1, in: export)
    let plan = try await rehome(
      "replay", "--dry-run", "--json", store, "--to", "https://x.invalid", "--dialect", "v2"
    ).json()
    #expect((plan["steps"] as? [any Sendable])?.count == 1, "\(plan)")
    #expect((plan["held"] as? [any Sendable])?.count == 1, "\(plan)")
  }

  @Test func tableOfAnOperationIsNotThereInAnOlderStore() async throws {
    let store = folder.path("t.rehome")
    _ = await rehome("convert", "-q", device, "--table", "other", "-o", store)
    _ = try python(
      """
      import sqlite3, sys
      with sqlite3.connect(sys.argv[1]) as db: db.execute("UPDATE rehome_operation SET rowKey = sequence")
      """, store)
    try await expectLost("operation-for-unknown-table", 2, in: store)
  }
}
