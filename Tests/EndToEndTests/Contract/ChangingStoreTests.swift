import Foundation
import TestSupport
import Testing

/// A store that an app is writing to is read as it was at one moment, or told as changing; never as
/// damaged or lost, and never as a mixture of two moments.
@Suite(.enabled(if: SystemProgram.python.isInstalled, "python3 is not installed"))
struct ChangingStoreTests {
  private let folder: TemporaryFolder
  private let store: String
  private static let rows = 4000

  init() throws {
    folder = try TemporaryFolder()
    store = try folder.makeFolder("app") + "/store.db"
  }

  /// An app that moves rows between two tables, so that each state has as many, until a file stands
  /// there; it opens the store anew for each change where it is to.
  private static let app = """
    import os, sqlite3, sys
    path, mode, reopens, rows, stop = sys.argv[1:]
    def connect():
        db = sqlite3.connect(path, isolation_level=None, timeout=5)
        db.executescript(f'PRAGMA synchronous = OFF; PRAGMA journal_mode = {mode};'
                         'PRAGMA wal_autocheckpoint = 10')
        return db
    db = connect()
    for table in 'AB':
        db.execute(f'CREATE TABLE {table} (id INTEGER PRIMARY KEY, v INT, pad TEXT)')
    db.execute('BEGIN')
    db.executemany('INSERT INTO A VALUES (?, 0, ?)', [(i, 'x' * 200) for i in range(int(rows))])
    db.execute('COMMIT')
    n = 0
    open(path + '.ready', 'w').close()
    while not os.path.exists(stop):
        n += 1
        a, b = ('A', 'B') if (n // 10) % 2 == 0 else ('B', 'A')
        if reopens == 'true': db.close(); db = connect()
        db.execute('BEGIN IMMEDIATE')
        db.execute(f'INSERT INTO {b} SELECT * FROM {a} WHERE id % 10 = {n % 10}')
        db.execute(f'DELETE FROM {a} WHERE id % 10 = {n % 10}')
        db.execute('COMMIT')
    """

  @Test(arguments: ["delete", "truncate", "persist", "wal"], [false, true])
  func storeIsReadAsItWasOrLater(mode: String, reopens: Bool) async throws {
    let stop = folder.path("stop")
    let program = try folder.write(Self.app, to: "app.py")
    let app = try ChildProcess(
      URL(filePath: "/usr/bin/env"),
      ["python3", program, store, mode, String(reopens), String(Self.rows), stop])
    defer {
      try? Data().write(to: URL(filePath: stop))
      app.waitUntilExit()
    }
    while app.isRunning, !FileManager.default.fileExists(atPath: store + ".ready") {}
    for _ in 0..<6 {
      let found = await rehome("find", "--json", store)
      let line = try #require(try found.jsonLines().first)
      if let error = line["error"] as? [String: any Sendable] {
        #expect(error["code"] as? String == "temporary", "\(error)")
        #expect(found.code == 75)
      } else {
        #expect(line["rows"] as? Int == Self.rows)
      }
      #expect((line["findings"] as? [String])?.contains("store-damaged") != true)
      for command in [["hash"], ["inspect"], ["audit"], ["find", "--salvage"]] {
        let outcome = await rehome(command + [store])
        #expect([0, 75].contains(outcome.code), "\(command) \(outcome.error)")
      }
      let exported = await rehome("export", store, "--to", "ndjson", "--table", "A")
      #expect([0, 75].contains(exported.code), "\(exported.error)")
    }
    #expect(app.isRunning)
  }
}
