import Foundation
import SQLiteFile
import TestSupport
import Testing

struct TableScanTests {
  /// Numbers of every stored size, texts and blobs on and off their pages, and a REAL column with
  /// whole numbers.
  private static let awkwardRows = """
    db.execute('CREATE TABLE t(a, b REAL, k INTEGER PRIMARY KEY, c TEXT, d BLOB)')
    def value():
        kind = r.randrange(9)
        if kind == 0: return None
        if kind < 4: return r.choice([0, 1, -1, 127, 128, -129, 2**15, -2**23, 2**31, 2**47, 2**63-1,
                                      -2**63, -2**47 - 1])
        if kind == 4: return r.choice([0.5, -0.0, 1e308, float('inf'), float('nan'), 1e-320, 7.0])
        size = r.choice([0, 1, 57, 58, 500, 5000, 70000]) if r.randrange(40) == 0 else r.randrange(60)
        return ''.join(r.choice('aé€😀') for _ in range(size)) if kind < 7 else r.randbytes(size)
    rows = [[value() for _ in range(4)] for _ in range(1000)]
    keys = r.sample(range(-2**40, 2**40), 1000)
    db.executemany('INSERT INTO t(a, b, c, d, k) VALUES(?, ?, ?, ?, ?)',
                   [row + [key] for row, key in zip(rows, keys)])
    db.execute('DELETE FROM t WHERE k % 7 = 0')
    """

