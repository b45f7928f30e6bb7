import Foundation
import TestSupport
import Testing

/// A store of which a word of the schema is damaged is read as the engine reads it, or salvaged whole.
struct DamagedSchemaWordsTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// A newer engine than ours allows `_` between the digits of a number, which names and texts have, too.
  @Test func numbersOfNewerEnginesAreUnderstood() async throws {
    let store = folder.path("newer.db")
    _ = try python(
      """
      import sqlite3, sys
      db = sqlite3.connect(sys.argv[1], isolation_level=None)
      db.executescript('''
        CREATE TABLE a_1_0(k INTEGER PRIMARY KEY); INSERT INTO a_1_0 VALUES(1), (2);
        CREATE TABLE n(k INTEGER PRIMARY KEY, a_1_0 TEXT DEFAULT '1_0', "2_0" CHECK ("2_0" < 9000));
        INSERT INTO n(k) VALUES(7);
        ALTER TABLE n ADD COLUMN late DEFAULT 1000;
        INSERT INTO n VALUES(8, 'b', 3, 4);
        PRAGMA writable_schema = ON;
        UPDATE sqlite_schema SET sql = replace(replace(sql, '9000', '0x2_3_28'), '1000', '1_0_00')
      ''')
      """, store)
    let output = folder.path("newer.rehome")
    let outcome = await rehome("convert", "--salvage", store, "-o", output)
    #expect([0, 2].contains(outcome.code), "\(outcome.error)")
    let rows = try Devices.query(output, "SELECT * FROM n ORDER BY _pk")
    #expect(rows == "7|7|1_0|None|1000\n8|8|b|3|4\n", "\(outcome.error)")
    #expect(try Devices.query(output, "SELECT count(*) FROM a_1_0") == "2\n")
  }

  /// Makes a store, and copies of it with one bit of a word changed; prints those that the engine reads
  /// as ever, or else those that it refuses.
  private static let script = """
    import sqlite3, sys
    path, bit = sys.argv[1], int(sys.argv[2])
    db = sqlite3.connect(path)
    db.executescript('''
      CREATE TABLE __operations(id TEXT PRIMARY KEY, kind INTEGER, state INTEGER, tableName TEXT,
        tableKind INTEGER, itemId TEXT, item TEXT, __createdAt DATETIME, sequence INTEGER, version INTEGER);
      CREATE TABLE __config(id TEXT PRIMARY KEY, value TEXT);
      CREATE TABLE __errors(id TEXT PRIMARY KEY, httpStatus INTEGER, operationVersion INTEGER,
        operationKind INTEGER, tableName TEXT, tableKind INTEGER, item TEXT, rawResult TEXT);
      CREATE TABLE Todo(id TEXT PRIMARY KEY, text TEXT, version TEXT);
      INSERT INTO Todo VALUES('a', 'milk', NULL), ('b', 'bread', NULL);
      INSERT INTO __operations VALUES('o1', 0, 0, 'Todo', 0, 'a', NULL, 1475312130, 1, 1);
      CREATE TABLE Sorted(x INTEGER PRIMARY KEY, y TEXT) WITHOUT ROWID;
      INSERT INTO Sorted VALUES(5, 'five');
      CREATE VIRTUAL TABLE Search USING fts5(words); INSERT INTO Search VALUES('one two')
    ''')
    words = [''.join(line) for line in db.execute(
      "SELECT type, name, tbl_name FROM sqlite_schema WHERE name NOT LIKE 'Search%' AND type = 'table'")]
    tables = sorted(r[1] for r in db.execute('PRAGMA table_list'))
    db.close()
    sound = open(path, 'rb').read()
    assert len(words) == 5
    for word in words:
        at = sound.index(word.encode())
        for place in range(len(word)):
            if not word[place].isalpha(): continue
            b = bytearray(sound)
            b[at + place] ^= bit
            copy = '%s-%s-%d' % (path, word, place)
            open(copy, 'wb').write(b)
            db = sqlite3.connect(copy)
            try:
                assert sorted(r[1] for r in db.execute('PRAGMA table_list')) == tables
                is_read = True
            except sqlite3.DatabaseError: is_read = False
            db.close()
            if is_read == (bit == 32): print(copy)
    """

  @Test func lettersInTheOtherCaseChangeNothing() async throws {
    let (store, copies) = try copies(bit: 32)
    #expect(copies.count > 80)
    let expected = try await hash("hash", store)
    for copy in copies { #expect(try await hash("hash", copy) == expected, "\(copy)") }
  }

  @Test(arguments: [1, 4]) func tableWithOneWrongLetterIsSalvagedWhole(bit: Int) async throws {
    let (store, copies) = try copies(bit: bit)
    #expect(copies.count > 80)
    let expected = try await hash("hash", store)
    for copy in copies {
      #expect(await rehome("hash", copy).code == 65)
      #expect(try await hash("hash", "--salvage", copy) == expected, "\(copy)")
    }
  }

  private func copies(bit: Int) throws -> (store: String, copies: [String]) {
    let store = folder.path("store")
    let output = try Python.run(Self.script, arguments: [store, String(bit)])
    return (store, String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init))
  }

  private func hash(_ arguments: String...) async throws -> Substring {
    let outcome = await rehome(arguments)
    return try #require(outcome.text.split(separator: " ").first, "\(outcome.error)")
  }
}
