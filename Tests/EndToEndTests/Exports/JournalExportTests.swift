import Foundation
import TestSupport
import Testing

/// What servers have got is known to whatever is made of an export of the store that was replayed.
struct JournalExportTests {
  private let folder: TemporaryFolder
  private let store: String

  init() throws {
    folder = try TemporaryFolder()
    store = folder.path("own.rehome")
  }

  /// Makes a store of devices that was replayed, and rehearsed.
  private func convert(_ samples: String...) async throws {
    let code = await rehome(
      ["convert", "-q", "--fail-on", "never", "-o", store]
        + samples.map { Sample(name: $0).store() }
    ).code
    try #require(code == 0 || code == 2)
    try ReplayedStore.addJournal(to: store)
  }

  private func export(_ words: String, _ name: String) async throws -> String {
    try await ExportForm(words, name).export(store, into: folder)
  }

  private func journal(_ store: String) throws -> String {
    try Devices.query(store, "SELECT * FROM rehome_replay ORDER BY id")
  }

  /// What a replay would send to a server of which the journal tells, to another, and to a store.
  private func plans(_ store: String) async throws -> [String] {
    var plans: [String] = []
    for target in ["https://a.example", "https://new.example"] {
      let outcome = await rehome("replay", store, "--to", target, "--dry-run", "--dialect", "v2")
      plans.append(outcome.text)
    }
    return plans
  }

  @Test(arguments: ExportForm.all) func storesMadeOfExportsSendWhatTheStoreSends(_ form: ExportForm)
    async throws
  {
    try await convert("ios-2016")
    let export = try await form.export(store, into: folder)
    let plans = try await plans(store)
    #expect(plans[0] != plans[1])
    for command in ["seed", "convert"] {
      let made = folder.path(command + ".rehome")
      _ = await rehome(command, "-q", "--fail-on", "never", export, "-o", made)
      #expect(try journal(made) == journal(store))
      #expect(try await self.plans(made) == plans)
    }
    #expect(try await self.plans(export) == plans)
    let hashes = await rehome("hash", store, export).text.split(separator: "\n")
    #expect(hashes.count == 2 && Set(hashes.map { $0.prefix(64) }).count == 1)
  }

  @Test(arguments: ExportForm.all) func storesOfSeveralDevicesSendWhatTheStoreSends(
    _ form: ExportForm
  ) async throws {
    try await convert("ios-2016", "android-2016")
    let (export, made) = (try await form.export(store, into: folder), folder.path("made.rehome"))
    _ = await rehome("seed", "-q", "--fail-on", "never", export, "-o", made)
    #expect(try journal(made) == journal(store))
    #expect(try await plans(made) == plans(store))
    // Behind another store the operations have other numbers, and so have the lines about them.
    let further = Sample(name: "datasync-2023").store()
    let merged = ["store", "export"].map { folder.path("merged-" + $0) }
    for (one, output) in zip([store, export], merged) {
      _ = await rehome("convert", "-q", "--fail-on", "never", further, one, "-o", output)
    }
    #expect(try journal(merged[0]) == journal(merged[1]))
    #expect(try journal(merged[0]) != journal(store))
  }

  @Test(arguments: [ExportForm("json", "export.json"), ExportForm("csv", "export")])
  func auditTellsOfTheExportWhatItTellsOfTheStore(_ form: ExportForm) async throws {
    try await convert("ios-2016")
    let export = try await form.export(store, into: folder)
    var told: [Data] = []
    for store in [store, export] {
      let audit = try await rehome("audit", "--json", "--fail-on", "never", store).json()
      let found = try #require((audit["stores"] as? [[String: any Sendable]])?.first)
      let parts = ["replays", "operations", "effects", "findings"].map { found[$0] ?? NSNull() }
      told.append(try JSONSerialization.data(withJSONObject: parts, options: .sortedKeys))
    }
    #expect(told[0] == told[1])
    #expect(String(decoding: told[0], as: UTF8.self).contains("a.example"))
  }

  @Test func exportOfAStoreThatWasNeverReplayedHasNoJournal() async throws {
    _ = await rehome("convert", "-q", Sample(name: "ios-2016").store(), "-o", store)
    let bundle = try await export("ndjson", "export")
    #expect(!FileManager.default.fileExists(atPath: bundle + "/journal.ndjson"))
    let document = try await export("json", "export.json")
    #expect(try !String(contentsOfFile: document, encoding: .utf8).contains("\"journal\""))
  }

  /// A rehearsal that goes on in another store, too.
  @Test func replayOfASeedGoesOnWhereTheStoreStands() async throws {
    let rehearsal = try await Rehearsal(operations: 6)
    #expect(await rehearsal.replay().code == 0)
    let journal = rehearsal.folder.path("device.rehome")
    let (export, seeded) = (folder.path("device.xml"), folder.path("seeded.rehome"))
    _ = await rehome("export", "-q", journal, "--to", "xml", "-o", export)
    _ = await rehome("seed", "-q", export, "-o", seeded)
    let report = try await rehome("replay", "-q", "--json", seeded, "--to", rehearsal.server).json()
    #expect(report["applied"] as? Int == 0 && report["alreadyApplied"] as? Int == 6)
  }

  /// Parts that most bundles lack have another file where a table is called as they are.
  @Test func tablesMayBeCalledAsParts() async throws {
    let names = ["Journal", "DeviceItems"]
    for name in names {
      _ = try python(
        """
        import sqlite3, sys
        with sqlite3.connect(sys.argv[1]) as db:
            db.execute(f'CREATE TABLE {sys.argv[2]} (id TEXT PRIMARY KEY)')
        """, folder.path(name), name)
    }
    let devices = names.map(folder.path) + [Sample(name: "ios-2016").store()]
    _ = await rehome(["convert", "-q", "--fail-on", "never", "-o", store] + devices)
    try ReplayedStore.addJournal(to: store)
    let (bundle, again) = (try await export("ndjson", "export"), folder.path("again.rehome"))
    #expect(names.allSatisfy { FileManager.default.fileExists(atPath: "\(bundle)/\($0).ndjson") })
    _ = await rehome("convert", "-q", "--fail-on", "never", bundle, "-o", again)
    #expect(try journal(again) == journal(store))
  }

  /// Lines that are missing would let a server get everything a second time.
  @Test func journalThatIsCutIsRefused() async throws {
    try await convert("ios-2016")
    let document = try await export("json", "export.json")
    _ = try python(
      """
      import json, sys
      export = json.load(open(sys.argv[1]))
      export['journal']['rows'].pop()
      json.dump(export, open(sys.argv[1], 'w'))
      """, document)
    let outcome = await rehome("seed", document, "-o", folder.path("again.rehome"))
    #expect(outcome.code == 65, "\(outcome.error)")
    #expect(outcome.error.contains("the table journal has 4 rows"), "\(outcome.error)")
  }
}
