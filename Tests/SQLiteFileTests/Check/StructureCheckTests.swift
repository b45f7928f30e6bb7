import Bytes
import Foundation
import SQLiteFile
import TestSupport
import Testing

struct StructureCheckTests {
  /// Tables with and without row ids, indexes, chains, free pages; `mode` is that of auto-vacuum.
  private static func script(mode: Int) -> String {
    """
    db.execute('PRAGMA auto_vacuum=\(mode)')
    db.execute('CREATE TABLE a(k INTEGER PRIMARY KEY, t TEXT, b BLOB)')
    db.execute('CREATE TABLE w(k TEXT PRIMARY KEY, v) WITHOUT ROWID')
    db.execute('CREATE TABLE gone(x)')
    db.execute('CREATE TABLE none(x)')
    db.execute('CREATE INDEX i ON a(t, b)')
    for i in range(300):
        size = r.choice([10, 10, 10, 10, 10, 10, 10, 900, 3000])
        db.execute('INSERT INTO a VALUES(?, ?, ?)', (r.randrange(2**40), 't%d' % i, r.randbytes(size)))
        db.execute('INSERT INTO w VALUES(?, ?)', ('%x' % r.getrandbits(64) * r.choice([1, 9]), i))
        db.execute('INSERT INTO gone VALUES(?)', ('x' * 100,))
    db.execute('DELETE FROM a WHERE k % 5 = 0')
    db.execute('DROP TABLE gone')
    """
  }

  @Test(arguments: [512, 1024, 4096, 65536], [0, 1, 2])
  func honestStoreIsSoundAndItsRowsAreCounted(pageSize: Int, mode: Int) throws {
    let store = try PythonStore(pageSize: pageSize, Self.script(mode: mode))
    let report = try PageFile(opening: store.path).checkStructure()
    #expect(report.damage == [])
    #expect(try report.rowCounts[#require(store.roots["a"])] == store.rows["a"]?.count)
    #expect(try report.rowCounts[#require(store.roots["w"])] == 300)
    #expect(try report.rowCounts[#require(store.roots["i"])] == store.rows["a"]?.count)
    #expect(try report.rowCounts[#require(store.roots["none"])] == 0)
    for name in ["a", "w", "i", "none"] {
      let count = try #require(try Self.overflowPages(of: name, in: store))
      #expect(try report.overflowCounts[#require(store.roots[name])] ?? 0 == count, "\(name)")
    }
  }

