import Foundation
import TestSupport
import Testing

/// The queues of several devices in one store are sent as each device alone would have sent them.
@Suite(.enabled(if: SystemProgram.python.isInstalled, "python3 is not installed"))
struct SentByDevicesTests {
  private let folder: TemporaryFolder
  private let merged: String

  init() throws {
    folder = try TemporaryFolder()
    merged = folder.path("out.rehome")
  }

  /// A program in Python makes the devices, and compares requests and what a service has.
  @Test(arguments: [1, 101, 201])
  func requestsAreThoseOfTheDevicesOneBehindTheOther(seed: Int) throws {
    let oracle = Project.path("Tests/Oracles/compare_sent.py")
    let outcome = try Program.python.run([
      "-B", oracle, Project.executable.path, "--seed", "\(seed)", "--runs", "2", "--service", "1",
    ])
    #expect(outcome.code == 0, "\(outcome.text)\(outcome.error)")
  }

  /// A store as the SDK left it becomes one of several without having been converted before.
  @Test(arguments: [
    "amplify-ios-2024", "android-2014", "android-2016", "cordova-2017", "couchbase-ios-2015",
    "datasync-2023", "dotnet-2014", "dotnet-2019", "ios-2014", "ios-2015", "ios-2016",
    "parse-android-2016", "powersync-2025", "toolkit-2025", "watermelon-2024",
  ])
  func storesOfSDKsAreSentAsEachAloneWouldBe(sample: String) async throws {
    let store = Sample(name: sample).store()
    _ = await rehome("convert", "-q", store, store, "-o", merged)
    let (alone, both) = (await bodies(store), await bodies(merged))
    #expect(!alone.isEmpty)
    #expect(both.sorted() == (alone + alone).sorted())
  }

  /// Devices whose columns have other names, types and letter cases, and are others.
  @Test(arguments: [("wild_couchbase", "WildCouchbase"), ("wild_powersync", "WildPowerSync")])
  func payloadsOfRandomStoresGoAsEachAloneSendsThem(module: String, maker: String) async throws {
    let made = try python(
      """
      import pathlib, random, sys
      sys.path.insert(0, sys.argv[1])
      from \(module) import \(maker)
      for number in range(12):
          path = pathlib.Path(sys.argv[2]) / f"{number}.sqlite"
          print(\(maker)(random.Random(number)).write(path) or path)
      """, ProjectFolders.oracles.path, folder.path)
    let stores = made.split(separator: "\n").map { String($0) }
    var count = 0
    for (first, second) in zip(stores, stores.dropFirst()) {
      let merging = await rehome("convert", "-q", "-f", first, second, "-o", merged)
      #expect(merging.code == 0 || merging.code == 2, "\(merging.error)")
      let alone = await bodies(first) + bodies(second)
      count += alone.count
      #expect(await bodies(merged).sorted() == alone.sorted(), "\(first) \(second)")
    }
    #expect(count > 0)
  }

  private func bodies(_ store: String) async -> [Substring] {
    let plan = await rehome("replay", store, "--dry-run")
    #expect([0, 2, 4].contains(plan.code), "\(plan.error)")
    return plan.text.split(separator: "\n").filter { $0.hasPrefix("  {") }
  }

  /// A store of the item 1 with a text of its own type, and one operation on it.
  private func makeDevice(
    _ name: String, text: String, type: String = "text", updatedAt: String, kind: String = "update"
  ) throws -> String {
    try Devices.make(
      name, in: folder,
      """
      device.make('Item', [('id', 'text', 'id', None), ('updatedAt', 'timestamp', 'updatedAt', None),
          ('version', 'text', 'version', None), ('text', '\(type)', 'value', None)])
      device.add('Item', 1, ['1', '\(updatedAt)T00:00:00.000Z', '\(name)', \(text)])
      sql("UPDATE rehome_source SET layout = 'azure-mobile-ios', generation = '2016'")
      sql("INSERT INTO rehome_operation VALUES (1, 1, 'Item', '1', '\(kind)', 'pending', NULL, "
          "'\(name)', 1, NULL, '1', '1', NULL)")
      sql('''CREATE TABLE rehome_replay (id INTEGER PRIMARY KEY, sequence INTEGER NOT NULL,
          at TEXT NOT NULL, event TEXT NOT NULL, detail TEXT, target TEXT, attempt INTEGER,
          status INTEGER, version TEXT) STRICT''')
      """)
  }

