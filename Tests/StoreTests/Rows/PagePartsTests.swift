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

  private static func rows(of batch: RecordBatch) -> [Row] {
    (0..<batch.rowCount).map { index in
      let cells = batch.cells(ofRow: index)
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
    _ table: PlannedTable, _ database: borrowing SourceDatabase, isPlain: Bool? = nil
  ) throws {
    var expected: [Row] = []
    try database.forEachBatchOfStatement(of: table) { (batch) throws(StoreError) in
      expected += Self.rows(of: batch)
    }
    let parts = try database.parts(of: table)
    if let isPlain { #expect((parts != nil) == isPlain, "\(table.name)") }
    guard let parts else { return }
    var found: [Row] = []
    for part in 0..<parts.count {
      // A new reader for each part, as when every part has a thread of its own.
      try parts.makeReader().forEachBatch(ofPart: part) { (batch) throws(StoreError) in
        found += Self.rows(of: batch)
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
    #expect(tables.count == 9)
    // In UTF-16 the engine alone knows what a text is in UTF-8.
    let isUTF8 = seed % 6 != 5
    for table in tables { try checkSame(table, database, isPlain: isUTF8 && table.name < "p") }
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
      .reference(otherSide: [5: 7]),
    ]
    for var table in try planned(database) {
      for column in table.columns.indices {
        table.columns[column].decoding = decodings.randomElement(using: &random) ?? .text
      }
      try checkSame(table, database)
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
      CREATE TABLE p(k TEXT PRIMARY KEY, v) WITHOUT ROWID;
      CREATE TABLE q(k INTEGER PRIMARY KEY, v TEXT DEFAULT 'old');
      CREATE TABLE r(k INTEGER PRIMARY KEY, v INTEGER, w AS (v + 1));
      CREATE TABLE s(rowid TEXT, _rowid_ TEXT, oid TEXT);
    ''')
    db.text_factory = bytes
    def value():
        kind = r.randrange(12)
        if kind == 0: return None
        if kind == 1: return r.choice([0, 1, -1, 127, 128, 2**31, -2**63, 2**63 - 1, 2**47])
        if kind == 2: return r.randrange(-2**40, 2**40)
        if kind == 3: return r.choice([0.0, -0.0, 1.0, 2.5, 1e300, -7.0, float('inf'), 1e-300])
        if kind == 4: return r.randbytes(r.choice([0, 1, 30, 30, 300]))
        if kind == 5: return '\\u00e4\\U0001f600' * r.randrange(9)
        if kind == 6 and r.random() < 0.1: return 'long ' * r.randrange(1, 60000)
        return r.choice(['', 'abc', '12', '1.0', ' 7', 'milk and bread', '2016-10-01'])
    for table, size in zip('abcdepqrs', (6, 4, 4, 2, 3, 2, 2, 2, 3)):
        names = {'r': '(k, v)'}.get(table, '')
        for _ in range(r.choice([0, 1, 3, 400, 400])):
            row = [value() for _ in range(size)]
            if table in 'adqr': row[0] = r.choice([None, r.randrange(-2**62, 2**62)])
            if table == 'c': row[2] = r.choice([None, r.randrange(-2**62, 2**62)])
            if table == 'p': row[0] = str(r.random())
            marks = ','.join('?' * size)
            db.execute(f'INSERT OR IGNORE INTO {table} {names} VALUES ({marks})', row)
    if seed % 6 != 5:
        db.execute("UPDATE a SET t = CAST(x'c328ff' AS TEXT) WHERE id % 7 = 0")
    db.execute('ALTER TABLE a ADD COLUMN later REAL')
    db.execute("INSERT INTO a(t, later) VALUES ('new', 7)")
    db.execute('DELETE FROM b WHERE rowid % 3 = 0')
    if r.random() < 0.5: db.execute("CREATE INDEX ia ON a(t)")
    db.commit()
    """

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