  /// The pages of long values, as the engine's own statistics count them.
  private static func overflowPages(of name: String, in store: PythonStore) throws -> Int? {
    let rows = try Python.rows(
      """
      import sqlite3
      db = sqlite3.connect(inputs[0].decode())
      root = db.execute('SELECT name FROM sqlite_master WHERE rootpage = ?', (int(inputs[1]),))
      name = root.fetchone()[0]
      row(str(db.execute("SELECT count(*) FROM dbstat WHERE name = ? AND pagetype = 'overflow'",
                         (name,)).fetchone()[0]))
      """, input: [Array(store.path.utf8), Array(String(#require(store.roots[name])).utf8)])
    return rows.first?.first.flatMap { Int(String(decoding: $0, as: UTF8.self)) }
  }

  @Test func oneThreadFindsWhatSeveralFind() throws {
    let store = try PythonStore(pageSize: 512, Self.script(mode: 0))
    var bytes = Array(try Data(contentsOf: URL(filePath: store.path)))
    for place in stride(from: 40_000, to: bytes.count, by: 3000) { bytes[place] ^= 0xFF }
    let file = try PageFile(opening: store.folder.write(bytes, to: "broken"))
    let alone = try file.checkStructure(threads: 1)
    #expect(!alone.isSound)
    #expect(try file.checkStructure(threads: 5) == alone)
  }

  /// A page over its neighbour has some rows twice, and others not at all.
  @Test(arguments: [512, 4096], ["", String(repeating: "ABCDEFGH", count: 200)])
  func pageThatIsThereTwiceIsFound(pageSize: Int, prefix: String) throws {
    let store = try PythonStore(
      pageSize: pageSize,
      """
      db.execute('CREATE TABLE t(k TEXT PRIMARY KEY, v TEXT) WITHOUT ROWID')
      for i in range(3000): db.execute('INSERT INTO t VALUES(?, ?)', ('\(prefix)%05d' % i, 'v'))
      """)
    #expect(try PageFile(opening: store.path).checkStructure().damage == [])
    var bytes = Array(try Data(contentsOf: URL(filePath: store.path)))
    let leaves = stride(from: 0, to: bytes.count, by: pageSize).filter { bytes[$0] == 10 }
    try #require(leaves.count > 3)
    for place in 0..<pageSize { bytes[leaves[2] + place] = bytes[leaves[1] + place] }
    let broken = try PageFile(opening: store.folder.write(bytes, to: "broken")).checkStructure()
    #expect(!broken.isSound)
    if prefix.isEmpty {
      #expect(broken.damage.map(\.message) == ["its rows are on another page, too"])
    }
  }

  /// One record is a byte longer and another one a byte shorter, so that the sums are right.
  @Test(arguments: ["range(1, 21)", "range(20, 0, -1)", "[3, 1, 2, 5, 4]"])
  func cellsThatOverlapAreFoundInWhateverOrderTheyLie(keys: String) throws {
    let store = try PythonStore(
      pageSize: 512,
      """
      db.execute('CREATE TABLE t(k INTEGER PRIMARY KEY, a TEXT)')
      for k in \(keys): db.execute('INSERT INTO t VALUES(?, ?)', (k, 'ten bytes.'))
      """)
    #expect(try PageFile(opening: store.path).checkStructure().isSound)
    var bytes = Array(try Data(contentsOf: URL(filePath: store.path)))
    let start = (Int(try #require(store.roots["t"])) - 1) * 512
    let cells = (0..<Int(bytes[start + 4])).map { cell in
      start + Int(bytes[start + 8 + 2 * cell]) << 8 + Int(bytes[start + 9 + 2 * cell])
    }
    for (cell, change) in [(cells.min(), 1), (cells.max(), -1)] {
      let cell = try #require(cell)
      // The size of the record, and behind the key and two bytes more the type of the text.
      try #require(bytes[cell] == 13 && bytes[cell + 4] == 33)
      bytes[cell] = UInt8(13 + change)
      bytes[cell + 4] = UInt8(33 + 2 * change)
    }
    let broken = try PageFile(opening: store.folder.write(bytes, to: "broken"))
    #expect(try !broken.checkStructure().isSound)
  }

  @Test func checkStopsWhenAsked() throws {
    let store = try PythonStore("db.execute('CREATE TABLE t(a)')")
    let file = try PageFile(opening: store.path)
    let error = #expect(throws: PageError.self) { try file.checkStructure { true } }
    #expect(error?.kind == .interrupted)
  }

  /// Breaks a store in seeded ways, and prints what the engine's own check says about each.
  private static let mutations = """

    db.close()
    sound = open(path, 'rb').read()
    size = int(sys.argv[2])
    def verdict(name):
        try:
            one = sqlite3.connect('file:%s?immutable=1' % name, uri=True)
            one.execute('PRAGMA cell_size_check=ON')
            one.execute('SELECT count(*) FROM sqlite_schema')
        except (sqlite3.Error, UnicodeDecodeError): return 'unopened'
        try: lines = [line for line, in one.execute('PRAGMA quick_check')]
        except (sqlite3.Error, UnicodeDecodeError): return 'damaged'
        return 'sound' if lines == ['ok'] else 'damaged'
    def broken():
        b = bytearray(sound)
        page = r.randrange(len(b) // size)
        start = page * size + (100 if page == 0 else 0)
        how = r.randrange(7)
        if how == 0: b[r.randrange(len(b))] ^= 1 << r.randrange(8)
        if how == 1: b[start + r.randrange(12)] = r.choice([0, 1, 2, 5, 10, 13, 255])
        if how == 2: b[start + 8 + r.randrange(40)] = r.randrange(256)
        if how == 3:
            one, two = page * size, r.randrange(1, len(b) // size) * size
            b[one:one + size], b[two:two + size] = b[two:two + size], b[one:one + size]
        if how == 4: b[page * size:(page + 1) * size] = sound[-size:]
        if how == 5: b[r.choice([*range(24, 40), *range(52, 56), *range(64, 68)])] ^= 1
        if how == 6: b[min(len(b) - 1, start - start % size + b[start + 5] * 256 + b[start + 6]
                           + r.randrange(10))] ^= r.choice([1, 128])
        return b
    print('\\n'.join('root\\tx\\t1' for _ in range(1)))
    for number in range(250):
        name = '%s%d' % (path, number)
        with open(name, 'wb') as file: file.write(broken())
        print('row\\tverdict\\t' + verdict(name))
    sys.exit()
    """

  @Test(arguments: [(512, 0), (512, 1), (1024, 2), (4096, 0)])
  func nothingThatTheEngineRefusesIsFoundSound(pageSize: Int, mode: Int) throws {
    let store = try PythonStore(
      pageSize: pageSize, Self.script(mode: mode) + Self.mutations)
    let verdicts = try #require(store.rows["verdict"])
    #expect(verdicts.count == 250)
    #expect(verdicts.filter { $0 == "damaged" }.count > 40)
    var stricter = 0
    for (number, verdict) in verdicts.enumerated() {
      let isSound = isSound(store.path + String(number))
      if verdict == "damaged" { #expect(!isSound, "mutation \(number)") }
      if verdict == "sound", !isSound { stricter += 1 }
    }
    // Malformed records and strange pages of an index, which the engine meets only when it reads.
    #expect(stricter < 40)
  }

  /// Empties the pages of trees one by one, in files of their own, and prints what the engine's own
  /// check says about each; where page 1 leads to a page that holds the whole schema, as well.
  private static let emptied = """

    db.close()
    sound = open(path, 'rb').read()
    size = int(sys.argv[2])
    def write(name, b):
        with open(path + name, 'wb') as file: file.write(b)
        try:
            one = sqlite3.connect('file:%s?immutable=1' % (path + name), uri=True)
            lines = [line for line, in one.execute('PRAGMA integrity_check')]
        except sqlite3.Error: lines = []
        print('row\\tverdict\\t' + ('sound' if lines == ['ok'] else 'damaged'))
    print('root\\tx\\t1')
    count = 0
    for page in range(1, len(sound) // size):
        b = bytearray(sound)
        start = page * size
        head = 8 if b[start] in (10, 13) else 12
        kept = b[start], b[start + 8:start + 12]
        b[start:start + size] = bytes(size)
        b[start] = kept[0]
        b[start + 5:start + 7] = size.to_bytes(2, 'big')
        if head == 12: b[start + 8:start + 12] = kept[1]
        write(str(count), b)
        count += 1
    for isEmpty in (False, True):
        b = bytearray(sound)
        cells = int.from_bytes(b[103:105], 'big')
        below = b[100:108 + 2 * cells].ljust(size, b'\\0') if not isEmpty else bytearray(size)
        if isEmpty: below[0:7] = bytes([13, 0, 0, 0, 0]) + size.to_bytes(2, 'big')
        else: below[108 + 2 * cells:] = b[108 + 2 * cells:size]
        b[100:size] = bytes([5, 0, 0, 0, 0]) + size.to_bytes(2, 'big') + bytes([0]) + (
            len(b) // size + 1).to_bytes(4, 'big') + bytes(size - 112)
        b[28:32] = (len(b) // size + 1).to_bytes(4, 'big')
        write(str(count), b + below)
        count += 1
    sys.exit()
    """

  @Test func pagesMayBeEmptyWhereTheEngineTakesThem() throws {
    let store = try PythonStore(
      pageSize: 512,
      """
      db.execute('CREATE TABLE a(k INTEGER PRIMARY KEY, t TEXT)')
      db.execute('CREATE TABLE w(k INTEGER PRIMARY KEY, t TEXT) WITHOUT ROWID')
      db.execute('CREATE TABLE one(t)')
      db.execute('CREATE TABLE none(t)')
      db.execute('CREATE INDEX i ON a(t)')
      for i in range(200):
          db.execute('INSERT INTO a VALUES(?, ?)', (i, 'text %d' % i))
          db.execute('INSERT INTO w VALUES(?, ?)', (i, 'text %d' % i))
      db.execute('INSERT INTO one VALUES(?)', ('text',))
      """ + Self.emptied)
    let verdicts = try #require(store.rows["verdict"])
    // The last two are those whose first page lists nothing.
    #expect(verdicts.suffix(2) == ["sound", "damaged"])
    #expect(verdicts.count { $0 == "damaged" } > 20)
    for (number, verdict) in verdicts.enumerated() {
      #expect(isSound(store.path + String(number)) == (verdict == "sound"), "page \(number + 2)")
    }
  }

  /// Makes the leaves of an index list one long cell several times, then a malformed record.
  private static let repetitions = """

    db.close()
    data = bytearray(open(path, 'rb').read())
    size = b'\\xfd\\x00'
    cells = size + size + bytes(15998) + b'\\x03\\x03\\x0a\\x0a'
    start = 65536 - len(cells)
    for page in range(65536, len(data), 65536):
        if data[page] != 10: continue
        listed = start.to_bytes(2, 'big') * 6 + (65532).to_bytes(2, 'big')
        head = b'\\x0a\\0\\0\\0\\7' + start.to_bytes(2, 'big') + b'\\0' + listed
        data[page:page + 65536] = head.ljust(start, b'\\0') + cells
    with open(path, 'wb') as file: file.write(data)
    print('root\\tx\\t1')
    sys.exit()
    """

  // Else a page that lists one long record ten thousand times would take a second.
  @Test func recordsAreNotLookedAtOnceCellsTakeMoreThanThePageHas() throws {
    let store = try PythonStore(
      pageSize: 65536,
      """
      db.execute('CREATE TABLE t(a)')
      db.execute('CREATE INDEX i ON t(a)')
      for i in range(60): db.execute('INSERT INTO t VALUES(?)', ('%05d' % i + 'x' * 3000,))
      """ + Self.repetitions)
    let report = try PageFile(opening: store.path).checkStructure(threads: 1)
    #expect(report.damage.contains { $0.message == "two things use the same bytes" })
    #expect(!report.damage.contains { $0.message == "a record is malformed" })
  }

  private func isSound(_ path: String) -> Bool {
    do {
      return try PageFile(opening: path).checkStructure(threads: 1).isSound
    } catch {
      return false
    }
  }
}
