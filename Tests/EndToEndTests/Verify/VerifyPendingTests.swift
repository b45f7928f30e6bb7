import Foundation
import TestSupport
import Testing

/// `verify --by-id --pending` tells the differences that waiting operations explain as that.
struct VerifyPendingTests {
  @Test func allThatWaitsExplainsAllThatDiffers() async throws {
    let rehearsal = try await Rehearsal(operations: 60)
    let sides = [rehearsal.device, rehearsal.server]
    for stores in [sides, sides.reversed()] {
      #expect(await rehome(["verify", "-q", "--by-id"] + stores).code == 5)
      let outcome = await rehome(["verify", "--by-id", "--pending"] + stores)
      #expect(outcome.code == 0, "\(outcome.text)\(outcome.error)")
      #expect(outcome.text.contains("the waiting insert explains it"))
      #expect(outcome.text.contains("60 differences are explained by waiting operations"))
    }
    let report = try await rehome(["verify", "--by-id", "--pending", "--json"] + sides).json()
    #expect(report["equal"] as? Bool == true)
    #expect(report["explained"] as? Int == 60)
  }

  /// What waits explains differences away, and makes none.
  @Test(arguments: Sample.all) func equalStoresStayEqual(sample: Sample) async throws {
    let folder = try TemporaryFolder()
    let (store, copy) = (sample.store(), folder.path("copy.rehome"))
    _ = await rehome("convert", "-q", "--fail-on", "never", store, "-o", copy)
    for pair in [[store, copy], [copy, store], [copy, copy]] {
      #expect(await rehome(["verify", "-q", "--by-id"] + pair).code == 0)
      let outcome = await rehome(["verify", "--by-id", "--pending"] + pair)
      #expect(outcome.code == 0, "\(outcome.text)")
    }
  }

  @Test func afterTheReplayNothingIsLeftToExplain() async throws {
    let rehearsal = try await Rehearsal(operations: 60)
    let after = rehearsal.folder.path("after/TodoItem.ndjson")
    let outcome = await rehome("verify", "--by-id", rehearsal.device, after)
    #expect(outcome.code == 0, "\(outcome.text)")
    #expect(outcome.text.contains("20 items of the second marked as deleted"))
  }

