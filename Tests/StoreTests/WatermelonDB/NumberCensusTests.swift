import SQLite
import TestSupport
import Testing

@testable import Records
@testable import SyncSDKs
@testable import Tables

/// What columns without a type hold must be counted as the engine compares their values.
struct NumberCensusTests {
  /// The questions in SQL, in the order in which the census declares its answers.
  private static let script = """
    import random, sqlite3, sys
    path, seed = sys.argv[1], int(sys.argv[2])
    r = random.Random(seed)
    db = sqlite3.connect(path)
    db.execute("PRAGMA encoding = '%s'" % ('UTF-16le' if seed % 3 == 2 else 'UTF-8'))
    columns = ['a', 'b', 'c', 'd']
    db.execute('CREATE TABLE t(id PRIMARY KEY, a, b, c REAL, d TEXT)')
    values = [None, 0, 1, 2, -1, 0.0, -0.0, 1.0, 0.5, 2.0**53, 2.0**63, -2.0**63, 1e300, 2**63 - 1,
              -2**63, float('inf'), float('-inf'), 10**11, 10**11 - 1, 10**13, 10**13 - 1, 1e11, 1e13,
              1.5e12, 1500000000000.5, '', '1', b'', b'1']
    for i in range((0, 3, 30000)[seed % 4 % 3]):
        db.execute('INSERT INTO t VALUES (?, ?, ?, ?, ?)', [str(i)] + [r.choice(values) for _ in columns])
    db.commit()
    for v in columns:
        number = "typeof(%s) IN ('integer', 'real')" % v
        whole = '+%s = CAST(%s AS INTEGER)' % (v, v)
        recent = '(+%s >= 100000000000 AND +%s < 10000000000000)' % (v, v)
        questions = [
            "typeof(%s) = 'text'" % v, "typeof(%s) = 'blob'" % v, number,
            '%s AND (+%s = 0 OR %s AND %s)' % (number, v, whole, recent), '%s AND +%s = 0' % (number, v),
            '%s AND +%s IN (0, 1)' % (number, v), "typeof(%s) = 'integer' AND +%s IN (0, 1)" % (v, v),
            "typeof(%s) = 'integer' AND +%s = 1" % (v, v), "typeof(%s) = 'real'" % v,
            "typeof(%s) = 'real' AND +%s BETWEEN -9007199254740991 AND 9007199254740991 AND %s"
            % (v, v, whole),
            '%s AND +%s <> 0 AND NOT %s' % (number, v, recent)]
        sums = ', '.join('total(%s)' % question for question in questions)
        print(*[int(n) for n in db.execute('SELECT %s FROM t' % sums).fetchone()])
    """

  @Test(arguments: 0..<9)
  func valuesAreCountedAsTheEngineComparesThem(_ seed: Int) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("random.db")
    let output = try Python.run(Self.script, arguments: [path, String(seed)])
    let database = try SourceDatabase(opening: path, temporaryFolder: folder.path(""))
    let names = ["a", "b", "c", "d"]
    let table = PlannedTable(
      name: "t", sourceName: "t", sourceTable: "t",
      columns: names.map {
        PlannedColumn(
          column: Column(name: $0, type: .text), position: 0, expression: quoted($0),
          decoding: .text)
      }, origin: quoted("t") + " NOT INDEXED", key: "rowid", order: "rowid")
    let lines = try NumberCensus.count(of: table, database).map { census in
      Mirror(reflecting: census).children.map { "\($0.value)" }.joined(separator: " ")
    }
    #expect(lines.joined(separator: "\n") + "\n" == String(decoding: output, as: UTF8.self))
    // Parts are added up, but where the engine reads.
    let parts = try database.parts(of: table)?.count
    #expect(parts.map { $0 > 1 } == (seed % 3 == 2 ? nil : seed % 4 == 2))
  }
}
