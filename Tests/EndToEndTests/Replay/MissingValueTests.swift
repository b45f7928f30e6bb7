import Foundation
import TestSupport
import Testing

/// What could not be read from a row is not sent as null.
struct MissingValueTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A device's store whose item `a1` is due in a year for which no type has room, as the latest date
  /// of .NET is where it was rounded; `a2` is as it should be.
  private func device(_ name: String, due: String = "253402300800", updatedAt: Int = 1) throws
    -> String
  {
    let path = folder.path(name)
    let script = """
      import sqlite3, sys
      with sqlite3.connect(sys.argv[1]) as db:
          db.executescript('''
          CREATE TABLE TodoItem (id TEXT PRIMARY KEY, text TEXT, due DATETIME, version TEXT,
            createdAt DATETIME, updatedAt DATETIME, deleted BOOLEAN);
          \(QueueTables.dotNet)
          INSERT INTO TodoItem VALUES('a1', 'new', %s, 'V', NULL, %s, 0);
          INSERT INTO TodoItem VALUES('a2', 'new', 1480000000, 'V', NULL, %s, 0);
          INSERT INTO __operations VALUES('o1', 1, 0, 'TodoItem', 0, 'a1', NULL, NULL, 1, 1);
          INSERT INTO __operations VALUES('o2', 1, 0, 'TodoItem', 0, 'a2', NULL, NULL, 2, 1);
          ''' % (sys.argv[2], sys.argv[3], sys.argv[3]))
      """
    _ = try python(script, path, due, String(updatedAt))
    return path
  }

  private func server() async throws -> String {
    let items = ["a1", "a2"].map {
      #"{"id":"\#($0)","text":"old","due":"9999-12-31T23:59:59.999Z","version":"V","#
        + #""createdAt":null,"updatedAt":"2016-10-01T09:15:30.000Z","deleted":false}"#
    }
    let file = try folder.write(
      #"{"TodoItem":["# + items.joined(separator: ",") + "]}", to: "s.json")
    let path = folder.path("server.rehome")
    let seeding = await rehome("seed", "-q", file, "-o", path)
    try #require(seeding.code == 0, "\(seeding.error)")
    return path
  }

  private func dates(_ store: String) throws -> String {
    try python(
      """
      import sqlite3, sys
      with sqlite3.connect(sys.argv[1]) as db:
          print([row[0] for row in db.execute('SELECT due FROM TodoItem ORDER BY id')])
      """, store)
  }

  private func reasons(_ outcome: Outcome) throws -> [String?] {
    let operations = try #require(try outcome.json()["operations"] as? [[String: any Sendable]])
    return operations.map { $0["reason"] as? String }
  }

  @Test func rowWithARejectedValueIsHeldBack() async throws {
    let (device, server) = (try device("device.db"), try await server())
    let journal = folder.path("device.rehome")
    for _ in 1...2 {
      let outcome = await rehome(
        "replay", "-q", "--json", device, "--to", server, "--journal", journal)
      #expect(outcome.code == 2)
      #expect(try reasons(outcome) == ["withoutValue", nil])
    }
    #expect(
      try dates(server) == "['9999-12-31T23:59:59.999Z', '2016-11-24T15:06:40.000Z']\n")
  }

  /// Without its condition a change would go over whatever somebody else has written since.
  @Test(arguments: ["CAST(x'56FF' AS TEXT)", "x'56'"], ["row", "operation"])
  func changeWhoseVersionCannotBeReadIsHeldBack(version: String, place: String) async throws {
    let server = try await server()
    let device = try place == "row" ? device("device.db", due: "1") : folder.path("device.db")
    _ = try python(
      """
      import sqlite3, sys
      with sqlite3.connect(sys.argv[1]) as db:
          if sys.argv[2] == 'operation':
              db.executescript('''
              \(ToolkitTables.all)
              CREATE TABLE TodoItem (Id TEXT NOT NULL PRIMARY KEY, Text TEXT, UpdatedAt TEXT,
                Version TEXT, Deleted INTEGER NOT NULL);''')
              for number, item in enumerate(['a1', 'a2'], 1):
                  db.execute("INSERT INTO TodoItem VALUES (?, 'new', NULL, 'V', 0)", (item,))
                  db.execute("INSERT INTO DatasyncOperationsQueue VALUES "
                             "(?,2,0,NULL,NULL,'App.TodoItem',?,'V',?,?,0)",
                             (str(number), item, '{"id": "%s", "text": "new"}' % item, number))
              db.execute("UPDATE DatasyncOperationsQueue SET EntityVersion = \(version) "
                         "WHERE ItemId = 'a1'")
          else:
              db.execute("UPDATE TodoItem SET version = \(version) WHERE id = 'a1'")
      with sqlite3.connect(sys.argv[3]) as db:
          db.execute("UPDATE TodoItem SET version = 'NEWER' WHERE id = 'a1'")
      """, device, place, server)
    let outcome = await rehome(
      "replay", "-q", "--json", device, "--to", server, "--journal", folder.path("j.rehome"))
    #expect(outcome.code == 2, "\(outcome.error)")
    let reason = place == "row" ? "withoutValue" : "notSendable"
    #expect(try reasons(outcome) == [reason, nil])
    let texts = try python(
      """
      import sqlite3, sys
      with sqlite3.connect(sys.argv[1]) as db:
          print([row[0] for row in db.execute('SELECT text FROM TodoItem ORDER BY id')])
      """, server)
    #expect(texts == "['old', 'new']\n")
  }

  /// A limit of values is none of the items that they are in.
  @Test func limitOfValuesBoundsNoItem() async throws {
    let device = try device("device.db", due: "1")
    _ = try python(
      """
      import sqlite3, sys
      with sqlite3.connect(sys.argv[1]) as db:
          for name in 'xyz': db.execute(f'ALTER TABLE TodoItem ADD COLUMN {name} TEXT')
          db.execute('UPDATE TodoItem SET x = ?, y = ?, z = ?', ('a' * 900,) * 3)
      """, device)
    let plan = await rehome(
      "replay", "--dry-run", "--json", device, "--to", "https://example.invalid",
      "--max-value-bytes", "1000")
    let steps = try #require(try plan.json()["steps"] as? [[String: any Sendable]])
    let bodies = steps.compactMap { $0["body"] as? [String: any Sendable] }
    #expect(bodies.map { ($0["z"] as? String)?.count } == [900, 900], "\(plan.error)")
  }

  /// An insert has no condition, and so has an update behind it that goes with it.
  @Test(arguments: [[0], [0, 1]])
  func insertNeedsNoVersion(kinds: [Int]) async throws {
    let device = try device("device.db", due: "1")
    _ = try python(
      """
      import sqlite3, sys
      with sqlite3.connect(sys.argv[1]) as db:
          db.execute("UPDATE TodoItem SET version = x'56', id = 'b1' WHERE id = 'a1'")
          db.execute("DELETE FROM __operations")
          for number, kind in enumerate(sys.argv[2:], 1):
              db.execute("INSERT INTO __operations VALUES (?, ?, 0, 'TodoItem', 0, 'b1', NULL, NULL, ?, 1)",
                         (f'o{number}', int(kind), number))
      """, [device] + kinds.map { "\($0)" })
    let toolkit = folder.path("toolkit.db")
    _ = await rehome("seed", "-q", device, "--into", "toolkit", "-o", toolkit)
    let queue = try Devices.query(toolkit, "SELECT count(*) FROM DatasyncOperationsQueue")
    #expect(queue == "1\n")
    let audit = await rehome("audit", device)
    #expect(!audit.text.contains("operation-without-value"), "\(audit.text)")
    let outcome = await rehome(
      "replay", "-q", "--json", device, "--to", try await server(), "--journal",
      folder.path("j.rehome"))
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(try reasons(outcome) == kinds.map { _ in nil })
  }

  private func losses(_ store: String) async throws -> [String] {
    let audit = try await rehome("audit", "--json", store).json()
    let stores = try #require(audit["stores"] as? [[String: any Sendable]])
    let findings = try #require(stores.first?["findings"] as? [[String: any Sendable]])
    return findings.filter { $0["code"] as? String == "value-out-of-range" }
      .map { "\($0["table"] ?? "")/\($0["message"] ?? "")" }
  }

  /// The column is told of the store itself as of whatever is made of it.
  @Test func columnIsToldWhereverTheRowGoes() async throws {
    let device = try device("device.db")
    var stores = [device]
    for (command, name) in [
      (["convert"], "own.rehome"), (["export", "--to", "json"], "own.json"),
      (["export", "--to", "csv"], "own-csv"), (["seed"], "seeded.rehome"),
      (["convert"], "again.rehome"), (["export", "--to", "xml"], "again.xml"),
    ] {
      let source = name.hasPrefix("own") ? device : stores[stores.count - 1]
      let path = folder.path(name)
      #expect(await rehome(command + ["-q", source, "-o", path]).code != 70)
      stores.append(path)
    }
    for store in stores {
      #expect(
        try await losses(store) == ["TodoItem/column due: 1 value is out of range"], "\(store)")
    }
  }

  @Test func planAndAuditSaySo() async throws {
    let device = try device("device.db")
    let canonical = folder.path("own.rehome")
    #expect(await rehome("convert", "-q", device, "-o", canonical).code == 2)
    for store in [device, canonical] {
      let shown = await rehome("replay", "--dry-run", store, "--dialect", "v2")
      #expect(shown.text.contains("not sent: operation 1"), "\(shown.text)")
      #expect(shown.text.contains("update TodoItem a2"))
      let plan = try await rehome("replay", "--dry-run", "--json", store).json()
      let held = try #require(plan["held"] as? [[String: any Sendable]])
      #expect(held.map { $0["reason"] as? String } == ["withoutValue"])
      let audit = await rehome("audit", store)
      #expect(audit.text.contains("1 can be sent as it is"), "\(audit.text)")
      #expect(audit.text.contains("null would be sent instead"))
      #expect(audit.text.contains("[operation-without-value]"))
      let listed = await rehome("ops", "list", "--finding", "operation-without-value", store)
      #expect(listed.text.contains("a1") && !listed.text.contains("a2"), "\(listed.text)")
      let page = await rehome("ops", "show", store, "1")
      #expect(page.text.contains("a replay would: send nothing"), "\(page.text)")
    }
  }

  @Test func correctedValueIsSent() async throws {
    let (device, server) = (try device("device.db"), try await server())
    let journal = folder.path("device.rehome")
    _ = await rehome("convert", "-q", device, "-o", journal)
    _ = try python(
      """
      import sqlite3, sys
      with sqlite3.connect(sys.argv[1]) as db:
          db.executescript('''
          UPDATE TodoItem SET due = '2016-12-01T00:00:00.000Z' WHERE id = 'a1';
          DELETE FROM rehome_reject''')
      """, journal)
    #expect(await rehome("replay", "-q", journal, "--to", server).code == 0)
    #expect(try await losses(journal) == [])
    #expect(
      try dates(server) == "['2016-12-01T00:00:00.000Z', '2016-11-24T15:06:40.000Z']\n")
  }

  @Test(arguments: [("json", "rejects"), ("postgresql", "rehome_reject")])
  func exportTellsWhereTheValuesAre(format: String, name: String) async throws {
    let outcome = await rehome(
      "export", try device("device.db"), "--to", format, "-o", folder.path("out"))
    #expect(
      outcome.error.contains(
        "TodoItem: 1 value could not be taken over and became NULL; what it was is in \(name) ["),
      "\(outcome.error)")
  }

  /// An app sends its rows as they are, too, so that its store must not have such an operation.
  @Test func storeOfAnAppDoesNotHaveTheOperation() async throws {
    let device = try device("device.db")
    let (own, export) = (folder.path("own.rehome"), folder.path("own.json"))
    _ = await rehome("convert", "-q", device, "-o", own)
    _ = await rehome("export", "-q", own, "--to", "json", "-o", export)
    for input in [device, own, export] {
      let app = folder.path("app.db")
      let outcome = await rehome("seed", "-f", input, "--into", "toolkit", "-o", app)
      #expect(outcome.code == 2)
      #expect(
        outcome.error.contains("operations of TodoItem whose row lacks a value"),
        "\(outcome.error)")
      #expect(try Devices.query(app, "SELECT ItemId FROM DatasyncOperationsQueue") == "a2\n")
    }
  }

  /// Each device sends its own row, whichever of them the store keeps.
  @Test(arguments: [1, 3]) func onlyTheDeviceWhoseRowLacksTheValueIsHeldBack(
    _ changed: Int
  ) async throws {
    let devices = [
      try device("one.db", updatedAt: changed),
      try device("two.db", due: "1480000000", updatedAt: 2),
    ]
    let canonical = folder.path("both.rehome")
    #expect(await rehome(["convert", "-q"] + devices + ["-o", canonical]).code == 2)
    var stores = [canonical]
    for format in ["json", "csv"] {
      stores.append(folder.path("both-" + format))
      _ = await rehome("export", "-q", canonical, "--to", format, "-o", stores[stores.count - 1])
    }
    for store in stores {
      let plan = try await rehome("replay", "--dry-run", "--json", store).json()
      let held = try #require(plan["held"] as? [[String: any Sendable]])
      #expect(held.map { $0["sequence"] as? Int } == [1], "\(store)")
      let steps = try #require(plan["steps"] as? [[String: any Sendable]])
      #expect(steps.count == 3)
      let audit = await rehome("audit", store)
      #expect(audit.text.contains("3 can be sent as they are"), "\(audit.text)")
    }
  }

  /// In a store of several devices a device sends what is put into the row, or the NULL that is left
  /// there, and never one that was only in its place.
  @Test(arguments: [1, 3], [true, false]) func correctedValueOfADeviceIsSent(
    _ changed: Int, isCorrected: Bool
  ) async throws {
    let devices = [
      try device("one.db", updatedAt: changed),
      try device("two.db", due: "1480000000", updatedAt: 2),
    ]
    let (canonical, first) = (folder.path("both.rehome"), folder.path("one.rehome"))
    let export = folder.path("both.json")
    _ = await rehome("convert", "-q", devices[0], "-o", first)
    for inputs in [devices, [first, devices[1]]] {
      _ = await rehome(["convert", "-qf"] + inputs + ["-o", canonical])
      _ = try python(
        """
        import sqlite3, sys
        with sqlite3.connect(sys.argv[1]) as db:
            db.executescript('''
            UPDATE TodoItem SET due = %s WHERE id = 'a1';
            DELETE FROM rehome_reject''' % sys.argv[2])
        """, canonical, isCorrected ? "'2016-12-01T00:00:00.000Z'" : "NULL")
      _ = await rehome("export", "-qf", canonical, "--to", "json", "-o", export)
      for store in [canonical, export] {
        let plan = try await rehome("replay", "-n", "--json", store, "--dialect", "v2").json()
        let steps = try #require(plan["steps"] as? [[String: any Sendable]])
        let bodies = steps.compactMap { $0["body"] as? [String: any Sendable] }
        let others = [String?](repeating: "2016-11-24T15:06:40Z", count: 3)
        #expect(
          bodies.map { $0["due"] as? String }
            == [isCorrected ? "2016-12-01T00:00:00Z" : nil] + others, "\(store)")
        #expect(bodies.first?.keys.contains("due") == true)
      }
    }
  }

  private func change(_ store: String, _ sql: String) throws {
    try Devices.execute(store, sql)
  }

  /// What each step of a replay would send, once nothing is told of what was lost.
  private func bodies(_ store: String) async throws -> [[String: any Sendable]] {
    try change(store, "DELETE FROM rehome_reject")
    let plan = try await rehome("replay", "-n", "--json", store, "--dialect", "v2").json()
    let steps = try #require(plan["steps"] as? [[String: any Sendable]])
    return steps.compactMap { $0["body"] as? [String: any Sendable] }
  }

  /// A device knows a column by its own spelling.
  @Test func correctedValueIsSentByTheDevicesOwnName() async throws {
    let devices = [
      try device("one.db", due: "1480000000", updatedAt: 2), try device("two.db"),
    ]
    try change(devices[1], "ALTER TABLE TodoItem RENAME COLUMN due TO Due")
    let canonical = folder.path("both.rehome")
    _ = await rehome(["convert", "-q"] + devices + ["-o", canonical])
    try change(canonical, "UPDATE TodoItem SET due = '2016-12-01T00:00:00.000Z'")
    let sent = try await bodies(canonical)
    #expect(
      sent.map { ($0["due"] ?? $0["Due"]) as? String } == [
        "2016-11-24T15:06:40Z", "2016-11-24T15:06:40Z", "2016-12-01T00:00:00Z",
        "2016-11-24T15:06:40Z",
      ])
    #expect(sent.map { $0["Due"] != nil } == [false, false, true, true])
  }

  /// What a device never sends was not lost, though the united row has a value of another device.
  @Test(arguments: ["NULL", "253402300800"])
  func nothingElseIsTakenFromTheRow(_ due: String) async throws {
    let devices = [
      try device("one.db", due: "1480000000", updatedAt: 2), try device("two.db", due: due),
    ]
    var stores: [String] = []
    for (number, path) in devices.enumerated() {
      let link = number == 0 ? "'x'" : "CASE id WHEN 'a2' THEN '1' END"
      try change(
        path, "ALTER TABLE TodoItem ADD COLUMN link TEXT; UPDATE TodoItem SET link = \(link)")
      stores.append(folder.path("\(number).rehome"))
      _ = await rehome("convert", "-q", path, "-o", stores[number])
    }
    // As in stores of Core Data.
    try change(
      stores[1],
      "UPDATE rehome_column SET type = 'reference', role = 'reference', target = 'TodoItem' "
        + "WHERE name = 'link'")
    let canonical = folder.path("both.rehome")
    _ = await rehome(["convert", "-q"] + stores + ["-o", canonical])
    let sent = try await bodies(canonical)
    #expect(sent.map { $0["link"] as? String } == ["x", "x", nil, nil])
    #expect(sent.map { $0.keys.contains("link") } == [true, true, false, false])
  }

  /// Exports do not tell of which device a value is that could not be taken over.
  @Test(arguments: ["json", "xml", "csv", "ndjson"])
  func exportOfSeveralDevicesHoldsTheRowBack(_ format: String) async throws {
    let devices = [try device("one.db", due: "1480000000"), try device("two.db")]
    _ = try python(
      """
      import sqlite3, sys
      with sqlite3.connect(sys.argv[1]) as db:
          db.executescript('''
          UPDATE TodoItem SET id = 'b' || id;
          UPDATE __operations SET itemId = 'b' || itemId''')
      """, devices[1])
    let (both, export) = (folder.path("both.rehome"), folder.path("export"))
    let seeded = folder.path("seeded.rehome")
    #expect(await rehome(["convert", "-q"] + devices + ["-o", both]).code == 2)
    _ = await rehome("export", "-q", both, "--to", format, "-o", export)
    _ = await rehome("seed", "-q", export, "-o", seeded)
    for store in [both, export, seeded] {
      let plan = try await rehome("replay", "--dry-run", "--json", store, "--dialect", "v2").json()
      let held = try #require(plan["held"] as? [[String: any Sendable]])
      #expect(held.map { $0["sequence"] as? Int } == [3], "\(store)")
      let audit = await rehome("audit", store)
      #expect(audit.text.contains("operation 3: a value of the row"), "\(audit.text)")
    }
  }
}
