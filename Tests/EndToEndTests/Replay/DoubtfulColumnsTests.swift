import Foundation
import TestSupport
import Testing

/// Numbers that may be truth values or times, and texts that may be objects, as some SDKs declare those
/// as numbers and texts.
struct DoubtfulColumnsTests {
  private let folder: TemporaryFolder
  private let store: String

  init() throws {
    folder = try TemporaryFolder()
    store = folder.path("device.db")
  }

  private static let cordova = """
    CREATE TABLE todoitem (id TEXT PRIMARY KEY, text TEXT, done INTEGER, due INTEGER, n INTEGER,
      low INTEGER, price REAL, spare INTEGER, version TEXT, updatedAt INTEGER);
    CREATE TABLE __operations (id INTEGER PRIMARY KEY, tableName TEXT, action TEXT, itemId TEXT,
      metadata TEXT);
    CREATE TABLE __pulltime (id TEXT PRIMARY KEY, tableName TEXT, value INTEGER);
    INSERT INTO todoitem VALUES
      ('a', 'milk', 1, 1714558830123, 2, -1, 1.5, NULL, 'v1', 1714558830123),
      ('b', 'tea', NULL, 631152000000, 0, 1, 2, NULL, 'v2', 1714558830123);
    """
  private static let old = """
    CREATE TABLE todoitem (id TEXT PRIMARY KEY, text TEXT, done INTEGER, due REAL,
      price REAL, __version TEXT, __updatedAt REAL);
    \(QueueTables.firstDotNet)
    INSERT INTO todoitem VALUES ('a', 'milk', 0, 1714558830.123, 1.5, 'v1', 1714558830.123);
    """
  private static let android = """
    CREATE TABLE todoitem (id TEXT PRIMARY KEY, text TEXT, done INTEGER, due INTEGER, price REAL,
      version TEXT, updatedat TEXT);
    CREATE TABLE __operations (id TEXT PRIMARY KEY, kind REAL, tablename TEXT, itemid TEXT,
      __queueloadedat TEXT, sequence REAL, state REAL, createdat TEXT, item TEXT);
    CREATE TABLE __errors (id TEXT PRIMARY KEY, operationid TEXT, operationkind TEXT,
      tablename TEXT, itemid TEXT, clientitem TEXT, errormessage TEXT, statuscode REAL,
      serverresponse TEXT, serveritem TEXT, createdat TEXT);
    CREATE TABLE __incrementalpulldata (id TEXT PRIMARY KEY, maxupdateddate TEXT);
    INSERT INTO todoitem VALUES ('a', 'milk', 1, 1714558830123, 1714558830.123, 'v1',
      '2024-05-01T10:20:30.123Z');
    """
  private static let queues = [
    "update": [
      android: """
      INSERT INTO __operations VALUES ('o', 1.0, 'todoitem', 'a', '2024-05-01T10:20:30.123Z', 0.0,
        0.0, '2024-05-01T10:20:30.123Z', NULL);
      """,
      cordova: "INSERT INTO __operations VALUES (1, 'todoitem', 'update', 'a', '{}');",
      old: "INSERT INTO __operations VALUES ('o', 1, 'todoitem', 'a', NULL, 1714558830, 1);",
    ],
    "delete": [
      cordova: "INSERT INTO __operations VALUES (1, 'todoitem', 'delete', 'c', '{}');",
      old:
        "INSERT INTO __operations VALUES ('o', 2, 'todoitem', 'c', '{\"id\":\"c\"}', 1714558830, 1);",
    ],
  ]

  private func make(_ schema: String, _ action: String) throws {
    let queue = try #require(Self.queues[action]?[schema])
    try run(schema + queue)
  }

  private func run(_ sql: String) throws {
    try Devices.execute(store, sql)
  }

