import Bytes
import Foundation
import SQLite
import TestSupport
import Testing

@testable import Records
@testable import Tables

/// Rows read from pages must be those that the engine gives.
@Suite struct PagePartsTests {
  /// A row as it is in a batch.
  private struct Row: Equatable {
    let key: Int64
    let kinds: [CellKind]
    let values: [[UInt8]]
    let rejects: [CellReject]
  }

  /// The rows of a batch; of cells that nobody wants, only rejects count.
  private static func rows(of batch: RecordBatch, wanting cells: WantedCells?) -> [Row] {
    (0..<batch.rowCount).map { index in
      let cells = batch.cells(ofRow: index).enumerated()
        .map { cells?.columns.contains($0) == false ? .null : $1 }
      return Row(
        key: batch.keys[index], kinds: cells.map(\.kind),
        values: cells.map { cell in
          switch cell.kind {
          case .text, .binary: Array(batch.arena[cell.range])
          case .null, .integer, .real: Array(String(cell.integer).utf8)
          }
        },
        rejects: batch.rejects.filter { $0.row == index }.map {
          CellReject(row: 0, column: $0.column, code: $0.code, raw: $0.raw)
        })
    }
  }

  private func checkSame(
    _ table: PlannedTable, _ database: borrowing SourceDatabase,
    wanting cells: WantedCells? = nil, isPlain: Bool? = nil
  ) throws {
    var expected: [Row] = []
    try database.forEachBatchOfStatement(of: table, wanting: cells) {
      (batch) throws(StoreError) in
      expected += Self.rows(of: batch, wanting: cells)
    }
    let parts = try database.parts(of: table, wanting: cells)
    if let isPlain { #expect((parts != nil) == isPlain, "\(table.name)") }
    guard let parts else { return }
    var found: [Row] = []
    for part in 0..<parts.count {
      // A new reader for each part, as when every part has a thread of its own.
      try parts.makeReader().forEachBatch(ofPart: part) { (batch) throws(StoreError) in
        found += Self.rows(of: batch, wanting: cells)
      }
    }
    #expect(found.count == expected.count, "\(table.name)")
    #expect(found == expected, "\(table.name)")
  }

  private func planned(_ database: borrowing SourceDatabase) throws -> [PlannedTable] {
    let schema = try database.connection.tables()
    return try PlainTables(rules: ColumnRules(), leavesOut: { _ in false })
      .plan(schema, database)
  }

  @Test(arguments: 0..<12)
  func randomTablesAreReadAsTheEngineReadsThem(_ seed: Int) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("random.db")
    _ = try Python.run(Self.randomStore, arguments: [path, String(seed)])
    let database = try SourceDatabase(opening: path, temporaryFolder: folder.path(""))
    let tables = try planned(database)
    #expect(tables.count == 11)
    // In UTF-16 the engine alone knows what a text is in UTF-8.
    let isUTF8 = seed % 6 != 5
    for table in tables { try checkSame(table, database, isPlain: isUTF8 && table.name < "p") }
  }

