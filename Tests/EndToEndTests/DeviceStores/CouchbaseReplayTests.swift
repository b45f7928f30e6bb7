import TestSupport
import Testing

/// What waits in a store of Couchbase Lite can be rehearsed; its service is not spoken to.
struct CouchbaseReplayTests {
  private static let sample = Project.path("samples/couchbase-ios-2015/notes.cblite")

  @Test func rehearsalAppliesLeavesAndTellsConflicts() async throws {
    let folder = try TemporaryFolder()
    let target = folder.path("server.rehome")
    #expect(await rehome("convert", "-q", Self.sample, "-o", target).code == 0)
    _ = try python(
      """
      import sqlite3, sys
      database = sqlite3.connect(sys.argv[1])
      database.execute("DELETE FROM task WHERE _id = 'task-n'")
      database.execute("UPDATE task SET price = 2.5, version = '1-3ea70da40edcda2d6046e43789848866' "
                       "WHERE _id = 'task-u'")
      database.execute("INSERT INTO task (_pk, _id, version) "
                       "VALUES (9, 'task-d', '1-4b934a04b2c4dbf679b2239411b040de')")
      database.commit()
      """, target)
    let outcome = await rehome(
      "replay", "--json", Self.sample, "--to", target, "--on-conflict", "skip", "--journal",
      folder.path("j.rehome"))
    #expect(outcome.code == 4, "\(outcome.error)")
    let report = try outcome.json()
    #expect(report["applied"] as? Int == 3)
    #expect(report["conflicts"] as? Int == 1)
    let rows = await rehome("export", target, "--to", "ndjson", "--table", "task").text
    #expect(rows.contains(#""complete":true,"price":4.0,"tags":null,"task":"updated twice""#))
    #expect(rows.contains(#""_id":"task-n""#))
    #expect(rows.contains(#""task":"theirs""#))
    #expect(!rows.contains(#""_id":"task-d""#))
  }

  /// The id is told beside the item, and is no field of it.
  @Test func whatIsThereAlreadyIsKnown() async throws {
    let folder = try TemporaryFolder()
    let target = folder.path("server.rehome")
    #expect(await rehome("convert", "-q", Self.sample, "-o", target).code == 0)
    let outcome = await rehome(
      "replay", "--json", Self.sample, "--to", target, "--on-conflict", "skip", "--journal",
      folder.path("j.rehome"))
    #expect(outcome.code == 4, "\(outcome.error)")
    let report = try outcome.json()
    #expect(report["alreadyApplied"] as? Int == 3)
    #expect(report["conflicts"] as? Int == 1)
    let plan = await rehome("replay", "--dry-run", Self.sample, "--to", target)
    #expect(!plan.text.contains("docid"), "\(plan.text)")
    #expect(!plan.text.contains("\"_pk\""), "\(plan.text)")
  }

  /// A tombstone that resolves a conflict takes the place of its branch and not of the item, and ids
  /// may have slashes.
  @Test func tombstoneOfABranchDeletesNoItem() async throws {
    let folder = try TemporaryFolder()
    let (store, target) = (folder.path("a.rehome"), folder.path("b.rehome"))
    #expect(await rehome("convert", "-q", Self.sample, "-o", store).code == 0)
    #expect(await rehome("convert", "-q", Self.sample, "-o", target).code == 0)
    _ = try python(
      """
      import sqlite3, sys
      database = sqlite3.connect(sys.argv[1])
      database.execute("DELETE FROM rehome_operation WHERE sequence < 3")
      database.execute("UPDATE rehome_operation SET itemId = 'a/b' WHERE sequence = 3")
      database.execute("UPDATE rehome_operation SET itemId = 'a/b', "
                       "item = replace(item, 'task-c', 'a/b') WHERE sequence = 4")
      database.execute("UPDATE rehome_operation SET baseVersion = NULL")
      database.commit()
      database = sqlite3.connect(sys.argv[2])
      database.execute("UPDATE task SET _id = 'a/b' WHERE _id = 'task-c'")
      database.commit()
      """, store, target)
    let outcome = await rehome("replay", "--json", store, "--to", target)
    let report = try outcome.json()
    #expect(report["applied"] as? Int == 1, "\(outcome.error)")
    #expect(report["pending"] as? Int == 1)
    let rows = await rehome("export", target, "--to", "ndjson", "--table", "task").text
    #expect(rows.contains(#""_id":"a/b""#))
    #expect(rows.contains(#""task":"mine""#))
  }

