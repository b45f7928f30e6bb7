import TestSupport
import Testing

@testable import SQLite

/// Nothing that a hostile database brings along may run.
struct HardeningTests {
  /// A hardened connection to a database that Python made from a script.
  private func hostile(_ script: String, in folder: TemporaryFolder) throws -> SourceDatabase {
    try folder.run(script)
    return try SourceDatabase(
      opening: folder.path("hostile.sqlite"), temporaryFolder: folder.makeFolder("tmp"))
  }

  @Test func viewIsNeitherListedNorRun() throws {
    let folder = try TemporaryFolder()
    let database = try hostile(
      """
      db = sqlite3.connect("hostile.sqlite")
      db.executescript("CREATE TABLE t(a); INSERT INTO t VALUES (1); CREATE VIEW v AS SELECT load_extension('x') FROM t")
      """, in: folder)
    #expect(try database.connection.tables().map(\.name) == ["t"])
    #expect(throws: SQLiteError.self) {
      try database.connection.integer("SELECT count(*) FROM v")
    }
  }

  @Test func triggerDoesNotRun() throws {
    let folder = try TemporaryFolder()
    try folder.database(
      """
      CREATE TABLE t(a); CREATE TABLE log(a);
      CREATE TRIGGER r AFTER INSERT ON t BEGIN INSERT INTO log VALUES ('ran'); END
      """)
    let connection = try Connection(opening: folder.path("store.sqlite"), mode: .readWrite)
    try connection.execute("INSERT INTO t VALUES (1)")
    #expect(try connection.integer("SELECT count(*) FROM log") == 1)
    try connection.harden()
    try connection.execute("INSERT INTO t VALUES (2)")
    #expect(try connection.integer("SELECT count(*) FROM t") == 2)
    #expect(try connection.integer("SELECT count(*) FROM log") == 1)
  }

  @Test func virtualTableIsNotListedAndItsShadowsCannotBeWritten() throws {
    let folder = try TemporaryFolder()
    try folder.database("CREATE VIRTUAL TABLE f USING fts5(a); INSERT INTO f VALUES ('word')")
    let connection = try Connection(opening: folder.path("store.sqlite"), mode: .readWrite)
    try connection.harden()
    #expect(try connection.tables().map(\.name).contains("f") == false)
    #expect(throws: SQLiteError.self) { try connection.execute("DELETE FROM f_data") }
  }

  @Test func virtualTableOfUnknownModuleDoesNotHideTheOthers() throws {
    let folder = try TemporaryFolder()
    let database = try hostile(
      """
      db = sqlite3.connect("hostile.sqlite")
      db.executescript('''CREATE TABLE t(a); INSERT INTO t VALUES (1); PRAGMA writable_schema = 1;
        INSERT INTO sqlite_schema VALUES
          ('table', 'evil', 'evil', 0, 'CREATE VIRTUAL TABLE evil USING nobodyknows(a)')''')
      """, in: folder)
    #expect(try database.connection.tables().map(\.name) == ["t"])
    #expect(try database.connection.integer("SELECT count(*) FROM t") == 1)
    #expect(throws: SQLiteError.self) {
      try database.connection.integer("SELECT count(*) FROM evil")
    }
  }

  @Test func schemaCannotCallDangerousFunctions() throws {
    let folder = try TemporaryFolder()
    #expect(throws: SQLiteError.self) {
      let database = try hostile(
        """
        db = sqlite3.connect("hostile.sqlite")
        db.executescript('''CREATE TABLE t(a, b AS (a)); INSERT INTO t VALUES ('x');
          PRAGMA writable_schema = 1;
          UPDATE sqlite_schema SET sql = "CREATE TABLE t(a, b AS (load_extension(a)))"''')
        """, in: folder)
      _ = try database.connection.integer("SELECT b FROM t")
    }
  }

  /// The library's functions for JSON do no harm, and apps have them in their schemas.
  @Test func schemaMayNameFunctionsForJSON() throws {
    let folder = try TemporaryFolder()
    let database = try hostile(
      """
      db = sqlite3.connect("hostile.sqlite")
      db.executescript('''
        CREATE TABLE t(a, stored AS (a ->> '$.v') STORED, computed AS (json_extract(a, '$.v')));
        CREATE INDEX i ON t(CAST(json_extract(a, '$.v') AS TEXT));
        CREATE INDEX p ON t(a) WHERE json_valid(a);
        INSERT INTO t VALUES ('{"v":5}'), ('{"v":7}');
        CREATE TABLE other(b); INSERT INTO other VALUES (9)''')
      """, in: folder)
    #expect(try database.connection.tables().map(\.name) == ["t", "other"])
    #expect(try database.connection.integer("SELECT sum(stored) FROM t NOT INDEXED") == 12)
    #expect(try database.connection.integer("SELECT b FROM other") == 9)
    #expect(try database.connection.integer("SELECT sum(computed) FROM t NOT INDEXED") == 12)
  }

  /// What is made of JSON takes many times its room; a library that needs no help is left alone.
  @Test(.enabled(if: !LibraryFunction.all().isEmpty, "this SQLite runs them by itself"))
  func functionsForJSONTakeNoMoreThanTheyMay() throws {
    let folder = try TemporaryFolder()
    let database = try hostile(
      """
      db = sqlite3.connect("hostile.sqlite")
      db.execute("CREATE TABLE t(a, c AS (json_valid(a)), d AS (json_valid(a) AND json_array(a, a) > ''))")
      for size in (1_000_000, 3_000_000, 5_000_000):
          db.execute("INSERT INTO t VALUES (json_quote(?))", ("x" * size,))
      db.commit()
      """, in: folder)
    #expect(try database.connection.integer("SELECT sum(c) FROM t WHERE rowid < 3") == 2)
    #expect(try database.connection.integer("SELECT sum(d) FROM t WHERE rowid < 2") == 1)
    for sql in ["SELECT d FROM t WHERE rowid = 2", "SELECT c FROM t WHERE rowid = 3"] {
      #expect {
        _ = try database.connection.integer(sql)
      } throws: {
        ($0 as? SQLiteError)?.code.primary == .tooBig
      }
    }
  }

  @Test func extensionCannotBeLoaded() throws {
    let connection = try memory("")
    try connection.harden()
    let error = try #require(
      #expect(throws: SQLiteError.self) {
        try connection.integer("SELECT load_extension('/nowhere')")
      })
    #expect(error.message == "not authorized")
  }

  @Test func doubleQuotedTextIsNoText() throws {
    let connection = try memory("CREATE TABLE t(a)")
    #expect(try connection.integer("SELECT \"no such column\" = 'no such column' ") == 1)
    try connection.harden()
    for sql in ["SELECT \"no such column\"", "CREATE INDEX i ON t(\"no such column\")"] {
      #expect(throws: SQLiteError.self) { try connection.execute(sql) }
    }
  }

  @Test func schemaCannotBeRewrittenAndNothingCanBeAttached() throws {
    let folder = try TemporaryFolder()
    let connection = try memory("CREATE TABLE t(a)")
    try connection.harden()
    #expect(throws: SQLiteError.self) {
      try connection.execute("PRAGMA writable_schema = ON; DELETE FROM sqlite_schema")
    }
    #expect(throws: SQLiteError.self) {
      try connection.execute("ATTACH \(quotedLiteral(folder.path("made"))) AS other")
    }
    #expect(folder.names.isEmpty)
  }

  @Test func memoryIsNotMappedAndCellsAreChecked() throws {
    let folder = try TemporaryFolder()
    let connection = try Connection(opening: folder.database("CREATE TABLE t(a)"), mode: .readWrite)
    try connection.execute("PRAGMA mmap_size = 1000000")
    try connection.harden()
    #expect(try connection.integer("PRAGMA mmap_size") == 0)
    #expect(try connection.integer("PRAGMA cell_size_check") == 1)
    #expect(try connection.integer("PRAGMA trusted_schema") == 0)
  }

  @Test func honestStoreWithManyColumnsAndLongTextsIsRead() throws {
    let folder = try TemporaryFolder()
    let columns = (0..<1900).map { "c\($0)" }.joined(separator: ", ")
    let path = try folder.database(
      "CREATE TABLE t(\(columns)); INSERT INTO t(c1899) VALUES (zeroblob(30000000))")
    let database = try SourceDatabase(opening: path, temporaryFolder: folder.path)
    #expect(try database.connection.integer("SELECT length(c1899) FROM t") == 30_000_000)
    #expect(try database.connection.tables().first?.columns.count == 1900)
  }
}
