import Foundation
import TestSupport
import Testing

/// What a script puts into a real server is what the store has, as psql reads it back.
@Suite(
  .enabled(
    if: PostgreSQLServer.isInstalled && SystemProgram.python.isInstalled,
    "postgresql or python3 is not installed"))
struct PostgreSQLTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Loads the script of a store, and compares what the server has with the canonical store.
  private func expectLoaded(
    _ store: String, as schema: String, by server: PostgreSQLServer, code: Int32 = 0,
    from input: String? = nil
  ) async throws {
    let script = folder.path("script.sql")
    let export = await rehome(
      "export", "-q", "-f", input ?? store, "--to", "postgresql", "--schema", schema, "-o", script,
      "--fail-on", "never")
    #expect(export.code == code, "\(schema): \(export.error)")
    let load = try server.psql("-f", script)
    #expect(load.code == 0 && load.error == "", "\(schema): \(load.error)")
    let check = try Program.python.run(
      ["-B", Project.path("Tests/Oracles/check_postgresql.py"), store, schema] + server.arguments)
    #expect(check.code == 0, "\(schema): \(check.text)\(check.error)")
    #expect((Int(check.text.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0) > 0)
  }

  private func convert(_ store: String) async -> String {
    let output = folder.path("store.rehome")
    _ = await rehome("convert", "-q", "-f", store, "-o", output)
    return output
  }

  @Test func everythingComesBackFromTheServer() async throws {
    let server = try PostgreSQLServer()
    defer { server.stop() }
    for sample in Sample.all {
      let store = await convert(sample.store())
      try await expectLoaded(
        store, as: sample.name, by: server, code: sample.code, from: sample.store())
      try await expectLoaded(store, as: "canonical " + sample.name, by: server)
    }
    let awkward = await convert(Sample.all[0].store())
    let made = try Program.python.run([
      "-B", Project.path("Tests/Oracles/awkward_store.py"), awkward,
    ])
    try #require(made.code == 0, "\(made.error)")
    try await expectLoaded(awkward, as: #"a "schema"; DROP \ it's"#, by: server, code: 2)
    try await expectReferences(server)
  }

  /// A reference that dangles is kept, and the server is not asked to insist on it.
  private func expectReferences(_ server: PostgreSQLServer) async throws {
    let store = await convert(Sample.all[0].store())
    _ = try python(
      """
      import sqlite3, sys
      c = sqlite3.connect(sys.argv[1])
      c.executescript('''
        CREATE TABLE Book (_pk INTEGER PRIMARY KEY, author INTEGER, editor INTEGER) STRICT;
        CREATE TABLE Author (_pk INTEGER PRIMARY KEY, name TEXT) STRICT;
        INSERT INTO Book VALUES (1, 7, 7), (2, 8, NULL);
        INSERT INTO Author VALUES (7, 'A');
        INSERT INTO rehome_table (name, position, sourceName, sourceTable, "read", written) VALUES
          ('Book', 90, 'Book', 'ZBOOK', 2, 2), ('Author', 91, 'Author', 'ZAUTHOR', 1, 1);
        INSERT INTO rehome_column VALUES
          ('Book', 0, 'author', 'author', 'ZAUTHOR', 'reference', 'reference', 1, 'Author'),
          ('Book', 1, 'editor', 'editor', 'ZEDITOR', 'reference', 'reference', 1, 'Author'),
          ('Author', 0, 'name', 'name', 'ZNAME', 'text', 'value', 1, NULL);
      ''')
      """, store)
    try await expectLoaded(store, as: "books", by: server)
    let constraints = try server.psql(
      "-At", "-c",
      """
      SELECT a.attname, c.convalidated FROM pg_constraint c JOIN pg_attribute a
        ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
        WHERE c.contype = 'f' AND c.conrelid = 'books."Book"'::regclass ORDER BY a.attname
      """)
    #expect(constraints.text == "author|f\neditor|t\n")
  }

  /// A table of the app may be called as a part of the queue, and both may have what the types of
  /// the server do not hold.
  @Test func queueKeepsItsOwnValues() async throws {
    let server = try PostgreSQLServer()
    defer { server.stop() }
    let store = await convert(Sample(name: "ios-2016").store())
    _ = try python(
      """
      import sqlite3, sys
      c = sqlite3.connect(sys.argv[1])
      for position, (table, column, kind, value) in enumerate((
              ('tokens', 'updatedAt', 'timestamp', '2016-10-01T09:15:30.12345678%dZ'),
              ('operations', 'item', 'json', 'item %d'), ('errors', 'serverItem', 'json', 'body %d'))):
          c.execute(f'CREATE TABLE {table} (_pk INTEGER PRIMARY KEY, "{column}" TEXT) STRICT')
          c.executemany(f'INSERT INTO {table} VALUES (?, ?)', [(n, value % n) for n in range(1, 9)])
          c.execute('INSERT INTO rehome_table (name, position, sourceName, sourceTable, "read", written)'
                    ' VALUES (?, ?, ?, ?, 8, 8)', (table, 90 + position, table, table))
          c.execute('INSERT INTO rehome_column VALUES (?, 0, ?, ?, ?, ?, ?, 1, NULL)',
                    (table, column, column, column, kind, 'value'))
      c.execute("UPDATE rehome_token SET updatedAt = '2021-01-01T00:00:00.000000001Z' WHERE id = 2")
      c.execute("UPDATE rehome_operation SET item = 'no JSON' WHERE sequence = 2")
      c.commit()
      """, store)
    try await expectLoaded(store, as: "twins", by: server)
  }

  /// What has no place in the server is told of the queue as of the tables.
  @Test func lostValuesOfTheQueueAreTold() async throws {
    let server = try PostgreSQLServer()
    defer { server.stop() }
    let store = await convert(Sample(name: "ios-2016").store())
    _ = try python(
      """
      import sqlite3, sys
      c = sqlite3.connect(sys.argv[1])
      c.execute('UPDATE rehome_token SET query = ? WHERE id = 1', ('q\\0',))
      c.execute('UPDATE rehome_error SET message = ? WHERE id = 1', ('mess\\0age',))
      c.commit()
      """, store)
    try await expectLoaded(store, as: "zeros", by: server, code: 2)
    let outcome = await rehome(
      "export", "--json", "-f", store, "--to", "postgresql", "-o", folder.path("script.sql"),
      "--fail-on", "never")
    #expect(outcome.code == 2)
    #expect(outcome.error.contains("2 values of the queue could not be taken over"))
    let queue = try #require(try outcome.json()["queue"] as? [String: any Sendable])
    #expect(queue["rejectedCells"] as? Int == 2)
    let other = await rehome(
      "export", "--json", store, "--to", "json", "-o", folder.path("j"), "--fail-on", "never")
    #expect(other.code == 0)
    let whole = try #require(try other.json()["queue"] as? [String: any Sendable])
    #expect(whole["rejectedCells"] == nil)
  }

  /// A table of any name may have values in another spelling than the server's own.
  @Test func tablesAreCalledAsTheyLike() async throws {
    let server = try PostgreSQLServer()
    defer { server.stop() }
    for name in ["e", "exact", "rehome_exact", "value"] {
      let file = try folder.write(
        #"[{"id":"1","j":"2016-10-01T09:15:30.123456789Z"}]"#, to: name + ".json")
      let store = folder.path("store.rehome")
      #expect(await rehome("seed", "-qf", file, "-o", store).code == 0)
      try await expectLoaded(store, as: "of " + name, by: server)
    }
  }

  /// Beside a UUID in another form than the server's own, a column is one of texts.
  @Test(arguments: [
    ["upper"], ["lower"], ["upper", "lower"], ["lower", "upper"], ["lower", "str"],
  ])
  func uuidsBesideOneInAnotherFormKeepTheirSpelling(cases: [String]) async throws {
    let server = try PostgreSQLServer()
    defer { server.stop() }
    let store = folder.path("guids.db")
    _ = try python(
      """
      import sqlite3, sys, uuid
      with sqlite3.connect(sys.argv[1]) as db:
          db.execute('CREATE TABLE T (id TEXT PRIMARY KEY, g TEXT, other TEXT, x TEXT)')
          count = 9000 // len(sys.argv[2:])
          for place, case in enumerate(sys.argv[2:]):
              for n in range(count):
                  text = str(uuid.uuid5(uuid.NAMESPACE_OID, f'{case} {n}'))
                  text = getattr(str, case)(text) if case != 'str' else text[:18].upper() + text[18:]
                  db.execute('INSERT INTO T VALUES (?, ?, ?, ?)',
                             (f'{place} {n}', text, text, 'x' * 200))
          db.execute('UPDATE T SET g = ? WHERE rowid = 5', ('{' + str(uuid.UUID(int=7)) + '}',))
      """, [store] + cases)
    let output = folder.path("store.rehome")
    _ = await rehome(
      "convert", "-qf", store, "-o", output, "--type", "T.g=uuid",
      "--type", "T.other=uuid")
    try await expectLoaded(output, as: "guids", by: server)
    let types = "SELECT pg_typeof(g), pg_typeof(other) FROM guids.\"T\" LIMIT 1"
    #expect(try server.psql("-At", "-c", types).text == "text|uuid\n")
  }

  @Test func idOfAnyLengthIsTaken() async throws {
    let server = try PostgreSQLServer()
    defer { server.stop() }
    let store = await convert(Sample(name: "ios-2016").store())
    _ = try python(
      """
      import random, sqlite3, sys
      c = sqlite3.connect(sys.argv[1])
      c.execute('UPDATE TodoItem SET id = ? WHERE _pk = (SELECT max(_pk) FROM TodoItem)',
                (random.Random(0).randbytes(6000).hex(),))
      c.commit()
      """, store)
    try await expectLoaded(store, as: "long", by: server)
  }

  @Test func idOfAnyTypeIsTaken() async throws {
    let server = try PostgreSQLServer()
    defer { server.stop() }
    let rows = "[{\"id\":{\"a\":1},\"x\":1},{\"id\":{\"a\":2},\"x\":2}]"
    let table = try folder.write(rows.utf8, to: "t.json")
    let script = folder.path("script.sql")
    #expect(await rehome("export", "-q", table, "--to", "postgresql", "-o", script).code == 0)
    let load = try server.psql("-f", script)
    #expect(load.code == 0, "\(load.error)")
  }

  @Test func serverKnowsEachSourceOfAMerge() async throws {
    let server = try PostgreSQLServer()
    defer { server.stop() }
    let (script, merged) = (folder.path("script.sql"), folder.path("merged.rehome"))
    let stores = ["ios-2016", "android-2016"].map { Sample(name: $0).store() }
    _ = await rehome(["convert", "-q", "-o", merged] + stores)
    try ReplayedStore.addJournal(to: merged)
    _ = await rehome("export", "-q", merged, "--to", "postgresql", "-o", script)
    #expect(try server.psql("-f", script).code == 0)
    let sources = try server.psql(
      "-At", "-c",
      """
      SELECT s.id, path, device, layout, count(f) FROM rehome.rehome_source s
        LEFT JOIN rehome.rehome_source_file f ON f.source = s.id GROUP BY s.id ORDER BY s.id
      """)
    #expect(
      sources.text == """
        1|\(stores[0])|ios-2016|azure-mobile-ios|1
        2|\(stores[1])|android-2016|azure-mobile-android|1

        """)
    let between = try server.psql(
      "-At", "-c", "SELECT value FROM rehome.rehome_meta WHERE key LIKE 'readFrom %'")
    #expect(between.text == "merged.rehome\n")
    for part in ["rehome_error", "rehome_token", "rehome_finding"] {
      let told = try server.psql(
        "-At", "-c", "SELECT _source, count(*) FROM rehome.\(part) GROUP BY 1 ORDER BY 1")
      let kept = "SELECT source, count(*) FROM \(part) GROUP BY 1 ORDER BY 1"
      #expect(try told.text == Devices.query(merged, kept))
    }
    let lines = "SELECT id, sequence, event, target, coalesce(status, 0) FROM"
    let journal = try server.psql("-At", "-c", "\(lines) rehome.rehome_replay ORDER BY id")
    #expect(try journal.text == Devices.query(merged, "\(lines) rehome_replay ORDER BY id"))
  }

  @Test func tableThatIsTooWideIsRefused() async throws {
    let columns = (1...1600).map { "c\($0)" }.joined(separator: ",")
    let table = try folder.write("\(columns)\n\(columns)\n".utf8, to: "wide.csv")
    let outcome = await rehome("export", table, "--to", "postgresql")
    #expect(outcome.code == 65 && outcome.error.contains("has 1600 columns"), "\(outcome.error)")
    #expect(outcome.output.isEmpty)
  }

  @Test func schemaThatIsThereStaysAsItIs() async throws {
    let server = try PostgreSQLServer()
    defer { server.stop() }
    let script = folder.path("script.sql")
    let export = await rehome(
      "export", "-q", Sample.all[0].store(), "--to", "postgresql", "-o", script)
    #expect(export.code == 0)
    #expect(try server.psql("-c", "CREATE SCHEMA rehome; CREATE TABLE rehome.t ()").code == 0)
    #expect(try server.psql("-f", script).code != 0)
    let tables = try server.psql(
      "-At", "-c", "SELECT tablename FROM pg_tables WHERE schemaname = 'rehome'")
    #expect(tables.text == "t\n")
  }

  @Test(arguments: [
    ["--to", "csv", "--schema", "x"], ["--to", "postgresql", "--schema", "pg_x"],
    ["--to", "postgresql", "--schema", ""], ["--to", "postgresql", "--csv-safe"],
  ])
  func optionsThatDoNotGoTogetherAreRefused(arguments: [String]) async {
    #expect(await rehome(["export", Sample.all[0].store()] + arguments).code == 64)
  }
}