  /// Revisions of one document: the number and letter of each, its parent, whether it is current and
  /// deleted, its body; then the checkpoint.
  private static func makeStore(_ revisions: String, checkpoint: Int, at path: String) throws {
    _ = try python(
      """
      import json, sqlite3, sys
      database = sqlite3.connect(sys.argv[1])
      database.create_collation("REVID", lambda left, right: (left > right) - (left < right))
      database.executescript('''
        CREATE TABLE docs (doc_id INTEGER PRIMARY KEY, docid TEXT UNIQUE NOT NULL);
        CREATE TABLE revs (sequence INTEGER PRIMARY KEY AUTOINCREMENT, doc_id INTEGER NOT NULL,
          revid TEXT NOT NULL COLLATE REVID, parent INTEGER, current BOOLEAN,
          deleted BOOLEAN DEFAULT 0, json BLOB, UNIQUE (doc_id, revid));
        CREATE TABLE localdocs (docid TEXT UNIQUE NOT NULL, revid TEXT NOT NULL COLLATE REVID,
          json BLOB);
        CREATE TABLE views (view_id INTEGER PRIMARY KEY, name TEXT);
        CREATE TABLE info (key TEXT PRIMARY KEY, value TEXT);
        INSERT INTO docs VALUES (1, 'note');
        ''')
      database.execute("INSERT INTO info VALUES ('checkpoint/x', ?)", (sys.argv[3],))
      for generation, letter, parent, current, deleted, body in json.loads(sys.argv[2]):
          database.execute("INSERT INTO revs (doc_id, revid, parent, current, deleted, json) "
            "VALUES (1, ?, ?, ?, ?, ?)", (f"{generation}-{letter * 32}", parent, current, deleted,
            json.dumps(body).encode()))
      database.commit()
      """, path, revisions, String(checkpoint))
  }

