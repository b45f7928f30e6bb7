import Foundation
import TestSupport
import Testing

/// What becomes of the operations of several devices in one store.
@Suite(.enabled(if: SystemProgram.python.isInstalled, "python3 is not installed"))
struct MergedQueueTests {
  private let folder: TemporaryFolder
  private let merged: String

  init() throws {
    folder = try TemporaryFolder()
    merged = folder.path("out.rehome")
  }

  /// A store of one item, with operations that are told by SQL values behind `sequence, source`.
  private func makeDevice(
    _ name: String, updatedAt: String, text: String, operations: String...
  ) throws -> String {
    try Devices.make(
      name, in: folder,
      """
      device.make('Item', [('id', 'text', 'id', None), ('updatedAt', 'timestamp', 'updatedAt', None),
          ('version', 'text', 'version', None), ('text', 'text', 'value', None)])
      device.add('Item', 1, ['1', '\(updatedAt)', 'u', '\(text)'])
      sql("UPDATE rehome_source SET layout = 'azure-mobile-ios', generation = '2016'")
      for values in \(operations):
          sql("INSERT INTO rehome_operation VALUES (" + values + ")")
      """)
  }

  private func operations(_ outcome: Outcome) throws -> [[String: Any]] {
    let stores = try outcome.json()["stores"] as? [[String: Any]]
    return try #require(stores?.first?["operations"] as? [[String: Any]])
  }

