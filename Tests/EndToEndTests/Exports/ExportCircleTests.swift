import Foundation
import TestSupport
import Testing

/// The circle: a store, its export and the store that is seeded from it have one content hash.
struct ExportCircleTests {
  private static let forms = [
    ["csv", "b"], ["csv", "b", "--csv-safe"], ["csv", "b", "--for", "excel"], ["ndjson", "b"],
    ["json", "b"], ["xml", "b"],
    ["json", "d.json"], ["xml", "d.xml"], ["json", "d.json.gz"],
  ]

  /// What an audit of the source says, one of the export must say, too.
  @Test func exportTellsOfValuesThatBecameNull() async throws {
    let folder = try TemporaryFolder()
    let source = try CordovaStore.make(
      "device.db", in: folder, "INSERT INTO note VALUES ('a', 'one', 'V'), ('b', 2, 'V')")
    let (store, output) = (folder.path("device.rehome"), folder.path("out.json"))
    _ = await rehome("convert", "-q", source, "-o", store)
    for input in [source, store] {
      let outcome = await rehome("export", "-f", input, "--to", "json", "-o", output)
      let told = outcome.error.split(separator: "\n").filter { $0.contains("value-of-wrong-type") }
      #expect(told.count == 1 && told.first?.contains("note: ") == true, "\(outcome.error)")
      let seeded = folder.path("seeded.rehome")
      _ = await rehome("seed", "-qf", output, "-o", seeded)
      for exported in [output, seeded] {
        let audit = await rehome("audit", "--fail-on", "warning", exported)
        #expect(audit.code == 2 && audit.text.contains("value-of-wrong-type"), "\(audit.text)")
      }
    }
  }

  /// The classes of values that no column could take are those of the source, however far they are.
  @Test(arguments: forms.filter { $0.count == 2 })
  func textThatIsNotUTF8StaysText(_ form: [String]) async throws {
    let folder = try TemporaryFolder()
    let source = try CordovaStore.make(
      "device.db", in: folder,
      """
      CREATE TABLE memo (id TEXT PRIMARY KEY, text TEXT, version TEXT);
      INSERT INTO memo VALUES ('a', CAST(x'6fc3' AS TEXT), 'V'), ('b', x'6fc3', 'V');
      INSERT INTO note VALUES ('c', 'one', 'V'), ('d', 2.5, 'V');
      """)
    func rejects(in store: String) throws -> String {
      try Devices.query(
        store, "SELECT \"table\", row, code, storage, typeof(raw), quote(raw) FROM rehome_reject")
    }
    let (store, again) = (folder.path("device.rehome"), folder.path("again.rehome"))
    _ = await rehome("convert", "-q", source, "-o", store)
    let known = try rejects(in: store)
    #expect(known.contains("memo|1|invalid-text|text|blob|X'6FC3'"), "\(known)")
    #expect(known.contains("memo|2|value-of-wrong-type|blob|blob|X'6FC3'"), "\(known)")
    _ = await rehome("convert", "-q", store, "-o", again)
    #expect(try rejects(in: again) == known)
    for input in [source, store, again] {
      let (export, seeded) = (folder.path(form[1]), folder.path("seeded.rehome"))
      _ = await rehome("export", "-qf", input, "--to", form[0], "-o", export)
      _ = await rehome("seed", "-qf", export, "-o", seeded)
      #expect(try rejects(in: seeded) == known, "\(input)")
    }
  }

