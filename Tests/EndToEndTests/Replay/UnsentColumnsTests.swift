import TestSupport
import Testing

/// What is left out of the rows that are sent is told, where there is something.
struct UnsentColumnsTests {
  private let folder: TemporaryFolder
  private let store: String

  init() throws {
    folder = try TemporaryFolder()
    store = folder.path("device.db")
    try Devices.execute(
      store,
      """
      CREATE TABLE todoitem (id TEXT PRIMARY KEY, Deleted TEXT, "__version" TEXT, list TEXT,
        updatedAt TEXT, note TEXT);
      CREATE TABLE list (id TEXT PRIMARY KEY, name TEXT);
      \(QueueTables.firstDotNet)
      INSERT INTO list VALUES ('l', 'home');
      INSERT INTO todoitem VALUES ('a', 'by me', 'v1', 'l', NULL, 'x');
      INSERT INTO __operations VALUES ('o', 1, 'todoitem', 'a', NULL, 1714558830, 1);
      """)
  }

  private func told(_ arguments: String...) async throws -> (said: String, body: [String: Any]) {
    let outcome = await rehome(["replay", "-n", "--json", store] + arguments)
    let steps = try #require(try outcome.json()["steps"] as? [[String: Any]], "\(outcome.error)")
    return (outcome.error, try #require(steps.first?["body"] as? [String: Any]))
  }

  /// A service of today has properties of its own where the first ones had others.
  @Test func namesOfTheServersOwnAreTold() async throws {
    let old = try await told()
    #expect(old.body["Deleted"] as? String == "by me")
    #expect(!old.said.contains("are not sent"), "\(old.said)")
    let new = try await told("--dialect", "v2")
    #expect(new.body["Deleted"] == nil)
    #expect(
      new.said.contains("are not sent: todoitem.Deleted; --rename does not change that, but "),
      "\(new.said)")
    #expect(new.said.contains(" --dialect v1 does"))
    // It is sent by the name that the source has for it.
    let renamed = try await told("--dialect", "v2", "--rename", "todoitem.Deleted=mark")
    #expect(renamed.body["mark"] == nil)
    #expect(renamed.said.contains("are not sent: todoitem.Deleted; "), "\(renamed.said)")
  }

  /// The first SDKs strip what is called like their own, which their servers have never seen.
  @Test func namesThatTheSDKKeepsAreTold() async throws {
    try Devices.execute(
      store,
      """
      ALTER TABLE todoitem ADD COLUMN "__mood" TEXT; ALTER TABLE todoitem ADD COLUMN "__empty" TEXT;
      UPDATE todoitem SET "__mood" = 'good'
      """)
    let replay = try await told()
    #expect(replay.body["__mood"] == nil)
    #expect(
      replay.said.contains("never sends, as they are called")
        && replay.said.contains("todoitem.__mood"),
      "\(replay.said)")
    #expect(!replay.said.contains("__empty") && !replay.said.contains("__version"))
  }

  /// Nothing is to be gained from the dialect of a server that keeps such names itself.
  @Test(arguments: [[], ["--dialect", "v3"]])
  func namesThatTheOwnServerKeepsHaveNoWayOut(_ options: [String]) async throws {
    let own = folder.path("own.db")
    try Devices.execute(
      own,
      """
      CREATE TABLE todoitem (id TEXT PRIMARY KEY, deleted TEXT, version TEXT);
      \(QueueTables.dotNet)
      INSERT INTO todoitem VALUES ('a', 'by me', 'v1');
      INSERT INTO __operations VALUES ('o', 1, 0, 'todoitem', 0, 'a', NULL, NULL, 1, 1);
      """)
    let outcome = await rehome(["replay", "-n", own] + options)
    #expect(
      outcome.error.contains("are not sent: todoitem.deleted; --rename does not change that\n"),
      "\(outcome.error)")
  }

  /// Some servers speak what no option names.
  @Test func dialectThatCannotBeChosenIsNoWayOut() async throws {
    let own = folder.path("melon.db")
    try Devices.execute(
      own,
      """
      CREATE TABLE local_storage (key varchar(16) PRIMARY KEY NOT NULL, value text NOT NULL);
      CREATE TABLE tasks (id PRIMARY KEY, _changed, _status, name, deleted);
      INSERT INTO tasks VALUES ('a', '', 'created', 'x', 'by me');
      """)
    let outcome = await rehome(["replay", "-n", "--dialect", "v2", own])
    #expect(
      outcome.error.contains("are not sent: tasks.deleted; --rename does not change that\n"),
      "\(outcome.error)")
  }

  /// As a person may have made them of other values.
  @Test func referencesAreTold() async throws {
    let made = folder.path("made.rehome")
    _ = await rehome("convert", "-q", store, "-o", made)
    _ = try python(
      """
      import sqlite3, sys
      with sqlite3.connect(sys.argv[1]) as db:
          db.execute("ALTER TABLE todoitem RENAME COLUMN list TO was")
          db.execute("ALTER TABLE todoitem ADD COLUMN list INTEGER")
          db.execute("UPDATE todoitem SET list = 1")
          db.execute("UPDATE rehome_column SET type = 'reference', role = 'reference', "
            "target = 'list' WHERE name = 'list'")
      """, made)
    let outcome = await rehome("replay", "-n", made)
    #expect(outcome.error.contains("knows their keys: todoitem.list\n"), "\(outcome.error)")
  }
}