  private func plan(_ store: String, to target: String) async throws -> [[String: Any]] {
    let outcome = await rehome("replay", store, "--to", target, "--dry-run", "--json")
    return try #require(try outcome.json()["steps"] as? [[String: Any]], "\(outcome.error)")
  }

  @Test func staleDeviceSendsItsOwnRowWithItsOwnVersion() async throws {
    let fresh = try makeDevice("fresh", text: "'new'", updatedAt: "2020-01-01")
    let stale = try makeDevice("stale", text: "5", type: "integer", updatedAt: "2019-01-01")
    _ = await rehome("convert", "-q", fresh, stale, "-o", merged)
    let steps = try await plan(merged, to: "https://example.net")
    #expect(steps.map { $0["condition"] as? String } == ["\"fresh\"", "\"stale\""])
    let bodies = steps.map { ($0["body"] as? [String: Any])?["text"] }
    #expect(bodies[0] as? String == "new" && bodies[1] as? Int == 5)
  }

  /// What only the column that the devices have in common cannot take, its device has not lost.
  @Test(arguments: [("2020-01-01", "2019-01-01"), ("2019-01-01", "2020-01-01")])
  func valueThatOnlyTheMergedColumnLosesIsSent(_ first: String, _ second: String) async throws {
    let whole = try makeDevice(
      "whole", text: "9007199254740993", type: "integer", updatedAt: first)
    let real = try makeDevice("real", text: "0.5", type: "real", updatedAt: second)
    _ = await rehome("convert", "-q", whole, real, "-o", merged)
    let steps = try await plan(merged, to: "https://example.net")
    let bodies = steps.map { ($0["body"] as? [String: Any])?["text"] }
    #expect(bodies.map { $0 as? NSNumber } == [9_007_199_254_740_993, 0.5])
    let audit = await rehome("audit", merged)
    #expect(!audit.text.contains("operation-without-value"), "\(audit.text)")
  }

  /// A name for a table counts for what each device calls it, unless that has one of its own.
  @Test func mappedTableIsThatOfEveryDevice() async throws {
    try await mergeSpellings()
    for (options, names) in [
      (["todoitem=Items"], ["Items", "Items"]), (["TodoItem=Items"], ["todoitem", "Items"]),
      (["todoitem=A", "TodoItem=B"], ["A", "B"]),
    ] {
      let outcome = await rehome(
        ["replay", merged, "--to", "https://example.net", "--dry-run", "--json"]
          + options.flatMap { ["--map", $0] })
      let steps = try #require(try outcome.json()["steps"] as? [[String: Any]], "\(outcome.error)")
      let paths = steps.compactMap { ($0["path"] as? String)?.split(separator: "/") }
      #expect(paths.map { String($0[1]) } == names.flatMap { Array(repeating: $0, count: 3) })
    }
  }

  /// What is held back bears the same names as what is sent.
  @Test func heldOperationsNameTheirTablesAsTheirDevicesDo() async throws {
    try await mergeSpellings()
    func tables(_ list: String) async throws -> [String?] {
      let plan = try await rehome(
        "replay", merged, "--to", "https://example.net", "--dry-run", "--json"
      ).json()
      return try #require(plan[list] as? [[String: Any]]).map { $0["table"] as? String }
    }
    #expect(Set(try await tables("steps")) == ["todoitem", "TodoItem"])
    _ = try python(
      """
      import sqlite3, sys
      with sqlite3.connect(sys.argv[1]) as db:
          db.execute("UPDATE rehome_operation SET rowKey = NULL, item = NULL WHERE kind <> 'delete'")
          db.execute("UPDATE rehome_device_item SET item = NULL, body = NULL")
      """, merged)
    #expect(Set(try await tables("held")) == ["todoitem", "TodoItem"])
    let text = await rehome("replay", merged, "--to", "https://example.net", "--dry-run").text
    #expect(text.contains(", TodoItem, because") && text.contains(", todoitem, because"), "\(text)")
  }