  @Test func operationOfARowThatGaveWaySendsItsOwnItem() async throws {
    let first = try makeDevice("a.rehome", updatedAt: "2020-01-01T00:00:00.000Z", text: "theirs")
    let second = try makeDevice(
      "b.rehome", updatedAt: "2019-01-01T00:00:00.000Z", text: "mine",
      operations: "5, 1, 'Item', '1', 'update', 'pending', NULL, 'u', 1, NULL, '5', '1', NULL")
    _ = await rehome("convert", "-q", first, second, "-o", merged)
    let row = try Devices.query(
      merged, "SELECT sequence, source, rowKey, item, baseVersion FROM rehome_operation")
    #expect(row == #"1|2|1|{"id":"1","text":"mine"}|u"# + "\n")
    let operation = try #require(
      try operations(await rehome("audit", "--json", merged)).first)
    #expect((operation["item"] as? [String: Any])?["text"] as? String == "mine")
  }

  /// Amplify keeps what it was given beside the rows, and two merges must not make rows of it.
  @Test func storedPayloadsStayWhatTheyAreInASecondMerge() async throws {
    let versions = [("a", 2), ("b", 1), ("c", 30)]
    let devices = versions.map { folder.path($0.0 + ".db") }
    for (path, (name, version)) in zip(devices, versions) {
      try FileManager.default.copyItem(
        atPath: Project.path("samples/amplify-ios-2024/TodoApp.db"), toPath: path)
      let others = "DELETE FROM MutationEvent; UPDATE Post SET title = 'of \(name)';"
      try Devices.execute(
        path, "UPDATE MutationSyncMetadata SET version = \(version); \(name == "b" ? "" : others)")
    }
    let (two, three) = (folder.path("two.rehome"), folder.path("three.rehome"))
    _ = await rehome(["convert", "-q"] + devices + ["-o", merged])
    _ = await rehome("convert", "-q", devices[0], devices[1], "-o", two)
    _ = await rehome("convert", "-q", two, devices[2], "-o", three)
    let items = "SELECT item FROM rehome_operation ORDER BY sequence"
    let payloads = try Devices.query(
      devices[1], "SELECT json FROM MutationEvent ORDER BY createdAt")
    #expect(try Devices.query(three, items) == payloads)
    let verdict = await rehome("verify", merged, three)
    #expect(verdict.code == 0, "\(verdict.text)")
  }

  /// With the row of its device in its place, an operation whose payload nobody can read would be sent.
  @Test(arguments: [
    ("amplify-ios-2024", "MutationEvent", "json", ["[1]", "{\"id\":"]),
    ("android-2016", "__operations", "item", ["{\"id\":"]),
    ("cordova-2017", "__operations", "metadata", ["{\"id\":"]),
    ("datasync-2023", "__operations", "item", ["[1]"]),
    ("dotnet-2019", "__operations", "item", ["{\"id\":"]),
    ("toolkit-2025", "DatasyncOperationsQueue", "Item", ["{\"id\":", ""]),
  ])
  func operationThatNobodyCanReadStaysUnreadable(
    sample: String, table: String, column: String, payloads: [String]
  ) async throws {
    var unreadable: Set<Int> = []
    for payload in payloads {
      let devices = ["a", "b", "c"].map(folder.path)
      for device in devices {
        let isSending = device == devices[1]
        let change = isSending ? "UPDATE \(table) SET \(column) = ?" : "DELETE FROM \(table)"
        _ = try python(
          """
          import os, shutil, sqlite3, sys
          sample, device, change, *values = sys.argv[1:]
          for end in ['', '-wal']:
              if os.path.exists(sample + end):
                  shutil.copyfile(sample + end, device + end)
          with sqlite3.connect(device) as db:
              db.execute(change, values)
          """,
          [Sample(name: sample).store(), device, change] + (isSending ? [payload] : []))
      }
      let stores = devices.map { $0 + ".rehome" }
      for (device, store) in zip(devices, stores) {
        _ = await rehome("convert", "-qf", device, "-o", store)
      }
      let (later, twice) = (folder.path("later.rehome"), folder.path("twice.rehome"))
      _ = await rehome("convert", "-qf", stores[0], stores[1], "-o", merged)
      try Devices.expectMerged(merged, of: Array(stores[..<2]))
      // Here the rows are those of the device, and give way only when the third one comes.
      _ = await rehome("convert", "-qf", devices[1], devices[0], "-o", twice)
      _ = await rehome("convert", "-qf", devices[2], twice, "-o", later)
      let alone = try await whatIsSent(stores[1])
      unreadable.insert(alone.unreadable)
      for store in [merged, twice, later] {
        #expect(try await whatIsSent(store) == alone, "\(payload) \(store)")
      }
    }
    // An empty payload is no better than another one.
    #expect(unreadable.count == 1 && !unreadable.contains(0))
  }

  /// How many operations of a store are sent, and how many nobody can read, to a replay, to the audit
  /// and to an app of the Community Toolkit.
  private func whatIsSent(_ store: String) async throws -> SentOperations {
    let plan = try await rehome("replay", store, "--dry-run", "--json").json()
    let held = try #require(plan["held"] as? [[String: Any]])
    let audit = await rehome("audit", "--json", "--fail-on", "never", store)
    let app = folder.path("app.db")
    let seeded = await rehome(
      "seed", "--json", "-f", store, "--into", "toolkit", "-o", app, "--fail-on", "never")
    let queue = try #require(try seeded.json()["queue"] as? [String: Any])
    return SentOperations(
      sent: (plan["steps"] as? [Any])?.count,
      unreadable: held.count { $0["reason"] as? String == "unreadable" },
      told: audit.text.components(separatedBy: "\"undecodable-operation\"").count - 1,
      seeded: queue["operations"] as? Int)
  }

  private struct SentOperations: Equatable {
    let sent: Int?
    let unreadable: Int
    let told: Int
    let seeded: Int?
  }

  @Test func operationOfTheKeptRowSendsTheRow() async throws {
    let update = "5, 1, 'Item', '1', 'update', 'pending', NULL, 'u', 1, NULL, '5', '1', NULL"
    let first = try makeDevice(
      "a.rehome", updatedAt: "2020-01-01T00:00:00.000Z", text: "mine", operations: update)
    let second = try makeDevice("b.rehome", updatedAt: "2019-01-01T00:00:00.000Z", text: "theirs")
    _ = await rehome("convert", "-q", first, second, "-o", merged)
    #expect(try Devices.query(merged, "SELECT item, rowKey FROM rehome_operation") == "None|1\n")
  }

  @Test func idsOfTheSDKMayBeTheSameOnTwoDevices() async throws {
    let insert = "1, 1, 'Item', '9', 'delete', 'pending', '{}', NULL, NULL, NULL, '7', '1', NULL"
    let twin = "2, 1, 'Item', '8', 'delete', 'pending', '{}', NULL, NULL, NULL, '7', '1', NULL"
    let time = "2020-01-01T00:00:00.000Z"
    let first = try makeDevice("a.rehome", updatedAt: time, text: "a", operations: insert)
    let second = try makeDevice("b.rehome", updatedAt: time, text: "b", operations: insert)
    let third = try makeDevice("c.rehome", updatedAt: time, text: "c", operations: insert, twin)
    for (stores, count) in [([first, second], 0), ([first, third, second], 1)] {
      _ = await rehome(["convert", "-qf"] + stores + ["-o", merged])
      let audit = await rehome("audit", "--json", "--fail-on", "never", merged)
      let told = audit.text.components(separatedBy: "\"duplicate-operation-id\"").count - 1
      #expect(told == count, "\(stores)")
    }
  }

  /// A number that told a class from its twin in one store is no name to the server, whatever way the
  /// changes come.
  @Test(arguments: [
    ["a", "b"], ["b", "a"], ["a", "b.json"], ["b.rehome", "a"], ["c", "a", "b"],
  ])
  func changesOfTwinsGoToTheClassesOfTheDevice(_ order: [String]) async throws {
    let a = try Devices.makeParse("a", in: folder, "game=u1u1u1u1u1")
    let b = try Devices.makeParse("b", in: folder, "game=u1u1u1u1u1", "Game=u1u1u1u1u1")
    _ = try Devices.makeParse("c", in: folder, "Game=u1u1u1u1u1")
    _ = await rehome("convert", "-q", b, "-o", folder.path("b.rehome"))
    _ = await rehome("export", "-q", b, "--to", "json", "-o", folder.path("b.json"))
    let (twice, export) = (folder.path("twice.rehome"), folder.path("out.json"))
    let seeded = folder.path("seeded.rehome")
    _ = await rehome(["convert", "-q"] + order.map(folder.path) + ["-o", merged])
    _ = await rehome("convert", "-q", a, merged, "-o", twice)
    _ = await rehome("export", "-q", merged, "--to", "json", "-o", export)
    _ = await rehome("seed", "-q", export, "-o", seeded)
    let names = ["a": ["game"], "b": ["game", "Game"], "c": ["Game"]]
    let own = order.flatMap { names[String($0.prefix(1))] ?? [] }
    for (store, expected) in [(merged, own), (twice, ["game"] + own), (seeded, own)] {
      let plan = await rehome(
        "replay", store, "--to", "https://example.net", "--dry-run", "--json")
      let steps = try #require(try plan.json()["steps"] as? [[String: Any]], "\(plan.error)")
      let classes = steps.compactMap { ($0["path"] as? String)?.split(separator: "/") }
      #expect(classes.map { String($0[1]) } == expected, "\(store)")
    }
  }

  @Test func queuesOfDifferentServersAreNotReplayedTogether() async throws {
    let samples = ["ios-2016", "datasync-2023"].map { Sample(name: $0).store() }
    _ = await rehome(["convert", "-q", "--fail-on", "never"] + samples + ["-o", merged])
    let outcome = await rehome("replay", merged, "--to", "https://example.com", "--dry-run")
    #expect(outcome.code == 64)
    #expect(outcome.error.contains("azure-mobile-ios 2016, datasync-dotnet"))
  }
}
