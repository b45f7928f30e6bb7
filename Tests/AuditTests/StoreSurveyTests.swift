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

  /// Where two generations of an SDK wrote to a file, rows have versions and times in either spelling;
  /// the older generation knows nothing of the newer one's names, which may be the app's.
  @Test(arguments: [
    ("dotnet", "createdAt", "__", true), ("dotnet", "__createdAt", "__", false),
    ("android", "createdat", "__", true), ("android", "__createdat", "__", false),
    ("ios", "", "ms_", true),
  ])
  func versionsOfAnotherGenerationCount(
    _ sdk: String, _ date: String, _ old: String, knowsBoth: Bool
  ) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("store.sqlite")
    _ = try Python.run(Self.hybrid, arguments: [path, sdk, date, old])
    let opening = StoreOpening(temporaryFolder: folder.path(""), interruption: Self.interruption)
    let reader = try opening.reader(forStoreAt: path)
    let survey = try StoreSurvey(of: reader, queue: try reader.readQueue()) { _ in }
    let table = try #require(survey.tables.first { $0.name.lowercased() == "todoitem" })
    #expect(table.unexplainedIDs == (knowsBoth ? ["neither"] : ["new", "neither"]))
    #expect(table.rowsWithVersion == (knowsBoth ? 4 : 2))
    let attached = (1...6).filter { table.attachedWithVersion.contains($0) }
    #expect(attached == (knowsBoth ? [4, 5] : [4]))
    #expect(table.newestUpdate == (knowsBoth ? "2024-05-01" : "2023-05-01") + "T10:20:30.500Z")
  }

  /// To the SDK of Cordova alone ids that differ only in letter case are one item.
  @Test(arguments: [("dotnet", ["a1", "b"]), ("android", ["a1", "b"]), ("cordova", ["b"])])
  func operationExplainsOnlyTheRowThatItsSDKTakesForItsItem(_ sdk: String, _ ids: [String]) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("store.sqlite")
    _ = try Python.run(Self.twins, arguments: [path, sdk])
    let opening = StoreOpening(temporaryFolder: folder.path(""), interruption: Self.interruption)
    let reader = try opening.reader(forStoreAt: path)
    let survey = try StoreSurvey(of: reader, queue: try reader.readQueue()) { _ in }
    let table = try #require(survey.tables.first { $0.name == "T" })
    #expect(table.unexplainedIDs == ids)
  }

  /// Rows without versions, of which `A1` and `c` wait to be sent.
  private static let twins = """
    import sqlite3, sys
    path, sdk = sys.argv[1:]
    db = sqlite3.connect(path)
    db.execute('CREATE TABLE T (id TEXT PRIMARY KEY, version TEXT, n INTEGER)')
    db.executemany('INSERT INTO T VALUES (?, ?, 1)',
        [('A1', None), ('a1', None), ('b', None), ('c', ''), ('d', 'V')])
    if sdk == 'dotnet':
        db.executescript('''
          CREATE TABLE __operations (id TEXT PRIMARY KEY, kind INTEGER, state INTEGER,
            tableName TEXT, tableKind INTEGER, itemId TEXT, item TEXT, createdAt DATETIME,
            sequence INTEGER, version INTEGER);
          CREATE TABLE __errors (id TEXT PRIMARY KEY, httpStatus INTEGER,
            operationVersion INTEGER, operationKind INTEGER, tableName TEXT,
            tableKind INTEGER, item TEXT, rawResult TEXT);
          CREATE TABLE __config (id TEXT PRIMARY KEY, value TEXT);
          INSERT INTO __operations VALUES ('1', 0, 0, 'T', 0, 'A1', NULL, NULL, 1, 1),
            ('2', 0, 0, 'T', 0, 'c', NULL, NULL, 2, 1);
        ''')
    elif sdk == 'android':
        db.executescript('''
          CREATE TABLE __operations (id TEXT PRIMARY KEY, kind REAL, tableName TEXT,
            itemId TEXT, createdat TEXT, __queueloadedat TEXT, sequence REAL, state REAL);
          CREATE TABLE __itembackups (id TEXT PRIMARY KEY);
          CREATE TABLE __incrementalpulldata (id TEXT PRIMARY KEY, maxupdateddate TEXT);
          INSERT INTO __operations VALUES ('1', 0, 'T', 'A1', NULL, NULL, 1, 0),
            ('2', 0, 'T', 'c', NULL, NULL, 2, 0);
        ''')
    else:
        db.executescript('''
          CREATE TABLE [__operations] ([id] INTEGER PRIMARY KEY, [tableName] TEXT,
            [action] TEXT, [itemId] TEXT, [metadata] TEXT);
          CREATE TABLE [__pulltime] ([id] TEXT PRIMARY KEY, [tableName] TEXT, [value] INTEGER);
          INSERT INTO __operations VALUES (1, 'T', 'insert', 'A1', '{}'),
            (2, 'T', 'insert', 'c', '{}');
        ''')
    db.commit()
    """

  /// Rows with a version of one spelling, of the other, of none, and the same that wait to be sent.
  private static let hybrid = """
    import sqlite3, sys
    path, sdk, date, old = sys.argv[1:]
    db = sqlite3.connect(path)
    times = [1682936430.5, 1714558830.5]
    sent = ['old-sent', 'new-sent', 'sent']
    rows = [('old', 'v1', None, times[0], None), ('new', '', 'v2', None, times[1]),
        ('neither', None, '', None, None), ('old-sent', 'v1', None, None, None),
        ('new-sent', None, 'v2', None, None), ('sent', None, None, None, None)]
    if sdk == 'ios':
        db.executescript('''
          CREATE TABLE ZMS_TABLECONFIG (Z_PK INTEGER PRIMARY KEY, ZID VARCHAR);
          CREATE TABLE ZMS_TABLEOPERATIONERRORS (Z_PK INTEGER PRIMARY KEY, ZOPERATIONID INTEGER);
          CREATE TABLE ZMS_TABLEOPERATIONS (Z_PK INTEGER PRIMARY KEY, ZID INTEGER,
            ZTABLEKIND INTEGER, ZITEMID VARCHAR, ZTABLE VARCHAR, ZPROPERTIES BLOB);
          CREATE TABLE ZTODOITEM (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, ZID VARCHAR,
            ZMS_VERSION VARCHAR, ZVERSION VARCHAR, ZMS_UPDATEDAT TIMESTAMP, ZUPDATEDAT TIMESTAMP);
          CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER,
            Z_MAX INTEGER);
          CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR, Z_PLIST BLOB);
          INSERT INTO Z_METADATA VALUES (1, 'X', NULL);
          INSERT INTO Z_PRIMARYKEY VALUES (1, 'MS_TableOperations', 0, 3), (2, 'TodoItem', 0, 6);
        ''')
        cocoa = lambda time: time and time - 978307200
        for key, row in enumerate(rows):
            db.execute('INSERT INTO ZTODOITEM VALUES (?, 2, ?, ?, ?, ?, ?)',
                (key + 1, *row[:3], *map(cocoa, row[3:])))
        for key, item in enumerate(sent):
            db.execute("INSERT INTO ZMS_TABLEOPERATIONS VALUES (?, ?, 0, ?, 'TodoItem', ?)",
                (key + 1, key + 1, item, b'{"type":0}'))
    else:
        isNet = sdk == 'dotnet'
        if isNet:
            db.executescript(f'''
              CREATE TABLE __operations (id TEXT PRIMARY KEY, kind INTEGER, state INTEGER,
                tableName TEXT, tableKind INTEGER, itemId TEXT, item TEXT, {date} DATETIME,
                sequence INTEGER, version INTEGER);
              CREATE TABLE __errors (id TEXT PRIMARY KEY, httpStatus INTEGER,
                operationVersion INTEGER, operationKind INTEGER, tableName TEXT,
                tableKind INTEGER, item TEXT, rawResult TEXT);
              CREATE TABLE __config (id TEXT PRIMARY KEY, value TEXT);
            ''')
        else:
            db.executescript(f'''
              CREATE TABLE __operations (id TEXT PRIMARY KEY, kind REAL, tableName TEXT,
                itemId TEXT, {date} TEXT, __queueloadedat TEXT, sequence REAL, state REAL);
              CREATE TABLE __itembackups (id TEXT PRIMARY KEY);
              CREATE TABLE __incrementalpulldata (id TEXT PRIMARY KEY, maxupdateddate TEXT);
            ''')
        kind = 'DATETIME' if isNet else 'TEXT'
        db.execute(f'CREATE TABLE todoitem (id TEXT PRIMARY KEY, {old}version TEXT, version TEXT,'
            f' {old}updatedat {kind}, updatedat {kind})')
        text = {None: None, times[0]: '2023-05-01T10:20:30.500Z',
            times[1]: '2024-05-01T10:20:30.500Z'}
        for row in rows:
            when = row[3:] if isNet else [text[time] for time in row[3:]]
            db.execute('INSERT INTO todoitem VALUES (?, ?, ?, ?, ?)', (*row[:3], *when))
        for key, item in enumerate(sent):
            db.execute('INSERT INTO __operations (id, kind, state, tableName, itemId, sequence)'
                " VALUES (?, 0, 0, 'todoitem', ?, ?)", (str(key), item, key))
    db.commit()
    """

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
