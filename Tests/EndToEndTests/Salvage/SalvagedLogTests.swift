import Foundation
import TestSupport
import Testing

/// What `--salvage` makes of a damaged file with a log beside it, and of a lost beginning.
struct SalvagedLogTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// What both makers need: a table that grows in the order of its keys, and its leaves.
  private static let prelude = """
    import sqlite3, sys, json, random
    path, way = sys.argv[1:3]
    size = 1024
    db = sqlite3.connect(path + '-made', isolation_level=None)
    db.execute('PRAGMA synchronous=OFF')
    db.execute('PRAGMA page_size=%d' % size)
    if way != 'utf8': db.execute('PRAGMA encoding="UTF-16be"')
    db.execute('PRAGMA user_version=77')
    def text(word, k): return '%s %d ä' % (word, k) + 'x' * 50
    def fill():
        db.execute('CREATE TABLE Item(k INTEGER PRIMARY KEY, text TEXT)')
        db.execute('BEGIN')
        for k in range(500): db.execute('INSERT INTO Item VALUES(?, ?)', (k, text('old', k)))
        db.execute('COMMIT')
    def leaf(number): return [p for p in range(2, len(b) // size + 1) if b[(p - 1) * size] == 13][number]
    def keys(page):
        at = (page - 1) * size
        for i in range(b[at + 4]):
            # Behind the size of a row of fewer than 128 bytes, or of more, is its key.
            c = at + int.from_bytes(b[at + 8 + 2 * i:at + 10 + 2 * i], 'big')
            c += 1 if b[c] < 128 else 2
            yield b[c] if b[c] < 128 else (b[c] & 127) << 7 | b[c + 1]
    def lose(page): b[(page - 1) * size:page * size] = bytes(size)

    """

  /// Makes a store whose later changes are in its log only, and breaks one of the two.
  private static let logged =
    prelude + """
      db.execute('PRAGMA journal_mode=WAL')
      db.execute('PRAGMA wal_autocheckpoint=0')
      fill()
      if way != 'empty': db.execute('PRAGMA wal_checkpoint(TRUNCATE)')
      last = 250 if way in ('leaf', 'cutLog') else 500
      db.execute('BEGIN')
      for k in range(last): db.execute('UPDATE Item SET text = ? WHERE k = ?', (text('new', k), k))
      db.execute('DELETE FROM Item WHERE k = 3')
      if way in ('first', 'zeros', 'flipped'): db.execute('CREATE TABLE More(a)')
      db.execute('COMMIT')
      expected = dict(db.execute('SELECT k, text FROM Item'))
      # Without its last frame this change was never made.
      if way == 'cutLog': db.execute('DELETE FROM Item')
      b = bytearray(open(path + '-made', 'rb').read())
      log = bytearray(open(path + '-made-wal', 'rb').read())
      if way == 'cutLog': log = log[:-1]
      if way in ('leaf', 'cutLog'):
          for k in keys(leaf(-2)): del expected[k]
          lose(leaf(-2))
          lose(leaf(1))
      if way == 'every':
          for page in range(2, len(b) // size + 1): lose(page)
      if way == 'first': b[:size] = random.Random(1).randbytes(size)
      if way == 'zeros': b[:size] = bytes(size)
      if way == 'flipped': b[3] ^= 4
      if way == 'empty': b = bytearray()
      if way == 'noLog':
          log = bytearray(len(log))
          expected = {k: text('old', k) for k in range(500)}
          for k in keys(leaf(-2)): del expected[k]
          lose(leaf(-2))
      open(path, 'wb').write(b)
      open(path + '-wal', 'wb').write(log)
      print(json.dumps(sorted(expected.items())))
      """

  /// Makes a store and spoils some of its first bytes.
  private static let headless =
    prelude + """
      fill()
      expected = db.execute('SELECT k, text FROM Item').fetchall()
      db.close()
      b = bytearray(open(path + '-made', 'rb').read())
      if way == 'magic': b[3] = 0
      if way == 'pageSize': b[16:18] = (4096).to_bytes(2, 'big')
      if way == 'reserved': b[20] = 16
      if way == 'pageCount': b[28:32] = (3).to_bytes(4, 'big')
      if way in ('zeros', 'utf8'): b[:100] = bytes(100)
      if way == 'random': b[:100] = random.Random(1).randbytes(100)
      if way == 'first': b[:size] = random.Random(1).randbytes(size)
      open(path, 'wb').write(b)
      print(json.dumps(expected))
      """

  private static let reading = """
    import sqlite3, sys, json
    db = sqlite3.connect(sys.argv[1])
    print(json.dumps(db.execute('SELECT k, text FROM Item ORDER BY k').fetchall()))
    """

  @Test(arguments: ["leaf", "every", "empty", "cutLog", "noLog"])
  func committedChangesOfTheLogAreTakenIn(way: String) async throws {
    let store = folder.path("store")
    let expected = try python(Self.logged, store, way)
    let refusal = await rehome("inspect", store)
    #expect(refusal.code == 65)
    #expect(refusal.error.contains("--salvage"), "\(refusal.error)")
    let log = try Data(contentsOf: URL(filePath: store + "-wal"))
    let output = folder.path("out")
    let outcome = await rehome("convert", "--json", "--salvage", store, "-o", output)
    #expect(outcome.code == 2, "\(outcome.error)")
    #expect(try python(Self.reading, output) == expected)
    #expect(try Data(contentsOf: URL(filePath: store + "-wal")) == log)
    let isLeftOut = outcome.text.contains("changes in its side files are left out")
    #expect(isLeftOut == (way == "noLog"))
    #expect(outcome.text.contains("\"wal-damaged\"") == ["cutLog", "noLog"].contains(way))
  }

  /// The engine takes the first page from the log where that has it, whatever is in its place.
  @Test(arguments: ["first", "zeros", "flipped"])
  func firstPageInTheLogIsTakenFromThere(way: String) async throws {
    let store = folder.path("store")
    let expected = try python(Self.logged, store, way)
    let output = folder.path("out")
    let outcome = await rehome("convert", "--json", store, "-o", output)
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(try python(Self.reading, output) == expected)
    let tree = try folder.makeFolder("tree")
    let copying = """
      import shutil, sys
      store, tree = sys.argv[1:]
      for end in ('', '-wal'): shutil.copy(store + end, tree)
      # What has a log of pages that are none of a database is what it was.
      open(tree + '/sealed', 'wb').write(bytes(range(16)) * 64)
      log = bytearray(open(store + '-wal', 'rb').read())
      log[56:72] = bytes(16)
      open(tree + '/sealed-wal', 'wb').write(log)
      """
    _ = try python(copying, store, tree)
    // One line, which is of one store.
    let found = try await rehome("find", "--json", tree).json()
    #expect(found["layout"] as? String == "sqlite" && found["error"] is NSNull, "\(found)")
  }

  @Test(arguments: ["magic", "pageSize", "reserved", "pageCount", "zeros", "random", "utf8"])
  func tablesBehindALostHeaderAreSalvaged(way: String) async throws {
    let store = folder.path("store")
    let expected = try python(Self.headless, store, way)
    let refusal = await rehome("inspect", store)
    #expect(refusal.code == 65)
    #expect(refusal.error.contains("--salvage"), "\(refusal.error)")
    let output = folder.path("out")
    let outcome = await rehome("convert", "--json", "--salvage", store, "-o", output)
    #expect(outcome.code == 2, "\(outcome.error)")
    #expect(try python(Self.reading, output) == expected)
  }

  @Test func storeWithoutItsListOfTablesIsRefusedInClearWords() async throws {
    let store = folder.path("store")
    _ = try python(Self.headless, store, "first")
    let outcome = await rehome("convert", "--salvage", store, "-o", folder.path("out"))
    #expect(outcome.code == 65)
    let words = "the list of the store's tables is lost or damaged, and nothing else tells"
    #expect(outcome.error.contains(words), "\(outcome.error)")
    #expect(outcome.error.contains("rows that were found: 500"), "\(outcome.error)")
  }
}