  @Test(arguments: [cordova, old], [false, true])
  func areTold(_ schema: String, isConverted: Bool) async throws {
    try make(schema, "update")
    let made = folder.path("made.rehome")
    if isConverted { _ = await rehome("convert", "-q", store, "-o", made) }
    let outcome = await rehome("replay", "-n", isConverted ? made : store)
    #expect(outcome.code == 0)
    #expect(
      outcome.error.contains(
        "convert with --type todoitem.done=boolean --type todoitem.due=timestamp\n"),
      "\(outcome.error)")
  }

  /// Core Data has numbers for truth values, and only a model tells them apart.
  @Test func areToldOfCoreDataWithoutModel() async throws {
    try run(
      """
      CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER,
        Z_MAX INTEGER);
      CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
      CREATE TABLE ZMS_TABLEOPERATIONS (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,
        ZID INTEGER, ZTABLEKIND INTEGER, ZITEMID VARCHAR, ZTABLE VARCHAR, ZPROPERTIES BLOB);
      CREATE TABLE ZMS_TABLEOPERATIONERRORS (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER,
        Z_OPT INTEGER, ZOPERATIONID INTEGER, ZTABLEKIND INTEGER, ZID VARCHAR, ZPROPERTIES BLOB);
      CREATE TABLE ZMS_TABLECONFIG (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,
        ZKEYTYPE INTEGER, ZID VARCHAR, ZKEY VARCHAR, ZTABLE VARCHAR, ZVALUE VARCHAR);
      CREATE TABLE ZTODOITEM (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,
        ZCOMPLETE INTEGER, ZSORT INTEGER, ZUPDATEDAT TIMESTAMP, ZID VARCHAR, ZVERSION VARCHAR,
        ZTAGS VARCHAR);
      INSERT INTO Z_PRIMARYKEY VALUES (1, 'MS_TableConfig', 0, 0),
        (2, 'MS_TableOperationErrors', 0, 0), (3, 'MS_TableOperations', 0, 1),
        (4, 'TodoItem', 0, 1);
      INSERT INTO Z_METADATA VALUES (1, '5E1F0B1A-0000-4000-8000-000000000001', NULL);
      INSERT INTO ZTODOITEM VALUES (1, 4, 1, 1, 7, 400000000.5, 'a', 'AAAAAAAAB9E=', '["x"]');
      INSERT INTO ZMS_TABLEOPERATIONS VALUES
        (1, 3, 1, 1, 0, 'a', 'TodoItem', CAST('{"type":1}' AS BLOB));
      """)
    let outcome = await rehome("replay", "-n", store)
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(
      outcome.error.contains("convert with --type TodoItem.COMPLETE=boolean\n"), "\(outcome.error)")
    let told = await rehome("replay", "-n", store, "--json", "--type", "TodoItem.COMPLETE=boolean")
    #expect(!told.error.contains("truth values"), "\(told.error)")
    let steps = try #require(try told.json()["steps"] as? [[String: Any]])
    #expect((steps.first?["body"] as? [String: Any])?["COMPLETE"] as? Bool == true)
  }

  /// The model of one device says nothing of the columns of another.
  @Test(arguments: [true, false])
  func areToldBesideADeviceWithModel(isFirst: Bool) async throws {
    try make(Self.android, "update")
    let (sample, merged) = (Sample(name: "ios-2016").store(), folder.path("merged.rehome"))
    let devices = isFirst ? [sample, store] : [store, sample]
    _ = await rehome(["convert", "-qf", "-o", merged] + devices)
    let outcome = await rehome("replay", "-n", merged)
    #expect(outcome.code == 0, "\(outcome.error)")
    let told = outcome.error.lowercased()
    #expect(told.contains("--type todoitem.done=boolean"), "\(outcome.error)")
  }

  @Test(arguments: [cordova, old])
  func areSentAsTold(_ schema: String) async throws {
    try make(schema, "update")
    let outcome = await rehome(
      "replay", "-n", store, "--json", "--type", "todoitem.done=boolean", "--type",
      "todoitem.due=timestamp")
    #expect(!outcome.error.contains("numbers"), "\(outcome.error)")
    let steps = try #require(try outcome.json()["steps"] as? [[String: Any]])
    let body = try #require(steps.first?["body"] as? [String: Any])
    #expect(body["due"] as? String == "2024-05-01T10:20:30.123Z")
    #expect(body["done"] as? Bool == (schema == Self.cordova))
  }

  /// A birthday, and what stands for no time, are times as well.
  @Test(arguments: [(cordova, 1000), (old, 1)])
  func areTimesAllTheSameWhereOneIsFarAway(_ schema: String, unit: Int) async throws {
    try make(schema, "update")
    let times =
      [0, -62_135_596_800, 253_402_300_799, 157_766_400]
      + (0..<9).map { 1_714_558_830 + $0 }
    for (place, time) in times.enumerated() {
      try run("INSERT INTO todoitem (id, due) VALUES ('n\(place)', \(time * unit))")
    }
    let outcome = await rehome("replay", "-n", store)
    #expect(outcome.error.contains("--type todoitem.due=timestamp\n"), "\(outcome.error)")
    try run("UPDATE todoitem SET due = 7 WHERE due > 0")
    let numbers = await rehome("replay", "-n", store)
    #expect(!numbers.error.contains("todoitem.due"), "\(numbers.error)")
  }

  /// What no SDK would have written for an object says that the column is one of texts.
  @Test(arguments: [cordova, old, android])
  func objectsMayBeInTexts(_ schema: String) async throws {
    try make(schema, "update")
    try run(
      """
      ALTER TABLE todoitem ADD COLUMN meta TEXT; ALTER TABLE todoitem ADD COLUMN note TEXT;
      UPDATE todoitem SET meta = ' {\"a\": [1, 2.50]}', note = '[1]';
      INSERT INTO todoitem (id, meta, note) VALUES ('x', '[1]', '[1'), ('y', NULL, '7');
      """)
    let outcome = await rehome("replay", "-n", store)
    #expect(outcome.error.contains("--type todoitem.meta=json\n"), "\(outcome.error)")
    for type in ["json", "text"] {
      let told = await rehome(
        "replay", "-n", "--json", store, "--type", "todoitem.meta=\(type)")
      #expect(told.code == 0 && !told.error.contains("todoitem.meta"), "\(told.error)")
      let steps = try #require(try told.json()["steps"] as? [[String: Any]])
      let meta = try #require(steps.first?["body"] as? [String: Any])["meta"]
      #expect((meta is String) == (type == "text"))
    }
  }

  /// However many columns a table has.
  @Test func areToldOfAWideTable() async throws {
    try make(Self.cordova, "update")
    _ = try python(
      """
      import sqlite3, sys
      with sqlite3.connect(sys.argv[1]) as db:
          for n in range(1200): db.execute(f'ALTER TABLE todoitem ADD COLUMN c{n} INTEGER')
          db.execute('UPDATE todoitem SET done = 5, due = 5, c1199 = 1')
      """, store)
    let outcome = await rehome("replay", "-n", store)
    #expect(
      outcome.error.contains("convert with --type todoitem.c1199=boolean\n"), "\(outcome.error)")
  }

  /// What the SDK does not read as a time is none, whatever it looks like: Android keeps times as
  /// texts, Cordova as milliseconds, and the first managed SDKs as seconds.
  @Test(arguments: [
    (cordova, "UPDATE todoitem SET due = 5, price = 1714558830.123;"),
    (old, "UPDATE todoitem SET due = 1.5, price = 1714558830123;"),
    (android, ""),
  ])
  func areNoTimesInAnotherUnit(_ schema: String, _ change: String) async throws {
    try make(schema, "update")
    try run(change)
    let outcome = await rehome("replay", "-n", store)
    #expect(outcome.code == 0 && !outcome.error.contains("=timestamp"), "\(outcome.error)")
    #expect(outcome.error.contains("--type todoitem.done=boolean"), "\(outcome.error)")
  }

  /// Whoever says that they are numbers knows it.
  @Test(arguments: [cordova, old])
  func areNotToldWhereAPersonKnows(_ schema: String) async throws {
    try make(schema, "update")
    let time = schema == Self.old ? "real" : "integer"
    let outcome = await rehome(
      "replay", "-n", store, "--type", "todoitem.done=integer", "--type", "todoitem.due=\(time)")
    #expect(outcome.code == 0 && !outcome.error.contains("numbers"), "\(outcome.error)")
  }

  /// By whichever of its names a person has told it.
  @Test(arguments: ["todoitem.done", "todoitem.isDone", "todo.done", "todo.isDone"])
  func areNotToldOfAColumnWithANewName(_ name: String) async throws {
    try make(Self.cordova, "update")
    let outcome = await rehome(
      "replay", "-n", store, "--rename", "todoitem=todo", "--rename", "todoitem.done=isDone",
      "--type", name + "=integer")
    #expect(outcome.code == 0 && outcome.error.contains("todo.due=timestamp"), "\(outcome.error)")
    #expect(!outcome.error.contains("one=boolean"), "\(outcome.error)")
  }

  /// The payloads of a device say nothing of the rows that another SDK sends as they stand.
  @Test func areToldBesideADeviceWithPayloads() async throws {
    try make(Self.android, "update")
    let (other, made) = (folder.path("other.db"), folder.path("made.rehome"))
    try Devices.execute(
      other,
      """
      CREATE TABLE todoitem (id TEXT PRIMARY KEY NOT NULL, text TEXT, done INTEGER);
      \(AmplifyTables.ofIOS)
      INSERT INTO todoitem VALUES ('b', 'tea', 0);
      INSERT INTO MutationEvent VALUES ('E', '2024-05-01T10:20:30.000Z', NULL, 1,
        '{"id":"b","text":"tea","done":false}', 'b', 'todoitem', 'update', 1);
      """)
    for (devices, isTold) in [([other], false), ([store, other], true), ([other, store], true)] {
      _ = await rehome(["convert", "-q"] + devices + ["-fo", made])
      let outcome = await rehome("replay", "-n", made, "--dialect", "v2")
      #expect(outcome.text.contains(#""done":false"#), "\(outcome.text)")
      #expect(
        outcome.error.contains("--type todoitem.done=boolean\n") == isTold, "\(outcome.error)")
    }
  }

  @Test(arguments: [cordova, old])
  func areNotToldWhereNoRowIsSent(_ schema: String) async throws {
    try make(schema, "delete")
    let outcome = await rehome("replay", "-n", store)
    #expect(outcome.code == 0 && !outcome.error.contains("numbers"), "\(outcome.error)")
  }

  /// A later SDK declares what they are.
  @Test func areKnownFromDeclarations() async throws {
    let outcome = await rehome("replay", "-n", Sample(name: "dotnet-2019").store())
    #expect(outcome.code == 0 && !outcome.error.contains("numbers"), "\(outcome.error)")
  }
}
