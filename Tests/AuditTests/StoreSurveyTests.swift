import Bytes
import Foundation
import Opening
import Records
import SQLite
import TestSupport
import Testing

@testable import Audit

/// What is seen of a table does not depend on how many of its ids are compared at a time.
struct StoreSurveyTests {
  /// Connections borrow it, so it lives as long as the process.
  private static let interruption = Interruption { false }

  @Test(arguments: [(1, 100), (2, 100), (2, 1999), (1, 2000), (2, 7)])
  func idsAreComparedHoweverManyAreInMemory(threads: Int, limit: Int) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("store.sqlite")
    _ = try Python.run(Self.script, arguments: [path])
    let opening = StoreOpening(
      temporaryFolder: folder.path(""), interruption: Self.interruption)
    let reader = try opening.reader(forStoreAt: path)
    let queue = try reader.readQueue()
    let whole = try StoreSurvey(of: reader, queue: queue) { _ in }
    let sliced = try StoreSurvey(of: reader, queue: queue, threads: threads, mostIDs: limit) { _ in
    }
    #expect(sliced.tables == whole.tables)
    let table = try #require(sliced.tables.first)
    #expect(table.rows == 2000)
    #expect(table.missingIDs == 19)
    #expect(Set(table.sharedIDs.map(\.first)) == Set((0..<40).map { "id-\($0 * 48 + 1)" }))
    #expect(table.sharedIDs.allSatisfy { $0.rows == 2 && $0.spellings == 2 })
  }

  @Test func idThatComesTwiceIsToldAsItIsSpelledThere() throws {
    var batch = RecordBatch(columnCount: 1)
    for (key, id) in ["A", "a", "b", "a", "Aa", "A", "A"].enumerated() {
      batch.append(text: id)
      batch.endRow(key: Int64(key))
    }
    let hash = try #require(batch.cell(0, ofRow: 0).idHash(batch.arena))
    var shared = SharedIDs(of: [hash], listing: 1)
    shared.add(shared.look(inColumn: 0).see(batch))
    let id = try #require(shared.listed.first)
    #expect(id.rows == 5 && id.spellings == 2)
    #expect(id.repeated == [.init(text: "a", rows: 2), .init(text: "A", rows: 3)])
  }

  /// More ids come twice than are compared at a time.
  @Test(arguments: [1, 2])
  func allIDsThatComeTwiceAreCounted(threads: Int) throws {
    var limits = InputLimits.current
    limits.threads = threads
    try InputLimits.$current.withValue(limits) { try countIDs(threads: threads) }
  }

  private func countIDs(threads: Int) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("store.sqlite")
    let rows = """
      db.executemany('INSERT INTO ZTODOITEM VALUES (?, 2, ?, ?)',
          ((i + 1, f'id-{i // 2}', 'x' * 300) for i in range(6000)))
      db.commit()
      """
    _ = try Python.run(Self.schema + rows, arguments: [path])
    let opening = StoreOpening(
      temporaryFolder: folder.path(""), interruption: Self.interruption)
    let reader = try opening.reader(forStoreAt: path)
    for limit in [7, RepeatedHashes.limit] {
      let survey = try StoreSurvey(
        of: reader, queue: Queue(), threads: threads, mostIDs: limit
      ) { _ in }
      let table = try #require(survey.tables.first)
      #expect(table.rows == 6000 && table.sharedIDs.count == TableFacts.listLimit)
      #expect(table.sharedIDs.allSatisfy { $0.rows == 2 && $0.repeated.map(\.rows) == [2] })
      #expect(table.unlistedIDs.repeated == 3000 - TableFacts.listLimit)
      #expect(table.unlistedIDs.twins == 0)
    }
  }

  private static let schema = """
    import sqlite3, sys
    db = sqlite3.connect(sys.argv[1])
    db.executescript('''
      CREATE TABLE ZMS_TABLEOPERATIONS (Z_PK INTEGER PRIMARY KEY, ZID INTEGER, ZTABLEKIND INTEGER,
        ZITEMID VARCHAR, ZTABLE VARCHAR, ZPROPERTIES BLOB);
      CREATE TABLE ZTODOITEM (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, ZID VARCHAR, ZPAD VARCHAR);
      CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER,
        Z_MAX INTEGER);
      CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR, Z_PLIST BLOB);
      INSERT INTO Z_METADATA VALUES (1, 'X', NULL);
      INSERT INTO Z_PRIMARYKEY VALUES (1, 'MS_TableOperations', 0, 0), (2, 'TodoItem', 0, 2000);
    ''')

    """

  private static let script =
    schema + """
      for i in range(2000):
          id = None if i % 100 == 98 else f'id-{i}'
          if i >= 1960: id = f'ID-{(i - 1960) * 48 + 1}'
          db.execute('INSERT INTO ZTODOITEM VALUES (?, 2, ?, ?)', (i + 1, id, 'x' * 300))
      db.commit()
      """
}
