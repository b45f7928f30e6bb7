import Foundation
import TestSupport
import Testing

/// Rows whose pages nothing leads to, though no page of the file looks broken.
struct SalvagedBranchesTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Makes a store of a table whose first leaf lies where its root was; `extra` comes before.
  private static let script = """
    import sqlite3, sys
    path, declaration, extra, size = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
    db = sqlite3.connect(path)
    db.execute('PRAGMA page_size=%d' % size)
    db.executescript('CREATE TABLE Item' + declaration + '; CREATE TABLE Other(a BLOB);' + extra)
    db.executemany('INSERT INTO Item VALUES(?, ?)', [(i, 'row %d ' % i + 'z' * 80) for i in range(150)])
    db.execute("INSERT INTO Other VALUES('k')")
    db.commit()
    db.close()
    b = bytearray(open(path, 'rb').read())
    kind = 10 if 'WITHOUT' in declaration else 13
    leaf = next(p for p in range(size * 3, len(b), size) if b[p] == kind and b[p + 4] > 1)
    assert b[size] == (2 if kind == 10 else 5)
    b[size:2 * size] = b[leaf:leaf + size]
    open(path, 'wb').write(b)
    db = sqlite3.connect(path)
    assert 0 < db.execute('SELECT count(*) FROM Item').fetchone()[0] < 150
    """

  private static let reading = """
    import sqlite3, sys
    db = sqlite3.connect(sys.argv[1])
    rows = db.execute('SELECT x, y FROM Item ORDER BY x').fetchall()
    assert all(y == 'row %d ' % x + 'z' * 80 for x, y in rows) and len(set(rows)) == len(rows)
    assert db.execute('SELECT count(*) FROM Other').fetchone() == (1,)
    print(len(rows))
    """

  private static let sorted = "(x INTEGER PRIMARY KEY, y TEXT) WITHOUT ROWID"

  private func salvage(
    _ declaration: String, _ extra: String = "", pageSize: Int = 4096
  ) async throws -> (rows: Int, error: String) {
    let (store, output) = (folder.path("store"), folder.path("out"))
    _ = try Python.run(
      Self.script, arguments: [store, declaration, extra, String(pageSize)])
    let outcome = await rehome("convert", "--salvage", store, "-o", output)
    #expect(outcome.code == 2, "\(outcome.error)")
    let text = String(decoding: try Python.run(Self.reading, arguments: [output]), as: UTF8.self)
    return (try #require(Int(text.dropLast())), outcome.error)
  }

  /// A tree without row ids has lost the rows of its root.
  @Test(arguments: [("(x INTEGER, y TEXT)", 4096, 150), (sorted, 4096, 147), (sorted, 512, 120)])
  func pagesThatFitOneTableAreItsOwn(
    declaration: String, pageSize: Int, least: Int
  ) async throws {
    let (rows, error) = try await salvage(declaration, pageSize: pageSize)
    #expect(rows >= least, "\(rows)")
    #expect(error.contains("a part of Item is in doubt"), "\(error)")
    #expect(!error.contains("left out"), "\(error)")
  }

  @Test func pagesThatFitSeveralTablesAreCounted() async throws {
    let (rows, error) = try await salvage("(x INTEGER, y TEXT)", "CREATE TABLE Twin(x, y TEXT)")
    let words = "rows left out because several tables may own them: \(150 - rows)"
    #expect(rows < 100 && error.contains(words), "\(error)")
  }

  /// Entries of an index look like rows.
  @Test func pagesThatMayBeAnIndexAreCounted() async throws {
    let (rows, error) = try await salvage(Self.sorted, "CREATE INDEX byA ON Other(a)")
    #expect(rows < 100 && error.contains("rows left out because several tables may own them: "))
  }

  /// Where the statement that made the only table is damaged, its rows are counted all the same.
  @Test(arguments: ["(x INTEGER, y TEXT)", sorted])
  func rowsWithoutAnyTableAreCounted(declaration: String) async throws {
    let script = """
      import sqlite3, sys
      path, declaration = sys.argv[1:]
      db = sqlite3.connect(path)
      db.execute('CREATE TABLE Item' + declaration)
      db.executemany('INSERT INTO Item VALUES(?, ?)', [(i, 'r%d' % i) for i in range(20)])
      db.commit()
      db.close()
      b = bytearray(open(path, 'rb').read())
      b[b.index(b'CREATE TABLE Item') + 1] ^= 1
      open(path, 'wb').write(b)
      """
    let store = folder.path("store")
    _ = try Python.run(script, arguments: [store, declaration])
    let outcome = await rehome("convert", "--salvage", store, "-o", folder.path("out"))
    #expect(outcome.code == 65)
    #expect(outcome.error.contains("rows that were found: 20"), "\(outcome.error)")
  }

  /// Deleted rows stay deleted as long as the list of free pages is whole.
  @Test func pagesOfDeletedRowsAreNoBranches() async throws {
    let script = """
      import sqlite3, sys
      path, isWhole = sys.argv[1], sys.argv[2] == 'true'
      db = sqlite3.connect(path)
      db.execute('CREATE TABLE Item(x INTEGER, y TEXT)')
      db.execute('CREATE TABLE Other(a BLOB)')
      db.executemany('INSERT INTO Item VALUES(?, ?)', [(i, 'z' * 80) for i in range(500)])
      db.executemany('INSERT INTO Other VALUES(?)', [('z' * 80,) for i in range(500)])
      db.execute('DELETE FROM Item WHERE x BETWEEN 100 AND 400')
      db.commit()
      db.close()
      b = bytearray(open(path, 'rb').read())
      # The list of free pages is lost, or a leaf of the other table.
      if not isWhole: b[32:36] = bytes(4)
      place = max(p for p in range(4096, len(b), 4096) if b[p] == 13)
      b[place:place + 4096] = bytes(4096)
      open(path, 'wb').write(b)
      """
    for isWhole in [true, false] {
      let (store, output) = (folder.path("store\(isWhole)"), folder.path("out\(isWhole)"))
      _ = try Python.run(script, arguments: [store, String(isWhole)])
      let outcome = await rehome("convert", "--salvage", store, "-o", output)
      #expect(outcome.code == 2, "\(outcome.error)")
      let rows = await rehome("export", "--to", "ndjson", "--table", "Item", output)
      #expect(rows.text.split(separator: "\n").count == 199, "\(outcome.error)")
    }
  }
}