  @Test(arguments: [512, 1024, 4096, 65536])
  func everyRowIsReadAsTheEngineReadsIt(pageSize: Int) throws {
    let store = try PythonStore(pageSize: pageSize, Self.awkwardRows)
    let file = try PageFile(opening: store.path)
    let shape = TableShape(isReal: [false, true, false, false, false], rowIDColumn: 2)
    for chunk in [3, 10_000] {
      let rows = try file.spelledRows(ofTableAt: #require(store.roots["t"]), shape, chunk: chunk)
      #expect(rows.count > 800)
      #expect(rows == store.rows["t"])
    }
  }

  /// The engine keeps NULL in place of a key; what else a record holds there is never looked at.
  @Test func keyIsNotTakenFromTheRecord() throws {
    let store = try PythonStore(
      """
      db.execute('CREATE TABLE t(a, k, b)')
      for row, key in enumerate([1, 0, 77, None, 2.5, 'text', b'blob', 2**40]):
          db.execute('INSERT INTO t(rowid, a, k, b) VALUES(?, ?, ?, ?)', (row * 3 + 5, row, key, 'end'))
      db.execute('PRAGMA writable_schema = ON')
      db.execute("UPDATE sqlite_schema SET sql = 'CREATE TABLE t(a, k INTEGER PRIMARY KEY, b)'")
      db.execute('PRAGMA writable_schema = RESET')
      """)
    let file = try PageFile(opening: store.path)
    let shape = TableShape(isReal: [false, false, false], rowIDColumn: 1)
    let rows = try file.spelledRows(ofTableAt: #require(store.roots["t"]), shape, chunk: 3)
    #expect(rows.count == 8 && rows == store.rows["t"])
  }

  /// A record that just stays on its page, and one that just does not, differ by one byte.
  @Test(arguments: [512, 1024, 4096, 65536])
  func rowsAroundTheSizeThatStaysOnAPageAreRead(pageSize: Int) throws {
    let store = try PythonStore(
      pageSize: pageSize,
      """
      db.execute('CREATE TABLE t(a)')
      usable = \(pageSize)
      for size in range(usable - 50, usable - 25):
          db.execute('INSERT INTO t VALUES(?)', (r.randbytes(size),))
      least = (usable - 12) * 32 // 255 - 23
      for chain in (1, 2):
          for size in range(-6, 6):
              db.execute('INSERT INTO t VALUES(?)', (r.randbytes(least + chain * (usable - 4) + size),))
      """)
    let file = try PageFile(opening: store.path)
    let shape = TableShape(isReal: [false], rowIDColumn: nil)
    let root = try #require(store.roots["t"])
    #expect(try file.checkStructure(threads: 1) { false }.damage.isEmpty)
    #expect(try file.spelledRows(ofTableAt: root, shape, chunk: 7) == store.rows["t"])
  }

  @Test func chunkOfKeysIsScannedOnItsOwn() throws {
    let store = try PythonStore(
      "db.execute('CREATE TABLE t(a)')\n"
        + "db.executemany('INSERT INTO t VALUES(?)', [('x' * 100,) for _ in range(5000)])")
    let file = try PageFile(opening: store.path)
    let leaves = try file.leaves(ofTableAt: #require(store.roots["t"]))
    let chunks = leaves.chunks(ofPages: 10)
    #expect(chunks.count > 10)
    #expect(Array(chunks.joined()) == leaves.pages)
    var scan = TableScan(
      of: chunks[5], in: file, shape: TableShape(isReal: [false], rowIDColumn: nil))
    var batch = StoredBatch()
    var keys: [Int64] = []
    while try scan.read(into: &batch) { keys += batch.keys }
    #expect(keys.count > 100)
    #expect(keys.first ?? 0 > 1000)
    #expect(keys == Array((keys.first ?? 0)...(keys.last ?? 0)))
  }

  @Test func columnsOlderRecordsDoNotHaveAreMissing() throws {
    let store = try PythonStore(
      """
      db.execute('CREATE TABLE t(a, b)')
      db.execute('INSERT INTO t VALUES(1, 2)')
      db.execute('ALTER TABLE t ADD COLUMN c DEFAULT 9')
      db.execute('INSERT INTO t VALUES(3, 4, NULL)')
      """)
    let file = try PageFile(opening: store.path)
    let leaves = try file.leaves(ofTableAt: #require(store.roots["t"]))
    let shape = TableShape(isReal: [false, false, false], rowIDColumn: nil)
    var scan = TableScan(of: leaves.pages[...], in: file, shape: shape)
    var batch = StoredBatch()
    #expect(try scan.read(into: &batch))
    #expect(batch.values.map(\.kind) == [.integer, .integer, .missing, .integer, .integer, .null])
  }

  /// Rows of which the wanted column is on the page, and in a record or a header that is not.
  private static let sharedRows = """
    wide = ', '.join('c%d' % i for i in range(60))
    db.execute('CREATE TABLE t(a, e (affinity), ' + wide + ')')
    ends = [None, 0, 1, 2, 3, 2.0, 2.5, '2', b'2', 2**53, -2, 'x']
    for number in range(600):
        size = 20000 if number % 9 == 0 else r.randrange(90)
        row = [r.randbytes(size), r.choice(ends)] + [number] * (60 if number % 2 else 0)
        marks = ', '.join('?' * len(row))
        names = ', '.join(['a', 'e'] + ['c%d' % i for i in range(len(row) - 2)])
        db.execute('INSERT INTO t(' + names + ') VALUES(' + marks + ')', row)
    db.execute('CREATE TABLE wanted(k INTEGER PRIMARY KEY)')
    db.execute('INSERT INTO wanted SELECT rowid FROM t WHERE e = 2')
    """

  @Test(arguments: [512, 1024, 4096], ["", "INTEGER", "REAL", "NUMERIC"])
  func rowsThatMeetAConditionAreThoseThatTheEngineFinds(pageSize: Int, affinity: String) throws {
    let script = Self.sharedRows.replacingOccurrences(of: "(affinity)", with: affinity)
    let store = try PythonStore(pageSize: pageSize, script)
    let file = try PageFile(opening: store.path)
    let isReal = [false, TableShape.isReal(declaredType: affinity)]
    let shape = TableShape(isReal: isReal + [Bool](repeating: false, count: 60), rowIDColumn: nil)
    var batch = StoredBatch()
    var keys: [Int64] = []
    for chunk in try file.leaves(ofTableAt: #require(store.roots["t"])).chunks(ofPages: 9) {
      var scan = TableScan(
        of: chunk, in: file, shape: shape, where: RowCondition(column: 1, number: 2))
      while try scan.read(into: &batch) { keys += batch.keys }
    }
    let wanted = try #require(store.rows["wanted"])
    #expect(wanted.count > 40)
    #expect(keys.map { "\($0) integer:\($0)" } == wanted)
  }

  /// Else a table of which no row is wanted would be held in memory whole.
  @Test func rowsThatNobodyWantsTakeNoMemory() throws {
    let store = try PythonStore(
      pageSize: 512,
      """
      names = ', '.join('c%d' % i for i in range(60))
      db.execute('CREATE TABLE t(a, ' + names + ')')
      for number in range(200):
          db.execute('INSERT INTO t VALUES(' + ', '.join('?' * 61) + ')',
                     [r.randbytes(50000)] + [number] * 60)
      """)
    let file = try PageFile(opening: store.path)
    let leaves = try file.leaves(ofTableAt: #require(store.roots["t"]))
    let shape = TableShape(isReal: [Bool](repeating: false, count: 61), rowIDColumn: nil)
    var scan = TableScan(
      of: leaves.pages[...], in: file, shape: shape, where: RowCondition(column: 1, number: -1))
    var batch = StoredBatch()
    #expect(try !scan.read(into: &batch))
    #expect(batch.arena.capacity < 1 << 20)
  }

  @Test func emptyTableHasNoRows() throws {
    let store = try PythonStore("db.execute('CREATE TABLE t(a)')")
    let file = try PageFile(opening: store.path)
    let rows = try file.spelledRows(
      ofTableAt: #require(store.roots["t"]), TableShape(isReal: [false], rowIDColumn: nil),
      chunk: 8)
    #expect(rows == [])
  }

  @Test(arguments: ["UTF-16le", "UTF-16be"])
  func encodingOfTheFileIsTold(name: String) throws {
    let store = try PythonStore(
      "db.execute('PRAGMA encoding=\"\(name)\"')\ndb.execute('CREATE TABLE t(a)')")
    let encoding = try PageFile(opening: store.path).header.encoding
    #expect(encoding == (name == "UTF-16le" ? .utf16LittleEndian : .utf16BigEndian))
  }

  @Test(arguments: [
    ("INTEGER", false), ("FLOAT", true), ("float", true), ("DOUBLE PRECISION", true),
    ("REAL", true), ("FLOATING POINT", false), ("NUMERIC", false), ("", false),
    ("CHARACTER REAL", false), ("TIMESTAMP", false), ("BLOB REAL", false),
  ])
  func realAffinityFollowsTheDeclaredType(type: String, isReal: Bool) {
    #expect(TableShape.isReal(declaredType: type) == isReal)
  }
}