  /// The branch that stays was sent before, came from the server, or waits, too; with ancestors in
  /// common or none.
  @Test(arguments: [
    (
      #"[[1,"a",null,0,0,{"type":"t"}],[2,"b",1,1,0,{"type":"t"}],[2,"a",1,0,0,{"type":"t"}],[3,"d",3,1,1,{}]]"#,
      0
    ),
    (
      #"[[1,"a",null,0,0,{"type":"t"}],[2,"b",1,1,0,{"type":"t"}],[2,"a",1,0,0,{"type":"t"}],[3,"d",3,1,1,{}]]"#,
      3
    ),
    (#"[[1,"b",null,1,0,{"type":"t"}],[1,"a",null,0,0,{"type":"t"}],[2,"d",2,1,1,{}]]"#, 1),
    (#"[[1,"b",null,1,0,{"type":"u"}],[1,"a",null,0,0,{"type":"t"}],[2,"d",2,1,1,{}]]"#, 1),
  ])
  func tombstoneOfABranchDeletesNoItemInAnyRun(_ revisions: String, _ checkpoint: Int) async throws
  {
    let folder = try TemporaryFolder()
    let (store, target) = (folder.path("a.cblite"), folder.path("server.rehome"))
    try Self.makeStore(revisions, checkpoint: checkpoint, at: store)
    #expect(await rehome("convert", "-q", "--fail-on", "never", store, "-o", target).code == 0)
    for _ in 0..<2 {
      let outcome = await rehome(
        "replay", "--json", store, "--to", target, "--on-conflict", "client-wins", "--journal",
        folder.path("j.rehome"))
      #expect(outcome.code == 2, "\(outcome.error)")
      let last = (try outcome.json()["operations"] as? [[String: Any]])?.last
      #expect(last?["kind"] as? String == "delete")
      #expect(last?["outcome"] as? String == "pending")
      #expect(last?["reason"] as? String == "otherBranchStays")
      let rows = await rehome("export", target, "--to", "json").text
      #expect(rows.contains(#""_id":"note""#), "\(rows)")
    }
  }

  /// The row of the document may be that of another device, or have given way to it.
  @Test(arguments: [false, true]) func tombstoneOfABranchDeletesNoItemOfAMerge(
    _ isFirst: Bool
  ) async throws {
    let folder = try TemporaryFolder()
    let both = #"[1,"a",null,0,0,{"type":"t"}],[2,"b",1,1,0,{"type":"t"}]"#
    let devices = [folder.path("a.cblite"), folder.path("b.cblite")]
    try Self.makeStore("[\(both)]", checkpoint: 2, at: devices[0])
    try Self.makeStore(
      "[\(both)" + #",[2,"a",1,0,0,{"type":"t"}],[3,"d",3,1,1,{}]]"#, checkpoint: 3, at: devices[1])
    let (merged, target) = (folder.path("all.rehome"), folder.path("server.rehome"))
    #expect(
      await rehome(
        ["convert", "-q", "--fail-on", "never", "-o", merged]
          + (isFirst ? devices.reversed() : devices)
      ).code == 0)
    #expect(await rehome("convert", "-q", devices[0], "-o", target).code == 0)
    let outcome = await rehome(
      "replay", "--json", merged, "--to", target, "--on-conflict", "client-wins")
    let last = (try outcome.json()["operations"] as? [[String: Any]])?.last
    #expect(last?["reason"] as? String == "otherBranchStays", "\(outcome.text)")
    let rows = await rehome("export", target, "--to", "json").text
    #expect(rows.contains(#""_id":"note""#), "\(rows)")
  }

  /// A branch that is no row is sent as the app has it: lists and objects as such, and whatever it
  /// calls its keys.
  @Test(arguments: [false, true]) func branchThatIsNoRowKeepsItsValues(_ isConverted: Bool)
    async throws
  {
    let folder = try TemporaryFolder()
    let (device, target) = (folder.path("a.cblite"), folder.path("server.rehome"))
    let body =
      #"{"type":"t","tags":["mine"],"o":{"k":1},"mixed":5,"words":"[1]","_pk":4,"_attachments":{"f":{"stub":true}}}"#
    let other = #"{"type":"t","tags":["s"],"o":{"k":0},"mixed":"five","words":"w","_pk":3}"#
    try Self.makeStore(
      #"[[1,"a",null,0,0,\#(other)],[2,"f",1,1,0,\#(other)],[2,"b",1,1,0,\#(body)]]"#,
      checkpoint: 2,
      at: device)
    #expect(await rehome("convert", "-q", "--fail-on", "never", device, "-o", target).code == 0)
    var (store, journal) = (device, ["--journal", folder.path("j.rehome")])
    if isConverted {
      (store, journal) = (folder.path("own.rehome"), [])
      #expect(await rehome("convert", "-q", "--fail-on", "never", device, "-o", store).code == 0)
    }
    let outcome = await rehome(
      ["replay", "--json", store, "--to", target, "--on-conflict", "client-wins"] + journal)
    let operation = (try outcome.json()["operations"] as? [[String: Any]])?.first
    #expect(operation?["outcome"] as? String == "applied", "\(outcome.error)")
    let values = try python(
      """
      import sqlite3, sys
      row = sqlite3.connect(sys.argv[1]).execute(
        "SELECT tags, o, mixed, words, _pk_, _attachments FROM t").fetchone()
      print(*row, sep=" | ")
      """, target)
    #expect(
      values == #"["mine"] | {"k":1} | 5 | [1] | 4 | {"f":{"stub":true}}"# + "\n", "\(outcome.text)"
    )
    #expect(try outcome.json()["serverChanged"] as? Int == 0, "\(outcome.text)")
  }

  /// The tenth revision comes after the ninth, also where stores are merged.
  @Test func laterRevisionIsKeptOfSeveralDevices() async throws {
    let folder = try TemporaryFolder()
    for (name, version) in [("a", "10-a"), ("b", "9-f")] {
      let path = folder.path(name + ".rehome")
      #expect(await rehome("convert", "-q", Self.sample, "-o", path).code == 0)
      _ = try python(
        """
        import sqlite3, sys
        database = sqlite3.connect(sys.argv[1])
        database.execute("UPDATE task SET version = ?, task = ? WHERE _id = 'task-c'",
                         (sys.argv[2], sys.argv[2]))
        database.commit()
        """, path, version)
    }
    let output = folder.path("all.rehome")
    let outcome = await rehome(
      "convert", "-q", "--fail-on", "never", folder.path("b.rehome"), folder.path("a.rehome"),
      "-o", output)
    #expect(outcome.code == 0, "\(outcome.error)")
    let rows = await rehome("export", output, "--to", "ndjson", "--table", "task").text
    #expect(rows.contains(#""task":"10-a""#))
    #expect(!rows.contains(#""task":"9-f""#))
  }

  /// The tables ask for orders that only the SDK knows.
  @Test func damagedStoreIsSalvaged() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("damaged.cblite")
    _ = try python(
      """
      import sqlite3, sys
      from pathlib import Path
      database = sqlite3.connect(sys.argv[1])
      database.create_collation("REVID", lambda left, right: (left > right) - (left < right))
      database.execute("CREATE TABLE docs (doc_id INTEGER PRIMARY KEY, docid TEXT UNIQUE NOT NULL)")
      database.execute("CREATE TABLE revs (sequence INTEGER PRIMARY KEY AUTOINCREMENT, "
        "doc_id INTEGER NOT NULL, revid TEXT NOT NULL COLLATE REVID, parent INTEGER, "
        "current BOOLEAN, deleted BOOLEAN DEFAULT 0, json BLOB, UNIQUE (doc_id, revid))")
      database.execute("CREATE TABLE localdocs (docid TEXT UNIQUE NOT NULL, "
        "revid TEXT NOT NULL COLLATE REVID, json BLOB)")
      database.execute("CREATE TABLE views (view_id INTEGER PRIMARY KEY, name TEXT)")
      for number in range(1, 200):
          database.execute("INSERT INTO docs VALUES (?, ?)", (number, f"d{number}"))
          database.execute("INSERT INTO revs (doc_id, revid, current, json) VALUES (?, ?, 1, ?)",
            (number, f"1-{number:032x}", b'{"type":"task","n":%d}' % number))
      database.commit()
      pages = {name: page for name, page in database.execute(
        "SELECT name, rootpage FROM sqlite_master")}
      database.close()
      file = bytearray(Path(sys.argv[1]).read_bytes())
      start = (pages["sqlite_autoindex_revs_1"] - 1) * 4096
      file[start:start + 4096] = b"\\xa5" * 4096
      Path(sys.argv[1]).write_bytes(file)
      """, path)
    #expect(await rehome("inspect", path).code == 65)
    let output = folder.path("out.rehome")
    let outcome = await rehome(
      "convert", "-q", "--salvage", "--fail-on", "never", path, "-o", output)
    #expect(outcome.code == 0, "\(outcome.error)")
    let rows = await rehome("export", output, "--to", "ndjson", "--table", "task").text
    #expect(rows.split(separator: "\n").count == 199)
    #expect(await rehome("inspect", output).text.contains("couchbase-lite-1"))
  }