  /// Rows alone lack what their store has set aside of them, which is told of these and no others.
  @Test func rowsAloneTellWhatWasSetAside() async throws {
    let folder = try TemporaryFolder()
    let source = folder.path("plain.db")
    _ = try python(
      """
      import sqlite3, sys
      with sqlite3.connect(sys.argv[1]) as database:
          database.execute('CREATE TABLE T (id TEXT, n INTEGER)')
          database.execute("INSERT INTO T VALUES ('a', 1), ('b', 2), ('c', 'no')")
          database.execute('CREATE TABLE U (id TEXT)')
          database.execute("INSERT INTO U VALUES ('a'), (CAST(x'ff' AS TEXT))")
      """, source)
    let (store, bundle) = (folder.path("plain.rehome"), folder.path("bundle"))
    _ = await rehome("convert", "-q", source, "-o", store)
    _ = await rehome("export", "-q", store, "--to", "ndjson", "-o", bundle)
    for input in [store, bundle] {
      let outcome = await rehome("export", input, "--to", "csv", "--table", "T")
      #expect(outcome.code == 0)
      #expect(outcome.error.contains("value-of-wrong-type"), "\(outcome.error)")
      #expect(
        outcome.error.contains("T: 1 value is not in this output, as the store had set it aside"))
      #expect(!outcome.error.contains("invalid-text"), "\(outcome.error)")
    }
  }

  /// Two rows of no entity are rejects of every run that reads the store, and count as read.
  @Test(arguments: forms.filter { $0.count == 2 })
  func rowsOfNoEntityAreAmongTheRejects(_ form: [String]) async throws {
    let folder = try TemporaryFolder()
    let source = try ObjectStore.make(
      "one.sqlite", in: folder, of: [("A", nil), ("B", "A")],
      """
      CREATE TABLE ZA (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER);
      INSERT INTO ZA VALUES (1, 1, 1), (2, 2, 1), (3, 9, 1), (4, NULL, 1);
      """)
    let (export, seeded) = (folder.path(form[1]), folder.path("seeded.rehome"))
    let outcome = await rehome("export", "--json", source, "--to", form[0], "-o", export)
    #expect(outcome.code == 2)
    let never = await rehome(
      "export", "-qf", "--fail-on", "never", source, "--to", form[0], "-o", export)
    #expect(never.code == 2)
    let tables = try #require(try outcome.json()["tables"] as? [[String: any Sendable]])
    #expect(tables.map { $0["read"] as? Int } == [3, 1])
    #expect(tables.map { $0["rejected"] as? Int } == [2, 0])
    _ = await rehome("seed", "-qf", export, "-o", seeded)
    let rejects = try Devices.query(
      seeded, "SELECT \"table\", row, \"column\", code, raw FROM rehome_reject ORDER BY row")
    #expect(
      rejects == "A|3|Z_ENT|rows-of-unknown-entity|9\nA|4|Z_ENT|rows-of-unknown-entity|None\n")
  }

  /// A column that no value tells the type of takes that of another store, also out of an export.
  @Test(arguments: forms)
  func columnWithoutValuesStaysOpenForAnyType(_ form: [String]) async throws {
    let folder = try TemporaryFolder()
    let (empty, other) = (folder.path("empty.db"), folder.path("other.db"))
    _ = try python(
      """
      import sqlite3, sys
      for path, row in zip(sys.argv[1:], [('a', None), ('b', 5)]):
          with sqlite3.connect(path) as database:
              database.execute('CREATE TABLE t (id TEXT PRIMARY KEY, x)')
              database.execute('INSERT INTO t VALUES (?, ?)', row)
      """, empty, other)
    let (export, seeded) = (folder.path(form[1]), folder.path("seeded.rehome"))
    let arguments = ["export", "-qf", empty, "--to", form[0], "-o", export]
    #expect(await rehome(arguments + form.dropFirst(2)).code == 0)
    #expect(await rehome("seed", "-q", export, "-o", seeded).code == 0)
    #expect(
      try Devices.query(seeded, "SELECT value FROM rehome_meta WHERE key = 'undecided t'")
        == "[\"x\"]\n")
    for input in [export, seeded] {
      let merged = folder.path("merged.rehome")
      _ = await rehome("convert", "-qf", input, other, "-o", merged)
      #expect(
        try Devices.query(merged, "SELECT typeof(x) FROM t ORDER BY id") == "null\ninteger\n")
    }
  }

  @Test(arguments: Sample.all)
  func everySampleComesBack(_ sample: Sample) async throws {
    try await expectCircle(of: sample.store())
  }

  @Test func awkwardNamesAndValuesComeBack() async throws {
    try await expectCircle(ofStoreMadeBy: "awkward_store.py")
  }

  @Test(arguments: 0..<(LongTests.areWanted ? 4 : 2))
  func randomCataloguesComeBack(_ place: UInt64) async throws {
    let seed = SeededGenerator(seed: 4100 + place).seed
    try await expectCircle(ofStoreMadeBy: "random_catalogue.py", "\(seed)")
  }

  @Test(arguments: 77...(LongTests.areWanted ? 80 : 78))
  func wildStoresComeBack(_ seed: Int) async throws {
    let folder = try TemporaryFolder()
    for store in try RandomStores.make("wild_ios_stores.py", seed: seed, count: 5, in: folder) {
      try await expectCircle(of: store)
    }
  }

  /// Lets a script add to a canonical store, and has Python read each export of it as well.
  private func expectCircle(ofStoreMadeBy script: String, _ arguments: String...) async throws {
    let folder = try TemporaryFolder()
    let sample = try #require(Sample.all.first { $0.name == "ios-2016" })
    let store = folder.path("made.rehome")
    #expect(await rehome("convert", "-q", sample.store(), "-o", store).code == sample.code)
    let path = ProjectFolders.oracles.appending(path: script).path
    _ = try Python.run(file: path, arguments: [store] + arguments)
    try await expectCircle(of: store) { export in
      let check = ProjectFolders.oracles.appending(path: "check_export.py").path
      let outcome = try SystemProgram.python.run(["-B", check, store, export])
      #expect(outcome.code == 0, "\(arguments) \(export): \(outcome.output.prefix(500))")
    }
  }

  private func expectCircle(
    of store: String, reading check: (String) throws -> Void = { _ in }
  ) async throws {
    let folder = try TemporaryFolder()
    let hash = await rehome("hash", "-q", store).text.prefix(64)
    try #require(hash.count == 64)
    for form in Self.forms {
      let (export, seeded) = (folder.path(form[1]), folder.path("seeded.rehome"))
      let arguments = ["export", "-qf", store, "--to", form[0], "-o", export]
      let code = await rehome(arguments + form.dropFirst(2)).code
      #expect(code == 0 || code == 2, "\(form)")
      try check(export)
      #expect(await rehome("hash", "-q", export).text.prefix(64) == hash, "\(store) \(form)")
      let seed = await rehome("seed", "-qf", export, "-o", seeded)
      #expect(seed.code == 0 || seed.code == 2, "\(store) \(form): \(seed.error)")
      #expect(await rehome("hash", "-q", seeded).text.prefix(64) == hash, "\(store) \(form)")
    }
    let verdict = await rehome("verify", "-q", store, folder.path("seeded.rehome"))
    #expect(verdict.code == 0, "\(store): \(verdict.text)")
  }
}
