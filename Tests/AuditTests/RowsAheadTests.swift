import Bytes
import Opening
import SQLite
import TestSupport
import Testing

@testable import Audit
@testable import Records

/// An audit that ties operations while it looks at the rows finds what one finds that knows their rows
/// before.
struct RowsAheadTests {
  /// Connections borrow it, so it lives as long as the process.
  private static let interruption = Interruption { false }

  /// A store whose operations know their rows as soon as they are read.
  private final class Knowing: ReaderView {
    let base: any StoreReader
    init(_ base: any StoreReader) { self.base = base }
  }

  /// A store whose rows are read in a way that notes none of them.
  private final class Unnoting: ReaderView {
    let base: any StoreReader
    private let rows: any StoreReader
    init(_ base: any StoreReader, _ rows: any StoreReader) { (self.base, self.rows) = (base, rows) }

    func rows(
      ofTable table: Int, wanting cells: WantedCells?
    ) throws(StoreError) -> TableRows.Form {
      try rows.rows(ofTable: table, wanting: cells)
    }

    func readQueueAhead() throws(StoreError) -> QueueAhead? { try base.readQueueAhead() }
  }

  @Test(arguments: [1, 2, 4, 5], [true, false])
  func rowsThatWereNotNotedAreFoundFirst(seed: Int, listsRows: Bool) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("store.sqlite")
    _ = try Python.run(Self.script, arguments: [path, String(seed)])
    let opening = StoreOpening(temporaryFolder: folder.path(""), interruption: Self.interruption)
    let expected = try report(of: Knowing(try opening.reader(forStoreAt: path)), listsRows)
    let unnoting = Unnoting(
      try opening.reader(forStoreAt: path), try opening.reader(forStoreAt: path))
    #expect(try report(of: unnoting, listsRows) == expected)
  }

  @Test(arguments: Array(1...24), [true, false])
  func theSameIsFound(seed: Int, listsRows: Bool) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("store.sqlite")
    _ = try Python.run(Self.script, arguments: [path, String(seed)])
    let opening = StoreOpening(temporaryFolder: folder.path(""), interruption: Self.interruption)
    let ahead = try opening.reader(forStoreAt: path).readQueueAhead()
    // Operations on an entity may mean rows of those below it.
    #expect((ahead == nil) == (seed % 3 == 0))
    #expect(ahead?.queue.operations.allSatisfy { $0.rowKey == nil } ?? true)
    let expected = try report(of: Knowing(try opening.reader(forStoreAt: path)), listsRows)
    #expect(try report(of: try opening.reader(forStoreAt: path), listsRows) == expected)
    #expect(try report(of: try opening.reader(forStoreAt: path), listsRows, threads: 2) == expected)
    guard listsRows else { return }
    let tied = try opening.reader(forStoreAt: path).readQueue().operations
    #expect(tied.contains { $0.rowKey != nil && $0.rowTable == nil })
    #expect(seed % 3 != 0 || tied.contains { $0.rowTable == "SubItem" })
    #expect(expected.contains("\"differences\":[{\"field\":") || seed % 2 == 0)
  }

  private func report(
    of reader: any StoreReader, _ listsRows: Bool, threads: Int = 1
  ) throws -> String {
    let audit = try StoreAudit(
      of: reader, now: .epoch, listsRows: listsRows, threads: threads
    ) { (_) throws(StoreError) in }
    var report: [UInt8] = []
    var json = AuditJSON { report += $0 }
    try json.add(audit)
    try json.finish()
    return String(decoding: report, as: UTF8.self)
  }

  /// Rows of two entities, in some stores of one more below the first in the same table.
  ///
  /// There are twins and ids in several spellings, numbers and none; operations on those, on others and
  /// on no table, in some stores with the server's copies. Some only the engine can read, and some have
  /// several parts.
  private static let script = """
    import json, random, sqlite3, sys
    seed = int(sys.argv[2])
    r = random.Random(seed)
    db = sqlite3.connect(sys.argv[1])
    if seed % 4 == 1: db.execute("PRAGMA encoding = 'UTF-16le'")
    db.executescript('''
      CREATE TABLE ZMS_TABLEOPERATIONS (Z_PK INTEGER PRIMARY KEY, ZID INTEGER, ZTABLEKIND INTEGER,
        ZITEMID VARCHAR, ZTABLE VARCHAR, ZPROPERTIES BLOB);
      CREATE TABLE ZMS_TABLEOPERATIONERRORS (Z_PK INTEGER PRIMARY KEY, ZOPERATIONID INTEGER,
        ZID VARCHAR, ZPROPERTIES BLOB);
      CREATE TABLE ZTODOITEM (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, ZID VARCHAR, ZTEXT VARCHAR,
        ZVERSION VARCHAR);
      CREATE TABLE ZVISIT (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, ZID VARCHAR, ZPAD VARCHAR);
      CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER,
        Z_MAX INTEGER);
      CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR, Z_PLIST BLOB);
      INSERT INTO Z_METADATA VALUES (1, 'X', NULL);
      INSERT INTO Z_PRIMARYKEY VALUES (1, 'MS_TableOperations', 0, 0),
        (2, 'MS_TableOperationErrors', 0, 0), (4, 'TodoItem', 0, 0), (6, 'Visit', 0, 0);
    ''')
    has_sub = seed % 3 == 0
    if has_sub: db.execute("INSERT INTO Z_PRIMARYKEY VALUES (5, 'SubItem', 4, 0)")
    count = r.choice([60, 3000])
    pad = 'x' * (400 if count > 60 else 5)
    def item():
        number = r.randrange(count)
        return r.choice([f'id-{number}', f'id-{number}', f'ID-{number}', f'Id-É{number}', number])
    def row(i, entity):
        return i, entity, r.choice([item(), item(), item(), item(), None, '']), pad, \\
            r.choice([None, '', f'v{i}', f'v{i}'])
    rows = [row(i, r.choice([4, 4, 5]) if has_sub else 4) for i in range(1, count)]
    rows += [(count, 4, 'id-here', pad, 'v'), (count + 1, 5 if has_sub else 4, 'id-sub', pad, 'v')]
    db.executemany('INSERT INTO ZTODOITEM VALUES (?, ?, ?, ?, ?)', rows)
    db.executemany('INSERT INTO ZVISIT VALUES (?, ?, ?, ?)',
        [row(i, 6)[:4] for i in range(1, r.choice([1, count]))])
    if seed % 4 == 2:
        db.execute("ALTER TABLE ZTODOITEM ADD COLUMN ZLATER VARCHAR DEFAULT 'later'")
    operations = [('id-here', 'TodoItem', 1), ('id-sub', 'TodoItem', 1)]
    operations += [(item(), r.choice(['TodoItem', 'TodoItem', 'SubItem', 'Visit', 'Gone', None]),
        r.choice([0, 1, 1, 2, 9])) for _ in range(r.choice([5, 200, 1500]))]
    for number, (id, table, kind) in enumerate(operations, 1):
        payload = {'type': kind}
        if kind == 2: payload['item'] = {'id': str(id), 'version': 'x'}
        db.execute('INSERT INTO ZMS_TABLEOPERATIONS VALUES (?, ?, 0, ?, ?, ?)',
            (number, number, id, table, json.dumps(payload).encode()))
        if seed % 2 and (number == 1 or r.random() < 0.1):
            stored = {'id': f'e{number}', 'code': -1302, 'table': table, 'operation': kind,
                'itemId': str(id), 'statusCode': 412, 'item': {'id': str(id)}}
            if number == 1 or r.random() < 0.7:
                stored['serverItem'] = {'id': str(id), 'text': 'server', 'version': 'z'}
            db.execute('INSERT INTO ZMS_TABLEOPERATIONERRORS VALUES (?, ?, ?, ?)',
                (number, number, f'e{number}', json.dumps(stored).encode()))
    db.commit()
    """
}
