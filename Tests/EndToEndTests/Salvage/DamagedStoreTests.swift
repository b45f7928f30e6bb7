import Foundation
import TestSupport
import Testing

/// What `--salvage` reads of stores that are broken on purpose; Python knows which rows are left.
struct DamagedStoreTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Makes a store, breaks it in one way, and prints the keys that must survive, table by table.
  private static let script = """
    import sqlite3, sys, random, json
    path, way = sys.argv[1:3]
    size = 1024
    r = random.Random(3)
    db = sqlite3.connect(path, isolation_level=None)
    db.execute('PRAGMA synchronous=OFF')
    db.execute('PRAGMA page_size=%d' % size)
    if way == 'utf16': db.execute('PRAGMA encoding="UTF-16le"')
    db.execute('CREATE TABLE Item(k INTEGER PRIMARY KEY, name TEXT NOT NULL, price REAL, data BLOB)')
    db.execute('CREATE TABLE Note(id TEXT, n INTEGER, body TEXT)')
    db.execute('CREATE INDEX byID ON Note(id)')
    for i in range(20):
        db.execute('CREATE TABLE Small%d(x INTEGER, filler TEXT)' % i)
        db.execute('INSERT INTO Small%d VALUES(?, ?)' % i, (i, 'x'))
    db.execute('CREATE TABLE Gone(a TEXT, b TEXT, c TEXT)')
    db.execute('BEGIN')
    for i in range(1500):
        data = r.randbytes(4000) if i % 100 == 50 else None
        db.execute('INSERT INTO Item VALUES(?, ?, ?, ?)', (i + 1, 'näme %d' % i, i / 2, data))
        db.execute('INSERT INTO Note VALUES(?, ?, ?)', ('id%d' % i, i, 't' * (i % 60)))
        db.execute('INSERT INTO Gone VALUES(?, ?, ?)', ('a' * 40, 'b', 'c'))
    db.execute('DELETE FROM Item WHERE k % 10 = 0')
    db.execute('DROP TABLE Gone')
    db.execute('COMMIT')
    roots = dict(db.execute('SELECT name, rootpage FROM sqlite_schema'))
    keys = {t: [k for k, in db.execute('SELECT rowid FROM %s ORDER BY rowid' % t)] for t in ('Item', 'Note')}
    db.close()
    b = bytearray(open(path, 'rb').read())
    def place(page): return (page - 1) * size
    def number(at, count): return int.from_bytes(b[at:at + count], 'big')
    def leaves(page):
        at = place(page) + (100 if page == 1 else 0)
        if b[at] == 13: return [page]
        cells = [place(page) + number(at + 12 + 2 * i, 2) for i in range(number(at + 3, 2))]
        return [l for p in [*(number(c, 4) for c in cells), number(at + 8, 4)] for l in leaves(p)]
    def varint(at):
        value = 0
        while True:
            value = value << 7 | b[at] & 127
            at += 1
            if b[at - 1] < 128: return value, at
    def keysOn(page):
        at = place(page)
        for c in [at + number(at + 8 + 2 * i, 2) for i in range(number(at + 3, 2))]:
            count, start = varint(c)
            key, start = varint(start)
            # Rows that lie before the place where a file ends are there.
            if start + count > end: yield key
    def lose(page): b[place(page):place(page) + size] = bytes(size)
    def without(table, pages):
        lost = {k for page in pages for k in keysOn(page)}
        keys[table] = [k for k in keys[table] if k not in lost]
    end = 0
    items, notes = leaves(roots['Item']), leaves(roots['Note'])
    if way in ('leaf', 'utf16'):
        without('Item', [items[3]])
        lose(items[3])
    if way == 'leaves':
        without('Item', items[5:9]); without('Note', [notes[0], notes[-1]])
        for page in [*items[5:9], notes[0], notes[-1]]: lose(page)
    if way == 'root': lose(roots['Item'])
    if way == 'roots': lose(roots['Item']); lose(roots['Note'])
    if way == 'index': lose(roots['byID'])
    if way == 'header': b[:100] = bytes(100)
    if way == 'first': lose(1)
    if way == 'schemaLeaf': lose(leaves(1)[-1])
    if way == 'swap':
        one, two = place(items[2]), place(notes[4])
        b[one:one + size], b[two:two + size] = b[two:two + size], b[one:one + size]
    if way == 'cut':
        pages = len(b) // size * 2 // 3
        end = pages * size + 100
        without('Item', [p for p in items if p > pages]); without('Note', [p for p in notes if p > pages])
        b = b[:end]
    open(path, 'wb').write(b)
    print(json.dumps(keys))
    """

  private static let reading = """
    import sqlite3, sys, json
    db = sqlite3.connect(sys.argv[1])
    print(json.dumps({t: [k for k, in db.execute('SELECT _pk FROM %s ORDER BY _pk' % t)]
                      for t in ('Item', 'Note')}))
    """

  @Test(arguments: [
    "leaf", "leaves", "utf16", "root", "roots", "index", "header", "first",
    "schemaLeaf", "swap",
  ])
  func everyRowThatIsLeftIsSalvaged(way: String) async throws {
    let store = folder.path("store")
    let expected = try python(Self.script, store, way)
    let before = try Data(contentsOf: URL(filePath: store))
    let refusal = await rehome("inspect", store)
    #expect(refusal.code == 65)
    if way != "header", way != "first" { #expect(refusal.error.contains("--salvage")) }

    let output = folder.path("out")
    let outcome = await rehome("convert", "--json", "--salvage", store, "-o", output)
    #expect(outcome.code == 2)
    #expect(try python(Self.reading, output) == expected)
    #expect(outcome.text.contains("\"store-damaged\""))
    let isWhole = ["index", "header", "first", "schemaLeaf"].contains(way)
    #expect(outcome.text.contains("\"table-salvaged\"") != isWhole)
    #expect(try Data(contentsOf: URL(filePath: store)) == before)
  }

  @Test func rowsBeforeTheEndOfACutFileAreSalvaged() async throws {
    let store = folder.path("store")
    let expected = try keys(python(Self.script, store, "cut"))
    let output = folder.path("out")
    let outcome = await rehome("convert", "--json", "--salvage", store, "-o", output)
    #expect(outcome.code == 2)
    let found = try keys(python(Self.reading, output))
    #expect(found["Note"] == expected["Note"])
    // Rows whose overflow pages lie behind the cut are lost with these.
    let items = try #require(found["Item"])
    #expect(Set(items).isSubset(of: expected["Item"] ?? []))
    #expect(Set(expected["Item"] ?? []).subtracting(items).allSatisfy { $0 % 100 == 51 })
    #expect(items.count > 300)
  }

  /// The header of one record goes on elsewhere, where only the engine looks.
  @Test func damageThatTheEngineMeetsWhenTheStoreIsRecognisedIsSalvaged() async throws {
    let (store, output) = (folder.path("store"), folder.path("out"))
    let script = """
      import sqlite3, sys
      db = sqlite3.connect(sys.argv[1], isolation_level=None)
      db.execute('PRAGMA page_size=512')
      columns = ', '.join('c%d' % i for i in range(600))
      db.execute('CREATE TABLE wide(k INTEGER PRIMARY KEY, %s) WITHOUT ROWID' % columns)
      for i in range(5): db.execute('INSERT INTO wide VALUES(?%s)' % (', ?' * 600), [i] + [i] * 600)
      db.close()
      b = bytearray(open(sys.argv[1], 'rb').read())
      types = b.find(b'\\x01' * 300, 512)
      b[types + 100:types + 102] = b'\\x0b\\xff'
      open(sys.argv[1], 'wb').write(b)
      """
    _ = try python(script, store)
    let refusal = await rehome("inspect", store)
    #expect(refusal.code == 65)
    #expect(refusal.error.contains("--salvage"), "\(refusal.error)")
    #expect(await rehome("convert", "-q", "--salvage", store, "-o", output).code == 2)
    let keys = """
      import sqlite3, sys
      print(*sqlite3.connect(sys.argv[1]).execute('SELECT k FROM wide'))
      """
    #expect(try python(keys, output) == "(0,) (1,) (3,) (4,)\n")
  }

  @Test func soundStoreIsReadAsItIs() async throws {
    let store = folder.path("store")
    let expected = try python(Self.script, store, "none")
    let output = folder.path("out")
    let outcome = await rehome("convert", "--json", "--salvage", store, "-o", output)
    #expect(outcome.code == 0)
    #expect(try python(Self.reading, output) == expected)
    #expect(!outcome.text.contains("store-damaged"))
  }

  /// What is left of a canonical store can be read, but marks and a journal belong into a whole one.
  @Test func damagedStoreIsNotWrittenInto() async throws {
    let (store, whole) = (folder.path("store"), folder.path("whole"))
    let sample = Sample(name: "ios-2015").store()
    #expect(await rehome("convert", "-q", sample, "-o", store).code == 0)
    let script = """
      import sys
      b = bytearray(open(sys.argv[1], 'rb').read())
      size = int.from_bytes(b[16:18], 'big')
      index = [at for at in range(size, len(b), size) if b[at] == 10][-1]
      b[index:index + size] = bytes(size)
      open(sys.argv[1], 'wb').write(b)
      """
    _ = try python(script, store)
    let before = try Data(contentsOf: URL(filePath: store))
    for arguments in [
      ["ops", "drop", "--salvage", store, "1"], ["ops", "keep", "--salvage", store, "1"],
      ["replay", "--salvage", store, "--to", "http://127.0.0.1:9/"],
      ["replay", "--salvage", store, "--to", "http://127.0.0.1:9/", "--dry-run"],
    ] {
      let outcome = await rehome(arguments)
      #expect(outcome.code == 65)
      #expect(outcome.error.contains("rehome convert --salvage"), "\(outcome.error)")
    }
    #expect(try Data(contentsOf: URL(filePath: store)) == before)
    #expect(await rehome("convert", "-q", "--salvage", store, "-o", whole).code == 2)
    #expect(await rehome("ops", "drop", "-q", whole, "1").code == 0)
  }

  private func keys(_ json: String) throws -> [String: [Int]] {
    try JSONDecoder().decode([String: [Int]].self, from: Data(json.utf8))
  }
}
