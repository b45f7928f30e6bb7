import Foundation
import TestSupport
import Testing

/// What is made of a store whose first page is lost, where a journal is beside it.
struct SalvagedJournalTests {
  private let folder: TemporaryFolder
  private var store: String { folder.path("tree/store") }

  init() throws {
    folder = try TemporaryFolder()
    _ = try folder.makeFolder("tree")
  }

  /// Copies a store in the midst of a change of all pages, breaks it, and prints what the engine reads.
  private static let torn = """
    import sqlite3, sys, shutil, os
    path, start, way = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    made = path + '-made'
    db = sqlite3.connect(made, isolation_level=None)
    db.execute('CREATE TABLE Item(k INTEGER PRIMARY KEY, text TEXT)')
    db.executemany('INSERT INTO Item VALUES(?, ?)', [(k, 'row %d' % k) for k in range(500)])
    db.execute('PRAGMA cache_size=1')
    db.execute('BEGIN')
    db.execute("UPDATE Item SET text = 'new ' || text")
    db.executemany('INSERT INTO Item VALUES(?, ?)', [(k, 'more') for k in range(500, 5000)])
    db.execute('CREATE TABLE More(a)')
    for end in ('', '-journal'): shutil.copy(made + end, path + end)
    db.execute('ROLLBACK')
    db.close()
    os.remove(made)
    with open(path, 'r+b') as file:
        file.seek(start)
        file.write(bytes(512 - start) if start < 512 else b'')
    if way == 'damaged':
        with open(path + '-journal', 'r+b') as file: file.write(b'x')
    if way == 'whole':
        for end in ('', '-journal'): shutil.copy(path + end, made + end)
        db = sqlite3.connect(made)
        assert db.execute('PRAGMA integrity_check').fetchall() == [('ok',)]
        assert db.execute('SELECT count(*), max(text) FROM Item').fetchone() == (500, 'row 99')
        db.close()
        os.remove(made)
    """

  @Test(arguments: [0, 16, 512]) func firstPageIsTakenFromTheJournal(start: Int) async throws {
    _ = try Python.run(Self.torn, arguments: [store, String(start), "whole"])
    let outcome = await rehome("convert", store, "-o", folder.path("out"))
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(try await rowCount() == 500)
    let found = try await rehome("find", "--json", folder.path("tree")).json()
    #expect(found["layout"] as? String == "sqlite" && found["error"] is NSNull, "\(found)")
  }

  @Test func storeWithADamagedJournalIsRefusedInWordsThatNameIt() async throws {
    _ = try Python.run(Self.torn, arguments: [store, "0", "damaged"])
    let outcome = await rehome("convert", store, "-o", folder.path("out"))
    #expect(outcome.code == 65)
    #expect(outcome.error.contains("with its -journal file"), "\(outcome.error)")
  }

  /// The engine that tries to use the journal takes the log with it.
  @Test(arguments: [true, false]) func logBesideAJournalIsTakenIn(isEnded: Bool) async throws {
    let script = """
      import sqlite3, sys, shutil
      path, start = sys.argv[1], bytes.fromhex(sys.argv[2])
      db = sqlite3.connect(path + '-made', isolation_level=None)
      db.execute('PRAGMA journal_mode=WAL')
      db.execute('CREATE TABLE Item(k INTEGER PRIMARY KEY, text TEXT)')
      db.execute('CREATE TABLE Lost(a)')
      db.execute("INSERT INTO Item VALUES(1, 'a')")
      db.execute('PRAGMA wal_checkpoint(TRUNCATE)')
      db.execute("INSERT INTO Item VALUES(2, 'b')")
      for end in ('', '-wal'): shutil.copy(path + '-made' + end, path + end)
      db.close()
      b = open(path, 'rb').read()
      open(path, 'wb').write(b.replace(b'CREATE TABLE Lost', b'CSEATE TABLE Lost'))
      open(path + '-journal', 'wb').write(start + bytes(600) + b'x')
      """
    _ = try Python.run(script, arguments: [store, isEnded ? "" : "d9d505f920a163d7"])
    let outcome = await rehome("convert", "--salvage", store, "-o", folder.path("out"))
    #expect(outcome.code == 2, "\(outcome.error)")
    #expect(try await rowCount() == 2)
    let words = "changes in its side files are left out"
    #expect(outcome.error.contains(words) == !isEnded, "\(outcome.error)")
  }

  private func rowCount() async throws -> Int {
    let rows = await rehome("export", "--to", "ndjson", "--table", "Item", folder.path("out"))
    return rows.text.split(separator: "\n").count
  }
}
