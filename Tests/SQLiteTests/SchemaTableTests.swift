import Bytes
import SQLite
import TestSupport
import Testing

struct SchemaTableTests {
  @Test func onlyTrueTablesAreListedInOrderOfCreation() throws {
    let connection = try memory(
      """
      CREATE TABLE zebra(a); CREATE TABLE ant(b); CREATE VIEW v AS SELECT 1;
      CREATE INDEX i ON ant(b); CREATE TABLE auto(k INTEGER PRIMARY KEY AUTOINCREMENT);
      CREATE VIRTUAL TABLE search USING fts5(text); CREATE TABLE sqliteX(a); CREATE TEMP TABLE x(a)
      """)
    let names = try connection.tables().map(\.name)
    #expect(names.filter { !$0.hasPrefix("search_") } == ["zebra", "ant", "auto", "sqliteX"])
    #expect(!names.contains("search"))
  }

  @Test func columnsTellTypeKeyAndGeneration() throws {
    let connection = try memory(
      """
      CREATE TABLE t(a, b VARCHAR(10), c INTEGER, d AS (c + 1), e AS (c + 2) STORED,
        PRIMARY KEY (c, b)) WITHOUT ROWID;
      CREATE TABLE u(a)
      """)
    let tables = try connection.tables()
    #expect(tables.map(\.isWithoutRowID) == [true, false])
    let columns = tables[0].columns
    #expect(columns.map(\.name) == ["a", "b", "c", "d", "e"])
    #expect(columns.map(\.declaredType) == ["", "VARCHAR(10)", "INTEGER", "", ""])
    #expect(columns.map(\.keyPlace) == [0, 2, 1, 0, 0])
    #expect(columns.map(\.isGenerated) == [false, false, false, true, true])
  }

  /// What is known of a store that nobody changes is what the engine says when it is asked anew.
  @Test func whatIsRememberedIsWhatTheEngineSays() throws {
    let folder = try TemporaryFolder()
    let path = try folder.database(
      """
      CREATE TABLE Item(id INTEGER PRIMARY KEY, a); CREATE TABLE "down"(k INTEGER PRIMARY KEY DESC);
      CREATE TABLE pair(a, b, PRIMARY KEY (a, b)) WITHOUT ROWID; CREATE VIEW v AS SELECT 1;
      CREATE TABLE auto(k INTEGER PRIMARY KEY AUTOINCREMENT); CREATE VIRTUAL TABLE s USING fts5(t);
      INSERT INTO auto VALUES (1)
      """)
    let source = try SourceDatabase(opening: path, temporaryFolder: folder.path)
    let names = [
      "Item", "item", "down", "pair", "v", "auto", "s", "s_data", "sqlite_sequence", "x",
    ]
    // Half of them are asked for before the list of all, which tells of the others, too.
    for half in [names[..<5], names[...]] {
      for name in half + half {
        let engine = try Connection(opening: path, mode: .immutable)
        #expect(try source.connection.table(named: name) == engine.table(named: name), "\(name)")
        let (root, index) = (
          try engine.rootPage(ofTable: name), try engine.keyIndex(ofTable: name)
        )
        #expect(try source.connection.rootPage(ofTable: name) == root, "\(name)")
        #expect(try source.connection.keyIndex(ofTable: name) == index, "\(name)")
      }
      let engine = try Connection(opening: path, mode: .immutable)
      #expect(try source.connection.tables() == engine.tables())
    }
    #expect(try source.connection.keyIndex(ofTable: "down") == "sqlite_autoindex_down_1")
    #expect(try source.connection.rootPage(ofTable: "Item") == 2)
  }

  /// Bytes that are no UTF-8 are replaced in names, by which the engine then finds another table.
  @Test func noTableIsKnownByANameThatWasMended() throws {
    let folder = try TemporaryFolder()
    try folder.run(
      """
      db = sqlite3.connect('store.sqlite')
      db.execute('CREATE TABLE abc(id INTEGER PRIMARY KEY, v)')
      db.execute('CREATE TABLE abd(id INTEGER PRIMARY KEY, w)')
      db.close()
      data = open('store.sqlite', 'rb').read()
      open('store.sqlite', 'wb').write(data.replace(b'abc', b'ab\\xff').replace(b'abd', b'ab\\xfe'))
      """)
    let source = try SourceDatabase(
      opening: folder.path("store.sqlite"), temporaryFolder: folder.path)
    let names = try source.connection.tables().map(\.name)
    #expect(names.map(\.mended) == ["ab\u{FFFD}", "ab\u{FFFD}"])
    #expect(Set(names).count == 2)
    #expect(try source.connection.table(named: "ab\u{FFFD}") == nil)
    #expect(try source.connection.rootPage(ofTable: "ab\u{FFFD}") == nil)
  }

  @Test func aSchemaThatMayChangeIsReadEachTime() throws {
    let connection = try memory("CREATE TABLE a(x)")
    #expect(try connection.tables().map(\.name) == ["a"])
    #expect(try connection.table(named: "b") == nil)
    try connection.execute("CREATE TABLE b(x); ALTER TABLE a ADD y")
    #expect(try connection.tables().map(\.name) == ["a", "b"])
    #expect(try connection.table(named: "b")?.columns.count == 1)
    #expect(try connection.table(named: "a")?.columns.count == 2)
  }
}
