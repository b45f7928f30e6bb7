import Foundation
import TestSupport
import Testing

/// What `rehome convert` of several stores tells, and how it ends.
@Suite(.enabled(if: SystemProgram.python.isInstalled, "python3 is not installed"))
struct MergeReportTests {
  private let folder: TemporaryFolder
  private let merged: String

  init() throws {
    folder = try TemporaryFolder()
    merged = folder.path("out.rehome")
  }

  private func makeTwoStores() throws -> [String] {
    let rows = { (device: String, ids: [Int]) in
      ids.map { "('\($0)', None, None, '\(device)')" }.joined(separator: ", ")
    }
    return [
      try Devices.makeItems("a.rehome", in: folder, rows("a", [1, 2])),
      try Devices.makeItems("b.rehome", in: folder, rows("b", [2, 3])),
    ]
  }

  @Test func reportListsSourcesAndRowsThatGaveWay() async throws {
    let stores = try makeTwoStores()
    let outcome = await rehome(["convert", "--json"] + stores + ["-o", merged])
    let report = try outcome.json()
    let sources = try #require(report["sources"] as? [[String: Any]])
    #expect(sources.map { $0["path"] as? String } == stores)
    #expect(sources.map { $0["name"] as? String } == ["a.rehome", "b.rehome"])
    let table = try #require((report["tables"] as? [[String: Any]])?.first)
    let books = ["read", "written", "rejected", "filtered", "merged"].map { table[$0] as? Int }
    #expect(books == [4, 3, 0, 1, 1])
    let finding = try #require(
      (report["findings"] as? [[String: Any]])?.first {
        $0["code"] as? String == "same-item-on-several-devices"
      })
    #expect(finding["itemId"] as? String == "2" && finding["source"] as? Int == 2)
    #expect(finding["severity"] as? String == "note" && finding["table"] as? String == "Item")
  }

  /// A source without a column lacks it in all its rows, if they are of JSON.
  @Test func missingKeysOfAllSourcesAreCounted() async throws {
    let texts = [
      "a/T.json": #"[{"id":1,"t":"a"},{"id":2}]"#, "b/T.json": #"[{"id":3,"t":null},{"id":4}]"#,
      "c/T.json": #"[{"id":5}]"#, "d/T.csv": "id\n6\n",
    ]
    let files = try texts.keys.sorted().map { name in
      try folder.makeFolder(String(name.prefix(1)))
      return try folder.write(texts[name] ?? "", to: name)
    }
    let outcome = await rehome(["convert", "--json"] + files + ["-o", merged])
    let table = try #require((try outcome.json()["tables"] as? [[String: Any]])?.first)
    let columns = try #require(table["columns"] as? [[String: Any]])
    #expect(columns.map { $0["name"] as? String } == ["t"])
    #expect(columns.map { $0["nulls"] as? Int } == [1])
    #expect(columns.map { $0["missing"] as? Int } == [3])
    let told = await rehome(["convert", "-f"] + files + ["-o", merged])
    #expect(told.error.contains("note: T.t is missing in 3 rows and null in 1"), "\(told.error)")
  }

  @Test func reportOnOneStoreHasNothingOfSeveral() async throws {
    let store = try makeTwoStores()[0]
    let report = try await rehome("convert", "--json", store, "-o", merged).json()
    let table = try #require((report["tables"] as? [[String: Any]])?.first)
    #expect(
      Set(table.keys) == ["name", "read", "written", "rejected", "filtered", "rejectedCells"])
    let source = try #require((report["sources"] as? [[String: Any]])?.first)
    #expect(Set(source.keys) == ["name", "layout", "generation", "files"])
    let findings = try #require(report["findings"] as? [[String: Any]])
    #expect(findings.allSatisfy { $0["source"] == nil })
  }

  @Test func conversionTellsOfEachRowThatGaveWayOnce() async throws {
    _ = await rehome(["convert", "-q"] + (try makeTwoStores()) + ["-o", merged])
    var store = merged
    for name in ["again.rehome", "once-more.rehome"] {
      let next = folder.path(name)
      let report = try await rehome("convert", "--json", store, "-o", next).json()
      let findings = try #require(report["findings"] as? [[String: Any]])
      #expect(findings.count { $0["code"] as? String == "same-item-on-several-devices" } == 1)
      #expect(
        try Devices.query(next, "SELECT count(*), count(item) FROM rehome_finding") == "1|1\n")
      store = next
    }
  }

  /// A store of two devices with two tokens and three errors, one of which is about no operation.
  private func mergeTwoQueues() async throws {
    let stores = ["ios-2016", "ios-2015"].map { Sample(name: $0).store() }
    _ = await rehome(["convert", "-q"] + stores + ["-o", merged])
    _ = try python(
      """
      import sqlite3, sys
      with sqlite3.connect(sys.argv[1]) as db:
          db.execute('UPDATE rehome_error SET operation = NULL WHERE source = 2')
      """, merged)
  }

  /// The numbers of the devices that an audit tells of errors and tokens.
  private func audited(_ store: String) async throws -> [[Int?]] {
    let report = try await rehome("audit", "--json", store).json()
    let audit = try #require((report["stores"] as? [[String: any Sendable]])?.first)
    return ["errors", "tokens"].map { part in
      (audit[part] as? [[String: any Sendable]] ?? []).map { $0["source"] as? Int }
    }
  }

  @Test(arguments: [
    ("json", "export.json"), ("xml", "export.xml"), ("json", "export"), ("xml", "export"),
    ("csv", "export"), ("ndjson", "export"),
  ])
  func errorsAndTokensStayThoseOfTheirDevices(format: String, name: String) async throws {
    try await mergeTwoQueues()
    let (export, again) = (folder.path(name), folder.path("again.rehome"))
    #expect(await rehome("export", "-q", merged, "--to", format, "-o", export).code == 0)
    #expect(await rehome("convert", "-q", export, "-o", again).code != 65)
    let sources = try await audited(merged)
    #expect(sources[0] == [1, 1, 2])
    #expect(!sources[1].isEmpty && sources[1].allSatisfy { $0 != nil })
    #expect(try await audited(export) == sources)
    #expect(try await audited(again) == sources)
    let hashes = await rehome("hash", merged, export, again).text.split(separator: "\n")
    #expect(hashes.count == 3 && Set(hashes.map { $0.prefix(64) }).count == 1)
  }

  /// Something is found in each of the stores.
  @Test(arguments: [
    ("json", "export.json"), ("xml", "export.xml"), ("json", "export"), ("xml", "export"),
    ("csv", "export"),
  ])
  func findingsStayThoseOfTheirDevices(format: String, name: String) async throws {
    let stores = ["amplify-ios-2024", "cordova-2017", "ios-2014"].map { Sample(name: $0).store() }
    let (export, again) = (folder.path(name), folder.path("again.rehome"))
    _ = await rehome(["convert", "-q", "--fail-on", "never"] + stores + ["-o", merged])
    let findings = "SELECT source, code, message FROM rehome_finding ORDER BY 1, 2, 3"
    // Of rejected values the lines are counted anew, wherever the values are kept.
    let known = try Devices.query(merged, findings)
      .replacing(
        "1 value could not be taken over and became NULL; what it was is in rehome_reject",
        with: "column code: 1 value is not of the column's type")
    let sources = Set(known.split(separator: "\n").compactMap(\.first))
    #expect(sources.count > 1 && !sources.contains("0"), "\(known)")
    _ = await rehome("export", "-q", merged, "--to", format, "-o", export)
    _ = await rehome("convert", "-q", "--fail-on", "never", export, "-o", again)
    let kept = Set(try Devices.query(again, findings).split(separator: "\n"))
    #expect(kept.isSuperset(of: known.split(separator: "\n")), "\(kept)")
  }

  @Test func personIsToldTheNumberOfRowsThatGaveWay() async throws {
    let outcome = await rehome(["convert"] + (try makeTwoStores()) + ["-o", merged])
    #expect(outcome.code == 0)
    #expect(
      outcome.error.contains(
        "1 row of Item gave way to a row of the same item in another source; it is"))
    #expect(outcome.error.contains("the sources are as they were"))
  }

  @Test func storeKnowsItsSourcesByTheirPaths() async throws {
    let stores = try makeTwoStores()
    _ = await rehome(["convert", "-q"] + stores + ["-o", merged])
    let rows = try Devices.query(
      merged,
      """
      SELECT Item.text, json_extract(metadata, '$.path') FROM Item
      JOIN rehome_source AS s ON s.id = _source ORDER BY _pk
      """)
    #expect(rows == "a|\(stores[0])\na|\(stores[0])\nb|\(stores[1])\n")
  }

  @Test func storeKnowsTheFilesOfEachSource() async throws {
    let samples = ["ios-2016", "android-2016"].map { Sample(name: $0).store() }
    let first = folder.path("first.rehome")
    _ = await rehome("convert", "-q", samples[0], "-o", first)
    let files = try python(
      """
      import hashlib, os, sys
      for number, path in enumerate(sys.argv[1:], 1):
          data = open(path, 'rb').read()
          print(number, os.path.basename(path), len(data), hashlib.sha256(data).hexdigest(), sep='|')
      """, samples[0], samples[1])
    let listed = "SELECT * FROM rehome_source_file ORDER BY source"
    for (sources, between) in [(samples, ""), ([first, samples[1]], "first.rehome\n")] {
      #expect(await rehome(["convert", "-qf", "-o", merged] + sources).code != 65)
      #expect(try Devices.query(merged, listed) == files)
      #expect(
        try Devices.query(merged, "SELECT value FROM rehome_meta WHERE key GLOB 'readFrom *'")
          == between)
    }
    // They are kept however often the store is converted.
    let exported = folder.path("all.json")
    let again = folder.path("again.rehome")
    _ = await rehome("export", "-q", merged, "--to", "json", "-o", exported)
    _ = await rehome("seed", "-q", exported, "-o", again, "--into", "canonical")
    #expect(try Devices.query(again, listed) == files)
  }

  /// Where the names of each came from, when it was read and by which version of the tool.
  @Test(arguments: [
    ("json", "export.json"), ("xml", "export.xml"), ("json", "export"), ("xml", "export"),
    ("csv", "export"), ("ndjson", "export"),
  ])
  func whatIsKnownOfEachSourceStays(format: String, name: String) async throws {
    let stores = ["ios-2014", "cordova-2017"].map { Sample(name: $0).store() }
    let (export, again) = (folder.path(name), folder.path("again.rehome"))
    _ = await rehome(["convert", "-q", "-o", merged] + stores)
    _ = try python(
      """
      import sqlite3, sys
      with sqlite3.connect(sys.argv[1]) as db:
          db.execute("UPDATE rehome_source SET readAt = '2020-01-0' || id || 'T00:00:00.000Z', "
              "toolVersion = char(1) || id")
      """, merged)
    let columns = "SELECT id, nameOrigin, readAt, hex(toolVersion) FROM rehome_source"
    let known = try Devices.query(merged, columns)
    #expect(
      known == """
        1|fallback|2020-01-01T00:00:00.000Z|0131
        2|schema|2020-01-02T00:00:00.000Z|0132

        """)
    #expect(await rehome("export", "-q", merged, "--to", format, "-o", export).code != 65)
    for input in [merged, export] {
      _ = await rehome("convert", "-qf", input, "-o", again)
      #expect(try Devices.query(again, columns) == known)
    }
  }

  /// Older exports tell where the names came from once, and no times.
  @Test(arguments: ["json", "xml"])
  func olderExportTellsOfAllSourcesTogether(_ format: String) async throws {
    let stores = ["cordova-2017", "ios-2014"].map { Sample(name: $0).store() }
    let (export, again) = (folder.path("export." + format), folder.path("again.rehome"))
    _ = await rehome(["convert", "-q", "-o", merged] + stores)
    _ = await rehome("export", "-q", merged, "--to", format, "-o", export)
    let removed = try python(
      #"""
      import re, sys
      text = open(sys.argv[1], encoding='utf-8', newline='').read()
      pattern = r',"(?:readAt|toolVersion)":"[^"]*"| (?:readAt|toolVersion)="[^"]*"'
      text, times = re.subn(pattern, '', text)
      pattern = r'(?<=.),"nameOrigin":"[^"]*"|(?<=<device number="\d") nameOrigin="[^"]*"'
      text, names = re.subn(pattern, '', text)
      open(sys.argv[1], 'w', encoding='utf-8', newline='').write(text)
      print(times, names)
      """#, export)
    #expect(removed == "4 2\n")
    _ = await rehome("seed", "-q", export, "-o", again)
    let columns = "SELECT nameOrigin, readAt > '2025', toolVersion <> '' FROM rehome_source"
    #expect(try Devices.query(again, columns) == "fallback|1|1\nfallback|1|1\n")
  }

  @Test(arguments: [
    ("json", "\"readAt\":\"", "\"readAt\":\"x"),
    ("json", ",\"nameOrigin\":\"fallback", ",\"nameOrigin\":\"x"),
    ("xml", " readAt=\"", " readAt=\"x"),
    ("xml", "number=\"1\" nameOrigin=\"", "number=\"1\" nameOrigin=\"x"),
  ])
  func damagedFactOfASourceIsRefused(_ format: String, old: String, new: String) async throws {
    let store = Sample(name: "ios-2014").store()
    let export = folder.path("export." + format)
    _ = await rehome("convert", "-q", store, "-o", merged)
    _ = await rehome("export", "-q", merged, "--to", format, "-o", export)
    let text = try String(contentsOfFile: export, encoding: .utf8)
    let range = try #require(text.range(of: old))
    let changed = text.replacingCharacters(in: range, with: new)
    let outcome = await rehome("hash", try folder.write(changed.utf8, to: "changed." + format))
    #expect(outcome.code == 65, "\(outcome.error)")
  }

  @Test func storeOfOneSourceHasNothingOfSeveral() async throws {
    let store = try makeTwoStores()[0]
    _ = await rehome("convert", "-q", store, "-o", merged)
    let columns = try Devices.query(
      merged,
      "SELECT name FROM pragma_table_info('Item') UNION SELECT name FROM "
        + "pragma_table_info('rehome_finding')")
    #expect(!columns.contains("_source") && !columns.contains("item\n"))
    #expect(try Devices.query(merged, "SELECT metadata FROM rehome_source") == "{}\n")
  }

  @Test func oneBadStoreStopsAllAndEveryBadOneIsNamed() async throws {
    let stores = try makeTwoStores()
    let bad = try folder.write("no store at all".utf8, to: "bad.sqlite")
    let missing = folder.path("missing.sqlite")
    let outcome = await rehome(["convert", stores[0], bad, stores[1], missing, "-o", merged])
    #expect(outcome.code == 65)
    #expect(outcome.error.contains(bad) && outcome.error.contains(missing))
    #expect(!FileManager.default.fileExists(atPath: merged))
  }

  @Test func outputThatIsInTheWayIsToldBeforeTheStoresAreRead() async throws {
    let taken = try folder.write("something".utf8, to: "out.rehome")
    let missing = folder.path("missing.sqlite")
    let outcome = await rehome("convert", missing, missing, "-o", taken)
    #expect(outcome.code == 73 && outcome.error.contains(taken))
    #expect(await rehome("convert", "-f", missing, missing, "-o", taken).code == 66)
  }

  /// Two exports of one store have something twice only where they have rows of one table, or both its
  /// operations.
  @Test(
    arguments: [
      (["A"], false, false), (["B"], false, true), (["A"], true, true),
      (["A", "B", "-"], false, false),
    ])
  func exportsOfOtherTablesAreNotOneStoreTwice(
    tables: [String], hasQueue: Bool, isTold: Bool
  ) async throws {
    let device = try ObjectStore.describe(
      "device.sqlite", in: folder,
      of: "system_entities() + [Entity(name, (A('id', 'string'),)) for name in ('A', 'B')]",
      """
      for table in 'A', 'B': store.insert(table, {'id': 'a'})
      if \(hasQueue ? "True" : "False"): queue.add(1, 'A', 'a', 1)
      """)
    var exports: [String] = []
    // What is left out comes from neither.
    let isLeftOut = tables.last == "-"
    for (place, own) in [tables, ["B"]].enumerated() {
      exports.append(folder.path("\(place).json"))
      _ = await rehome(
        ["export", "-q", device, "--to", "json", "-o", exports[place]]
          + own.filter { $0 != "-" }.flatMap { ["--table", $0] })
    }
    for inputs in [exports, exports.reversed()] {
      let outcome = await rehome(
        ["convert", "-f"] + inputs + ["-o", merged] + (isLeftOut ? ["--exclude-table", "B"] : []))
      #expect(outcome.code == 0, "\(outcome.error)")
      #expect(outcome.error.contains("source-given-twice") == isTold, "\(outcome.error)")
    }
  }

  @Test func oneStoreTwiceIsToldAndItsItemsAreKeptOnce() async throws {
    let sample = Sample(name: "ios-2016").store()
    let outcome = await rehome(
      "convert", "--json", "--fail-on", "warning", sample, sample, "-o", merged)
    #expect(outcome.code == 2)
    let codes = (try outcome.json()["findings"] as? [[String: Any]])?.map { $0["code"] as? String }
    #expect(codes?.contains("source-given-twice") == true)
    let counts = try Devices.query(
      merged,
      """
      SELECT count(*), count(DISTINCT id), (SELECT count(*) FROM rehome_operation),
        (SELECT max(sequence) FROM rehome_operation) FROM TodoItem WHERE id IS NOT NULL
      """
    ).dropLast().split(separator: "|")
    #expect(counts[0] == counts[1] && counts[2] == counts[3])
  }

  /// Two devices on which the app was never used harm nobody.
  @Test(arguments: [false, true])
  func emptyStoreTwiceIsANote(hasRow: Bool) async throws {
    let paths = ["a.db", "b.db"].map(folder.path)
    let row = hasRow ? "INSERT INTO t VALUES ('a');" : ""
    for path in paths {
      try Devices.execute(path, "CREATE TABLE t (id TEXT PRIMARY KEY);" + row)
    }
    let outcome = await rehome(
      ["convert", "--json", "--fail-on", "warning"] + paths + ["-o", merged])
    #expect(outcome.code == (hasRow ? 2 : 0), "\(outcome.error)")
    let findings = try outcome.json()["findings"] as? [[String: Any]]
    #expect(findings?.count == 1)
    #expect(findings?.first?["severity"] as? String == (hasRow ? "warning" : "note"))
    let message = try #require(findings?.first?["message"] as? String)
    #expect(
      message.hasSuffix(
        hasRow
          ? "rows that no id tells apart, if it has any, are here twice"
          : "no rows and no operations"),
      "\(message)")
  }

  /// A canonical store or an export counts as the stores that it was made from.
  @Test(arguments: [
    (["a.rehome", "a"], 1), (["a", "a.rehome"], 1), (["a.rehome", "a.json"], 1),
    (["direct.json", "a"], 1), (["direct.xml", "a.rehome"], 1), (["direct", "a"], 1),
    (["ab.rehome", "b"], 1), (["ab.rehome", "ab.json"], 2), (["ab.rehome", "ab.rehome"], 1),
    (["a.rehome", "b"], 0), (["aa.rehome", "b"], 1),
  ])
  func storeThatComesTwiceOnTwoWaysIsTold(_ inputs: [String], _ count: Int) async throws {
    var paths: [String: String] = [:]
    for (name, sample) in [("a", "ios-2016"), ("b", "dotnet-2019")] {
      paths[name] = Sample(name: sample).store()
    }
    for made in inputs where made.hasPrefix("direct") {
      let format = made.hasSuffix("xml") ? "xml" : "json"
      paths[made] = folder.path(made)
      _ = await rehome(
        "export", "-q", Sample(name: "ios-2016").store(), "--to", format, "-o", folder.path(made))
    }
    for made in Set(inputs.filter { $0.contains(".") && paths[$0] == nil }) {
      let parts = made.split(separator: ".")
      let store = folder.path(parts[0] + ".rehome")
      _ = await rehome(
        ["convert", "-qf"] + parts[0].compactMap { paths[String($0)] } + ["-o", store])
      paths[made] = store
      guard parts[1] == "json" else { continue }
      paths[made] = folder.path(made)
      _ = await rehome("export", "-qf", store, "--to", "json", "-o", folder.path(made))
    }
    let outcome = await rehome(
      ["convert", "--json"] + inputs.compactMap { paths[$0] } + ["-o", merged])
    let findings = try #require(try outcome.json()["findings"] as? [[String: any Sendable]])
    let told = findings.filter { $0["code"] as? String == "source-given-twice" }
    #expect(told.count == count, "\(told)")
    guard count > 0, inputs[0] == "ab.rehome", inputs[1] == "b" else { return }
    let message = try #require(told.first?["message"] as? String)
    let (ab, b) = (try #require(paths["ab.rehome"]), try #require(paths["b"]))
    #expect(message.hasPrefix("the store has the same bytes as \(b) in \(ab)"), "\(message)")
  }

  /// What gave way is looked for where it is: the stores before it have given it another key.
  @Test func keyOfARowThatGaveWayIsThatOfTheStoreThatWasGiven() async throws {
    let stores = try makeTwoStores()
    let both = folder.path("both.rehome")
    let first = try Devices.makeItems("c.rehome", in: folder, "('3', None, None, 'c')")
    _ = await rehome(["convert", "-q"] + stores + ["-o", both])
    _ = await rehome("convert", "-q", first, both, "-o", merged)
    let key = try Devices.query(both, "SELECT _pk FROM Item WHERE id = '3'").dropLast()
    #expect(key != "2")
    let told = "SELECT source, message FROM rehome_finding WHERE itemId = '3'"
    #expect(
      try Devices.query(merged, told).hasPrefix("3|")
        && Devices.query(merged, told).hasSuffix("with _pk \(key) in \(both), is told here\n"))
  }

  @Test func outputIsNoneOfTheSources() async throws {
    let stores = try makeTwoStores()
    let outcome = await rehome(["convert", "-f"] + stores + ["-o", stores[1]])
    #expect(outcome.code == 73)
    #expect(try Devices.query(stores[1], "SELECT count(*) FROM Item") == "2\n")
  }

  @Test func tablesThatAreLeftOutAreFiltered() async throws {
    let stores = try Devices.makeRandom(3, seed: 5, in: folder)
    let outcome = await rehome(
      ["convert", "--json", "--exclude-table", "Tag", "--fail-on", "never"] + stores
        + ["-o", merged])
    let tables = try #require(try outcome.json()["tables"] as? [[String: Any]])
    for table in tables {
      let books = ["read", "written", "rejected", "filtered"].map { table[$0] as? Int ?? -1 }
      #expect(books[0] == books[1] + books[2] + books[3])
      if table["name"] as? String == "Tag" { #expect(books[1] == 0 && books[0] > 0) }
    }
    #expect(
      try Devices.query(merged, "SELECT name FROM rehome_table WHERE name = 'Tag'").isEmpty)
  }

  @Test func reportsListTheFirstThousandOfATableAndTheStoreHasAll() async throws {
    let rows = "*[(str(n), None, None, 'x') for n in range(1500)]"
    let stores = try ["a", "b"].map { try Devices.makeItems($0, in: folder, rows) }
    let outcome = await rehome(["convert", "--json"] + stores + ["-o", merged])
    let code = "same-item-on-several-devices"
    let listed = (try outcome.json()["findings"] as? [[String: Any]])?
      .filter { $0["code"] as? String == code }
    #expect(listed?.count == 1001)
    #expect(listed?.last?["count"] as? Int == 500)
    let stored = try Devices.query(
      merged, "SELECT count(*), count(item) FROM rehome_finding WHERE code = '\(code)'")
    #expect(stored == "1500|1500\n")
    let shown = try await rehome("inspect", "--json", merged).json()
    let store = try #require((shown["stores"] as? [[String: Any]])?.first)
    let told = (store["findings"] as? [[String: Any]])?.count { $0["code"] as? String == code }
    #expect(told == 1001)
  }

  @Test func whatIsTheSameOfManySourcesIsToldOnce() async throws {
    let copies = (0..<3).map { folder.path("\($0).sqlite") }
    for copy in copies {
      try FileManager.default.copyItem(atPath: Sample(name: "ios-2014").store(), toPath: copy)
    }
    let outcome = await rehome(["convert"] + copies + ["-o", merged])
    let lines = outcome.error.split(separator: "\n").filter { $0.contains("names-from-fallback") }
    #expect(lines.count == 1 && lines.first?.contains("and 2 others: names are") == true)
  }
}