  /// A rule for a table decides the conflicts of every device, whatever it calls the table.
  @Test(arguments: ["todoitem", "TodoItm"])
  func rulesCountForEveryDevice(_ table: String) async throws {
    try await mergeSpellings()
    let server = folder.path("server.rehome")
    let items = try folder.write(#"[{"id":"of the server"}]"#, to: "todoitem.json")
    _ = await rehome("seed", "-q", items, "-o", server)
    let rules = try folder.write(
      "table,operation,situation,decision\n\(table),*,*,server-wins\n", to: "rules.csv")
    let outcome = await rehome(
      "replay", merged, "--to", server, "--rules", rules, "--dynamic-schema", "--json")
    let report = try outcome.json()
    let operations = try #require(report["operations"] as? [[String: Any]], "\(outcome.error)")
    #expect(operations.count == 6)
    #expect(operations.allSatisfy { $0["table"] as? String == "todoitem" })
    let (dropped, conflicts) = (report["dropped"] as? Int, report["conflicts"] as? Int)
    let isKnown = table == "todoitem"
    #expect(conflicts == (isKnown ? 0 : 2) && dropped == (isKnown ? 2 : 0), "\(outcome.error)")
    #expect(outcome.error.contains("no table is called so") != isKnown, "\(outcome.error)")
  }

  /// Merges a device with one that spells its table otherwise.
  private func mergeSpellings() async throws {
    let store = Sample(name: "android-2014").store()
    let other = folder.path("other")
    try FileManager.default.copyItem(atPath: store, toPath: other)
    let statements = """
      ALTER TABLE todoitem RENAME TO x; ALTER TABLE x RENAME TO TodoItem;
      UPDATE __operations SET tablename = 'TodoItem'
      """
    try Devices.execute(other, statements)
    _ = await rehome("convert", "-q", store, other, "-o", merged)
  }

  @Test func everyChangeOfAnItemOfSeveralDevicesIsTold() async throws {
    let stores = [
      try makeDevice("a", text: "'x'", updatedAt: "2020-01-01"),
      try makeDevice("b", text: "'y'", updatedAt: "2019-01-01"),
    ]
    _ = await rehome(["convert", "-q"] + stores + ["-o", merged])
    let audit = try await rehome("audit", "--json", merged).json()
    let store = try #require((audit["stores"] as? [[String: Any]])?.first)
    let told = (store["findings"] as? [[String: Any]])?.filter {
      $0["code"] as? String == "same-item-on-several-devices" && $0["operation"] is Int
    }
    #expect(told?.map { $0["operation"] as? Int } == [1, 2])
    let message = told?.first?["message"] as? String ?? ""
    #expect(message.contains("of a (operation 1)") && message.contains("of b (operation 2)"))
    #expect(message.hasSuffix("the items differ in text"))
    let operations = store["operations"] as? [[String: Any]]
    #expect(operations?.map { $0["device"] as? String } == ["a", "b"])
    #expect(operations?.map { ($0["item"] as? [String: Any])?["text"] as? String } == ["x", "y"])
    #expect((store["effects"] as? [Any])?.count == 2)
  }

  /// The conflict of a device is told by its own row, whatever lists the operations.
  @Test func conflictIsThatOfTheRowOfTheDevice() async throws {
    let sample = Sample(name: "ios-2016").store()
    _ = await rehome("convert", "-q", sample, sample, "-o", merged)
    for arguments in [["audit"], ["audit", "--json"]] {
      let audit = await rehome(arguments + ["--fail-on", "never", merged])
      #expect(audit.text.contains("they differ in complete, text"), "\(arguments)")
      #expect(!audit.text.contains("_source"), "\(arguments)")
    }
  }

  @Test func insertIsJudgedByTheRowOfItsOwnDevice() async throws {
    let known = try makeDevice("known", text: "'x'", updatedAt: "2020-01-01")
    let new = try makeDevice("new", text: "'y'", updatedAt: "2019-01-01", kind: "insert")
    _ = try python(
      "import sqlite3, sys; d = sqlite3.connect(sys.argv[1]);"
        + "d.execute('UPDATE Item SET version = NULL'); d.commit()", new)
    _ = await rehome("convert", "-q", known, new, "-o", merged)
    let audit = await rehome("audit", "--json", "--fail-on", "never", merged)
    #expect(!audit.text.contains("insert-already-on-server"))
  }

  @Test func whatWasSentToATargetIsNotPlannedAgain() async throws {
    let first = try makeDevice("a", text: "'x'", updatedAt: "2020-01-01")
    let second = try makeDevice("b", text: "'y'", updatedAt: "2019-01-01")
    let target = try Devices.makeItems(
      "target.rehome", in: folder, "('1', '2018-01-01T00:00:00.000Z', 'a', 'old')")
    let sent = await rehome("replay", "-q", first, "--to", target)
    #expect(sent.code == 0, "\(sent.error)")
    _ = await rehome("convert", "-q", second, first, "-o", merged)
    let steps = try await plan(merged, to: target)
    #expect(steps.map { $0["sequences"] as? [Int] } == [[1]])
    let again = folder.path("again.rehome")
    _ = await rehome("convert", "-q", merged, "-o", again)
    #expect(try await plan(again, to: target).count == 1)
    #expect(try await plan(again, to: "https://example.net").count == 2)
  }

  /// Older journals have the address of a server as it was typed; the latest entry counts.
  @Test(arguments: [
    ("HTTPS://Example.net:443/%78", "https://example.net/x/", true),
    ("https://example.net", "https://EXAMPLE.net:0443", true),
    ("https://example.net//x", "https://example.net/x", false),
    ("https://example.net/%2f", "https://example.net//", false),
  ])
  func journalKnowsAServerByEquivalentAddresses(
    _ written: String, _ asked: String, _ isSame: Bool
  ) async throws {
    let device = try makeDevice("a", text: "'x'", updatedAt: "2020-01-01")
    func write(_ event: String, _ target: String) throws {
      _ = try python(
        """
        import sqlite3, sys
        with sqlite3.connect(sys.argv[1]) as db:
            db.execute('INSERT INTO rehome_replay (sequence, at, event, target, attempt, status) '
                       "VALUES (1, '2024-01-01T00:00:00.000Z', ?, ?, 1, 200)", sys.argv[2:])
        """, device, event, target)
    }
    try write("applied", written)
    #expect(try await plan(device, to: asked).isEmpty == isSame)
    try write("rejected", asked)
    let stores = try await rehome("audit", "--json", device).json()["stores"] as? [[String: Any]]
    let replays = stores?.first?["replays"] as? [[String: Any]]
    #expect(replays?.count == (isSame ? 1 : 2), "\(replays ?? [])")
  }

  @Test func replayOfAnExportGoesOnWithItsJournal() async throws {
    let store = try makeDevice("a", text: "'x'", updatedAt: "2020-01-01")
    let target = try Devices.makeItems(
      "target.rehome", in: folder, "('1', '2018-01-01T00:00:00.000Z', 'a', 'old')")
    let (bundle, journal) = (folder.path("bundle"), folder.path("journal.rehome"))
    _ = await rehome("export", "-q", store, "--to", "json", "-o", bundle + "/")
    for _ in 1...2 {
      let sent = await rehome("replay", "-q", bundle, "--to", target, "--journal", journal)
      #expect(sent.code == 0, "\(sent.error)")
    }
  }

  @Test func dropThatCameAlongCanBeUndone() async throws {
    let first = try makeDevice("a", text: "'x'", updatedAt: "2020-01-01")
    let second = try makeDevice("b", text: "'y'", updatedAt: "2019-01-01")
    #expect(await rehome("ops", "drop", "-q", second, "1", "--why", "no").code == 0)
    _ = await rehome("convert", "-q", first, second, "-o", merged)
    #expect(try await plan(merged, to: "https://example.net").count == 1)
    #expect(await rehome("ops", "show", merged, "2").text.contains("drop"))
    #expect(await rehome("ops", "keep", "-q", merged, "2").code == 0)
    #expect(try await plan(merged, to: "https://example.net").count == 2)
    let bundle = folder.path("bundle/")
    #expect(await rehome("ops", "drop", "-q", merged, "2").code == 0)
    _ = await rehome("export", "-q", merged, "--to", "json", "-o", bundle)
    let seeded = folder.path("seeded.rehome")
    _ = await rehome("seed", "-q", bundle, "-o", seeded)
    #expect(await rehome("ops", "keep", "-q", seeded, "2").code == 0)
    #expect(try await plan(seeded, to: "https://example.net").count == 2)
  }

  @Test func rejectedValuesOfRowsThatGaveWayAreTold() async throws {
    let sample = Sample(name: "cordova-2017").store()
    let outcome = await rehome("convert", "--json", sample, sample, "-o", merged)
    #expect(outcome.code == 2)
    let tables = try #require(try outcome.json()["tables"] as? [[String: Any]])
    #expect(tables.compactMap { $0["rejectedCells"] as? Int }.reduce(0, +) == 2)
    let limited = await rehome("convert", "-qf", "--max-rejects", "1", sample, sample, "-o", merged)
    #expect(limited.code == 3)
  }

  @Test func exportsKnowTheDeviceOfEveryRow() async throws {
    let stores = try ["a", "b"].map {
      try Devices.makeItems("\($0).rehome", in: folder, "('\($0)', None, None, 'x')")
    }
    _ = await rehome(["convert", "-q"] + stores + ["-o", merged])
    let rows = await rehome("export", merged, "--to", "csv", "--table", "Item")
    #expect(rows.text.hasSuffix(",x,2\r\n"), "\(rows.text)")
    let document = try await rehome("export", merged, "--to", "json").json()
    let source = try #require((document["sources"] as? [[String: Any]])?.first)
    let devices = try #require(source["devices"] as? [[String: Any]])
    #expect(devices.map { ($0["metadata"] as? [String: Any])?["path"] as? String } == stores)
  }

  /// Older exports keep no sources of tokens, and those of errors only by their operations.
  @Test(arguments: [false, true])
  func seededStoreNamesNoDeviceWhereNobodyKnowsIt(isOlder: Bool) async throws {
    let stores = ["dotnet-2019", "datasync-2023"].map { Sample(name: $0).store() }
    _ = await rehome(["convert", "-q"] + stores + ["-o", merged])
    let (export, seeded) = (folder.path("export.json"), folder.path("seeded.rehome"))
    _ = await rehome("export", "-q", merged, "--to", "json", "-o", export)
    if isOlder { try forgetDevices(in: export) }
    _ = await rehome("seed", "-q", export, "-o", seeded)
    func sources(_ list: String, of store: String) async throws -> [Int?] {
      let audit = try await rehome("audit", "--json", "--fail-on", "never", store).json()
      let found = try #require((audit["stores"] as? [[String: Any]])?.first)
      return try #require(found[list] as? [[String: Any]]).map { entry in
        // Where it has no operation, nothing in an older export tells of which device an error is.
        isOlder && list == "errors" && !(entry["operation"] is Int) ? nil : entry["source"] as? Int
      }
    }
    let known = try await sources("tokens", of: merged)
    #expect(Set(known) == [1, 2])
    let errors = try await sources("errors", of: merged)
    #expect(errors.contains(2))
    for store in [export, seeded] {
      #expect(try await sources("tokens", of: store) == (isOlder ? known.map { _ in nil } : known))
      #expect(try await sources("errors", of: store) == errors)
    }
  }

  /// Makes a document one of those that did not tell the devices of errors, tokens and rejects yet.
  private func forgetDevices(in export: String) throws {
    _ = try python(
      """
      import json, sys
      export = json.load(open(sys.argv[1]))
      for part in ('errors', 'tokens', 'rejects'):
          assert export[part]['columns'].pop()['name'] == '_source'
          for row in export[part]['rows']:
              del row['_source']
      json.dump(export, open(sys.argv[1], 'w'))
      """, export)
  }
}
