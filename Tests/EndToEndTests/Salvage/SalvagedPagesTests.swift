import Foundation
import TestSupport
import Testing

/// What `--salvage` reads of a store of which one page is wrong: each row that was there and that the
/// plain engine still reads.
struct SalvagedPagesTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Makes a store, breaks it in one way, and keeps the rows of both tables as they were before and as
  /// the plain engine reads them then.
  private static let script = """
    import sqlite3, sys, json
    path, way = sys.argv[1:3]
    size = 4096 if way == 'cut' else 1024
    db = sqlite3.connect(path, isolation_level=None)
    db.execute('PRAGMA page_size=%d' % size)
    bare = way in ('aboveOverBareLeaf', 'indexOverBareLeaf')
    def compare(one, two): return (one > two) - (one < two)
    for t, first in [('a', 0), ('b', 30)]:
        end = 'n INTEGER, t TEXT, PRIMARY KEY(n)) WITHOUT ROWID' if bare else 'n INTEGER PRIMARY KEY, t TEXT)'
        if way == 'numbersAsTexts' and t == 'a': end = 'n INTEGER PRIMARY KEY, old, t TEXT)'
        if way == 'rootOverRoot' and t == 'b': end = 'n INTEGER PRIMARY KEY, t TEXT, m INTEGER NOT NULL DEFAULT 7)'
        if way == 'orderOfTheApp':
            db.create_collation('LOCALIZED', compare)
            end = "n INTEGER, t TEXT DEFAULT 'x', k TEXT COLLATE LOCALIZED PRIMARY KEY) WITHOUT ROWID"
        db.execute('CREATE TABLE %s(%s' % (t, end))
        if way == 'chainIntoChain':
            rows = [(n, c * 2500) for n, c in [(1, 'v'), (2, 'w')]]
        elif way == 'nextOfTheLast':
            rows = [(1, 'x' * 1900), (2, 'short')]
        else:
            rows = [(n, '%s%d' % (t, n) + 'y' * 50) for n in range(first, first + 60)]
        db.execute('BEGIN')
        for n, text in rows:
            if way == 'orderOfTheApp': db.execute('INSERT INTO %s VALUES(?, ?, ?)' % t, (n, text, text))
            else: db.execute('INSERT INTO %s(n, t) VALUES(?, ?)' % t, (n, text))
        db.execute('COMMIT')
    if way == 'numbersAsTexts':
        # The engine's default is the number 1, which the next statement writes into the rows.
        db.execute('ALTER TABLE a ADD COLUMN done TEXT DEFAULT TRUE')
        db.execute('ALTER TABLE a DROP COLUMN old')
    if way in ('moreValues', 'valueAsKey'):
        db.execute('PRAGMA writable_schema=1')
        if way == 'moreValues':
            db.execute('CREATE TABLE wide(n INTEGER PRIMARY KEY, t TEXT, more TEXT)')
            db.execute("INSERT INTO wide SELECT n, t, 'more' FROM a")
            sql = 'CREATE TABLE a(n INTEGER PRIMARY KEY, t TEXT)'
        else:
            db.execute('CREATE TABLE wide(n INT, t TEXT)')
            db.execute('INSERT INTO wide SELECT n + 1, t FROM a')
            sql = 'CREATE TABLE a(n INTEGER PRIMARY KEY, t TEXT)'
        db.execute('DROP TABLE a')
        db.execute("UPDATE sqlite_schema SET name = 'a', tbl_name = 'a', sql = ? WHERE name = 'wide'", (sql,))
    if way == 'freeAndUsed':
        db.execute('CREATE TABLE gone(x)')
        db.executemany('INSERT INTO gone VALUES(?)', [('z' * 500,)] * 50)
        db.execute('DROP TABLE gone')
    def read():
        db = sqlite3.connect(path)
        db.create_collation('LOCALIZED', compare)
        return {t: [list(r) for r in db.execute('SELECT n, t FROM %s NOT INDEXED ORDER BY n' % t)] for t in 'ab'}
    if way == 'indexOverBareLeaf': db.execute('CREATE INDEX byText ON b(t)')
    if way == 'pageAboveIsOld':
        place = (db.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'a'").fetchone()[0] - 1) * size
        old = open(path, 'rb').read()[place:place + size]
        db.execute('DELETE FROM a WHERE n BETWEEN 10 AND 50')
    before = read()
    root = dict(db.execute('SELECT name, rootpage FROM sqlite_schema'))
    db.close()
    b = bytearray(open(path, 'rb').read())
    def number(at, count): return int.from_bytes(b[at:at + count], 'big')
    def start(page): return (page - 1) * size
    def cells(page):
        at = start(page)
        first = 8 if b[at] in (10, 13) else 12
        return [at + first + 2 * i for i in range(number(at + 3, 2))]
    def children(page):
        return [number(start(page) + number(c, 2), 4) for c in cells(page)] + [number(start(page) + 8, 4)]
    def copy(one, two): b[start(two):start(two) + size] = b[start(one):start(one) + size]
    if way == 'cut': del b[-500:]
    if way == 'placeOfACell': b[cells(children(root['a'])[0])[2]] ^= 0x40
    if way == 'nextOfTheLast':
        last = next(p for p in range(2, len(b) // size + 1) if b[start(p):start(p) + 5] == bytes(4) + b'x')
        b[start(last)] = 9
    if way == 'chainIntoChain':
        pages = [p for p in range(2, len(b) // size + 1) if number(start(p), 4) != 0 and b[start(p)] == 0]
        one = next(p for p in pages if b[start(p) + 4] == ord('v'))
        two = next(p for p in pages if b[start(p) + 4] == ord('w'))
        copy(two, one)
    if way in ('aboveOverLeaf', 'aboveOverBareLeaf'):
        lost = children(root['a'])[-1]
        copy(root['b'], lost)
    if way == 'rootOverRoot': copy(root['b'], root['a'])
    if way == 'indexOverBareLeaf':
        copy(children(root['byText'])[1], children(root['a'])[1])
        b[39] = 9
    if way == 'pageAboveIsOld': b[place:place + size] = old
    if way == 'freeAndUsed':
        trunk = number(32, 4)
        b[start(trunk) + 8:start(trunk) + 12] = children(root['a'])[1].to_bytes(4, 'big')
    if way == 'keyAbove': b[start(root['a']) + number(cells(root['a'])[0], 2) + 4] = 0
    if way == 'keyAboveBackwards': b[start(root['a']) + number(cells(root['a'])[1], 2) + 4] = 1
    if way in ('numbersAsTexts', 'moreValues', 'valueAsKey', 'orderOfTheApp'): b[39] = 9
    open(path, 'wb').write(b)
    after = before if way == 'pageAboveIsOld' else read()
    json.dump([before, after], open(path + '.rows', 'w'))
    """

  /// The rows that the engine reads of what was there and that are not in the new store, and those of
  /// the new store that never were.
  private static let reading = """
    import sqlite3, sys, json
    db = sqlite3.connect(sys.argv[2])
    before, after = json.load(open(sys.argv[1] + '.rows'))
    for t in 'ab':
        rows = [list(r) for r in db.execute('SELECT n, t FROM %s' % t)]
        print([r for r in before[t] if r in after[t] and r not in rows], [r for r in rows if r not in before[t]])
    """

  @Test(arguments: [
    "cut", "placeOfACell", "nextOfTheLast", "aboveOverLeaf", "aboveOverBareLeaf",
    "rootOverRoot", "indexOverBareLeaf", "pageAboveIsOld", "freeAndUsed",
    "keyAbove", "keyAboveBackwards", "numbersAsTexts", "moreValues", "valueAsKey",
    "orderOfTheApp",
  ])
  func everyRowThatTheEngineReadsIsSalvaged(way: String) async throws {
    let store = folder.path("store")
    _ = try python(Self.script, store, way)
    let output = folder.path("out")
    let outcome = await rehome("convert", "--json", "--salvage", store, "-o", output)
    #expect(outcome.code == 2, "\(outcome.error)")
    #expect(try python(Self.reading, store, output) == "[] []\n[] []\n")
  }

  /// Of two rows that lead to the same bytes, none can be left out, and it is told that one is wrong.
  @Test func rowsThatShareBytesAreReadAndTold() async throws {
    let store = folder.path("store")
    _ = try python(Self.script, store, "chainIntoChain")
    let output = folder.path("out")
    let outcome = await rehome("convert", "--salvage", store, "-o", output)
    #expect(outcome.code == 2)
    #expect(outcome.error.contains("a: a part of a is in doubt"))
    #expect(outcome.error.contains("rows that may be mixed up with others: 1"))
    #expect(try python(Self.reading, store, output).hasPrefix("[] [[1, "))
  }

  private func python(_ script: String, _ arguments: String...) throws -> String {
    String(decoding: try Python.run(script, arguments: arguments), as: UTF8.self)
  }
}
