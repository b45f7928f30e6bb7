import Foundation
import TestSupport
import Testing

/// A mark and what lies beneath it go on through conversions, merges and exports.
struct MarkExportTests {
  private let folder: TemporaryFolder
  private let store: String

  init() throws {
    folder = try TemporaryFolder()
    store = folder.path("own.rehome")
  }

  /// Makes a store of a sample in which a person has dropped operations, and kept one of them.
  private func convert(_ sample: String = "toolkit-2025") async throws {
    _ = await rehome(
      "convert", "-q", "--fail-on", "never", Sample(name: sample).store(), "-o", store)
    let drop = await rehome("ops", "drop", "-q", "--who", "Ann", "--why", "a, \"b\"", store, "1-4")
    try #require(drop.code == 0, "\(drop.error)")
    _ = await rehome("ops", "keep", "-q", "--who", "Bob", store, "2")
  }

  private func export(_ words: String, _ name: String) async throws -> String {
    try await ExportForm(words, name).export(store, into: folder)
  }

  private func make(_ command: String, _ inputs: String...) async throws -> String {
    let output = folder.path("made-by-" + command)
    let made = await rehome([command, "-qf", "--fail-on", "never", "-o", output] + inputs)
    try #require(made.code == 0, "\(made.error)")
    return output
  }

  private func states(_ store: String) throws -> String {
    try Devices.query(store, "SELECT state FROM rehome_operation ORDER BY sequence")
  }

  private func marks(_ store: String) throws -> String {
    try Devices.query(
      store, "SELECT sequence, mark, at, who, why FROM rehome_mark ORDER BY sequence, id")
  }

  private func hash(_ store: String) async -> String {
    String(await rehome("hash", store).text.prefix(64))
  }

  /// What a replay would send, before and after everything that is dropped is kept.
  private func plans(_ store: String) async throws -> [String] {
    var plans: [String] = []
    for isKept in [false, true] {
      if isKept { _ = await rehome("ops", "keep", "-q", store, "1-4") }
      plans.append(
        await rehome("replay", store, "--to", "https://a.example", "--dry-run").text)
    }
    return plans
  }

  @Test(arguments: ["toolkit-2025", "dotnet-2014"])
  func conversionsKeepTheStatesBeneath(_ sample: String) async throws {
    let source = await hash(Sample(name: sample).store())
    try await convert(sample)
    let made = try await make("convert", store)
    #expect(try states(made) == states(store) && !states(made).contains("dropped"))
    #expect(try marks(made) == marks(store))
    #expect(await hash(made) == (await hash(store)))
    #expect(await hash(made) != source)
    #expect(try await plans(made) == plans(store))
    #expect(await hash(made) == source)
  }

  @Test(arguments: ExportForm.all) func exportsKeepTheStatesBeneath(_ form: ExportForm)
    async throws
  {
    try await convert()
    let export = try await form.export(store, into: folder)
    let hash = await hash(store)
    #expect(await self.hash(export) == hash)
    let (states, marks) = (try states(store), try marks(store))
    let listed = await rehome("ops", "list", store).text
    #expect(await rehome("ops", "list", export).text == listed && listed.contains("dropped"))
    for command in ["seed", "convert"] {
      let made = try await make(command, export)
      #expect(try self.states(made) == states && self.marks(made) == marks)
      #expect(await self.hash(made) == hash)
    }
    let made = try await make("convert", export)
    #expect(try await plans(made) == plans(store))
  }

  @Test func mergesKeepTheStatesBeneath() async throws {
    try await convert()
    let other = Sample(name: "ios-2016").store()
    let export = try await export("ndjson", "export")
    for input in [store, export] {
      let made = try await make("convert", other, input)
      let query = "SELECT state FROM rehome_operation WHERE source = 2 ORDER BY sequence"
      #expect(try Devices.query(made, query) == states(store))
      let marked = "SELECT sequence - 8, mark FROM rehome_mark ORDER BY sequence, id"
      #expect(
        try Devices.query(made, marked)
          == Devices.query(store, "SELECT sequence, mark FROM rehome_mark ORDER BY sequence, id"))
    }
  }

  @Test func documentsSayWhatTheirSchemasSay() async throws {
    try await convert()
    let document = try await export("json", "export.json")
    let told = try python(
      """
      import json, sys
      export = json.load(open(sys.argv[1]))
      print([o['state'] for o in export['operations']['rows']])
      print([(m['sequence'], m['mark'], m['who'], m['state']) for m in export['marks']['rows']])
      """, document)
    #expect(
      told == """
        ['dropped', 'pending', 'dropped', 'dropped', 'pending']
        [(1, 'drop', 'Ann', 'failed'), (2, 'drop', 'Ann', 'pending'), (2, 'keep', 'Bob', 'pending'), \
        (3, 'drop', 'Ann', 'pending'), (4, 'drop', 'Ann', 'completed')]

        """)
  }

  @Test func exportOfAStoreWithoutMarksHasNone() async throws {
    _ = await rehome("convert", "-q", Sample(name: "ios-2016").store(), "-o", store)
    let bundle = try await export("ndjson", "export")
    #expect(!FileManager.default.fileExists(atPath: bundle + "/marks.ndjson"))
    let document = try await export("json", "export.json")
    #expect(try !String(contentsOfFile: document, encoding: .utf8).contains("\"marks\""))
  }
}
