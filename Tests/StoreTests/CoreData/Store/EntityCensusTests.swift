import SQLite
import TestSupport
import Testing

@testable import CoreData
@testable import Records
@testable import Tables

/// Rows by entity must be as many as the engine finds where it compares the number.
struct EntityCensusTests {
  private static let known: [Int64] = [1, 2, 3, 1 << 52]

  private func census(
    of path: String, known: [Int64] = EntityCensusTests.known, interrupted: Bool = false
  ) throws -> (census: EntityCensus?, parts: Int?) {
    let interruption = Interruption { interrupted }
    let database = try SourceDatabase(opening: path, temporaryFolder: path + ".tmp")
    database.connection.watch(interruption)
    let table = try #require(try database.connection.table(named: "ZT"))
    let planned = PlannedTable(
      name: "ZT", sourceName: "ZT", sourceTable: "ZT", columns: [],
      origin: quoted("ZT") + " NOT INDEXED", key: "Z_PK", order: "Z_PK")
    return try withExtendedLifetime(interruption) {
      (
        try EntityCensus(
          of: ActualTable(table), known: Set(known), seesColumns: true, in: database),
        try database.parts(of: planned)?.count
      )
    }
  }

  @Test(arguments: 0..<12)
  func rowsAndContentAreThoseThatTheEngineFinds(_ seed: Int) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("random.db")
    let output = try Python.run(
      Self.randomStore, arguments: [path, String(seed)] + Self.known.map { String($0) })
    let found = try census(of: path)
    let census = try #require(found.census)
    // Several parts, but where the engine reads.
    #expect(found.parts.map { $0 > 1 } == (seed % 3 == 2 || seed % 4 == 0 ? nil : seed % 5 > 0))
    let expected = String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
    let rows = census.rows
    #expect(
      "exact: \(rows.isExact) total: \(rows.ofEntity.values.reduce(rows.ofNone, +))" == expected[0])
    guard rows.isExact else { return }
    let lines = Self.known.map { number in
      let content = census.occupied.filter { $0.entity == number }.map(\.column).sorted()
      return (["\(number): \(rows.ofEntity[number] ?? 0)"] + content).joined(separator: " ")
    }
    #expect(lines == Array(expected.dropFirst()))
  }

  @Test func whoeverAsksToStopIsHeard() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("random.db")
    _ = try Python.run(Self.randomStore, arguments: [path, "1", "1"])
    let error = #expect(throws: SQLiteError.self) { try census(of: path, interrupted: true) }
    #expect(error?.code == .interrupt)
  }

  /// The census of a table that these statements make.
  private func census(after statements: [String], known: [Int64]) throws -> EntityCensus? {
    let folder = try TemporaryFolder()
    let path = folder.path("odd.db")
    _ = try Python.run(
      """
      import sqlite3, sys
      db = sqlite3.connect(sys.argv[1])
      for statement in sys.argv[2:]: db.execute(statement)
      db.commit()
      """, arguments: [path] + statements)
    return try census(of: path, known: known).census
  }

  @Test func namesOfColumnsHaveNoCase() throws {
    let found = try census(
      after: [
        "CREATE TABLE ZT(z_pk INTEGER PRIMARY KEY, z_ent INTEGER, ZA)",
        "INSERT INTO ZT VALUES (1, -1, NULL), (2, 7, 8), (3, NULL, 9)",
      ], known: [-1])
    let census = try #require(found)
    #expect(census.rows.ofEntity == [-1: 1])
    #expect(census.rows.ofNone == 2)
    #expect(census.occupied.isEmpty)
  }

  @Test func tableWithoutAColumnForTheEntityIsLeftOut() throws {
    let statement = "CREATE TABLE ZT(Z_PK INTEGER PRIMARY KEY, ZA TEXT)"
    #expect(try census(after: [statement], known: [1]) == nil)
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
    texts = ['2', '02', 'two'] if seed % 2 else []
    content = [None, None, 'x', 7, b'y' * 9000]
    for i in range(60000 if seed % 5 else 5):
        entity = r.choice([1, 1, 2, 2.0, 2.5, 3, 4, -1, 2**52, 1e300, None, b'2'] + texts)
        row = [r.choice(content) if r.random() < 0.0001 else None for _ in columns]
        db.execute('INSERT INTO ZT VALUES (?, ?, ?, ?, ?, ?)', [row[0], entity, i] + row[1:])
    db.commit()
    texts = db.execute("SELECT count(*) FROM ZT WHERE typeof(Z_ENT) = 'text'").fetchone()[0]
    print('exact: %s total: %d' % ('false' if texts or number == 'VARCHAR' else 'true',
                                   db.execute('SELECT count(*) FROM ZT').fetchone()[0]))
    for entity in known:
        counts = ', '.join('count(%s)' % column for column in columns)
        found = db.execute('SELECT count(*), %s FROM ZT WHERE Z_ENT = %s' % (counts, entity)).fetchone()
        content = [column for column, count in zip(columns, found[1:]) if count]
        print(' '.join(['%s: %d' % (entity, found[0])] + content))
    """
}
