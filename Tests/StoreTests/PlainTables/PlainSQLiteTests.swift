import TestSupport
import Testing

@testable import Records

struct PlainSQLiteTests {
  /// Reads one table of a database.
  private func read(_ table: String, _ sql: String) throws -> ReadTable {
    try #require(try SQLStore(sql).reader().read(table))
  }

  @Test func rowIDIsTheKeyEvenWithoutAColumnForIt() throws {
    let read = try read(
      "t", "CREATE TABLE t (a TEXT); INSERT INTO t (rowid, a) VALUES (9,'x'),(-3,'y')")
    #expect(read.keys == [-3, 9])
    #expect(read.values("a") == ["y", "x"])
  }

  /// The engine writes NULL there, and never looks.
  @Test func whatARecordHasInThePlaceOfItsKeyDoesNotMatter() throws {
    let read = try read(
      "t",
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT); INSERT INTO t VALUES (5, 'x'), (7, 'y');
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = 'CREATE TABLE t (id, a TEXT)';
      PRAGMA writable_schema = RESET;
      INSERT INTO t VALUES ('stray', 'z'), (x'01', 'z');
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = 'CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT)'
      """)
    #expect(read.table.types == ["id": .integer, "a": .text])
    #expect(read.values("id") == ["5", "7", "8", "9"])
    #expect(read.rejects.isEmpty)
  }

  @Test func columnsThatHideTheRowIDDoNotMatter() throws {
    let hidden = try read(
      "t", "CREATE TABLE t (rowid TEXT, _rowid_ TEXT, oid TEXT); INSERT INTO t VALUES ('b','c','d')"
    )
    #expect(hidden.keys == [1])
    let alias = try read(
      "t",
      """
      CREATE TABLE t (rowid TEXT, _rowid_ TEXT, oid TEXT, k INTEGER PRIMARY KEY);
      INSERT INTO t VALUES ('b','c','d',44)
      """)
    #expect(alias.keys == [44])
  }

  @Test func rowsWithoutRowIDsAreNumberedInKeyOrder() throws {
    let read = try read(
      "pairs",
      """
      CREATE TABLE pairs (b INTEGER, a TEXT COLLATE NOCASE, PRIMARY KEY (a, b DESC)) WITHOUT ROWID;
      CREATE INDEX other ON pairs (b);
      INSERT INTO pairs VALUES (2,'B'),(1,'b'),(9,'A'),(10,'a')
      """)
    #expect(read.keys == [1, 2, 3, 4])
    #expect(read.values("b") == ["10", "9", "2", "1"])
  }

  /// No other program has that order, and the rows are in it.
  @Test func tableThatIsAnIndexInTheAppsOwnOrderIsReadAsItLies() throws {
    let store = try SQLStore("CREATE TABLE whole (a); INSERT INTO whole VALUES ('here')")
    _ = try Python.run(
      """
      import sqlite3, sys
      db = sqlite3.connect(sys.argv[1])
      db.create_collation('LOCALIZED', lambda a, b: (b > a) - (b < a))
      db.execute('CREATE TABLE t (k TEXT COLLATE LOCALIZED PRIMARY KEY, v) WITHOUT ROWID')
      db.executemany('INSERT INTO t VALUES (?, ?)', [(str(n), n) for n in range(2000)])
      db.execute('CREATE INDEX other ON whole (a COLLATE LOCALIZED)')
      db.commit()
      """, arguments: [store.path])
    let reader = try store.reader()
    let read = try #require(try reader.read("t"))
    #expect(read.keys == Array(1...2000))
    #expect(read.values("k") == (0..<2000).map(String.init).sorted(by: >))
    #expect(try reader.read("whole")?.values("a") == ["here"])
  }

  @Test func viewsTriggersAndInsidesOfVirtualTablesAreLeftOut() throws {
    let reader = try SQLStore(
      """
      CREATE TABLE t (a INTEGER, b INTEGER AS (a * 2), c INTEGER AS (a * 3) STORED, d TEXT);
      INSERT INTO t (a, d) VALUES (1, 'x');
      CREATE VIRTUAL TABLE docs USING fts5(body); INSERT INTO docs VALUES ('word');
      CREATE VIEW v AS SELECT * FROM t;
      CREATE TRIGGER boom AFTER INSERT ON t BEGIN SELECT raise(ABORT, 'no'); END;
      """
    ).reader()
    #expect(reader.tableNames == ["t", "docs"])
    #expect(try #require(try reader.read("t")).table.columns.map(\.name) == ["a", "b", "c", "d"])
  }

  @Test func declaredTypeDecidesByAffinityAndNothingIsGuessed() throws {
    let table = try read(
      "t",
      """
      CREATE TABLE t (a VARCHAR(20), b BIGINT, c DOUBLE, d BOOLEAN, e DATE, f CHARINT, id TEXT);
      INSERT INTO t VALUES ('x', 1, 2, 1, '2024-05-01', 3, 'i')
      """
    ).table
    #expect(
      table.types == [
        "a": .text, "b": .integer, "c": .real, "d": .integer, "e": .text, "f": .integer,
        "id": .text,
      ])
    #expect(table.parts.isEmpty)
  }

  @Test(arguments: [
    ("(1),(2)", LogicalType.integer, 0), ("(1),(2.5)", .real, 0), ("('a'),('b'),(1)", .text, 1),
    ("(x'00'),(x'01'),('a')", .binary, 1), ("(x'00'),('a')", .text, 1), ("(1),(x'00')", .binary, 1),
    ("(NULL)", .text, 0), ("(9007199254740993),(0.5)", .real, 1),
  ])
  func columnWithoutATypeIsWhatMostOfItHolds(
    _ values: String, _ type: LogicalType, _ rejects: Int
  ) throws {
    let read = try read("t", "CREATE TABLE t (x); INSERT INTO t VALUES \(values)")
    #expect(read.table.types == ["x": type])
    #expect(read.rejects.count == rejects)
  }

  @Test(arguments: [
    ("INTEGER", "(1.5),(2.5),(3)", LogicalType.real, 0), ("INTEGER", "(1),(2)", .integer, 0),
    ("INTEGER", "('a'),('b'),(1)", .text, 1), ("INTEGER", "('a'),(1)", .integer, 1),
    ("INTEGER", "(1.5),(9007199254740993)", .integer, 1), ("INTEGER", "(NULL)", .integer, 0),
    ("TEXT", "(x'00'),(x'01')", .binary, 0), ("TEXT", "(x'00'),('a')", .text, 1),
    ("TEXT", "(1),(2.5)", .text, 0), ("REAL", "(1),(2)", .real, 0), ("REAL", "('a')", .text, 0),
    ("REAL", "('a'),(1)", .real, 1), ("BLOB", "('a'),('b'),(x'00')", .text, 1),
    ("BLOB", "('a'),(x'00')", .binary, 1), ("BLOB", "(1.5),(2)", .real, 0),
    ("INTEGER DEFAULT 7", "(1.5)", .real, 0), ("INTEGER AS (x) STORED, x", "(1)", .integer, 0),
  ])
  func declaredTypeGivesWayToTheOneThatFewerValuesContradict(
    _ declared: String, _ values: String, _ type: LogicalType, _ rejects: Int
  ) throws {
    let column = declared.hasSuffix(", x") ? "x" : "c"
    let read = try read(
      "t", "CREATE TABLE t (c \(declared)); INSERT INTO t (\(column)) VALUES \(values)")
    #expect(read.table.types["c"] == type)
    #expect(read.rejects.count == rejects)
  }

  @Test func columnThatCameLaterIsCountedWithItsDefault() throws {
    let read = try read(
      "t",
      """
      CREATE TABLE t (a); INSERT INTO t VALUES (1),(2),(3);
      ALTER TABLE t ADD COLUMN b INTEGER DEFAULT 2.5; INSERT INTO t VALUES (4, 1)
      """)
    #expect(read.table.types == ["a": .integer, "b": .real])
    #expect(read.values("b") == ["2.5", "2.5", "2.5", "1.0"])
  }

  @Test func emptyColumnOfBytesIsBytes() throws {
    #expect(try read("t", "CREATE TABLE t (x BLOB, y)").table.types == ["x": .binary, "y": .text])
  }

  @Test func hundredsOfUntypedColumnsAreCounted() throws {
    let names = (0..<900).map { "c\($0)" }.joined(separator: ", ")
    let read = try read("t", "CREATE TABLE t (\(names)); INSERT INTO t (c0, c899) VALUES (1, 'x')")
    #expect(read.table.columns.count == 900)
    #expect(read.table.types["c0"] == .integer)
    #expect(read.values("c899") == ["x"])
  }

  @Test func awkwardNamesAreKeptOrMadeSafe() throws {
    let reader = try SQLStore(
      """
      CREATE TABLE "rehome_meta" (_pk TEXT, "quo""te" TEXT, "a.b" TEXT);
      CREATE TABLE "it's [odd]" ("select" TEXT);
      INSERT INTO "it's [odd]" VALUES ('x');
      """
    ).reader()
    #expect(reader.tableNames == ["app_rehome_meta", "it's [odd]"])
    #expect(reader.catalogue.tables[0].columns.map(\.name) == ["_pk_", "quo\"te", "a.b"])
    #expect(try #require(try reader.read("it's [odd]")).rows == [["x"]])
  }

  @Test func sdkTablesOfAForeignFileAreTablesOfTheApp() throws {
    let reader = try SQLStore(
      "CREATE TABLE __operations (a); CREATE TABLE android_metadata (locale TEXT)"
    ).reader()
    #expect(reader.tableNames == ["__operations", "android_metadata"])
    #expect(try reader.readQueue() == Queue())
  }
}
