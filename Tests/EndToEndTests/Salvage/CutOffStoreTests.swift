import Foundation
import TestSupport
import Testing

/// A file that was cut off is damaged, whatever lies beside it: the engine takes missing pages for
/// zeros, which look like the end of a long value.
@Suite(.enabled(if: SystemProgram.python.isInstalled, "python3 is not installed"))
struct CutOffStoreTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Makes `s.db` with a side file of a small change, and cuts so many pages off its end; prints what
  /// the engine makes of the rows of `small`.
  private static let make = """
    import os, shutil, sqlite3, sys
    folder, way, lost = sys.argv[1], sys.argv[2], int(sys.argv[3])
    os.chdir(folder)
    db = sqlite3.connect('made.db', isolation_level=None)
    db.execute('PRAGMA page_size = 1024')
    db.execute('CREATE TABLE small (id INTEGER PRIMARY KEY, a TEXT)')
    db.execute('CREATE TABLE long (id INTEGER PRIMARY KEY, a TEXT)')
    db.executemany('INSERT INTO small VALUES (?, ?)', [(n, 's' * 700) for n in range(8)])
    db.execute('INSERT INTO long VALUES (?, ?)', (0, 'v' * 9000))
    change = "UPDATE small SET a = 'new' WHERE id = 1"
    if way == 'log':
        db.execute('PRAGMA journal_mode = WAL')
        db.execute('PRAGMA wal_autocheckpoint = 0')
        db.execute(change)
        if lost < 0: db.execute('INSERT INTO long VALUES (?, ?)', (1, 'w' * 9000))
    else:
        db.execute('PRAGMA cache_size = 1')
        db.execute('PRAGMA synchronous = OFF')
        db.execute('BEGIN')
        for n in range(8): db.execute("UPDATE small SET a = 'unfinished' WHERE id = ?", (n,))
    for end in ['', '-wal', '-journal']:
        if os.path.exists('made.db' + end): shutil.copy('made.db' + end, 's.db' + end)
    if lost > 0: os.truncate('s.db', os.path.getsize('s.db') - 1024 * lost)
    for end in ['', '-wal', '-journal']:
        if os.path.exists('s.db' + end): shutil.copy('s.db' + end, 'engine.db' + end)
    engine = sqlite3.connect('engine.db')
    print(engine.execute('SELECT group_concat(a) FROM small').fetchone()[0])
    """

  @Test(arguments: ["log", "journal"], [1, 3])
  func cutFileBesideItsSideFileIsDamaged(way: String, lost: Int) async throws {
    let small = try python(Self.make, folder.path, way, "\(lost)")
    let store = folder.path("s.db")
    for command in ["convert", "hash"] {
      let output = command == "convert" ? ["-o", folder.path("o")] : []
      let outcome = await rehome([command, store] + output)
      #expect(outcome.code == 65, "\(command): \(outcome.error)")
      #expect(outcome.error.contains("--salvage"), "\(outcome.error)")
    }
    let output = folder.path("o")
    let salvaged = await rehome("convert", "--salvage", store, "-o", output)
    #expect(salvaged.code == 2 && salvaged.error.contains("[store-damaged]"), "\(salvaged.error)")
    // The newest of what is left, and nothing that stands for what is not.
    #expect(try Devices.query(output, "SELECT group_concat(a) FROM small") == small)
    let invented = "SELECT count(*) FROM long WHERE instr(CAST(a AS BLOB), x'00') > 0"
    #expect(try Devices.query(output, invented) == "0\n")
  }

  /// A log may have pages that the file never had.
  @Test(arguments: [("log", 0), ("log", -1), ("journal", 0)])
  func wholeFileBesideItsSideFileIsSound(way: String, lost: Int) async throws {
    let small = try python(Self.make, folder.path, way, "\(lost)")
    let output = folder.path("o")
    let outcome = await rehome("convert", folder.path("s.db"), "-o", output)
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(try Devices.query(output, "SELECT group_concat(a) FROM small") == small)
    let long = try Devices.query(output, "SELECT sum(length(a)) FROM long")
    #expect(long == (lost < 0 ? "18000\n" : "9000\n"))
  }

  /// Of pages that are free nothing is lost: what they hold is nobody's.
  @Test(arguments: [0, 2])
  func pagesThatAreFreeMayBeMissing(vacuum: Int) async throws {
    let expected = try python(
      """
      import os, shutil, sqlite3, sys
      os.chdir(sys.argv[1])
      db = sqlite3.connect('made.db', isolation_level=None)
      db.execute('PRAGMA page_size = 1024')
      db.execute('PRAGMA auto_vacuum = ' + sys.argv[2])
      db.execute('CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT)')
      db.executemany('INSERT INTO t VALUES (?, ?)', [(n, 'x' * 3000) for n in range(10)])
      db.execute('CREATE TABLE gone (id INTEGER PRIMARY KEY, a TEXT)')
      db.executemany('INSERT INTO gone VALUES (?, ?)', [(n, 'y' * 3000) for n in range(20)])
      db.execute('DROP TABLE gone')
      db.execute('PRAGMA journal_mode = WAL')
      db.execute('PRAGMA wal_autocheckpoint = 0')
      db.execute("UPDATE t SET a = 'new' WHERE id = 1")
      for end in ['', '-wal']: shutil.copy('made.db' + end, 's.db' + end)
      with open('s.db', 'rb') as file: data = file.read()
      word = lambda place: int.from_bytes(data[place:place + 4], 'big')
      free, trunk = set(), word(32)
      while trunk:
          at = (trunk - 1) * 1024
          free |= {word(at + 8 + 4 * n) for n in range(word(at + 4))}
          trunk = word(at)
      count = len(data) // 1024
      lost = next(n for n in range(count) if count - n not in free)
      assert lost > 3, lost
      os.truncate('s.db', len(data) - 1024 * lost)
      print(db.execute('SELECT count(*), sum(length(a)) FROM t').fetchone())
      """, folder.path, "\(vacuum)")
    let output = folder.path("o")
    let outcome = await rehome("convert", folder.path("s.db"), "-o", output)
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(expected == "(10, 27003)\n")
    #expect(try Devices.query(output, "SELECT count(*), sum(length(a)) FROM t") == "10|27003\n")
  }

  /// Without row ids the pages above the leaves have rows, too, which are there where these are not.
  @Test func rowsAboveLostLeavesAreRead() async throws {
    let above = try python(
      """
      import os, sqlite3, sys
      os.chdir(sys.argv[1])
      db = sqlite3.connect('s.db', isolation_level=None)
      db.execute('PRAGMA page_size = 1024')
      db.execute('CREATE TABLE d (k TEXT PRIMARY KEY, v INTEGER) WITHOUT ROWID')
      db.executemany('INSERT INTO d VALUES (?, ?)', [('k%05d' % n, n) for n in range(300)])
      db.close()
      data = open('s.db', 'rb').read()
      assert data[1024] == 2
      print(int.from_bytes(data[1027:1029], 'big'))
      open('s.db', 'wb').write(data[:2048])
      """, folder.path)
    let output = folder.path("o")
    let outcome = await rehome("convert", "--salvage", folder.path("s.db"), "-o", output)
    #expect(outcome.code == 2, "\(outcome.error)")
    #expect(above != "0\n")
    #expect(try Devices.query(output, "SELECT count(*) FROM d") == above)
    #expect(
      try Devices.query(output, "SELECT count(*) FROM d WHERE k = printf('k%05d', v)") == above)
  }
}
