import Foundation
import TestSupport
import Testing

/// Core Data stores that are made from an app's empty one have, row by row, what the app's own had.
@Suite(.enabled(if: SystemProgram.python.isInstalled, "python3 is not installed"))
struct SeedCoreDataTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// The samples that carry a model.
  private static let samples = Sample.all.filter { ["ios-2015", "ios-2016"].contains($0.name) }

  private static let sample = Sample(name: "ios-2016")

  /// The store with which an app starts, made from one that has data, and changed by `statements`.
  private func template(of store: String, _ statements: String = "") throws -> String {
    let path = folder.path("empty.sqlite")
    _ = try Python.run(
      file: Project.path("Tests/Oracles/empty_core_data.py"), arguments: [store, path, statements])
    return path
  }

  private func seed(_ input: String, _ template: String, _ options: String...) async -> Outcome {
    await rehome(
      ["seed", input, "--into", "core-data", "--template", template, "-f", "-o", output] + options)
  }

  private var output: String { folder.path("app.sqlite") }

  private func expectSameRows(
    as store: String, in filled: String, _ template: String, _ options: String...
  ) throws {
    let oracle = Project.path("Tests/Oracles/check_core_data.py")
    let arguments = ["-B", oracle, store, filled, template] + options
    let outcome = try Program.python.run(arguments)
    #expect(outcome.code == 0, "\(store): \(outcome.text)\(outcome.error)")
  }

  private func expectCircle(of store: String) async throws {
    let template = try template(of: store)
    let before = try Data(contentsOf: URL(fileURLWithPath: template))
    for form in ["", "in.json", "in.xml", "bundle"] {
      let input = form.isEmpty ? store : folder.path(form)
      if !form.isEmpty {
        let format = form == "in.xml" ? "xml" : form == "bundle" ? "csv" : "json"
        _ = await rehome("export", "-q", store, "--to", format, "-o", input)
      }
      let outcome = await seed(input, template, "--fail-on", "never")
      #expect(outcome.code == 0, "\(store) \(form): \(outcome.error)")
      let verdict = await rehome("verify", store, output)
      #expect(verdict.code == 0, "\(store) \(form): \(verdict.text.prefix(600))")
      try expectSameRows(as: store, in: output, template)
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: template)) == before)
  }

  @Test(arguments: samples)
  func sampleComesBackRowByRow(_ sample: Sample) async throws {
    try await expectCircle(of: sample.store())
  }

  @Test(
    .enabled(if: Corpus.has("CoreDataPlus"), "needs the sample stores; set REHOME_CORPUS"),
    arguments: Corpus.stores)
  func storeOfARealAppComesBackRowByRow(_ store: String) async throws {
    try await expectCircle(of: store)
  }

  @Test func wildStoresComeBackEqual() async throws {
    var count = 0
    for store in try RandomStores.make("wild_ios_stores.py", seed: 78, count: 24, in: folder) {
      let template = try template(of: store)
      defer { try? FileManager.default.removeItem(atPath: template) }
      let outcome = await seed(store, template, "--json", "--fail-on", "never")
      // Without a model nothing tells where values belong.
      guard outcome.code != 65 else {
        #expect(outcome.error.contains("no model"), "\(outcome.error)")
        continue
      }
      count += 1
      #expect(outcome.code == 0 || outcome.code == 2, "\(outcome.error)")
      let report = try await rehome("verify", "--json", store, output).json()
      let tables = try #require(report["tables"] as? [[String: any Sendable]])
      #expect(tables.allSatisfy { $0["equal"] as? Bool == true }, "\(store)")
      let queue = try #require(report["queue"] as? [[String: any Sendable]])
      let told = outcome.text.contains("not-carried-over")
      #expect(told || queue.allSatisfy { $0["equal"] as? Bool == true }, "\(store)")
    }
    #expect(count >= 8)
  }

  /// The framework's own index of places is filled by its triggers, with a module of the engine.
  @Test func indexOfPlacesIsFilled() async throws {
    let template = try template(
      of: Self.sample.store(),
      """
      CREATE VIRTUAL TABLE Z_RT_TodoItem_place USING rtree (Z_PK INTEGER PRIMARY KEY, low, high);
      CREATE TRIGGER Z_RT_TodoItem_place_INSERT AFTER INSERT ON ZTODOITEM BEGIN
        INSERT OR REPLACE INTO Z_RT_TodoItem_place VALUES (NEW.Z_PK, NEW.Z_PK, NEW.Z_PK);
      END
      """)
    let outcome = await seed(Self.sample.store(), template)
    #expect(outcome.code == 0, "\(outcome.error)")
    let counts = try Devices.query(
      output, "SELECT (SELECT count(*) FROM ZTODOITEM), count(*) FROM Z_RT_TodoItem_place")
    let numbers = counts.dropLast().split(separator: "|")
    #expect(numbers.count == 2 && numbers[0] == numbers[1] && numbers[0] != "0", "\(counts)")
    let found = await rehome("inspect", "--fail-on", "warning", output)
    #expect(!found.text.contains("virtual-table-left-out"), "\(found.text)")
  }

  /// What an export may lack is put in its place: numbers of entities, and places in an order.
  @Test func placesAndEntitiesAreMadeUp() async throws {
    var columns = 0
    for store in try RandomStores.make("wild_ios_stores.py", seed: 79, count: 12, in: folder) {
      let template = try template(of: store)
      defer { try? FileManager.default.removeItem(atPath: template) }
      let canonical = folder.path("in.rehome")
      _ = await rehome("convert", "-qf", "--fail-on", "never", store, "-o", canonical)
      let cleared = try python(
        """
        import sqlite3, sys
        db = sqlite3.connect(sys.argv[1])
        found = db.execute("SELECT \\"table\\", name FROM rehome_column "
            "WHERE role IN ('position', 'referenceEntity')").fetchall()
        for table, column in found:
            db.execute(f'UPDATE "{table}" SET "{column}" = NULL')
        db.commit()
        print(len(found))
        """, canonical)
      let outcome = await seed(canonical, template, "--fail-on", "never")
      guard outcome.code != 65 else { continue }
      columns += Int(cleared.dropLast()) ?? 0
      try expectSameRows(as: store, in: output, template, "places")
      let report = try await rehome("verify", "--json", "--limit", "1000", store, output).json()
      for table in try #require(report["tables"] as? [[String: any Sendable]]) {
        let differences = table["differences"] as? [String: any Sendable]
        let rows = try #require(differences?["rows"] as? [[String: any Sendable]])
        let cells = rows.flatMap { $0["cells"] as? [[String: any Sendable]] ?? [] }
        let columns = cells.map { $0["column"] as? String ?? "" }
        #expect(columns.allSatisfy { $0.hasSuffix("position") }, "\(store) \(columns)")
      }
    }
    #expect(columns > 4)
  }

  @Test(arguments: ["DELETE", "WAL"])
  func keysGoOnBehindThoseThatWereGivenOut(journal: String) async throws {
    let store = Self.sample.store()
    let template = try template(
      of: store,
      "UPDATE Z_PRIMARYKEY SET Z_MAX = 100 WHERE Z_NAME = 'TodoItem';"
        + "PRAGMA journal_mode = \(journal);")
    #expect(await seed(store, template).code == 0)
    let facts = try python(
      """
      import sqlite3, sys
      old, new = (sqlite3.connect(f'file:{p}?immutable=1', uri=True) for p in sys.argv[1:])
      keys = lambda db, sql: [r[0] for r in db.execute(sql)]
      items = 'SELECT Z_PK FROM ZTODOITEM ORDER BY 1'
      links = 'SELECT ZTASK FROM ZVISIT WHERE ZTASK NOT NULL ORDER BY 1'
      for sql in items, links:
          print(keys(new, sql) == [key + 100 for key in keys(old, sql)] != [])
      print(keys(new, "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'TodoItem'")
          == [100 + keys(old, 'SELECT max(Z_PK) FROM ZTODOITEM')[0]])
      print({1: 'DELETE', 2: 'WAL'}[open(sys.argv[2], 'rb').read()[18]])
      """, store, output)
    #expect(facts == "True\nTrue\nTrue\n\(journal)\n")
  }

  @Test func whatAServerHasGotDoesNotWait() async throws {
    let store = folder.path("own.rehome")
    #expect(await rehome("convert", "-q", Self.sample.store(), "-o", store).code == 0)
    try ReplayedStore.addJournal(to: store)
    let outcome = await seed(store, try template(of: Self.sample.store()))
    #expect(outcome.error.contains("a replay to https://a.example has brought to an end"))
    let ids = try Devices.query(output, "SELECT ZID FROM ZMS_TABLEOPERATIONS ORDER BY ZID")
    #expect(ids == "4\n5\n7\n8\n9\n10\n11\n", "\(outcome.error)")
  }

  @Test func rowWithoutAValueIsNotSent() async throws {
    let store = folder.path("device.sqlite")
    try FileManager.default.copyItem(atPath: Self.sample.store(), toPath: store)
    try Devices.execute(store, "UPDATE ZTODOITEM SET ZCOMPLETE = 'x' WHERE Z_PK = 6")
    let template = try template(of: Self.sample.store())
    let own = folder.path("own.rehome")
    _ = await rehome("convert", "-q", store, "-o", own)
    for input in [store, own] {
      let outcome = await seed(input, template)
      #expect(outcome.code == 2)
      #expect(outcome.error.contains("operations whose row lacks a value"), "\(outcome.error)")
      let ids = try Devices.query(output, "SELECT ZID FROM ZMS_TABLEOPERATIONS ORDER BY ZID")
      #expect(ids == "4\n5\n7\n8\n9\n10\n11\n")
    }
  }

  @Test func rowThatTheStoreRefusesIsNotSent() async throws {
    let store = folder.path("device.sqlite")
    try FileManager.default.copyItem(atPath: Self.sample.store(), toPath: store)
    try Devices.execute(
      store,
      """
      UPDATE ZTODOITEM SET ZTEXT = 'same'
      WHERE Z_PK IN (6, (SELECT min(Z_PK) FROM ZTODOITEM WHERE Z_PK < 6))
      """)
    let template = try template(
      of: Self.sample.store(), "CREATE UNIQUE INDEX one ON ZTODOITEM (ZTEXT) WHERE ZTEXT = 'same'")
    let own = folder.path("own.rehome")
    _ = await rehome("convert", "-q", store, "-o", own)
    for input in [store, own] {
      let outcome = await seed(input, template)
      #expect(outcome.code == 2 && outcome.error.contains("[row-refused]"), "\(outcome.error)")
      #expect(
        outcome.error.contains("operations whose row is not in the store"), "\(outcome.error)")
      let ids = try Devices.query(output, "SELECT ZID FROM ZMS_TABLEOPERATIONS ORDER BY ZID")
      #expect(ids == "4\n5\n7\n8\n9\n10\n11\n")
    }
  }

  @Test func nothingLeadsToTablesThatAreLeftOut() async throws {
    let store = Self.sample.store()
    let template = try template(of: store)
    let outcome = await seed(store, template, "--exclude-table", "TodoItem")
    #expect(outcome.code == 2)
    for place in [
      "operations of tables that were left out", "tokens of tables that were left out: 1",
      "references of Visit to rows that were left out, which became NULL: 2",
    ] {
      #expect(outcome.error.contains(place), "\(outcome.error)")
    }
    let facts = try python(
      """
      import sqlite3, sys
      db = sqlite3.connect(sys.argv[1])
      print(db.execute('SELECT count(*), count(ZTASK) FROM ZVISIT').fetchone(),
          db.execute('SELECT DISTINCT ZTABLE FROM ZMS_TABLEOPERATIONS').fetchall(),
          db.execute('SELECT DISTINCT ZTABLE FROM ZMS_TABLECONFIG').fetchall())
      """, output)
    #expect(facts == "(3, 0) [('Visit',)] [('Visit',)]\n")
  }

  /// The SDK sends the row that is there, and only one device's is kept.
  @Test func changesOfDevicesWhoseRowGaveWayAreTold() async throws {
    let store = Self.sample.store()
    let (other, merged) = (folder.path("other.sqlite"), folder.path("merged.rehome"))
    _ = try python(
      """
      import shutil, sqlite3, sys
      shutil.copy(*sys.argv[1:])
      with sqlite3.connect(sys.argv[2]) as base: base.execute("UPDATE ZTODOITEM SET ZTEXT = 'other'")
      """, store, other)
    _ = await rehome("convert", "-q", store, other, "-o", merged)
    let template = try template(of: store)
    for (input, isTold) in [(merged, true), (store, false)] {
      let lines = await seed(input, template).error.split(separator: "\n")
      for words in ["that send the row of another device", "joins as if one device had made them"] {
        let told = lines.filter { $0.contains(words) }
        #expect(!told.isEmpty == isTold, "\(told)")
        #expect(told.allSatisfy { $0.contains(": operations of ") }, "\(told)")
      }
    }
  }

  /// Whatever the numbers come from, those that lead nowhere are told, once for each column.
  @Test(arguments: ["csv", "gaps", "canonical", "core-data"])
  func numbersThatLeadNowhereAreTold(_ kind: String) async throws {
    let store = Self.sample.store()
    let template = try template(of: store)
    let items = kind == "gaps" ? "_pk,id,text\n1,a,x\n9,b,y\n10,c,z\n" : "_pk,id,text\n1,a,x\n"
    var inputs = try [
      folder.write(items, to: "TodoItem.csv"),
      folder.write("id,task\nu,1\nv,8\nw,\(kind == "gaps" ? 7 : 9)\nx,\n", to: "Visit.csv"),
    ]
    if !["csv", "gaps"].contains(kind) {
      let device = folder.path("device.sqlite")
      _ = try python(
        """
        import shutil, sqlite3, sys
        shutil.copy(*sys.argv[1:])
        with sqlite3.connect(sys.argv[2]) as base:
            base.execute('UPDATE ZVISIT SET ZTASK = 99 WHERE Z_PK IN (1, 2)')
            base.execute('UPDATE ZVISIT SET ZTASK = NULL WHERE Z_PK > 2')
        """, store, device)
      inputs = [device]
    }
    if kind == "canonical" {
      let kept = folder.path("kept")
      _ = await rehome("convert", "-q", inputs[0], "-o", kept)
      inputs = [kept]
    }
    let outcome = await rehome(
      ["seed"] + inputs + ["--into", "core-data", "--template", template, "-fo", output])
    #expect(outcome.code == 0, "\(outcome.error)")
    let told = outcome.error.split(separator: "\n").filter { $0.contains("dangling-reference") }
    let text = "Visit: 2 rows of Visit refer by task to rows that are not there"
    #expect(told.count == 1 && told[0].contains(text), "\(outcome.error)")
    #expect(await rehome("audit", output).text.contains(text))
    guard kind == "csv" else { return }
    let links = try python(
      """
      import sqlite3, sys
      print(*sqlite3.connect(sys.argv[1]).execute('SELECT ZTASK FROM ZVISIT ORDER BY ZID'))
      """, output)
    #expect(links == "(1,) (8,) (9,) (None,)\n")
  }

  @Test func numbersThatTheAppsTypeDoesNotHoldAreTold() async throws {
    let template = try template(of: Self.sample.store())
    let input = try folder.write("id,rank\na,70000\n".utf8, to: "Visit.csv")
    let outcome = await seed(input, template, "--fail-on", "warning")
    #expect(outcome.code == 2, "\(outcome.error)")
    #expect(outcome.error.contains("warning: Visit: numbers of Visit.rank"), "\(outcome.error)")
  }

  /// Core Data keeps times as numbers, whose last digits may be others than those given.
  @Test(arguments: [
    ("2020-01-02T00:00:00.123Z", 0), ("2020-01-02T00:00:00.500000000Z", 0),
    ("2020-01-02T00:00:00.123456789Z", 1), ("0001-01-01T00:00:00.000Z", 0),
    ("1969-07-20T20:17:40.001Z", 0),
  ])
  func timesThatTheAppDoesNotHoldAreTold(time: String, count: Int) async throws {
    let template = try template(of: Self.sample.store())
    let input = try folder.write("id,startedAt\na,\(time)\n".utf8, to: "Visit.csv")
    let outcome = await seed(input, template)
    #expect(outcome.code == 0, "\(outcome.error)")
    let note =
      "note: Visit: times of Visit.startedAt that the app's type does not hold as they are: "
    #expect(outcome.error.contains(note) == (count > 0), "\(outcome.error)")
  }

  /// The number that is nearest to the last nanosecond of all is read as no time.
  @Test(arguments: [
    ("9999-12-31T23:59:59.999999999Z", 1), ("9999-12-31T23:59:59.999Z", 0),
    ("9999-12-31T23:59:59.9999Z", 0), ("0001-01-01T00:00:00.000000001Z", 0),
  ])
  func timesThatTheAppCouldNotReadAreRejected(time: String, count: Int) async throws {
    let template = try template(of: Self.sample.store())
    let input = try folder.write("id,startedAt\na,\(time)\n".utf8, to: "Visit.csv")
    let outcome = await seed(input, template, "--json")
    #expect(outcome.code == (count > 0 ? 2 : 0), "\(outcome.error)")
    let tables = try #require(try outcome.json()["tables"] as? [[String: any Sendable]])
    #expect(tables.first?["rejectedCells"] as? Int == count)
    let rows = await rehome("export", "-q", output, "--to", "ndjson", "--table", "Visit")
    #expect(rows.code == 0, "\(rows.error)")
    #expect(rows.text.contains(#""startedAt":null"#) == (count > 0), "\(rows.text)")
  }

  @Test(
    arguments: [
      (9_223_372_036_854_775_800, "the app's keys end at"),
      (9_223_372_032_559_808_500, "no key is left"),
    ])
  func rowsForWhichNoKeyIsLeftAreRefused(key: Int64, reason: String) async throws {
    let store = Self.sample.store()
    let template = try template(of: store, "UPDATE Z_PRIMARYKEY SET Z_MAX = 100")
    let input = folder.path("in.rehome")
    _ = await rehome("convert", "-q", store, "-o", input)
    _ = try python(
      """
      import sqlite3, sys
      with sqlite3.connect(sys.argv[1]) as db:
          db.execute('UPDATE TodoItem SET _pk = \(key) WHERE _pk = 6')
      """, input)
    let outcome = await seed(input, template, "--json")
    #expect(outcome.code == 2 && outcome.text.contains(reason), "\(outcome.error)")
    let tables = try #require(try outcome.json()["tables"] as? [[String: any Sendable]])
    #expect(["read", "written", "rejected"].map { tables[0][$0] as? Int } == [6, 5, 1])
    let keys = try python(
      """
      import sqlite3, sys
      print(*sqlite3.connect(sys.argv[1]).execute(
          'SELECT count(*), min(Z_PK), max(Z_PK) FROM ZTODOITEM').fetchone())
      """, output)
    #expect(keys == "5 101 108\n")
  }

  @Test func itemsThatAreMarkedAsDeletedAreToldWhereNothingMarksThem() async throws {
    let items = try folder.write(
      #"[{"id":"a","text":"x","deleted":true},{"id":"b","text":"y","deleted":false}]"#,
      to: "TodoItem.json")
    let outcome = await seed(items, try template(of: Self.sample.store()))
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(
      outcome.error.contains("rows of TodoItem that are marked as deleted"), "\(outcome.error)")
    #expect(outcome.error.contains("for the mark: 1"), "\(outcome.error)")
  }

  @Test func storeOfAnotherGenerationIsFilled() async throws {
    let template = try template(of: Self.sample.store())
    let outcome = await seed(Sample(name: "ios-2015").store(), template)
    #expect(outcome.code == 0, "\(outcome.error)")
    // No item of it is marked as deleted, so nothing is lost without a property for that.
    #expect(!outcome.error.contains("deleted"), "\(outcome.error)")
    let payloads = try python(
      """
      import json, sqlite3, sys
      rows = sqlite3.connect(sys.argv[1]).execute(
          'SELECT ZPROPERTIES FROM ZMS_TABLEOPERATIONS ORDER BY ZID').fetchall()
      for row in rows:
          found = json.loads(row[0])
          print(found['type'], sorted(found.get('item', {})))
      """, output)
    #expect(
      payloads.hasSuffix(
        "2 ['complete', 'createdAt', 'deleted', 'id', 'text', 'updatedAt', 'version']\n"))
    let read = await rehome("inspect", "--json", output)
    #expect(read.text.contains("\"generation\": \"2016\""))
  }

  @Test func plainFilesAndOtherSDKsFillTheStore() async throws {
    let store = Self.sample.store()
    let template = try template(of: store)
    let toolkit = folder.path("toolkit.db")
    #expect(
      await rehome(
        "seed", "-q", store, "--into", "toolkit", "--table", "TodoItem", "--fail-on", "never",
        "-o", toolkit
      ).code == 0)
    let types = ["complete=boolean", "createdAt=timestamp"].flatMap {
      ["--type", "TodoItem." + $0]
    }
    let outcome = await rehome(
      ["seed", toolkit, "--into", "core-data", "--template", template, "-o", output] + types)
    #expect(outcome.code == 0, "\(outcome.error)")
    let queue = try python(
      """
      import sqlite3, sys
      old, new = (sqlite3.connect(f'file:{p}?immutable=1', uri=True) for p in sys.argv[1:])
      print(*[db.execute('SELECT Z_PK, Z_ENT, ZCOMPLETE, ZCREATEDAT, ZUPDATEDAT, ZID, ZTEXT, '
          'ZVERSION FROM ZTODOITEM ORDER BY 1').fetchall() == old.execute('SELECT Z_PK, Z_ENT, '
          'ZCOMPLETE, ZCREATEDAT, ZUPDATEDAT, ZID, ZTEXT, ZVERSION FROM ZTODOITEM ORDER BY 1')
          .fetchall() for db in (new,)])
      for row in new.execute('SELECT ZID, ZTABLE, ZTABLEKIND, length(ZITEMID), '
          "CAST(json_extract(ZPROPERTIES, '$.type') AS TEXT), json_extract(ZPROPERTIES, "
          "'$.item.version') FROM ZMS_TABLEOPERATIONS ORDER BY ZID"):
          print(*row)
      """, store, output)
    #expect(
      queue
        == "True\n1 TodoItem 0 36 0 None\n2 TodoItem 0 36 0 None\n3 TodoItem 0 36 1 None\n"
        + "4 TodoItem 0 36 2 AAAAAAAAB9M=\n")
  }

  @Test(arguments: [
    ("DROP TABLE ZTODOITEM", "ZTODOITEM"),
    ("ALTER TABLE ZTODOITEM DROP COLUMN ZTEXT", "ZTEXT"),
    ("ALTER TABLE ZTODOITEM ADD COLUMN ZMORE VARCHAR", "ZMORE"),
    ("INSERT INTO ZVISIT (Z_PK, Z_ENT) VALUES (1, 5)", "ZVISIT has rows"),
    ("INSERT INTO ZMS_TABLECONFIG (Z_PK) VALUES (1)", "ZMS_TABLECONFIG has rows"),
    ("CREATE TABLE ANSCKEVENT (Z_PK INTEGER PRIMARY KEY)", "ANSCKEVENT"),
    ("CREATE TRIGGER extra AFTER INSERT ON ZVISIT BEGIN DELETE FROM ZTODOITEM; END", "extra"),
    ("DELETE FROM Z_PRIMARYKEY WHERE Z_NAME = 'Visit'", "Visit"),
    ("UPDATE Z_PRIMARYKEY SET Z_MAX = 9223372036854775807", "9223372036854775807"),
    ("UPDATE Z_PRIMARYKEY SET Z_MAX = -5 WHERE Z_NAME = 'Visit'", "-5"),
    ("DELETE FROM Z_MODELCACHE", "no model"),
    ("DROP TABLE Z_PRIMARYKEY", "no Core Data store"),
    ("DELETE FROM Z_METADATA", "metadata"),
    ("UPDATE Z_METADATA SET Z_PLIST = x'00'", "metadata"),
  ])
  func templateThatIsNotWhatItsModelSaysIsRefused(change: String, place: String) async throws {
    let store = Self.sample.store()
    let template = try template(of: store, change)
    let names = folder.names
    let outcome = await seed(store, template)
    #expect(outcome.code == 65, "\(outcome.error)")
    #expect(outcome.error.contains(template) && outcome.error.contains(place), "\(outcome.error)")
    #expect(folder.names == names)
  }

  @Test(arguments: [
    ("id,other\na,b\n", "TodoItem", "TodoItem.other"), ("id,text\na,b\n", "Gone", "table Gone"),
    ("id,complete\na,perhaps\n", "TodoItem", "TodoItem.complete"),
  ])
  func dataThatDoNotFitAreRefused(text: String, table: String, place: String) async throws {
    let template = try template(of: Self.sample.store())
    let input = try folder.write(text.utf8, to: table + ".csv")
    let names = folder.names
    let outcome = await seed(input, template)
    #expect(outcome.code == 64 && outcome.error.contains(place), "\(outcome.error)")
    #expect(folder.names == names)
  }

  @Test func templateIsNeededAndNeverReplaced() async throws {
    let store = Self.sample.store()
    let without = await rehome("seed", store, "--into", "core-data", "-o", output)
    #expect(without.code == 64 && without.error.contains("--template"), "\(without.error)")
    let template = try template(of: store)
    let before = try Data(contentsOf: URL(fileURLWithPath: template))
    let outcome = await rehome(
      "seed", "-f", store, "--into", "core-data", "--template", template, "-o", template)
    #expect(outcome.code == 73, "\(outcome.error)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: template)) == before)
    #expect(folder.names == ["empty.sqlite"])
  }
}

extension Corpus {
  /// The Core Data stores of the corpus.
  fileprivate static let stores: [String] = {
    let found = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String }
    return (found ?? []).filter { $0.hasSuffix(".sqlite") }.sorted()
      .map { folder.appending(path: $0).path }
  }()
}
