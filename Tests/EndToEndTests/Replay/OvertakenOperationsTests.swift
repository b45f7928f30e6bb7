import Foundation
import TestSupport
import Testing

/// What audits tell of a change on top of which a later device's one has been sent is what a replay does.
@Suite(.enabled(if: SystemProgram.python.isInstalled, "python3 is not installed"))
struct OvertakenOperationsTests {
  private static let server = "https://a.example"
  private static let condition = "only if the server's version is still u"
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A store of two devices, each with an update of one item, of which that of the first one was refused
  /// and that of the second one was sent.
  private func makeStore(version: String, later outcome: String) async throws -> String {
    let devices = try ["a", "b"].map { name in
      try Devices.make(
        "\(name).rehome", in: folder,
        """
        device.make('Item', [('id', 'text', 'id', None), ('version', 'text', 'version', None),
            ('text', 'text', 'value', None)])
        device.add('Item', 1, ['1', 'u', '\(name)'])
        sql("UPDATE rehome_source SET layout = 'azure-mobile-ios', generation = '2016'")
        sql("INSERT INTO rehome_operation VALUES (5, 1, 'Item', '1', 'update', 'pending', NULL, "
            "\(version), 1, NULL, '5', '1', NULL)")
        """)
    }
    let store = folder.path("both.rehome")
    _ = await rehome(["convert", "-q"] + devices + ["-o", store])
    let journal = [(1, "sending"), (1, "rejected"), (2, "sending"), (2, outcome)]
    for (sequence, event) in journal {
      let status = event == "rejected" ? "400" : "NULL"
      _ = try python(
        "import sqlite3, sys; sqlite3.connect(sys.argv[1]).executescript(sys.argv[2])", store,
        "INSERT INTO rehome_replay (sequence, at, event, target, status) VALUES (\(sequence), "
          + "'2020-01-01T00:00:00.000Z', '\(event)', '\(Self.server)', \(status));")
    }
    return store
  }

  @Test(arguments: [
    ("NULL", "applied", "and this one would end on top of it" as String?),
    ("NULL", "inDoubt", "it was not known whether it had arrived"),
    // The server tells of a conflict.
    ("'u'", "applied", nil),
  ])
  func auditsTellWhatAReplayHoldsBack(
    version: String, outcome: String, words: String?
  ) async throws {
    let store = try await makeStore(version: version, later: outcome)
    let plan = await rehome("replay", "--dry-run", store, "--to", Self.server)
    let held = plan.text.split(separator: "\n").filter { $0.contains("not sent: operation 1") }
    #expect(held.count == (words == nil ? 0 : 1), "\(plan.text)")
    let texts = [
      await rehome("audit", store).text, await rehome("ops", "show", store, "1").text,
    ]
    for text in texts {
      #expect(text.contains(words ?? Self.condition), "\(text)")
      #expect(held.allSatisfy { $0.contains(words ?? "") })
      #expect(!text.contains("would end on top") || words != nil, "\(text)")
    }
    let found = await rehome("ops", "list", "--finding", "replay-unfinished", store).text
    #expect(found.split(separator: "\n").count == 2, "\(found)")
    // Another copy of the journal says the same.
    let export = folder.path("both.json")
    _ = await rehome("export", "-q", store, "--to", "json", "-o", export)
    #expect(await rehome("audit", export).text.contains(words ?? Self.condition))
  }
}