/// A server that the test has started, in a folder of its own and without a network.
private struct PostgreSQLServer {
  private let folder: TemporaryFolder

  static var isInstalled: Bool {
    psql?.isInstalled == true
  }

  /// The newest client itself: what Debian has in its place on the path starts Perl first.
  private static let psql: Program? = {
    let place = "/usr/lib/postgresql"
    let versions = try? FileManager.default.contentsOfDirectory(atPath: place)
    let newest = versions?.max { $0.compare($1, options: .numeric) == .orderedAscending }
    return newest.map { Program(executable: URL(fileURLWithPath: "\(place)/\($0)/bin/psql")) }
  }()

  init() throws {
    folder = try TemporaryFolder()
    // The server's own user must get there.
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
    let start = try Self.control("start", folder.path("server"))
    try #require(start.code == 0, "\(start.error)")
  }

  /// What leads psql to the server.
  var arguments: [String] { ["-h", folder.path("server"), "-U", "postgres"] }

  func psql(_ more: String...) throws -> Outcome {
    let client = try #require(Self.psql)
    return try client.run(["-X", "-q"] + arguments + more)
  }

  func stop() {
    // A server that is gone already has nothing to stop.
    _ = try? Self.control("stop", folder.path("server"))
  }

  private static func control(_ action: String, _ folder: String) throws -> Outcome {
    try Program.python.run([
      "-B", Project.path("Tests/Oracles/postgresql_server.py"), action, folder,
    ])
  }
}
