import Foundation
import TestSupport
import Testing

/// Stores of several devices become one, as a program in Python works it out by itself.
@Suite(.enabled(if: SystemProgram.python.isInstalled, "python3 is not installed"))
struct MergedContentTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test(arguments: [(7, 2), (8, 3), (9, 3), (10, 5), (11, 5), (12, 12)])
  func randomDevicesMergeAsTheOracleExpects(seed: Int, count: Int) async throws {
    let stores = try Devices.makeRandom(count, seed: seed, in: folder)
    let merged = folder.path("out.rehome")
    let outcome = await rehome(["convert", "-q", "--fail-on", "never"] + stores + ["-o", merged])
    #expect(outcome.code == 0 || outcome.code == 2, "\(outcome.error)")
    #expect(try Devices.expectMerged(merged, of: stores) > 0)
    #expect(try Devices.query(merged, "PRAGMA integrity_check") == "ok\n")
  }

  @Test func columnsBeyondWhatTheEngineTakesAreCountedWithThatOfTheSource() async throws {
    let columns = (1...1999).map { "c\($0)" }.joined(separator: ",")
    let file = try folder.write(columns + "\n" + columns + "\n", to: "T.csv")
    let wide = folder.path("wide.rehome")
    try #require(await rehome("seed", "-q", file, "-o", wide).code == 0)
    let outcome = await rehome("convert", wide, wide, "-o", folder.path("both.rehome"))
    #expect(
      outcome.error.contains("the table T has 2000 columns with _source, which a merge adds"),
      "\(outcome.error)")
  }

  /// The store of a device on which the app never had a value takes no type from those of the others,
  /// merged at once or step by step.
  @Test(arguments: ["db", "csv", "json"])
  func storeWithoutValuesLeavesTheTypesOfOthers(kind: String) async throws {
    _ = try python(
      """
      import csv, json, os, sqlite3, sys
      folder, kind = sys.argv[1:]
      for name, rows in ('full', [['a', 1, 2.5, True]]), ('empty', [['b', None, None, None]]):
          os.mkdir(os.path.join(folder, name))
          path = os.path.join(folder, name, 'T.' + kind)
          if kind == 'db':
              with sqlite3.connect(path) as db:
                  db.execute('CREATE TABLE T (id TEXT, n, d, b)')
                  db.executemany('INSERT INTO T VALUES (?, ?, ?, ?)', rows)
          elif kind == 'csv':
              with open(path, 'w') as file:
                  csv.writer(file).writerows([['id', 'n', 'd', 'b']] + rows)
          else:
              with open(path, 'w') as file:
                  json.dump([dict(zip(['id', 'n', 'd', 'b'], row)) for row in rows], file)
      """, folder.path(""), kind)
    let (full, empty) = (folder.path("full/T.\(kind)"), folder.path("empty/T.\(kind)"))
    func convert(_ stores: [String], _ name: String) async throws -> String {
      let output = folder.path(name)
      let outcome = await rehome(["convert"] + stores + ["-o", output])
      try #require(outcome.code == 0, "\(outcome.error)")
      #expect(!outcome.error.contains("column-types-differ"), "\(outcome.error)")
      return output
    }
    func types(of store: String) throws -> String {
      try Devices.query(store, "SELECT group_concat(name || ' ' || type, ', ') FROM rehome_column")
    }
    let alone = try await convert([full], "alone.rehome")
    let before = try await convert([empty], "before.rehome")
    let expected = try types(of: alone)
    #expect(expected.contains("n integer, d real"), "\(expected)")
    for (number, stores) in [[full, empty], [empty, full], [before, full], [alone, before]]
      .enumerated()
    {
      let merged = try await convert(stores, "\(number).rehome")
      #expect(try types(of: merged) == expected, "\(stores)")
    }
  }

  /// What a person has said of a column without values is decided.
  @Test func toldTypeOfAColumnWithoutValuesStays() async throws {
    let stores = ["NULL", "5"].map { value in folder.path(value + ".db") }
    for (store, value) in zip(stores, ["NULL", "5"]) {
      _ = try python(
        """
        import sqlite3, sys
        with sqlite3.connect(sys.argv[1]) as db:
            db.executescript('CREATE TABLE T (id, x); INSERT INTO T VALUES (1, ' + sys.argv[2] + ')')
        """, store, value)
    }
    let (told, merged) = (folder.path("told.rehome"), folder.path("merged.rehome"))
    try #require(await rehome("convert", "--type", "T.x=text", stores[0], "-o", told).code == 0)
    #expect(await rehome("convert", told, stores[1], "-o", merged).code == 0)
    #expect(try Devices.query(merged, "SELECT typeof(x), x FROM T WHERE x NOTNULL") == "text|5\n")
  }

  /// Whatever a column is in the stores, in any order: each value is where its type may be, and stores
  /// that are merged step by step become what they become at once.
  @Test func columnsOfManyKindsStaySoundInAnyOrder() async throws {
    let kinds = [
      "blob": "x'01'", "text": "'hello'", "none": "NULL", "number": "7", "declared": "NULL",
    ]
    for (kind, value) in kinds {
      _ = try python(
        """
        import sqlite3, sys
        with sqlite3.connect(sys.argv[1]) as db:
            db.execute('CREATE TABLE T (id, x ' + ('TEXT' if sys.argv[2] == 'declared' else '') + ')')
            db.execute('INSERT INTO T VALUES (?, ' + sys.argv[3] + ')', (sys.argv[2],))
        """, folder.path(kind + ".db"), kind, value)
      try #require(
        await rehome("convert", folder.path(kind + ".db"), "-o", folder.path(kind + ".rehome")).code
          == 0)
    }
    let orders = [
      ["blob", "text", "none"], ["none", "blob", "text"], ["text", "none", "blob"],
      ["none", "text", "none", "number"], ["declared", "number"], ["number", "declared", "none"],
      ["blob", "declared", "text", "none", "number"],
    ]
    for (number, order) in orders.enumerated() {
      var outputs: [String] = []
      for ending in [".db", ".rehome"] {
        let output = folder.path("\(number)\(ending).rehome")
        outputs.append(output)
        let outcome = await rehome(
          ["convert", "-q", "-o", output] + order.map { folder.path($0 + ending) })
        #expect(outcome.code == 0, "\(order): \(outcome.error)")
        #expect(try Devices.query(output, "PRAGMA integrity_check") == "ok\n", "\(order)")
        let values = try python(
          """
          import sqlite3, sys
          db = sqlite3.connect(sys.argv[1])
          for row in db.execute('SELECT * FROM T'):
              own = [str(value) for value in row[2:-1] if value is not None]
              print(row[1], *own)
          """, output)
        let expected = order.map { kind in
          kind + (["blob": " b'\\x01'", "text": " hello", "number": " 7"][kind] ?? "")
        }
        #expect(values.split(separator: "\n").map(String.init) == expected, "\(order)")
      }
      #expect(await rehome("verify", outputs[0], outputs[1]).code == 0, "\(order)")
    }
  }

  /// A change of a table that its own device lacks and another has is told as before where it stays.
  @Test func changesOfTablesOfOtherStoresAreToldWhereTheseAreLeftOut() async throws {
    let stores = ["a", "b"].map { folder.path($0 + ".rehome") }
    for (number, store) in stores.enumerated() {
      let file = try folder.write("id,n\n\(number),1\n", to: number == 0 ? "A.csv" : "B.csv")
      try #require(await rehome("seed", "-q", file, "-o", store).code == 0)
    }
    _ = try python(
      """
      import sqlite3, sys
      with sqlite3.connect(sys.argv[1]) as db:
          db.execute('INSERT INTO rehome_operation (sequence, source, "table", itemId, kind, state) '
                     "VALUES (1, 1, 'B', '1', 'update', 'pending')")
      """, stores[0])
    let outcome = await rehome(
      ["convert", "--exclude-table", "B", "-o", folder.path("out.rehome")] + stores)
    #expect(outcome.error.contains("[not-carried-over]"), "\(outcome.error)")
  }

  /// A table that another device alone has costs a source nothing, and its rows are there.
  @Test func tablesOfSingleSourcesAreAllThere() async throws {
    _ = try python(
      """
      import os, sqlite3, sys
      for number in range(30):
          with sqlite3.connect(os.path.join(sys.argv[1], f'{number:02}.db')) as db:
              for name in {f'T{number}', 'Shared', f'T{number % 7}'}:
                  db.execute(f'CREATE TABLE {name} (id TEXT, n INTEGER)')
                  db.execute(f'INSERT INTO {name} VALUES (?, ?)', (f'{number}', number))
      """, folder.path(""))
    let stores = (0..<30).map { folder.path(($0 < 10 ? "0" : "") + "\($0).db") }
    let merged = folder.path("all.rehome")
    let outcome = await rehome(["convert", "--json", "-o", merged] + stores)
    try #require(outcome.code == 0, "\(outcome.error)")
    #expect(try Devices.query(merged, "SELECT count(*) FROM Shared") == "30\n")
    #expect(try Devices.query(merged, "SELECT group_concat(n) FROM T29") == "29\n")
    #expect(try Devices.query(merged, "SELECT count(*), sum(n) FROM T3") == "4|54\n")
    let books = "SELECT count(*), sum(read), sum(written), max(position) FROM rehome_table"
    #expect(try Devices.query(merged, books) == "31|83|83|30\n")
    let tables = try #require(try outcome.json()["tables"] as? [[String: any Sendable]])
    #expect(tables.count == 31)
    let left = folder.path("left.rehome")
    let filtered = await rehome(
      ["convert", "--json", "--exclude-table", "Shared", "-o", left] + stores)
    let counted = try #require(try filtered.json()["tables"] as? [[String: any Sendable]])
    #expect(counted.count == 31)
    #expect(counted.compactMap { $0["filtered"] as? Int }.reduce(0, +) == 30)
  }

  /// Stores that cannot be read are told in the order in which they were given, and the run ends as the
  /// first one says.
  @Test func unreadableStoresAreToldInOrder() async throws {
    let good = try #require(try Devices.makeRandom(1, seed: 31, in: folder).first)
    let missing = folder.path("a.db")
    let text = try folder.write("not a store", to: "b.db")
    let cut = folder.path("c.db")
    try Data(contentsOf: URL(filePath: good)).prefix(5000).write(to: URL(filePath: cut))
    for (stores, code) in [([missing, text, cut], 66), ([cut, missing, text], 65)] {
      let outcome = await rehome(
        ["convert", "-q", "-o", folder.path("x.rehome")] + stores[..<1] + [good] + stores[1...])
      #expect(outcome.code == code, "\(outcome.error)")
      let places = stores.compactMap { outcome.error.range(of: $0)?.lowerBound }
      #expect(places.count == 3 && places == places.sorted(), "\(outcome.error)")
      #expect(outcome.error.contains("leave out all that cannot be read"), "\(outcome.error)")
    }
  }

  /// Whatever is looked at side by side and opened ahead: stores become the same store on one thread
  /// and on several, with one among them that cannot be read and one that is there twice.
  @Test func threadsMakeNoDifference() async throws {
    let stores = try Devices.makeRandom(9, seed: 31, in: folder)
    let damaged = folder.path("damaged.rehome")
    var bytes = try Data(contentsOf: URL(filePath: stores[3]))
    bytes.replaceSubrange(4096..<8192, with: Data(repeating: 0xEE, count: 4096))
    try bytes.write(to: URL(filePath: damaged))
    let twin = folder.path("twin.rehome")
    try FileManager.default.copyItem(atPath: stores[1], toPath: twin)
    let given = stores[..<4] + [damaged] + stores[4...] + [twin]
    var contents: [String] = []
    for jobs in 1...4 {
      let merged = folder.path("\(jobs).rehome")
      let outcome = await rehome(
        ["convert", "-q", "--jobs", "\(jobs)", "--skip-unreadable", "--once", "-o", merged] + given)
      #expect(outcome.code == 2, "\(outcome.error)")
      try Devices.expectMerged(merged, of: stores)
      contents.append(
        try python(
          """
          import re, sqlite3, sys
          for line in sqlite3.connect(sys.argv[1]).iterdump():
              print(re.sub(r'\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z', 'TIME', line))
          """, merged))
    }
    #expect(contents.allSatisfy { $0 == contents[0] })
    #expect(contents[0].contains("store-left-out") && contents[0].contains("damaged.rehome"))
  }

  /// A store that cannot be opened for the second time lets nobody wait for its turn.
  @Test func fewOpenFilesEndAMergeWithoutWaiting() throws {
    let stores = try Devices.makeRandom(16, seed: 5, in: folder)
    let merged = folder.path("out.rehome")
    var codes: Set<Int32> = []
    for limit in 9...20 {
      let outcome = try Program.bash.run(
        [
          "-c", "ulimit -n \(limit); exec timeout 300 \"$@\"", "bash", Project.executable.path,
          "convert", "-q", "-j", "3", "--force", "--fail-on", "never", "-o", merged,
        ] + stores)
      codes.insert(outcome.code)
    }
    // There are too few for any store, for some, or enough.
    #expect(codes.isSubset(of: [0, 2, 74]) && codes.contains(74), "\(codes)")
  }

  /// More tables than are sorted side by side, each with the rows of two devices.
  @Test func everyTableHasItsWholeIndex() async throws {
    let stores = try (0..<2).map { device in
      try Devices.make(
        "\(device).rehome", in: folder,
        """
        for table in range(12):
            name = f'Item{table}'
            device.make(name, [('id', 'text', 'id', None), ('text', 'text', 'value', None)])
            for key in range(1, 152):
                device.add(name, key, [f'{key * 7919 % 1009}-\(device)', 'x'])
        """)
    }
    let merged = folder.path("out.rehome")
    let outcome = await rehome(["convert", "-q", "--fail-on", "never"] + stores + ["-o", merged])
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(try Devices.query(merged, "PRAGMA integrity_check") == "ok\n")
    let names = try Devices.query(
      merged, "SELECT tbl_name, name FROM sqlite_master WHERE type = 'index' AND sql LIKE '%Item%'")
    let indexes = names.split(separator: "\n").map { $0.split(separator: "|") }
    #expect(indexes.count == 12)
    for index in indexes {
      let sql = "SELECT count(*) FROM \(index[0]) INDEXED BY \"\(index[1])\" WHERE id > ''"
      #expect(try Devices.query(merged, sql) == "302\n")
    }
  }

  @Test func samplesOfAllLayoutsMergeAsTheOracleExpects() async throws {
    let samples = Sample.all.map { $0.store() }
    var single: [String] = []
    for (place, sample) in samples.enumerated() {
      single.append(folder.path("\(place).rehome"))
      _ = await rehome("convert", "-q", sample, "-o", single[place])
    }
    let merged = folder.path("out.rehome")
    #expect(await rehome(["convert", "-q"] + samples + ["-o", merged]).code == 2)
    #expect(try Devices.expectMerged(merged, of: single) > 0)
    // What was converted before merges to the same content.
    let again = folder.path("again.rehome")
    #expect(
      await rehome(["convert", "-q", "--fail-on", "never"] + single + ["-o", again]).code == 0)
    #expect(await rehome("verify", "-q", merged, again).code == 0)
  }

  @Test func exportsMergeAsTheStoresThatTheyWereMadeFrom() async throws {
    let stores = try Devices.makeRandom(3, seed: 21, in: folder)
    var exports: [String] = []
    for (store, format) in zip(stores, ["json", "xml", "csv"]) {
      exports.append(folder.path("export-\(format)"))
      #expect(
        await rehome("export", "-q", store, "--to", format, "-o", exports[exports.count - 1]).code
          == 0)
    }
    let merged = folder.path("out.rehome")
    _ = await rehome(["convert", "-q", "--fail-on", "never"] + exports + ["-o", merged])
    try Devices.expectMerged(merged, of: stores)
  }

  @Test(arguments: ["json", "ndjson", "csv", "xml"])
  func exportAndSeedKeepTheHashOfAMergedStore(format: String) async throws {
    let stores = try Devices.makeRandom(4, seed: 31, in: folder)
    let merged = folder.path("out.rehome")
    _ = await rehome(["convert", "-q", "--fail-on", "never"] + stores + ["-o", merged])
    let (bundle, seeded) = (folder.path("bundle"), folder.path("seeded.rehome"))
    #expect(await rehome("export", "-q", merged, "--to", format, "-o", bundle).code == 0)
    #expect(await rehome("seed", "-q", bundle, "-o", seeded).code == 0)
    #expect(await rehome("verify", "-q", merged, seeded).code == 0)
  }

  /// Letter case counts in the names of Amplify, and not in those of the stores that it was merged with.
  @Test func tablesOfOtherSDKsBecomeOneBesideThoseOfAmplify() async throws {
    let samples = ["cordova-2017", "amplify-ios-2024", "datasync-2023"].map {
      Sample(name: $0).store()
    }
    let (once, step, steps) = (folder.path("once"), folder.path("step"), folder.path("steps"))
    _ = await rehome(["convert", "-q"] + samples + ["-o", once])
    _ = await rehome(["convert", "-q"] + samples[..<2] + ["-o", step])
    _ = await rehome("convert", "-q", step, samples[2], "-o", steps)
    let verdict = await rehome("verify", once, steps)
    #expect(verdict.code == 0, "\(verdict.text)")
    let names = "SELECT name FROM rehome_table ORDER BY position"
    #expect(try Devices.query(steps, names) == "TodoItem\nBlog\nPost\ncategory\n")
  }

  /// A merge needs the name for itself.
  @Test func columnThatGivesWayToThatOfTheMergeIsTold() async throws {
    let files = try ["a", "b", "c"].map { device in
      try folder.makeFolder(device)
      return try folder.write("id,_source\n\(device),of \(device)\n", to: "\(device)/T.csv")
    }
    let (once, step, steps) = (folder.path("once"), folder.path("step"), folder.path("steps"))
    let outcome = await rehome(["convert", "--json"] + files + ["-o", once])
    let findings = try #require(try outcome.json()["findings"] as? [[String: Any]])
    let told = findings.filter { $0["code"] as? String == "name-changed" }
    #expect(
      told.map { $0["message"] as? String } == ["the column _source is called _source_2 here"])
    #expect(told.map { $0["table"] as? String } == ["T"])
    _ = await rehome("convert", "-q", files[0], files[1], "-o", step)
    _ = await rehome("convert", "-q", step, files[2], "-o", steps)
    for store in [once, steps] {
      let rows = try Devices.query(store, "SELECT * FROM T")
      #expect(rows == "1|a|of a|1\n2|b|of b|2\n3|c|of c|3\n")
    }
  }

  /// What an app calls its version is not what the SDK of another gives to the server.
  @Test func columnOfTheAppIsNotMixedIntoThatOfTheSDK() async throws {
    let types = [("integer", "value", "7"), ("text", "value", "'a'"), ("text", "version", "'b'")]
    let devices = try types.enumerated().map { number, column in
      try Devices.make(
        "\(number).rehome", in: folder,
        """
        device.make('Item', [('id', 'text', 'id', None),
            ('version', '\(column.0)', '\(column.1)', None)])
        device.add('Item', 1, ['\(number)', \(column.2)])
        """)
    }
    let merged = folder.path("all.rehome")
    #expect(await rehome(["convert", "-q"] + devices + ["-o", merged]).code == 0)
    let query = "SELECT version, version_2 FROM Item ORDER BY _pk"
    #expect(try Devices.query(merged, query) == "7|None\na|None\nNone|b\n")
    let roles = "SELECT name, role FROM rehome_column WHERE name LIKE 'version%' ORDER BY name"
    #expect(try Devices.query(merged, roles) == "version|value\nversion_2|version\n")
    try Devices.expectMerged(merged, of: devices)
  }

  /// A word is the same whether its device keeps words alone in a column or documents, too.
  @Test(arguments: [false, true])
  func valuesOfAColumnThatHoldsDocumentsAreAllDocuments(textIsFirst: Bool) async throws {
    let values = [
      ("json", "'\"abc\"'"), ("text", "'abc'"), ("text", "'{\"a\":1}'"), ("integer", "5"),
      ("boolean", "1"), ("real", "float('inf')"), ("timestamp", "'2016-10-01T09:15:30.123Z'"),
    ]
    let devices = try values.enumerated().map { number, value in
      try Devices.make(
        "\(number).rehome", in: folder,
        """
        device.make('Item', [('id', 'text', 'id', None), ('it', '\(value.0)', 'value', None)])
        device.add('Item', 1, ['\(number)', \(value.1)])
        """)
    }
    let merged = folder.path("all.rehome")
    let given = textIsFirst ? devices.reversed() : devices
    #expect(await rehome(["convert", "-q"] + given + ["-o", merged]).code == 0)
    #expect(
      try Devices.query(merged, "SELECT it FROM Item ORDER BY id") == """
        "abc"
        "abc"
        "{\\"a\\":1}"
        5
        true
        "Infinity"
        "2016-10-01T09:15:30.123Z"

        """)
    let type = "SELECT type FROM rehome_column WHERE name = 'it'"
    #expect(try Devices.query(merged, type) == "json\n")
    try Devices.expectMerged(merged, of: given)
    for device in devices {
      let verified = await rehome("verify", "--by-id", device, merged, "--json")
      let tables = try verified.json()["tables"] as? [[String: Any]]
      let differences = tables?.first?["differences"] as? [String: Any]
      let totals = differences?["totals"] as? [String: Any]
      #expect(totals?["changed"] as? Int == 0, "\(device)")
    }
  }

  /// To Parse and its like a class in another letter case is another class.
  @Test(arguments: [
    ("parse-local-datastore", 2), ("couchbase-lite-1", 2), ("amplify-datastore", 2),
    ("powersync", 2),
    ("azure-mobile-ios", 1),
  ])
  func namesAreExactWhereTheSDKSaysSo(layout: String, count: Int) async throws {
    let devices = try ["Todo", "todo", "todo"].enumerated().map { number, table in
      try Devices.make(
        "\(number).rehome", in: folder,
        """
        device.make('\(table)', [('id', 'text', 'id', None), ('text', 'text', 'value', None)])
        device.add('\(table)', 1, ['a', '\(table)'])
        sql("UPDATE rehome_source SET layout = '\(layout)'")
        """)
    }
    let (merged, half, steps) = (folder.path("m"), folder.path("h"), folder.path("s"))
    let all = ["convert", "-q", "--fail-on", "never"] + devices + ["-o", merged]
    #expect(await rehome(all).code == 0)
    _ = await rehome("convert", "-q", "--fail-on", "never", devices[0], devices[1], "-o", half)
    _ = await rehome("convert", "-q", "--fail-on", "never", half, devices[2], "-o", steps)
    for store in [merged, steps] {
      let names = try Devices.query(store, "SELECT name FROM rehome_table ORDER BY position")
      #expect(names == (count == 2 ? "Todo\ntodo_2\n" : "Todo\n"))
      // The item is one where its class is.
      #expect(try Devices.query(store, "SELECT count(*) FROM Todo") == "1\n")
    }
    let hashes = [await rehome("hash", merged), await rehome("hash", steps)]
    #expect(hashes[0].text.prefix(64) == hashes[1].text.prefix(64))
  }

  /// A third device may come when two are one already.
  @Test func rowsThatGaveWayStayWhenTheirStoreIsOneOfSeveral() async throws {
    let rows = ["'1', None, 'a', 'x'", "'1', None, 'b', 'y'", "'1', None, 'c', 'z'"]
    let stores = try rows.enumerated().map { number, row in
      try Devices.makeItems("\(number).rehome", in: folder, "[\(row)]")
    }
    let (two, three) = (folder.path("two.rehome"), folder.path("three.rehome"))
    #expect(await rehome("convert", "-q", stores[0], stores[1], "-o", two).code == 0)
    #expect(await rehome("convert", "-q", two, stores[2], "-o", three).code == 0)
    let query = """
      SELECT source, itemId, json_extract(item, '$.text') FROM rehome_finding
      WHERE code = 'same-item-on-several-devices' ORDER BY 3
      """
    #expect(try Devices.query(three, query) == "1|1|x\n2|1|y\n")
    #expect(try Devices.query(three, "SELECT text FROM Item") == "z\n")
  }

  /// Base64 is only how an export spells bytes.
  @Test func bytesAreNotTheSameItemAsTheTextThatSpellsThem() async throws {
    let stores = try [("binary", "b'1'"), ("text", "'MQ=='"), ("binary", "b'1'")].enumerated().map {
      number, id in
      try Devices.make(
        "\(number).rehome", in: folder,
        """
        device.make('Item', [('id', '\(id.0)', 'id', None)])
        device.add('Item', 1, [\(id.1)])
        """)
    }
    let merged = folder.path("all.rehome")
    #expect(await rehome(["convert", "-q"] + stores + ["-o", merged]).code == 0)
    #expect(
      try Devices.query(merged, "SELECT _source, hex(id), id_2 FROM Item ORDER BY 1")
        == "1|31|None\n2||MQ==\n")
  }

  @Test func theNewestTimeThenTheHighestVersionThenTheFirstSourceDecides() async throws {
    let first = try Devices.makeItems(
      "a.rehome", in: folder,
      """
      ('newer', '2016-10-01T09:15:30.100200300Z', 'z', 'a'),
      ('older', '2016-10-01T09:15:30.000Z', 'z', 'a'),
      ('none', None, 'z', 'a'), ('equal', None, None, 'a'),
      ('version', '2016-10-01T09:15:30.100Z', 'AAAAAAAAB9Z=', 'a'),
      ('number', None, 'AAAAAAAAB98=', 'a'), ('case', None, None, 'a'), (None, None, None, 'a'),
      ('digits', None, '9999999999999999999', 'a'),
      ('twin', None, None, 'a1'), ('twin', None, None, 'a2')
      """)
    let second = try Devices.makeItems(
      "b.rehome", in: folder,
      """
      ('newer', '2016-10-01T09:15:30.100Z', 'a', 'b'),
      ('older', '2016-10-01T09:15:30.001Z', 'a', 'b'),
      ('none', '0001-01-01T00:00:00.000Z', 'a', 'b'), ('equal', None, None, 'b'),
      ('version', '2016-10-01T09:15:30.100000000Z', 'AAAAAAAAB9a=', 'b'),
      ('number', None, 'AAAAAAAAB9Z=', 'b'), ('CASE', None, None, 'b'), (None, None, None, 'b'),
      ('digits', None, '018446744073709551616', 'b')
      """)
    let merged = folder.path("out.rehome")
    #expect(await rehome("convert", "-q", first, second, "-o", merged).code == 0)
    let kept = try Devices.query(
      merged,
      "SELECT id, group_concat(text, '') FROM (SELECT * FROM Item ORDER BY _pk) GROUP BY id")
    // A row version counts as the number in it: 9 comes behind Z in Base64.
    #expect(
      kept
        == "None|ab\nCASE|b\ncase|a\ndigits|b\nequal|a\nnewer|a\nnone|b\nnumber|a\nolder|b\n"
        + "twin|a1a2\nversion|b\n"
    )
    #expect(try Devices.expectMerged(merged, of: [first, second]) == 7)
  }

  /// One device has nothing but dates or words for truth where another has texts.
  @Test(arguments: [
    ("id,v\n2020-01-01,yes\n2020-01-02,no\n", "id,v\n2020-01-01,yes\nx,maybe\n"),
    ("id,V,d\n1,yes,2020-01-01\n2,no,2020-01-02\n", "id,v,d\n3,yes,soon\nx,maybe,later\n"),
    ("id,v\n1,TRUE\n2,FALSE\n", "id,v\n3,2020-01-01\n"),
  ])
  func textsOfFilesAreThoseThatStandThere(first: String, second: String) async throws {
    var files: [String] = []
    for (name, text) in [("a", first), ("b", second)] {
      try folder.makeFolder(name)
      files.append(try folder.write(text, to: "\(name)/T.csv"))
    }
    let expected = try python(
      """
      import csv, sys
      rows = {}
      for name in sys.argv[1:]:
        for row in list(csv.reader(open(name)))[1:]: rows.setdefault(row[0], row)
      for row in sorted(rows.values()): print(*row, sep='|')
      """, files[0], files[1])
    for inputs in [files, files.reversed()] {
      let merged = folder.path("m.rehome")
      let outcome = await rehome(["convert", "-q"] + inputs + ["-fo", merged])
      #expect(outcome.code == 0, "\(outcome.error)")
      let columns = first.prefix { $0 != "\n" }
      #expect(
        try Devices.query(merged, "SELECT \(columns) FROM T ORDER BY CAST(id AS TEXT)") == expected)
    }
  }
}