  /// What a push leaves out empties no item, be it the store of the SDK or a converted one.
  @Test func leafWithoutBodyIsNotApplied() async throws {
    let folder = try TemporaryFolder()
    let (target, canonical) = (folder.path("server.rehome"), folder.path("own.rehome"))
    #expect(await rehome("convert", "-q", Self.sample, "-o", target).code == 0)
    let store = folder.path("notes.cblite")
    _ = try python(
      """
      import shutil, sqlite3, sys
      for ending in '', '-wal':
          shutil.copy(sys.argv[1] + ending, sys.argv[2] + ending)
      database = sqlite3.connect(sys.argv[2])
      database.execute("UPDATE revs SET json = NULL WHERE sequence = 12")
      database.commit()
      """, Self.sample, store)
    _ = await rehome("convert", "-q", store, "-o", canonical)
    for (device, journal) in [(store, ["--journal", folder.path("j.rehome")]), (canonical, [])] {
      let audit = await rehome("audit", "--fail-on", "never", device)
      #expect(!audit.text.contains("operation-without-row"), "\(audit.text)")
      let outcome = await rehome(
        ["replay", "--json", device, "--to", target, "--on-conflict", "client-wins"] + journal)
      let operations = try #require(try outcome.json()["operations"] as? [[String: Any]])
      #expect(operations[1]["reason"] as? String == "withoutRow", "\(outcome.text)")
    }
    let rows = await rehome("export", target, "--to", "ndjson", "--table", "task").text
    #expect(rows.contains(#""complete":true,"price":4.0,"tags":null,"task":"updated twice""#))
  }