  /// Without rows a device may have no table, which its queue names all the same.
  @Test(arguments: [("d1", 0), ("d2", 5)])
  func deleteOfTheLastRowExplainsTheServersTable(_ id: String, _ code: Int) async throws {
    let folder = try TemporaryFolder()
    let (device, server) = (folder.path("device.cblite"), folder.path("t.json"))
    _ = try python(
      """
      import sqlite3, sys
      database = sqlite3.connect(sys.argv[1])
      database.executescript('''
        CREATE TABLE docs (doc_id INTEGER PRIMARY KEY, docid TEXT UNIQUE NOT NULL);
        CREATE TABLE revs (sequence INTEGER PRIMARY KEY AUTOINCREMENT, doc_id INTEGER NOT NULL,
          revid TEXT NOT NULL, parent INTEGER, current BOOLEAN, deleted BOOLEAN DEFAULT 0, json BLOB,
          UNIQUE (doc_id, revid));
        CREATE TABLE localdocs (docid TEXT UNIQUE NOT NULL, revid TEXT NOT NULL, json BLOB);
        CREATE TABLE views (view_id INTEGER PRIMARY KEY, name TEXT);
        CREATE TABLE info (key TEXT PRIMARY KEY, value TEXT);
        INSERT INTO info VALUES ('checkpoint/x', '1');
        INSERT INTO docs VALUES (1, 'd1');
        INSERT INTO revs (doc_id, revid, parent, current, deleted, json) VALUES
          (1, '1-aa', NULL, 0, 0, '{"type":"t","x":1}'), (1, '2-bb', 1, 1, 1, '{}');
        ''')
      database.commit()
      """, device)
    try folder.write(#"[{"id":"\#(id)","type":"t","x":1}]"#, to: "t.json")
    for sides in [[device, server], [server, device]] {
      let outcome = await rehome(["verify", "--by-id", "--pending"] + sides)
      #expect(Int(outcome.code) == code, "\(outcome.text)\(outcome.error)")
      #expect(outcome.text.contains("1 difference is explained by") == (code == 0))
    }
  }

  /// A rehearsal changes nothing on the server; what a replay has sent there explains nothing more.
  @Test func onlyWhatWaitsForTheServerExplains() async throws {
    let rehearsal = try await Rehearsal(operations: 6)
    let (store, before) = (
      rehearsal.folder.path("own.rehome"), rehearsal.folder.path("before.rehome")
    )
    try #require(await rehome("convert", "-q", rehearsal.device, "-o", store).code == 0)
    try FileManager.default.copyItem(atPath: rehearsal.server, toPath: before)
    try #require(await rehome("replay", "-q", store, "--to", rehearsal.server).code == 0)
    let rehearsed = await rehome("verify", "--by-id", "--pending", store, before)
    #expect(rehearsed.code == 0, "\(rehearsed.text)")
    try rehearsal.alter(store, "UPDATE rehome_replay SET target = 'https://a.example'")
    let sent = await rehome("verify", "--by-id", "--pending", store, before)
    #expect(sent.code == 5 && !sent.text.contains("explains it"), "\(sent.text)")
  }

  @Test(
    arguments: [
      // What the server has got by itself is explained by nothing.
      "INSERT INTO TodoItem (_pk, id, text) VALUES (9000, 'other', 'x')",
      // An update cannot be carried out on an item that is gone.
      "DELETE FROM TodoItem WHERE id = 'item-000001'",
      "UPDATE TodoItem SET deleted = 1 WHERE id = 'item-000001'",
      // Nor an insert of an item that is there.
      "INSERT INTO TodoItem (_pk, id, text) VALUES (9000, 'item-000000', 'x')",
    ])
  func whatNoOperationBringsAboutStaysADifference(_ change: String) async throws {
    let rehearsal = try await Rehearsal(operations: 6)
    try rehearsal.alter(rehearsal.server, change)
    let outcome = await rehome(
      "verify", "--by-id", "--pending", "--json", rehearsal.device, rehearsal.server)
    #expect(outcome.code == 5)
    let report = try outcome.json()
    let table = try #require((report["tables"] as? [[String: any Sendable]])?.first)
    let difference = try #require(table["differences"] as? [String: any Sendable])
    let totals = try #require(difference["totals"] as? [String: Int])
    #expect(totals.filter { $0.key != "explained" }.values.reduce(0, +) == 1, "\(totals)")
  }

  /// A server without items may answer without telling what columns they would have.
  @Test(arguments: [
    ("TodoItem.csv", "id,text\n"), ("TodoItem.csv", "text\n"), ("TodoItem.json", "[]"),
    ("TodoItem.json", #"{"value":[]}"#), ("TodoItem.xml", "<rows/>"),
  ])
  func insertIsExplainedWhereTheServerHasNothing(_ name: String, _ answer: String) async throws {
    let rehearsal = try await Rehearsal(operations: 2)
    try rehearsal.alter(
      rehearsal.device,
      "DELETE FROM TodoItem WHERE id <> 'item-000000'; DELETE FROM __operations WHERE kind <> 0")
    let server = try rehearsal.folder.write(answer, to: name)
    let sides = [rehearsal.device, server]
    for stores in [sides, sides.reversed()] {
      let outcome = await rehome(["verify", "--by-id", "--pending"] + stores)
      #expect(outcome.code == 0, "\(outcome.text)\(outcome.error)")
      #expect(outcome.text.contains("item item-000000: only in the"))
      #expect(outcome.text.contains("the waiting insert explains it"))
    }
  }

  /// A set of Parse explains the fields that it changes, whatever the row has besides.
  @Test(arguments: [("Chess", 0), ("Draughts", 5)])
  func setExplainsItsOwnFields(title: String, code: Int32) async throws {
    let folder = try TemporaryFolder()
    let server = try folder.write(
      #"{"results":[{"objectId":"u1u1u1u1u1","score":10,"title":"\#(title)"},"#
        + #"{"objectId":"Zz9Zz9Zz9Z","score":1,"title":"Old"}]}"#, to: "Game.json")
    let device = Sample(name: "parse-android-2016").store()
    let store = folder.path("device.rehome")
    _ = await rehome("convert", "-q", "--fail-on", "never", device, "-o", store)
    for input in [device, store] {
      let outcome = await rehome(
        "verify", "--by-id", "--pending", "--table", "Game", input, server)
      #expect(outcome.code == code, "\(outcome.text)\(outcome.error)")
      #expect(outcome.text.contains("the waiting delete explains it"), "\(outcome.text)")
    }
  }

  /// An update of Amplify in JavaScript holds what it changes, and explains nothing else.
  @Test(arguments: [("[1,2]", 0), ("[9]", 5)])
  func updateOfChangesExplainsItsOwnFields(tags: String, code: Int32) async throws {
    let folder = try TemporaryFolder()
    let device = folder.path("AmplifyDatastore")
    try Devices.execute(
      device,
      AmplifyTables.ofJavaScript + #"""
        CREATE TABLE "Post" ("id" PRIMARY KEY NOT NULL, "title" TEXT, "tags" TEXT,
          "_version" INTEGER, "_lastChangedAt" INTEGER, "_deleted" INTEGER);
        INSERT INTO "Post" VALUES ('a1', 'milk', '[1,2]', 5, 1714558830123, NULL);
        INSERT INTO "MutationEvent" VALUES ('01HX', 'Post',
          '{"id":"a1","title":"milk","_version":5}', 'a1', 'Update', '{}');
        INSERT INTO "ModelMetadata" VALUES
          ('m1', 'user', 'Post', 1714558830123, NULL, 86400000, NULL);
        """#)
    let server = try folder.write(
      #"[{"id":"a1","title":"tea","tags":"\#(tags)"}]"#, to: "Post.json")
    let store = folder.path("device.rehome")
    try #require(await rehome("convert", "-q", device, "-o", store).code == 0)
    for input in [device, store] {
      let outcome = await rehome("verify", "--by-id", "--pending", input, server)
      #expect(outcome.code == code, "\(outcome.text)\(outcome.error)")
      #expect(
        outcome.text.contains("the waiting update explains") == (code == 0), "\(outcome.text)")
    }
  }

  @Test func droppedOperationsExplainNothing() async throws {
    let rehearsal = try await Rehearsal(operations: 3)
    let store = rehearsal.folder.path("own.rehome")
    #expect(await rehome("convert", "-q", rehearsal.device, "-o", store).code == 0)
    #expect(await rehome("ops", "drop", "-q", store, "1").code == 0)
    let outcome = await rehome("verify", "--by-id", "--pending", store, rehearsal.server)
    #expect(outcome.code == 5)
    #expect(outcome.text.contains("item item-000000: only in the first\n"), "\(outcome.text)")
  }

  /// An object of Parse has no id before the server gives it one.
  @Test func newItemIsKnownByTheNameThatItsOperationGivesIt() async throws {
    let folder = try TemporaryFolder()
    let sample = Project.path("samples/parse-android-2016/ParseOfflineStore")
    let exported = await rehome("export", sample, "--to", "ndjson", "--table", "Game")
    let rows = exported.text.split(separator: "\n").filter { !$0.contains(#""objectId":null"#) }
    let server = try folder.write(
      #"{"results":["# + rows.joined(separator: ",") + "]}", to: "Game.json")
    for sides in [[sample, server], [server, sample]] {
      let arguments = ["verify", "--by-id", "--table", "Game"] + sides
      let outcome = await rehome(arguments + ["--pending"])
      let id = "5a0e0000-0000-4000-8000-000000000002"
      #expect(outcome.text.contains("item \(id): only in the"), "\(outcome.text)\(outcome.error)")
      #expect(outcome.text.contains("the waiting insert explains it"))
      #expect(outcome.code == 0)
      #expect(await rehome(arguments).code == 5)
    }
  }

  /// Rows that share an id are no less alike than those of the other side for being two.
  @Test(arguments: [(1, 0), (0, 5)])
  func twinThatAPartialUpdateSetsIsExplainedBesideItsLike(completed: Int, code: Int) async throws {
    let folder = try TemporaryFolder()
    let (device, server) = (folder.path("device.rehome"), folder.path("server.rehome"))
    _ = await rehome(
      "convert", "-q", Project.path("samples/powersync-2025/todos.sqlite"), "-o", device)
    _ = try python(
      """
      import shutil, sqlite3, sys
      insert = "INSERT INTO todos VALUES (?, 'item-1', 'l', ?, ?, 2)"
      with sqlite3.connect(sys.argv[1]) as database:
          database.execute('DELETE FROM todos')
          database.execute('DELETE FROM rehome_operation')
          database.execute(insert, (1, 'other', 0))
      shutil.copyfile(sys.argv[1], sys.argv[2])
      with sqlite3.connect(sys.argv[1]) as database:
          database.execute(insert, (2, 'new', 1))
          database.execute(
              "INSERT INTO rehome_operation VALUES (1, 1, 'todos', 'item-1', 'update', 'pending', ?, "
              "NULL, 2, NULL, 1, 'PATCH', NULL)", ('{"description":"new"}',))
      with sqlite3.connect(sys.argv[2]) as database:
          database.execute(insert, (2, 'old', int(sys.argv[3])))
      """, device, server, String(completed))
    let outcome = await rehome("verify", "--by-id", "--pending", "--table", "todos", device, server)
    #expect(Int(outcome.code) == code, "\(outcome.text)\(outcome.error)")
    #expect(outcome.text.contains("the waiting update explains it") == (code == 0))
  }

  /// An operation on a class explains nothing in one that differs in letter case.
  @Test(arguments: [("game", true), ("Game", false)])
  func operationExplainsOnlyItsOwnClass(table: String, explains: Bool) async throws {
    let folder = try TemporaryFolder()
    let device = try Devices.makeParse("one", in: folder, "game=u1u1u1u1u1")
    let store = folder.path("store.rehome")
    _ = await rehome("convert", "-q", device, "-o", store)
    _ = try python(
      """
      import sqlite3, sys
      database = sqlite3.connect(sys.argv[1])
      database.execute("UPDATE rehome_operation SET kind = 'delete', itemId = 'u2u2u2u2u2', "
                       "item = NULL, rowKey = NULL, rowTable = NULL, [table] = ?", sys.argv[2:])
      database.commit()
      """, store, table)
    let row = await rehome("export", device, "--to", "ndjson", "--table", "game").text
    let other = row.replacing("u1u1u1u1u1", with: "u2u2u2u2u2")
      .replacing("\"_pk\":1,", with: "\"_pk\":2,")
    let server = try folder.write(row + other, to: "game.ndjson")
    let outcome = await rehome("verify", "--by-id", "--pending", store, server)
    #expect(outcome.code == (explains ? 0 : 5), "\(outcome.text)\(outcome.error)")
    #expect(outcome.text.contains("explains it") == explains, "\(outcome.text)")
  }
}
