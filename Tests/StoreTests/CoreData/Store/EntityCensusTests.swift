import SQLite
import TestSupport
import Testing

@testable import CoreData
@testable import Records

/// Rows by entity must be as many as the engine finds where it compares the number.
struct EntityCensusTests {
  private static let known: [Int64] = [1, 2, 3, 1 << 52]

  @Test(arguments: 0..<9)
  func rowsAndContentAreThoseThatTheEngineFinds(_ seed: Int) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("random.db")
    let output = try Python.run(
      Self.randomStore, arguments: [path, String(seed)] + Self.known.map { String($0) })
    let database = try SourceDatabase(opening: path, temporaryFolder: folder.path(""))
    let table = try #require(try database.connection.table(named: "ZT"))
    let census = try #require(
      try EntityCensus(
        of: ActualTable(table), known: Set(Self.known), seesColumns: true, in: database))
    var lines = Self.known.map { number in
      let content = census.occupied.filter { $0.entity == number }.map(\.column).sorted()
      return "\(number): \(census.rows[number] ?? 0) \(content.joined(separator: " "))"
    }
    lines.append("others: \(census.rows[-1] ?? 0)")
    #expect(lines.joined(separator: "\n") + "\n" == String(decoding: output, as: UTF8.self))
  }

  @Test func tableWithoutAColumnForTheEntityIsLeftOut() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("odd.db")
    _ = try Python.run(
      """
      import sqlite3, sys
      db = sqlite3.connect(sys.argv[1])
      db.execute('CREATE TABLE ZT(Z_PK INTEGER PRIMARY KEY, ZA TEXT)')
      """, arguments: [path])
    let database = try SourceDatabase(opening: path, temporaryFolder: folder.path(""))
    let table = try #require(try database.connection.table(named: "ZT"))
    let census = try EntityCensus(
      of: ActualTable(table), known: [1], seesColumns: true, in: database)
    #expect(census == nil)
  }

  /// Every third store is in UTF-16, which only the engine reads; so is a table whose key is no row
  /// id.
  private static let randomStore = """
    import random, sqlite3, sys
    path, seed, known = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
    r = random.Random(seed)
    db = sqlite3.connect(path)
    db.execute("PRAGMA encoding = '%s'" % ('UTF-16le' if seed % 3 == 2 else 'UTF-8'))
    number = r.choice(['INTEGER', 'VARCHAR', '', 'REAL'])
    key = 'INTEGER' if seed % 4 else 'TEXT'
    columns = ['ZA', 'ZB', 'ZC', 'ZD']
    db.execute('CREATE TABLE ZT(ZA TEXT, Z_ENT %s, Z_PK %s PRIMARY KEY, ZB, ZC BLOB, ZD INT)'
               % (number, key))
    for i in range(r.choice([5, 3000, 3000])):
        entity = r.choice([1, 1, 2, 2.0, 2.5, 3, 4, -1, 2**52, 1e300, None, '2', '02', 'two', b'2'])
        row = [r.choice([None, None, 'x', 7, b'y' * 9000]) if r.random() < 0.002 else None
               for _ in columns]
        db.execute('INSERT INTO ZT VALUES (?, ?, ?, ?, ?, ?)', [row[0], entity, i] + row[1:])
    db.commit()
    left = db.execute('SELECT count(*) FROM ZT').fetchone()[0]
    for entity in known:
        counts = ', '.join('count(%s)' % column for column in columns)
        found = db.execute('SELECT count(*), %s FROM ZT WHERE Z_ENT = %s' % (counts, entity)).fetchone()
        content = [column for column, count in zip(columns, found[1:]) if count]
        print('%s: %d %s' % (entity, found[0], ' '.join(content)))
        left -= found[0]
    print('others: %d' % left)
    """
}