  /// Entities that share a table have the rows of which a column holds their number.
  @Test(arguments: 0..<12)
  func rowsOfEntitiesThatShareATableAreThoseOfTheEngine(_ seed: Int) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("random.db")
    _ = try Python.run(Self.randomStore, arguments: [path, String(seed)])
    let database = try SourceDatabase(opening: path, temporaryFolder: folder.path(""))
    let shared = try planned(database).filter { $0.name == "g" || $0.name == "h" }
    #expect(shared.count == 2)
    for var table in shared {
      for entity: Int64 in [0, 1, 2, 3, 1 << 52, 1 << 60] {
        table.entity = entity
        table.condition = PlannedTable.condition(ofEntity: entity)
        try checkSame(table, database, isPlain: seed % 6 != 5 && entity < 1 << 60)
      }
      // Another condition is the engine's to judge.
      table.condition = "Z_ENT > 1"
      #expect(try database.parts(of: table) == nil)
    }
  }

  /// Rows that are older than a column count with its default.
  @Test(arguments: 0..<12)
  func valuesAreCountedAsTheEngineCountsThem(_ seed: Int) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("random.db")
    _ = try Python.run(Self.randomStore, arguments: [path, String(seed)])
    let database = try SourceDatabase(opening: path, temporaryFolder: folder.path(""))
    for table in try planned(database) {
      let names = table.columns.map(\.column.sourceColumn)
      let expected = try ContentCensus.count(names, of: table, database.connection)
      let found = try database.census(ofColumns: Array(names.indices), of: table)
      // What stands for the row id is stored as NULL, and nobody asks for its values.
      for (name, var census) in zip(names, found) where !["a", "id", "k", "Z_PK"].contains(name) {
        census.inexactIntegers = 0
        #expect(census == expected[ExactText(name)], "\(table.name).\(name)")
      }
    }
  }

  /// The number of a text column is compared as its digits, which pages do not do.
  @Test func conditionOnATextIsLeftToTheEngine() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("text.db")
    _ = try Python.run(
      """
      import sqlite3, sys
      db = sqlite3.connect(sys.argv[1])
      db.execute('CREATE TABLE t(Z_PK INTEGER PRIMARY KEY, Z_ENT VARCHAR)')
      db.execute("INSERT INTO t VALUES (1, '4'), (2, 4), (3, 5)")
      db.commit()
      """, arguments: [path])
    let database = try SourceDatabase(opening: path, temporaryFolder: folder.path(""))
    var table = try #require(try planned(database).first)
    table.entity = 4
    table.condition = PlannedTable.condition(ofEntity: 4)
    try checkSame(table, database, isPlain: false)
  }

  /// What only the engine can tell of a default stays with it, and the rest is what it tells.
  @Test func oddDefaultsAreThoseOfTheEngine() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("defaults.db")
    _ = try Python.run(
      """
      import sqlite3, sys
      db = sqlite3.connect(sys.argv[1])
      db.execute('CREATE TABLE a(x DEFAULT 1, y TEXT)')
      db.execute('CREATE TABLE b(x, y DEFAULT (1 + 2), z DEFAULT CURRENT_TIMESTAMP)')
      db.execute('CREATE TABLE "c ""d"" e"(x, "select" TEXT DEFAULT "it""s" /* ) */, z UNIQUE)')
      db.execute('CREATE TABLE d(x INTEGER PRIMARY KEY, y TEXT)')
      db.execute('CREATE TABLE e(x INT, y ANY) STRICT')
      for name in 'abde': db.execute(f'INSERT INTO {name}(x) VALUES (7), (8)')
      db.execute('INSERT INTO "c ""d"" e"(x) VALUES (7)')
      db.execute("ALTER TABLE d ADD COLUMN z TEXT DEFAULT '%s'" % ('long ' * 2000))
      db.execute("ALTER TABLE e ADD COLUMN z ANY DEFAULT '12'")
      db.execute('PRAGMA writable_schema = ON')
      # Rows that lack columns which no ALTER TABLE could have added.
      db.execute("UPDATE sqlite_schema SET sql = 'CREATE TABLE b(x, y, z, "
                 "v DEFAULT (1 + 2), w DEFAULT CURRENT_TIMESTAMP)' WHERE name = 'b'")
      db.commit()
      """, arguments: [path])
    let database = try SourceDatabase(opening: path, temporaryFolder: folder.path(""))
    let tables = try planned(database)
    #expect(tables.count == 5)
    for table in tables {
      // The first column of a row is never missing, and a long default is not kept at hand.
      try checkSame(table, database, isPlain: !["a", "d"].contains(table.name))
    }
  }

  /// Each way of decoding meets each way of storing.
  @Test(arguments: 0..<12)
  func randomDecodingsAreTheSameAsOfTheEngine(_ seed: Int) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("random.db")
    _ = try Python.run(Self.randomStore, arguments: [path, String(seed)])
    let database = try SourceDatabase(opening: path, temporaryFolder: folder.path(""))
    var random = SeededGenerator(seed: UInt64(seed))
    let decodings: [CellDecoding] = [
      .text, .integer, .real, .boolean, .secondsSince2001, .decimal, .binary, .uuid, .versionText,
      .time(StoredTime(unit: .seconds, spelling: .iso)), .entityName([1: "one"], otherSide: [3: 1]),
      .reference(otherSide: [5: 7]), .reference(otherSide: [:]), .uuidBytes, .taggedBinary,
      .perhapsTagged,
    ]
    for var table in try planned(database) {
      for column in table.columns.indices {
        table.columns[column].decoding = decodings.randomElement(using: &random) ?? .text
      }
      try checkSame(table, database)
      let wanted = table.columns.indices.filter { _ in Bool.random(using: &random) }
      try checkSame(table, database, wanting: WantedCells(Set(wanted)))
    }
  }

  @Test(arguments: ["ios-2014", "ios-2015", "ios-2016"])
  func samplesAreReadAsTheEngineReadsThem(_ sample: String) throws {
    let folder = try TemporaryFolder()
    let database = try SourceDatabase(
      opening: Samples.ios(sample).path, temporaryFolder: folder.path(""))
    let tables = try planned(database)
    #expect(tables.contains { $0.name == "ZTODOITEM" })
    for table in tables { try checkSame(table, database) }
    let item = try #require(tables.first { $0.name == "ZTODOITEM" })
    #expect(try database.parts(of: item) != nil)
  }

  /// Tables up to `o…` are plain; those from `p…` on need the engine.
  ///
  /// In `g` and `h` rows have the number of an entity.
  private static let randomStore = """
    import random, sqlite3, sys
    path, seed = sys.argv[1], int(sys.argv[2])
    r = random.Random(seed)
    db = sqlite3.connect(path)
    db.execute('PRAGMA synchronous = OFF')
    db.execute('PRAGMA page_size = %d' % r.choice([512, 1024, 4096, 8192, 65536]))
    db.execute("PRAGMA encoding = '%s'" % ('UTF-16le' if seed % 6 == 5 else 'UTF-8'))
    db.execute('PRAGMA auto_vacuum = %d' % r.choice([0, 1, 2]))
    db.executescript('''
      CREATE TABLE a(id INTEGER PRIMARY KEY, t TEXT, n INTEGER, x REAL, b BLOB, u);
      CREATE TABLE b(t VARCHAR(9), x FLOATING POINT, d DOUBLE, n NUMERIC);
      CREATE TABLE c("rowid" TEXT, oid REAL, k INTEGER PRIMARY KEY, "odd "" name" TEXT);
      CREATE TABLE d(a INTEGER, b TEXT, PRIMARY KEY(a DESC));
      CREATE TABLE e(k INTEGER PRIMARY KEY DESC, v REAL, w INT);
      CREATE TABLE f(k INTEGER PRIMARY KEY, v TEXT DEFAULT 'old');
      CREATE TABLE g(Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, t TEXT, x REAL, b BLOB);
      CREATE TABLE h(Z_PK INTEGER PRIMARY KEY, t TEXT, b BLOB);
      CREATE TABLE p(k TEXT PRIMARY KEY, v) WITHOUT ROWID;
      CREATE TABLE r(k INTEGER PRIMARY KEY, v INTEGER, w AS (v + 1));
      CREATE TABLE s(rowid TEXT, _rowid_ TEXT, oid TEXT);
    ''')
    db.text_factory = bytes
    def value():
        kind = r.randrange(12)
        if kind == 0: return None
        if kind == 1: return r.choice([0, 1, -1, 127, 128, 2**31, -2**63, 2**63 - 1, 2**47])
        if kind == 2: return r.randrange(-2**40, 2**40)
        if kind == 3: return r.choice([0.0, -0.0, 1.0, 2.5, 1e300, -7.0, float('inf'), 1e-300,
                                       1e-5, -1.2345678901234567e-5, 9e-6, 2.0**53, -4e15 / 3])
        if kind == 4: return r.choice([b'', b'\\1', b'\\2', b'']) + r.randbytes(
            r.choice([0, 1, 16, 16, 30, 300]))
        if kind == 5: return '\\u00e4\\U0001f600' * r.randrange(9)
        if kind == 6 and r.random() < 0.1: return 'long ' * r.randrange(1, 60000)
        return r.choice(['', 'abc', '12', '1.0', ' 7', 'milk and bread', '2016-10-01'])
    def fill(table, size):
        names = {'r': '(k, v)'}.get(table, '')
        for _ in range(r.choice([0, 1, 3, 400, 400])):
            row = [value() for _ in range(size)]
            if table in 'gh': row[1] = r.choice([0, 1, 1, 2, 2, 3, 2.5, 2**52, None, value()])
            if table in 'adfghr': row[0] = r.choice([None, r.randrange(-2**62, 2**62)])
            if table == 'c': row[2] = r.choice([None, r.randrange(-2**62, 2**62)])
            if table == 'p': row[0] = str(r.random())
            marks = ','.join('?' * size)
            db.execute(f'INSERT OR IGNORE INTO {table} {names} VALUES ({marks})', row)
    for table, size in zip('abcdefghprs', (6, 4, 4, 2, 3, 2, 5, 3, 2, 2, 3)): fill(table, size)
    defaults = ["TEXT DEFAULT 'x''y'", 'REAL DEFAULT 5', 'INTEGER NOT NULL DEFAULT -7', "DEFAULT ''",
                "BLOB DEFAULT x'00ff'", 'DEFAULT NULL', "NUMERIC DEFAULT '12'", 'DEFAULT true',
                'TEXT DEFAULT 12', "DEFAULT (CAST(x'c3' AS TEXT))", 'DEFAULT word', 'REAL',
                "DEFAULT ('\\u00e4' /* ) */)", 'INT DEFAULT 9223372036854775807', 'DEFAULT -1e999']
    for number, column in enumerate(r.sample(defaults, r.randrange(len(defaults) + 1))):
        db.execute(f'ALTER TABLE f ADD COLUMN later{number} {column}')
        for _ in range(r.choice([0, 3, 50])):
            db.execute(f'INSERT OR IGNORE INTO f(later{number}) VALUES (?)',
                       [7 if 'NOT' in column else value()])
    db.execute('ALTER TABLE h ADD COLUMN Z_ENT INTEGER DEFAULT 2')
    for ent in (1, 2, None, 'two'): db.execute('INSERT INTO h(Z_ENT) VALUES (?)', [ent])
    if seed % 6 != 5:
        db.execute("UPDATE a SET t = CAST(x'c328ff' AS TEXT) WHERE id % 7 = 0")
    db.execute('ALTER TABLE a ADD COLUMN later REAL')
    db.execute("INSERT INTO a(t, later) VALUES ('new', 7)")
    db.execute('DELETE FROM b WHERE rowid % 3 = 0')
    if r.random() < 0.5: db.execute("CREATE INDEX ia ON a(t)")
    db.commit()
    """

  /// Rows whose values are long are spread over as many parts as their bytes ask for, be their leaves
  /// as few as they like; of the longest, no two are in memory at once.
  @Test(arguments: [(40, 300_000, 8...40), (3, 9_000_000, 1...1)])
  func longValuesAreSpreadOverManyParts(rows: Int, size: Int, expected: ClosedRange<Int>) throws {
    let store = try SQLStore(
      """
      CREATE TABLE t(id INTEGER PRIMARY KEY, v BLOB);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows))
      INSERT INTO t SELECT i, randomblob(\(size)) FROM n;
      """)
    let parts = try #require(try store.reader().parts(ofTable: 0))
    // Of a size that others take, the leaves alone would make one part.
    #expect(expected.contains(parts.count))
    var keys: [Int64] = []
    let reader = parts.makeReader()
    for part in 0..<parts.count {
      try reader.forEachBatch(ofPart: part) { (batch) throws(StoreError) in
        keys += batch.keys
        for cell in batch.cells where cell.kind == .binary { #expect(cell.range.count == size) }
      }
    }
    #expect(keys == Array(1...Int64(rows)))
  }

  @Test func whatOnlyTheWALHoldsIsRead() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("wal.db")
    let copy = folder.path("copy.db")
    _ = try Python.run(
      """
      import shutil, sqlite3, sys
      db = sqlite3.connect(sys.argv[1])
      db.execute('PRAGMA journal_mode = WAL')
      db.execute('CREATE TABLE t(id INTEGER PRIMARY KEY, v TEXT)')
      db.execute("INSERT INTO t VALUES (1, 'in the WAL')")
      db.commit()
      shutil.copy(sys.argv[1], sys.argv[2])
      shutil.copy(sys.argv[1] + '-wal', sys.argv[2] + '-wal')
      """, arguments: [path, copy])
    let database = try SourceDatabase(opening: copy, temporaryFolder: folder.path(""))
    let table = try #require(try planned(database).first)
    let parts = try #require(try database.parts(of: table))
    var keys: [Int64] = []
    for part in 0..<parts.count {
      try parts.makeReader().forEachBatch(ofPart: part) { (batch) throws(StoreError) in
        keys += batch.keys
      }
    }
    #expect(keys == [1])
  }
}