  /// What a server gave has ids of another name, and no revisions.
  @Test(arguments: [0, 1], [[], ["--dynamic-schema"]])
  func itemsOfAServersAnswerAreTargets(_ checkpoint: Int, _ options: [String]) async throws {
    let folder = try TemporaryFolder()
    let (device, target) = (folder.path("a.cblite"), folder.path("server.rehome"))
    try Self.makeStore(
      #"[[1,"a",null,0,0,{"type":"t","x":1}],[2,"b",1,1,0,{"type":"t","x":10}]]"#,
      checkpoint: checkpoint, at: device)
    let items =
      (checkpoint == 0 ? [] : [#"{"id":"note","type":"t","x":1}"#])
      + [#"{"id":"other","type":"t","x":2}"#]
    try folder.write("[" + items.joined(separator: ",") + "]", to: "t.json")
    #expect(await rehome("seed", "-q", folder.path("t.json"), "-o", target).code == 0)
    let outcome = await rehome(
      [
        "replay", device, "--to", target, "--on-conflict", "client-wins", "--journal",
        folder.path("j.rehome"),
      ] + options)
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(!(outcome.text + outcome.error).contains("leaves it out"), "\(outcome.error)")
    let rows = await rehome("export", target, "--to", "ndjson", "--table", "t").text
    #expect(rows.contains(#""id":"note","type":"t","x":10"#), "\(rows)")
    #expect(!rows.contains("_id"), "\(rows)")
    let plan = await rehome(
      "replay", "--dry-run", "--json", device, "--to", "https://localhost:9", "--dialect", "v2")
    #expect(plan.text.contains(#""x":10"#) && !plan.text.contains("_id"), "\(plan.text)")
  }

  /// A person may have given the server's rows both names.
  @Test func columnOfTheDocumentsIDIsFilled() async throws {
    let folder = try TemporaryFolder()
    let (device, target) = (folder.path("a.cblite"), folder.path("server.rehome"))
    try Self.makeStore(#"[[1,"a",null,1,0,{"type":"t","x":10}]]"#, checkpoint: 0, at: device)
    try folder.write(#"[{"id":"other","_id":"other","type":"t","x":2}]"#, to: "t.json")
    #expect(await rehome("seed", "-q", folder.path("t.json"), "-o", target).code == 0)
    let outcome = await rehome(
      "replay", device, "--to", target, "--journal", folder.path("j.rehome"))
    #expect(outcome.code == 0, "\(outcome.error)")
    let rows = await rehome("export", target, "--to", "ndjson", "--table", "t").text
    #expect(rows.contains(#""id":"note","_id":"note","type":"t","x":10"#), "\(rows)")
  }
}
