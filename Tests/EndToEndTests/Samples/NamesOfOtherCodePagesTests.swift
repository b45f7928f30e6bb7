import TestSupport
import Testing

/// SQLite takes any bytes for a name, any order for a column, and the names of its own sources for tables.
struct NamesOfOtherCodePagesTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Makes a store of statements, in which marks stand for bytes of Latin-1 in names.
  private func store(_ sql: String) throws -> String {
    let path = folder.path("store.db")
    let script = #"""
      import sqlite3, sys
      db = sqlite3.connect(sys.argv[1])
      db.create_collation('LOCALIZED', lambda a, b: (a > b) - (a < b))
      db.executescript(sys.argv[2])
      db.close()
      data = open(sys.argv[1], 'rb').read()
      open(sys.argv[1], 'wb').write(data.replace(b'Q1', b'\xfcb').replace(b'Q2', b'\xfdb'))
      """#
    _ = try python(script, path, sql)
    return path
  }

  @Test func columnsThatLookAlikeKeepTheirOwnValues() async throws {
    let store = try store("CREATE TABLE t(Q1 INT, Q2 TEXT); INSERT INTO t VALUES(8, 9), (10, 11)")
    let rows = await rehome("export", "--to", "ndjson", "--table", "t", store)
    #expect(
      rows.text == """
        {"_pk":1,"\u{FFFD}b":8,"\u{FFFD}b_2":"9"}
        {"_pk":2,"\u{FFFD}b":10,"\u{FFFD}b_2":"11"}

        """)
    let seen = await rehome("inspect", store).text
    for told in [#"\xFCb of t is called"#, #"\xFDb of t is called"#] {
      #expect(seen.contains("the column " + told), "\(seen)")
    }
  }

  @Test func tablesOfEveryKindAreReadUnderTheirMendedNames() async throws {
    let store = try store(
      """
      CREATE TABLE Q1(a); INSERT INTO Q1 VALUES(1); CREATE TABLE fine(a); INSERT INTO fine VALUES(2);
      CREATE TABLE kv(k TEXT PRIMARY KEY, Q1 INT, Q2 AS (k || 1)) WITHOUT ROWID;
      INSERT INTO kv VALUES('x', 3);
      CREATE VIRTUAL TABLE Q2s USING fts5(Q1, text); INSERT INTO Q2s VALUES('four', 'five')
      """)
    let output = folder.path("out")
    let outcome = await rehome("convert", "--json", store, "-o", output)
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(await rehome("verify", store, output).code == 0)
    let reading = #"""
      import sqlite3, sys
      db = sqlite3.connect(sys.argv[1])
      names = [n for n, in db.execute('SELECT name FROM rehome_table ORDER BY position')]
      print(ascii([(n, db.execute('SELECT * FROM "%s"' % n).fetchall()) for n in names]))
      """#
    let expected = #"""
      [('\ufffdb', [(1, 1)]), ('fine', [(1, 2)]), ('kv', [(1, 'x', 3, 'x1')]), ('\ufffdbs', [(1, 'four', 'five')])]

      """#
    #expect(try python(reading, output) == expected)
  }

  @Test func textThatIsNoUTF8IsADefaultOfManyRowsToo() async throws {
    let rows = (0..<1200).map { "(\($0))" }.joined(separator: ",")
    let store = try store(
      """
      CREATE TABLE t(a); INSERT INTO t VALUES \(rows);
      ALTER TABLE t ADD COLUMN b TEXT DEFAULT 'Q1'
      """)
    let outcome = await rehome("export", "--to", "csv", "--table", "t", store)
    #expect(outcome.code == 2)
    #expect(outcome.text.hasPrefix("_pk,a,b\r\n1,0,\r\n"))
    #expect(outcome.error.contains("t: 1200 values could not"), "\(outcome.error)")
  }

  @Test func numbersInAnOrderThatOnlyTheAppKnowsAreRead() async throws {
    let store = try store(
      """
      CREATE TABLE song(title STRING COLLATE LOCALIZED);
      INSERT INTO song VALUES('1999'), ('7.5'), (9007199254740993)
      """)
    let outcome = await rehome("export", "--to", "csv", "--table", "song", store)
    #expect(outcome.text == "_pk,title\r\n1,1999.0\r\n2,7.5\r\n3,\r\n", "\(outcome.error)")
  }

  @Test func tablesThatHideTheSourcesOfQueriesAreReadLikeOthers() async throws {
    let store = try store(
      """
      CREATE TABLE pragma_table_list(a); CREATE TABLE pragma_table_xinfo(a);
      CREATE TABLE pragma_index_list(a); CREATE TABLE pragma_index_xinfo(a);
      CREATE TABLE t(k TEXT PRIMARY KEY) WITHOUT ROWID; INSERT INTO t VALUES('five')
      """)
    let output = folder.path("out")
    #expect(await rehome("convert", "-q", store, "-o", output).code == 0)
    #expect(await rehome("verify", store, output).code == 0)
    let rows = await rehome("export", "--to", "csv", "--table", "t", output)
    #expect(rows.text == "_pk,k\r\n1,five\r\n")
  }
}
