import Foundation
import TestSupport
import Testing

/// Stores of the Community Toolkit are what the format says, by Python's sqlite3 and by our reader.
@Suite(.enabled(if: SystemProgram.python.isInstalled, "python3 is not installed"))
struct SeedToolkitTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// A sample as a canonical store, and its export.
  private func exported(_ sample: Sample) async throws -> (store: String, export: String) {
    let (store, export) = (folder.path("in.rehome"), folder.path("in.json"))
    #expect(await rehome("convert", "-q", sample.store(), "-o", store).code == sample.code)
    #expect(await rehome("export", "-q", store, "--to", "json", "-o", export).code <= 2)
    return (store, export)
  }

  /// The empty store of an app: tables as they are made without a template, changed by `statements`.
  private func template(for input: String, _ statements: String = "") async throws -> String {
    let path = folder.path("template.db")
    _ = await rehome("seed", "-q", input, "--into", "toolkit", "-o", path)
    _ = try python(
      """
      import sqlite3, sys
      db = sqlite3.connect(sys.argv[1], isolation_level=None)
      for name, in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall():
          db.execute(f'DELETE FROM "{name}"')
      db.executescript(sys.argv[2])
      """, path, statements)
    return path
  }

  private func expectContent(of store: String, in toolkit: String, _ names: String...) throws {
    let oracle = Project.path("Tests/Oracles/check_toolkit.py")
    let outcome = try Program.python.run(["-B", oracle, store, toolkit] + names)
    #expect(outcome.code == 0, "\(outcome.text)\(outcome.error)")
  }

  private func counts(_ store: String) async throws -> [String: any Sendable] {
    let outcome = await rehome("inspect", "--json", "--fail-on", "never", store)
    let stores = try #require(try outcome.json()["stores"] as? [[String: any Sendable]])
    return try #require(stores.first)
  }

  /// Objects of Parse that were never saved have no id, and such rows that store refuses.
  @Test(arguments: Sample.all.filter { $0.name != "parse-android-2016" })
  func everySampleBecomesWhatTheFormatSays(_ sample: Sample) async throws {
    let (store, export) = try await exported(sample)
    let output = folder.path("app.db")
    let outcome = await rehome("seed", "--json", export, "--into", "toolkit", "-o", output)
    #expect([0, 2].contains(outcome.code), "\(outcome.error)")
    try expectContent(of: store, in: output)
    let report = try outcome.json()
    let found = try await counts(output)
    #expect(found["layout"] as? String == "datasync-toolkit")
    let queue = try #require(report["queue"] as? [String: any Sendable])
    let read = try #require(found["queue"] as? [String: any Sendable])
    for key in ["operations", "inserts", "updates", "deletes", "tokens"] {
      #expect(queue[key] as? Int == read[key] as? Int, "\(key)")
    }
    let tables = try #require(report["tables"] as? [[String: any Sendable]])
    let rows = try #require(found["tables"] as? [[String: any Sendable]])
    #expect(tables.map { $0["written"] as? Int } == rows.map { $0["rows"] as? Int })
  }

  /// A property of the type takes one form, in the row as in what is sent of it.
  @Test func uuidsInAnyFormGetThatOfEntityFramework() async throws {
    let store = folder.path("device.db")
    _ = try python(
      """
      import shutil, sqlite3, sys
      shutil.copyfile(sys.argv[1], sys.argv[2])
      with sqlite3.connect(sys.argv[2]) as db:
          db.execute('ALTER TABLE todoitem ADD COLUMN mark GUID')
          mark = '0f8fad5b-d9cb-469f-a165-70867728950e'
          for row, form in enumerate([mark, mark.replace('-', ''), '{' + mark + '}']):
              db.execute('UPDATE todoitem SET mark = ? WHERE rowid ='
                         ' (SELECT rowid FROM todoitem LIMIT 1 OFFSET ?)', (form, row))
      """, Sample(name: "datasync-2023").store(), store)
    let output = folder.path("app.db")
    let outcome = await rehome(
      "seed", store, "--into", "toolkit", "-o", output, "--type", "todoitem.mark=uuid")
    #expect(outcome.code <= 2, "\(outcome.error)")
    let marks = try Devices.query(
      output, "SELECT mark, count(*) FROM todoitem WHERE mark IS NOT NULL GROUP BY 1")
    #expect(marks == "0F8FAD5B-D9CB-469F-A165-70867728950E|3\n", "\(outcome.error)")
    let sent = try Devices.query(
      output,
      "SELECT DISTINCT json_extract(Item, '$.mark') FROM DatasyncOperationsQueue WHERE Item LIKE '%mark%'"
    )
    #expect(sent == "0F8FAD5B-D9CB-469F-A165-70867728950E\n")
  }

  @Test(arguments: [("dotnet-2014", true), ("dotnet-2019", false)])
  func digitsThatATokenLosesAreTold(name: String, isTold: Bool) async throws {
    let sample = try #require(Sample.all.first { $0.name == name })
    let output = folder.path("app.db")
    let outcome = await rehome("seed", "-f", sample.store(), "--into", "toolkit", "-o", output)
    #expect(outcome.error.contains("that are cut to milliseconds") == isTold, "\(outcome.error)")
  }

  @Test func rowsThatTheStoreRefusesAreInTheBooks() async throws {
    let input = try folder.write(
      #"[{"id":"a","n":1},{"id":null,"n":2},{"id":"a","n":3}]"#, to: "C.json")
    let (output, rejects) = (folder.path("app.db"), folder.path("bad.json"))
    let outcome = await rehome(
      "seed", input, "--into", "toolkit", "-o", output, "--rejects", rejects)
    #expect(outcome.code == 2)
    let lines = outcome.error.split(separator: "\n").map {
      $0.split(separator: " ").map(String.init)
    }
    #expect(lines.contains(["C", "3", "1", "2", "0", "0"]), "\(outcome.error)")
    #expect(outcome.error.contains("2 rows that the store refuses: \(rejects)"))
    let refused = try python(
      "import json, sys; rows = json.load(open(sys.argv[1]))\n"
        + "print(*[(row['_pk'], row['id'], row['n']) for row in rows])", rejects)
    #expect(refused == "(2, None, 2) (3, 'a', 3)\n")
    let limited = await rehome(
      "seed", "-f", input, "--into", "toolkit", "-o", output, "--max-rejects", "0")
    #expect(limited.code == 3)
    #expect(limited.error.contains("2 rows were rejected"), "\(limited.error)")
    #expect(!limited.error.contains("rehome_reject"), "\(limited.error)")
  }

  /// The app would send a row that its store does not have; what was kept to be sent is no row.
  @Test func changesOfRowsThatTheStoreRefusesAreNotSent() async throws {
    let sample = Sample(name: "amplify-ios-2024")
    let template = try await template(
      for: sample.store(), "CREATE UNIQUE INDEX one ON Post (rating IS NULL) WHERE rating IS NULL")
    let output = folder.path("app.db")
    let outcome = await rehome(
      "seed", sample.store(), "--into", "toolkit", "--template", template, "-o", output)
    #expect(outcome.code == 2 && outcome.error.contains("[row-refused]"), "\(outcome.error)")
    #expect(
      outcome.error.contains("operations of Post whose row is not in the store"),
      "\(outcome.error)")
    let ids = try Devices.query(
      output, "SELECT substr(ItemId, -2) FROM DatasyncOperationsQueue ORDER BY Sequence")
    #expect(ids == "01\n03\n")
  }

  /// What rows hold, with their ids in an order of their own.
  enum Ids: CaseIterable {
    case inNoOrder, shared, missing, longInBetween

    func id(_ place: Int, _ random: inout SeededGenerator) -> String? {
      let words = ["", "a", "A", "ä", "a\u{308}", "ß", "~", "\u{1F600}", "\u{FFFF}"]
      switch self {
      case .inNoOrder: return "\(random.next())-\(place)"
      case .shared where random.next() % 50 == 0: return words[Int(random.next() % 9)]
      case .missing where random.next() % 9 == 0: return nil
      case .shared, .missing: return "r\(random.next() % 20_000)"
      case .longInBetween:
        let isLong = place > 2500 && random.next() % 100 == 0
        return String(repeating: "x", count: isLong ? 3000 : 1) + "\(random.next() % 20_000)"
      }
    }
  }

  @Test(arguments: Ids.allCases)
  func rowsAreThoseThatTheEngineTakesOneByOne(_ ids: Ids) async throws {
    var random = SeededGenerator(seed: 61)
    let lines = (0..<5000).map { place in
      let id = ids.id(place, &random).map { "\"\($0)\"" } ?? "null"
      return #"{"_pk": \#(place * 3), "version": null, "id": \#(id), "note": "\#(random.next())"}"#
    }
    let input = try folder.write(lines.joined(separator: "\n"), to: "T.ndjson")
    let output = folder.path("app.db")
    let outcome = await rehome("seed", input, "--into", "toolkit", "-o", output)
    let refusals = try python(
      """
      import collections, json, sqlite3, sys
      store = sqlite3.connect(sys.argv[1])
      assert store.execute('PRAGMA integrity_check').fetchall() == [('ok',)]
      wanted = sqlite3.connect(':memory:')
      wanted.execute(store.execute("SELECT sql FROM sqlite_schema WHERE name = 'T'").fetchone()[0])
      refused = collections.Counter()
      for line in open(sys.argv[2]):
          row = json.loads(line)
          try:
              wanted.execute('INSERT INTO T (rowid, id, note) VALUES (:_pk, :id, :note)', row)
          except sqlite3.IntegrityError as error:
              refused[str(error)] += 1
      for rows in ('SELECT rowid, * FROM T NOT INDEXED ORDER BY rowid',
                   'SELECT id, rowid FROM T ORDER BY id'):
          assert store.execute(rows).fetchall() == wanted.execute(rows).fetchall()
      for reason, count in sorted(refused.items()): print(f'({reason}): {count}')
      """, output, input)
    #expect(outcome.code == (refusals.isEmpty ? 0 : 2), "\(outcome.error)")
    for refusal in refusals.split(separator: "\n") {
      #expect(outcome.error.contains(refusal), "\(outcome.error)")
    }
  }

  /// The toolkit asks for the version and the last change of each item that it synchronises, whether the
  /// source has any system column, only changes that wait, or only how far pulls had come.
  @Test(arguments: ["deleted", "queue", "token", "nothing"])
  func itemsHaveTheColumnsThatTheToolkitAsksFor(sign: String) async throws {
    let device = folder.path("device.db")
    try Devices.execute(
      device,
      QueueTables.dotNet + """
        CREATE TABLE note (id TEXT PRIMARY KEY, text TEXT\(sign == "deleted" ? ", deleted" : ""));
        CREATE TABLE other (id TEXT PRIMARY KEY, text TEXT);
        INSERT INTO note (id, text) VALUES ('a', 'x');
        """
        + (sign == "queue"
          ? "INSERT INTO __operations VALUES ('0d7c1f0e-5b1a-4f0e-9a51-3c0b6d5f9e01', 0, 0, 'note', "
            + "0, 'a', NULL, NULL, 1, 1);" : "")
        + (sign == "token"
          ? "INSERT INTO __config VALUES ('deltaToken|note|all', '2024-05-01T10:20:30.1230000+00:00');"
          : ""))
    let output = folder.path("app.db")
    let outcome = await rehome(
      "seed", device, "--into", "toolkit", "--entity-type", "note=App.Note", "-o", output)
    #expect(outcome.code == 0, "\(outcome.error)")
    let columns = "SELECT group_concat(name || ' ' || \"notnull\", ', ') FROM pragma_table_info"
    #expect(
      try Devices.query(output, columns + "('note')")
        == "id 1, text 0" + (sign == "deleted" ? ", Deleted 1" : "")
        + (sign == "nothing" ? "" : ", UpdatedAt 0, Version 0") + "\n")
    #expect(try Devices.query(output, columns + "('other')") == "id 1, text 0\n")
    if sign == "deleted" {
      #expect(try Devices.query(output, "SELECT Deleted FROM note") == "0\n")
    }
    if sign == "queue" {
      #expect(
        try Devices.query(output, "SELECT ItemId, EntityVersion FROM DatasyncOperationsQueue")
          == "a|\n")
    }
  }

  @Test func deletesNameTheirItemsAsTheirPayloadsDo() async throws {
    let device = folder.path("device.db")
    _ = try python(
      """
      import sqlite3, sys
      with sqlite3.connect(sys.argv[1]) as db:
          db.executescript('''
              CREATE TABLE note (id TEXT PRIMARY KEY, version TEXT);
              \(QueueTables.dotNet)''')
          deletes = [('abc', '{"id":"ABC","version":"AAAA"}'), ('', '{"id":"","version":"AAAA"}'),
                     ('q', '{"id":"q","version":"a\\\\"b"}')]
          for place, (item, payload) in enumerate(deletes, 1):
              db.execute("INSERT INTO __operations VALUES (?, 2, 0, 'note', 0, ?, ?, NULL, ?, 1)",
                  (f'0d7c1f0e-5b1a-4f0e-9a51-3c0b6d5f9e{place:02}', item, payload, place))
      """, device)
    let (store, output) = (folder.path("device.rehome"), folder.path("app.db"))
    _ = await rehome("convert", "-q", device, "-o", store)
    let outcome = await rehome(
      "seed", store, "--into", "toolkit", "--entity-type", "note=App.Note", "-o", output)
    let ids = try Devices.query(output, "SELECT ItemId FROM DatasyncOperationsQueue ORDER BY rowid")
    #expect(ids == "ABC\nq\n", "\(outcome.error)")
    #expect(outcome.error.contains("whose table or item is not in the store"), "\(outcome.error)")
    #expect(outcome.error.contains("quotation mark"), "\(outcome.error)")
  }

  @Test func whatAServerHasGotDoesNotWait() async throws {
    let sample = try #require(Sample.all.first { $0.name == "ios-2016" })
    let store = folder.path("own.rehome")
    #expect(await rehome("convert", "-q", sample.store(), "-o", store).code == sample.code)
    try ReplayedStore.addJournal(to: store)
    let output = folder.path("app.db")
    let outcome = await rehome("seed", store, "--into", "toolkit", "-o", output)
    #expect(outcome.error.contains("a replay to https://a.example has brought to an end"))
    let queue = "SELECT substr(ItemId, -4), State, HttpStatusCode FROM DatasyncOperationsQueue"
    let waiting = try Devices.query(output, queue + " WHERE State <> 1 ORDER BY rowid")
    #expect(
      waiting == "D8E9|0|None\nEEDD|0|None\n7a11|2|412\n7a12|0|None\ne101|0|None\n",
      "\(outcome.error)")
    #expect(try Devices.query(output, queue + " WHERE State = 1") == "64FF|1|None\n")
    let (export, again) = (folder.path("own.json"), folder.path("again.db"))
    _ = await rehome("export", "-q", store, "--to", "json", "-o", export)
    _ = await rehome("seed", "-q", export, "--into", "toolkit", "-o", again)
    #expect(try Devices.query(again, queue + " WHERE State <> 1 ORDER BY rowid") == waiting)
  }

  /// To WatermelonDB, as to the toolkit, ids that differ only in letter case are two items.
  @Test func operationsOfCaseTwinsStayApart() async throws {
    let device = folder.path("device.db")
    _ = try python(
      """
      import sqlite3, sys
      sqlite3.connect(sys.argv[1]).executescript('''
          CREATE TABLE "local_storage" ("key" varchar(16) PRIMARY KEY NOT NULL, "value" text NOT NULL);
          CREATE TABLE "tasks" ("id" PRIMARY KEY, "_changed", "_status", "name");
          INSERT INTO tasks VALUES ('sh7', '', 'created', 'new'), ('Sh7', '', 'deleted', 'old');
          INSERT INTO local_storage VALUES ('__watermelon_last_pulled_at', '1600000000000')''')
      """, device)
    let own = folder.path("own.rehome")
    _ = await rehome("convert", "-q", device, "-o", own)
    for input in [device, own] {
      let output = folder.path("app.db")
      let outcome = await rehome("seed", "-f", input, "--into", "toolkit", "-o", output)
      let queue = try Devices.query(
        output, "SELECT Kind, ItemId, Item FROM DatasyncOperationsQueue ORDER BY 2")
      // The key of the row that was deleted is no member of the item.
      #expect(
        queue == """
          1|Sh7|{"id":"Sh7","name":"old"}
          0|sh7|{"id":"sh7","name":"new"}

          """, "\(outcome.error)")
    }
  }

  /// One device that tells case twins apart does not make two items of what is one to another.
  @Test func eachDeviceOfAMergeDecidesWhatIsOneItem() async throws {
    let phone = folder.path("phone.sqlite")
    let other = folder.path("other.db")
    try FileManager.default.copyItem(atPath: Sample(name: "ios-2016").store(), toPath: phone)
    _ = try python(
      """
      import sqlite3, sys
      sqlite3.connect(sys.argv[1]).executescript('''
          INSERT INTO ZMS_TABLEOPERATIONS
              (Z_PK, Z_ENT, Z_OPT, ZID, ZTABLEKIND, ZTABLE, ZITEMID, ZPROPERTIES)
          VALUES (901, 3, 1, 901, 0, 'TodoItem', 'AB-1', CAST('{"type":0}' AS BLOB)),
              (902, 3, 1, 902, 0, 'TodoItem', 'ab-1', CAST('{"type":1}' AS BLOB));
          INSERT INTO ZTODOITEM (Z_PK, Z_ENT, Z_OPT, ZID, ZTEXT)
          SELECT 901, Z_ENT, 1, 'AB-1', 'new' FROM ZTODOITEM LIMIT 1''')
      sqlite3.connect(sys.argv[2]).executescript('''
          CREATE TABLE "local_storage" ("key" varchar(16) PRIMARY KEY NOT NULL, "value" text NOT NULL);
          CREATE TABLE "tasks" ("id" PRIMARY KEY, "_changed", "_status", "name");
          INSERT INTO tasks VALUES ('sh7', '', 'created', 'new'), ('Sh7', '', 'deleted', 'old');
          INSERT INTO local_storage VALUES ('__watermelon_last_pulled_at', '1600000000000')''')
      """, phone, other)
    let merged = folder.path("merged.rehome")
    let converted = await rehome("convert", "-q", phone, other, "-o", merged)
    #expect([0, 2].contains(converted.code), "\(converted.error)")
    let output = folder.path("app.db")
    let outcome = await rehome("seed", merged, "--into", "toolkit", "-o", output)
    let queue = try Devices.query(
      output,
      "SELECT Kind, ItemId FROM DatasyncOperationsQueue "
        + "WHERE lower(ItemId) IN ('ab-1', 'sh7') ORDER BY 2")
    #expect(queue == "0|AB-1\n1|Sh7\n0|sh7\n", "\(outcome.error)")
  }

  /// A device whose columns are spelled otherwise than those of the one that came first has its own
  /// values in its changes, and not those of the row that the merge has kept.
  @Test func changeOfADeviceHasItsOwnValuesInAnyLetterCase() async throws {
    let (first, second) = (folder.path("a.db"), folder.path("b.db"))
    let queue = """
      CREATE TABLE __operations (id INTEGER PRIMARY KEY, tableName TEXT, action TEXT, itemId TEXT,
        metadata TEXT);
      CREATE TABLE __pulltime (id TEXT PRIMARY KEY, tableName TEXT, value INTEGER);
      """
    for (path, column, row, change) in [
      (first, "assignedto", "'Bob', 'AAAAAAAAB9I=', 1800000000000", ""),
      (
        second, "assignedTo", "'Alice', 'AAAAAAAAB9E=', 1700000000000",
        "INSERT INTO __operations VALUES (1, 'todoitem', 'update', 'a1', '{}');"
      ),
    ] {
      try Devices.execute(
        path,
        queue + """
          CREATE TABLE todoitem (id TEXT PRIMARY KEY, \(column) TEXT, version TEXT,
            updatedAt INTEGER);
          INSERT INTO todoitem VALUES ('a1', \(row)); \(change)
          """)
    }
    let (merged, output) = (folder.path("merged.rehome"), folder.path("app.db"))
    for devices in [[first, second], [second, first]] {
      _ = await rehome(["convert", "-qf", "-o", merged] + devices)
      let outcome = await rehome(
        "seed", merged, "--into", "toolkit", "--entity-type", "todoitem=My.TodoItem", "-fo", output)
      let item = try Devices.query(output, "SELECT Item FROM DatasyncOperationsQueue")
      #expect(item.contains("Alice") && !item.contains("Bob"), "\(item)\(outcome.error)")
    }
  }

  /// What a person calls a column goes before what another one was called, wherever that one stands.
  @Test(arguments: ["id,title,title2,version", "version,title2,title,id"])
  func newNamesGoBeforeThoseOfTheSource(_ header: String) async throws {
    let made = try folder.write("id,title,n,version\n", to: "Todo.csv")
    let template = try await template(for: made)
    let values = ["id": "a", "title": "OLD", "title2": "NEW", "version": "1.0"]
    let row = header.split(separator: ",").compactMap { values[String($0)] }.joined(separator: ",")
    let input = try folder.write("\(header)\n\(row)\n", to: "Todo.csv")
    let names = ["title=foo", "title2=title", "version=appVersion"].flatMap {
      ["--rename", "Todo." + $0]
    }
    let output = folder.path("app.db")
    let outcome = await rehome(
      ["seed", input, "--into", "toolkit", "--template", template, "-fo", output, "--drop-unknown"]
        + names)
    #expect(outcome.code == 0, "\(outcome.error)")
    let columns = "SELECT Id, Title, Version IS NULL OR Version = '' FROM Todo"
    #expect(try Devices.query(output, columns) == "a|NEW|1\n", "\(outcome.error)")
    #expect(outcome.error.contains("Todo.foo") && outcome.error.contains("Todo.appVersion"))
  }

  @Test func storeOfTheToolkitComesBackEqual() async throws {
    let sample = try #require(Sample.all.first { $0.name == "toolkit-2025" })
    let (store, export) = try await exported(sample)
    for input in [sample.store(), store, export] {
      let output = folder.path("app.db")
      #expect(await rehome("seed", "-qf", input, "--into", "toolkit", "-o", output).code == 0)
      let verdict = await rehome("verify", sample.store(), output)
      #expect(verdict.code == 0, "\(verdict.text)")
    }
  }

  @Test func typesOfTheQueueStayWhatTheyWere() async throws {
    let sample = try #require(Sample.all.first { $0.name == "toolkit-2025" })
    let (store, export) = try await exported(sample)
    let document = folder.path("in.xml")
    let bundle = folder.path("bundle")
    #expect(await rehome("export", "-q", store, "--to", "xml", "-o", document).code == 0)
    #expect(await rehome("export", "-q", store, "--to", "csv", "-o", bundle).code == 0)
    for input in [sample.store(), store, export, document, bundle] {
      let output = folder.path("app.db")
      let outcome = await rehome("seed", "-f", input, "--into", "toolkit", "-o", output)
      #expect(outcome.code == 0 && !outcome.error.contains("--entity-type"), "\(outcome.error)")
      let types = try python(
        """
        import sqlite3, sys
        rows = sqlite3.connect(sys.argv[1]).execute(
            'SELECT DISTINCT EntityType FROM DatasyncOperationsQueue ORDER BY 1')
        print(*[r[0] for r in rows])
        """, output)
      #expect(types == "MyApp.Data.Category MyApp.Data.TodoItem\n", "\(input)")
    }
  }

  /// An app that has nothing to send names its types in tokens alone.
  @Test func tokensComeBackUnderTheNamesThatTheAppLooksFor() async throws {
    let sample = try #require(Sample.all.first { $0.name == "toolkit-2025" })
    let device = folder.path("device.db")
    try FileManager.default.copyItem(atPath: sample.store(), toPath: device)
    _ = try python(
      """
      import sqlite3, sys
      with sqlite3.connect(sys.argv[1]) as db:
          db.executescript('''
              DELETE FROM DatasyncOperationsQueue; DELETE FROM DatasyncDeltaTokens;
              INSERT INTO DatasyncDeltaTokens VALUES ('q-MyApp.Data.TodoItem-open', 1714558830123),
                ('MyApp.Data.Category', 1714558830124)''')
      """, device)
    let export = folder.path("in.json")
    #expect(await rehome("export", "-q", device, "--to", "json", "-o", export).code == 0)
    for input in [device, export] {
      let output = folder.path("app.db")
      let outcome = await rehome("seed", "-f", input, "--into", "toolkit", "-o", output)
      #expect(outcome.code == 0 && !outcome.error.contains("not known"), "\(outcome.error)")
      #expect(
        try Devices.query(output, "SELECT * FROM DatasyncDeltaTokens ORDER BY Value")
          == "q-MyApp.Data.TodoItem-open|1714558830123\nMyApp.Data.Category|1714558830124\n")
    }
  }

  @Test func tokensOfUnknownTypesAreTold() async throws {
    let sample = try #require(Sample.all.first { $0.name == "ios-2016" })
    let words = "tokens of TodoItem whose type is not known"
    for (options, isTold) in [([], true), (["--entity-type", "TodoItem=A.TodoItem"], false)] {
      let outcome = await rehome(
        ["seed", sample.store(), "--into", "toolkit", "-fo", folder.path("app.db")] + options)
      #expect(outcome.error.contains(words) == isTold, "\(outcome.error)")
    }
  }

  @Test(arguments: ["DELETE", "WAL"])
  func templateIsFilledAsItIs(journal: String) async throws {
    let sample = try #require(Sample.all.first { $0.name == "ios-2015" })
    let (store, export) = try await exported(sample)
    let template = try await template(
      for: export,
      """
      DROP TABLE TodoItem;
      CREATE TABLE TodoItems ("Complete" INTEGER NULL, "Deleted" INTEGER NOT NULL,
        "UpdatedAt" TEXT NULL, "Id" TEXT NOT NULL CONSTRAINT PK PRIMARY KEY, "Version" BLOB NULL,
        "Text" TEXT NULL, "Colour" TEXT NOT NULL DEFAULT 'red', "Note" TEXT NULL);
      CREATE TABLE "__EFMigrationsHistory" ("MigrationId" TEXT PRIMARY KEY, "ProductVersion" TEXT);
      INSERT INTO "__EFMigrationsHistory" VALUES ('2025_Initial', '9.0.0');
      PRAGMA journal_mode = \(journal);
      """)
    let before = try Data(contentsOf: URL(fileURLWithPath: template))
    let output = folder.path("app.db")
    let outcome = await rehome(
      "seed", "--json", export, "--into", "toolkit", "--template", template,
      "--entity-type", "TodoItem=MyApp.Data.TodoItem", "-o", output)
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: template)) == before)
    #expect(folder.names == ["app.db", "in.json", "in.rehome", "template.db"])
    try expectContent(of: store, in: output, "TodoItem=TodoItems")
    let facts = try python(
      """
      import sqlite3, sys
      db = sqlite3.connect(sys.argv[1])
      print(db.execute('PRAGMA journal_mode').fetchone()[0].upper(),
          *db.execute('SELECT MigrationId FROM __EFMigrationsHistory').fetchone(),
          *db.execute('SELECT DISTINCT Colour, Note FROM TodoItems').fetchone(),
          *db.execute('SELECT DISTINCT EntityType FROM DatasyncOperationsQueue').fetchone())
      """, output)
    #expect(facts == "\(journal) 2025_Initial red None MyApp.Data.TodoItem\n")
  }

  @Test(arguments: [
    ("DROP TABLE DatasyncDeltaTokens", "DatasyncDeltaTokens"),
    ("ALTER TABLE DatasyncOperationsQueue DROP COLUMN Item", "no column Item"),
    ("ALTER TABLE TodoItem DROP COLUMN text", "TodoItem.text"),
    ("DROP TABLE TodoItem", "no table for TodoItem"),
    (
      "CREATE TABLE s(c); DROP TABLE TodoItem; CREATE TABLE TodoItem"
        + "(id TEXT, complete TEXT, Deleted, createdAt, UpdatedAt, Version, text)", "boolean"
    ),
    ("INSERT INTO TodoItem (id, Deleted) VALUES ('a', 0)", "TodoItem has rows"),
    ("INSERT INTO DatasyncDeltaTokens VALUES ('a', 0)", "DatasyncDeltaTokens has rows"),
    (
      "DROP TABLE TodoItem; CREATE TABLE TodoItem (id TEXT, complete INTEGER, Deleted INTEGER, "
        + "createdAt TEXT, UpdatedAt TEXT, Version TEXT, text TEXT, Owner TEXT NOT NULL)",
      "TodoItem.Owner"
    ),
  ])
  func templateThatDoesNotFitIsRefused(change: String, place: String) async throws {
    let sample = try #require(Sample.all.first { $0.name == "ios-2015" })
    let (_, export) = try await exported(sample)
    let template = try await template(for: export, change)
    let names = folder.names
    let outcome = await rehome(
      "seed", export, "--into", "toolkit", "--template", template, "-o", folder.path("app.db"))
    // Where the template is one, it is the data that do not fit.
    let isTemplate = !["has rows", "Datasync", "no column"].contains(where: place.contains)
    #expect(outcome.code == (isTemplate ? 64 : 65), "\(outcome.error)")
    #expect(outcome.error.contains(template) && outcome.error.contains(place), "\(outcome.error)")
    #expect(folder.names == names)
  }

  /// The same ids mean other rows there, unless the one entity is below the other.
  @Test(arguments: [("Person", 64), ("Author", 0), ("Writer", 0), ("Root", 0)])
  func referencesThatLeadElsewhereAreRefused(target: String, code: Int32) async throws {
    let files = try [
      folder.write("id,name\na,A\n", to: "Author.csv"),
      folder.write("id,name\na,P\n", to: "Person.csv"),
      folder.write("id,author,pages,price\nx,a,,\n", to: "Post.csv"),
    ]
    let template = try await template(
      for: files[0],
      """
      CREATE TABLE Person (Id TEXT NOT NULL PRIMARY KEY, name TEXT);
      CREATE TABLE Root (Id TEXT NOT NULL PRIMARY KEY);
      CREATE TABLE Writer (Id TEXT NOT NULL PRIMARY KEY REFERENCES Root (Id));
      DROP TABLE Author;
      CREATE TABLE Author (Id TEXT NOT NULL PRIMARY KEY REFERENCES Writer (Id), name TEXT);
      CREATE TABLE Post (Id TEXT NOT NULL PRIMARY KEY, author TEXT REFERENCES \(target) (Id),
        pages INTEGER, price REAL);
      """)
    let outcome = await rehome(
      ["seed"] + files + ["--reference", "Post.author=Author", "--into", "toolkit"]
        + ["--template", template, "-o", folder.path("app.db")])
    #expect(outcome.code == code, "\(outcome.error)")
    let refusal =
      "the column Post.author of the template leads to Person, and Post.author to Author"
    #expect(outcome.error.contains(refusal) == (code == 64), "\(outcome.error)")
  }

  /// A column without any value fits all, but not what a person or a replay has put into it since.
  @Test func textThatCameLaterIsNoNumber() async throws {
    let (file, store) = (folder.path("Post.csv"), folder.path("store.rehome"))
    try folder.write("id,pages\nx,\ny,\n", to: "Post.csv")
    let template = try await template(
      for: file, "DROP TABLE Post; CREATE TABLE Post (Id TEXT NOT NULL PRIMARY KEY, pages INTEGER);"
    )
    #expect(await rehome("seed", "-q", file, "-o", store).code == 0)
    _ = try python(
      """
      import sqlite3, sys
      database = sqlite3.connect(sys.argv[1])
      with database: database.execute("UPDATE Post SET pages = 'many' WHERE id = 'y'")
      database.close()
      """, store)
    let app = folder.path("app.db")
    let outcome = await rehome(
      "seed", store, "--into", "toolkit", "--template", template, "-o", app)
    #expect(outcome.code == 2 && outcome.error.contains("value-of-wrong-type"), "\(outcome.error)")
    let types = try Devices.query(app, "SELECT Id, typeof(pages) FROM Post")
    #expect(types.trimmingCharacters(in: .whitespacesAndNewlines) == "x|null\ny|null")
  }

  /// What only the app's own code knows is wanting in the template, and not in what is written.
  @Test(
    arguments: [
      ("name TEXT COLLATE own UNIQUE", "own"), ("name TEXT CHECK (own(name))", "own"),
      ("name TEXT); CREATE INDEX more ON Item (own(name)", "own"),
    ])
  func templateThatNeedsItsAppIsNamed(columns: String, word: String) async throws {
    let template = folder.path("template.db")
    _ = try python(
      """
      import sqlite3, sys
      db = sqlite3.connect(sys.argv[1])
      db.create_collation('own', lambda a, b: (a > b) - (a < b))
      db.create_function('own', 1, lambda text: 1, deterministic=True)
      db.executescript(sys.argv[2])
      """, template,
      ToolkitTables.all + "CREATE TABLE Item (Id TEXT PRIMARY KEY, \(columns));")
    let items = try folder.write("id,name\na,x\n", to: "Item.csv")
    let names = folder.names
    let outcome = await rehome(
      "seed", items, "--into", "toolkit", "--template", template, "-o", folder.path("app.db"))
    #expect(outcome.code == 65, "\(outcome.error)")
    #expect(
      outcome.error.contains(template) && outcome.error.contains(word)
        && !outcome.error.contains("app.db"), "\(outcome.error)")
    #expect(folder.names == names)
  }

  /// Tables that stay as they are count, too: what was wrong before must not look like our fault.
  @Test func templateThatBreaksItsOwnRulesIsDamaged() async throws {
    let sample = try #require(Sample.all.first { $0.name == "ios-2015" })
    let (_, export) = try await exported(sample)
    let template = try await template(
      for: export,
      """
      CREATE TABLE other (number CHECK (number > 0)); PRAGMA ignore_check_constraints = 1;
      INSERT INTO other VALUES (-1);
      """)
    let names = folder.names
    let outcome = await rehome(
      "seed", export, "--into", "toolkit", "--template", template, "-o", folder.path("app.db"))
    #expect(outcome.code == 65)
    #expect(outcome.error.contains(template) && outcome.error.contains("CHECK"), "\(outcome.error)")
    #expect(folder.names == names)
  }

  @Test(arguments: ["template.db", "app.db", "template.db-wal"])
  func templateIsNeverReplaced(output: String) async throws {
    let sample = try #require(Sample.all.first { $0.name == "ios-2015" })
    let (_, export) = try await exported(sample)
    let template = try await template(for: export)
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("app.db"), withDestinationPath: template)
    let before = try Data(contentsOf: URL(fileURLWithPath: template))
    let outcome = await rehome(
      "seed", "-f", export, "--into", "toolkit", "--template", template,
      "-o", folder.path(output))
    #expect(outcome.code == 73, "\(outcome.error)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: template)) == before)
  }

  @Test func rowsThatBreakTheRulesAreRejected() async throws {
    let input = try folder.write(
      "id,version,updatedAt,deleted\na,AA==,,\n,AA==,,true\na,AB==,,\n\"no good\",AA==,,\nA,,,\n"
        .utf8, to: "Item.csv")
    let output = folder.path("app.db")
    let types = ["--type", "Item.deleted=boolean", "--type", "Item.updatedAt=timestamp"]
    let outcome = await rehome(
      ["seed", "--json", input, "--into", "toolkit", "-o", output] + types)
    #expect(outcome.code == 2, "\(outcome.error)")
    let tables = try #require(try outcome.json()["tables"] as? [[String: any Sendable]])
    let books = ["read", "written", "rejected", "filtered"].map { tables[0][$0] as? Int }
    #expect(books == [5, 3, 2, 0])
    let findings = try #require(try outcome.json()["findings"] as? [[String: any Sendable]])
    let messages = findings.compactMap { $0["message"] as? String }.joined(separator: "\n")
    #expect(messages.contains("NOT NULL") && messages.contains("UNIQUE"))
    #expect(messages.contains("ids of Item that the toolkit does not accept"))
    #expect(
      try python(
        """
        import sqlite3, sys
        print(sqlite3.connect(sys.argv[1]).execute('SELECT rowid, id FROM Item ORDER BY rowid').fetchall())
        """, output) == "[(1, 'a'), (4, 'no good'), (5, 'A')]\n")
    let stopped = await rehome(
      ["seed", input, "--into", "toolkit", "--max-rejects", "1", "-o", folder.path("b.db")] + types)
    #expect(stopped.code == 3 && !folder.names.contains("b.db"))
  }

  @Test(arguments: [
    ["--into", "canonical", "--template", "in.json"], ["--entity-type", "TodoItem=A"],
    ["--into", "toolkit", "--entity-type", "TodoItem"],
    ["--into", "toolkit", "--entity-type", "Gone=A"], ["--into", "other"],
  ])
  func optionsThatDoNotFitAreRefused(options: [String]) async throws {
    let sample = try #require(Sample.all.first { $0.name == "ios-2015" })
    let outcome = await rehome(["seed", sample.store(), "-o", folder.path("a.db")] + options)
    #expect(outcome.code == 64, "\(outcome.error)")
    #expect(folder.names == [])
  }
}
