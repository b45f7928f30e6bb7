import Foundation
import TestSupport
import Testing

/// What `--salvage` reads of tables without row ids; Python takes their pages apart by itself.
struct SalvagedTreesTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Makes a store, breaks it in one way, and prints the numbers of the rows that must survive.
  private static let script = """
    import sqlite3, sys, random, json
    path, way = sys.argv[1:3]
    size = 1024
    r = random.Random(3)
    db = sqlite3.connect(path, isolation_level=None)
    db.execute('PRAGMA synchronous=OFF')
    db.execute('PRAGMA page_size=%d' % size)
    db.execute('CREATE TABLE Keyed(text TEXT, n INTEGER, half REAL, key TEXT, PRIMARY KEY(key, n)) WITHOUT ROWID')
    db.execute('CREATE INDEX byHalf ON Keyed(half)')
    db.execute('CREATE TABLE Note(id TEXT PRIMARY KEY, n INTEGER)')
    db.execute('BEGIN')
    for i in range(1200):
        text = 'x' * 3000 if i % 100 == 50 else None
        db.execute('INSERT INTO Keyed VALUES(?, ?, ?, ?)', (text, i, i, 'key %06d' % r.randrange(10**6) + 'k' * 80))
        db.execute('INSERT INTO Note VALUES(?, ?)', ('id%d' % i, i))
    db.execute('COMMIT')
    roots = dict(db.execute('SELECT name, rootpage FROM sqlite_schema'))
    left = set(range(1200))
    db.close()
    b = bytearray(open(path, 'rb').read())
    def place(page): return (page - 1) * size
    def number(at, count): return int.from_bytes(b[at:at + count], 'big')
    def varint(at):
        value = 0
        while True:
            value = value << 7 | b[at] & 127
            at += 1
            if b[at - 1] < 128: return value, at
    def cells(page):
        at = place(page)
        first = 8 if b[at] == 10 else 12
        return [at + number(at + first + 2 * i, 2) for i in range(number(at + 3, 2))]
    def children(page):
        return [] if b[place(page)] == 10 else [*(number(c, 4) for c in cells(page)), number(place(page) + 8, 4)]
    def below(page): return [page] + [p for c in children(page) for p in below(c)]
    def rows(page):
        # A record begins with the key: its text, then the number.
        for c in cells(page):
            at = varint(c if b[place(page)] == 10 else c + 4)[1]
            end = at + varint(at)[0]
            types, at = [], varint(at)[1]
            while at < end:
                kind, at = varint(at)
                types.append(kind)
            start = end + (types[0] - 13) // 2
            yield {8: 0, 9: 1}.get(types[1], number(start, types[1] if types[1] < 8 else 0))
    def lose(page):
        b[place(page):place(page) + size] = bytes(size)
    tree = below(roots['Keyed'])
    leaves = [p for p in tree if b[place(p)] == 10]
    assert sorted(n for p in tree for n in rows(p)) == list(range(1200)) and len(tree) - len(leaves) > 5
    lost = []
    if way == 'leaf': lost = [leaves[4]]
    if way == 'leaves': lost = leaves[::3]
    if way in ('root', 'rootAndIndex'): lost = tree[:1]
    if way == 'middle': lost = [p for p in tree[1:] if b[place(p)] == 2][:2]
    if way == 'all': lost = tree
    for p in lost: left -= set(rows(p))
    for p in lost: lose(p)
    if way in ('index', 'rootAndIndex'): lose(roots['byHalf'])
    if way == 'swap':
        notes = [p for p in range(2, len(b) // size) if b[place(p)] == 13]
        one, two = place(leaves[2]), place(notes[3])
        b[one:one + size], b[two:two + size] = b[two:two + size], b[one:one + size]
    if way == 'cell':
        # The last cell that was added to a leaf: what it says about its key is nonsense now.
        at = cells(leaves[3])[0]
        left.discard(next(iter(rows(leaves[3]))))
        b[at + 3:at + 5] = bytes([255, 255])
    open(path, 'wb').write(b)
    print(json.dumps(sorted(left)))
    """

  private static let reading = """
    import sqlite3, sys, json
    db = sqlite3.connect(sys.argv[1])
    rows = db.execute('SELECT n, half, length(key), length(text) FROM Keyed ORDER BY n').fetchall()
    assert all(h == n and k == 90 and t == (3000 if n % 100 == 50 else None) for n, h, k, t in rows)
    assert db.execute('SELECT count(*) FROM Note').fetchone() == (1200,)
    print(json.dumps([n for n, *_ in rows]))
    """

  @Test(arguments: ["leaf", "leaves", "root", "middle", "all", "index", "swap", "cell"])
  func everyRowThatIsLeftIsSalvaged(way: String) async throws {
    let store = folder.path("store")
    let expected = try python(Self.script, store, way)
    #expect(await rehome("inspect", store).code == 65)
    let output = folder.path("out")
    let outcome = await rehome("convert", "--json", "--salvage", store, "-o", output)
    #expect(outcome.code == 2, "\(outcome.error)")
    #expect(try python(Self.reading, output) == expected)
    #expect(outcome.text.contains("\"table-salvaged\"") == (way != "index"))
  }

  /// No promise of a table refuses a row that its pages hold.
  @Test func rowThatAStrictTableWouldRefuseIsRead() async throws {
    let store = folder.path("store")
    let script = """
      import sqlite3, sys
      db = sqlite3.connect(sys.argv[1], isolation_level=None)
      db.execute('CREATE TABLE Strict(n INTEGER, id TEXT)')
      db.executemany('INSERT INTO Strict VALUES(?, ?)', [(1, 'a'), ('x', 'b'), (3, 'c')])
      db.execute('CREATE TABLE Other(t)')
      db.execute('PRAGMA writable_schema=ON')
      db.execute("UPDATE sqlite_schema SET sql = sql || ' STRICT' WHERE name = 'Strict'")
      db.close()
      with open(sys.argv[1], 'r+b') as file: file.seek(2 * 4096); file.write(bytes(4096))
      """
    _ = try python(script, store)
    let outcome = await rehome("export", "--to", "csv", "--table", "Strict", "--salvage", store)
    #expect(outcome.code == 2)
    #expect(outcome.text == "_pk,n,id\r\n1,1,a\r\n2,,b\r\n3,3,c\r\n")
    #expect(outcome.error.contains("Strict: 1 value"), "\(outcome.error)")
  }

  @Test func pagesThatMayBeAnIndexAreLeftOutAndCounted() async throws {
    let store = folder.path("store")
    let expected = try python(Self.script, store, "rootAndIndex")
    let output = folder.path("out")
    let outcome = await rehome("convert", "--json", "--salvage", store, "-o", output)
    #expect(outcome.code == 2)
    #expect(try python(Self.reading, output) == "[]\n")
    let count = expected.split(separator: ",").count
    let words = "rows left out because several tables may own them: \(count)"
    #expect(outcome.text.contains(words), "\(outcome.text)")
  }
}
