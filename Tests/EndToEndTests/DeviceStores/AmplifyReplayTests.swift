import Foundation
import TestSupport
import Testing

/// What waits in a store of Amplify DataStore can be rehearsed; its service is not spoken to.
struct AmplifyReplayTests {
  private static let sample = Project.path("samples/amplify-ios-2024/TodoApp.db")

  @Test func rehearsalSendsRowsAndNotPayloads() async throws {
    let folder = try TemporaryFolder()
    let target = folder.path("server.rehome")
    _ = await rehome("convert", "-q", Self.sample, "-o", target)
    _ = try python(
      """
      import sqlite3, sys
      database = sqlite3.connect(sys.argv[1])
      database.execute("UPDATE Post SET title = 'older', rating = 1.0")
      database.execute("DELETE FROM Post WHERE title = 'older' AND version IS NULL")
      database.execute("INSERT INTO Post (_pk, id, title, version) VALUES (9, "
        "'5B3C2C0E-9B1F-4C55-8D0D-0F9E2E4C1B03', 'Gone', '2')")
      database.commit()
      """, target)
    let outcome = await rehome(
      "replay", "--json", Self.sample, "--to", target, "--hard-delete", "--journal",
      folder.path("j.rehome"))
    #expect(outcome.code == 0, "\(outcome.error)")
    let report = try outcome.json()
    #expect(report["applied"] as? Int == 4)
    let rows = await rehome("export", target, "--to", "ndjson", "--table", "Post")
    #expect(rows.text.contains(#""title":"Shop: ½ l milk""#))
    #expect(rows.text.contains(#""title":"Never sent""#))
    #expect(!rows.text.contains("Gone"))
    #expect(rows.text.contains(#""blogPostsId":"5B3C2C0E-9B1F-4C55-8D0D-0F9E2E4C1A01""#))
  }

  /// SQLite keeps truth as whole numbers, which a service with tables would refuse; what payloads hold
  /// tells which columns those are.
  @Test(arguments: ["v1", "v2", "v3", "toolkit"])
  func servicesAreSentTruthValues(_ dialect: String) async throws {
    let folder = try TemporaryFolder()
    let store = folder.path("store.rehome")
    _ = await rehome("convert", "-q", Self.sample, "-o", store)
    for source in [Self.sample, store] {
      let plan = await rehome(
        "replay", "-n", "--json", source, "--to", "https://localhost:9", "--dialect", dialect)
      #expect(plan.code == 0, "\(plan.error)")
      let steps = try #require(try plan.json()["steps"] as? [[String: Any]])
      let bodies = steps.compactMap { $0["body"] as? [String: Any] }
      #expect(bodies.count == 2)
      let truths = bodies.compactMap { $0["done"] as? NSNumber }
      #expect(truths.count == 1 && plan.text.contains(#""done":true"#), "\(bodies)")
    }
  }

  /// A quote and an accent behind it are one character, and a quote all the same.
  @Test func namesMayHaveQuotesWithAccents() async throws {
    let folder = try TemporaryFolder()
    let store = folder.path("store.db")
    _ = try python(
      """
      import shutil, sqlite3, sys
      shutil.copyfile(sys.argv[1], sys.argv[2])
      database = sqlite3.connect(sys.argv[2])
      name = "Po'\\u0301st"
      database.execute(f'ALTER TABLE Post RENAME TO "{name}"')
      database.execute("UPDATE MutationSyncMetadata SET id = replace(id, 'Post|', ?)", (name + "|",))
      database.execute("UPDATE MutationEvent SET modelName = replace(modelName, 'Post', ?)", (name,))
      database.commit()
      """, Self.sample, store)
    let outcome = await rehome("convert", "-q", store, "-o", folder.path("made.rehome"))
    #expect(outcome.code == 0, "\(outcome.error)")
    let versions = try python(
      """
      import sqlite3, sys
      print(sqlite3.connect(sys.argv[1]).execute(
          "SELECT count(version) FROM \\"Po'\\u0301st\\"").fetchone()[0])
      """, folder.path("made.rehome"))
    #expect(Int(versions.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0 > 0)
  }

  @Test func mergedStoreShowsThePayloadsThatEachHasAlone() async throws {
    let folder = try TemporaryFolder()
    let (other, merged) = (folder.path("other.db"), folder.path("merged.rehome"))
    _ = try python(
      """
      import shutil, sqlite3, sys
      shutil.copyfile(sys.argv[1], sys.argv[2])
      database = sqlite3.connect(sys.argv[2])
      database.execute("UPDATE Post SET title = 'another device', updatedAt = NULL")
      database.commit()
      """, Self.sample, other)
    let converted = await rehome("convert", "-q", Self.sample, other, "-o", merged)
    #expect([0, 2].contains(converted.code), "\(converted.error)")
    var alone: [NSObject] = []
    for store in [Self.sample, other] { alone += try await items(of: store) }
    #expect(!alone.isEmpty)
    #expect(try await items(of: merged) == alone)
  }

  /// The items of a store's operations and of its effects.
  private func items(of store: String) async throws -> [NSObject] {
    let audit = try await rehome("audit", "--json", "--fail-on", "never", store).json()
    let first = try #require((audit["stores"] as? [[String: Any]])?.first)
    let operations = try #require(first["operations"] as? [[String: Any]])
    return operations.map { $0["item"] as? NSObject ?? NSNull() }
  }

  @Test func keysOfSeveralPartsAndColumnsOfThatNameStayApart() async throws {
    let folder = try TemporaryFolder()
    let (store, target) = (folder.path("store.db"), folder.path("server.rehome"))
    _ = try python(
      """
      import sqlite3, sys
      database = sqlite3.connect(sys.argv[1])
      database.executescript('''
        create table "Shift" ("@@primaryKey" text primary key not null, "id" text, "day" text,
          "version" integer);
        \(AmplifyTables.ofIOS)
        insert into "Shift" values ('"s1"#"mon"', 's1', 'mon', 7), ('"s1"#"tue"', 's1', 'tue', 8);
        insert into "MutationSyncMetadata" values ('Shift|"s1"#"mon"', 0, 1, 3);
        insert into "MutationEvent" values ('E1', '2024-05-01T00:00:00.000Z', NULL, 0,
          '{"id":"s1","day":"mon","version":7}', '"s1"#"mon"', 'Shift', 'update', NULL);
      ''')
      database.commit()
      """, store)
    _ = await rehome("convert", "-q", store, "-o", target)
    _ = try python(
      """
      import sqlite3, sys
      database = sqlite3.connect(sys.argv[1])
      database.execute("UPDATE Shift SET version = 1")
      database.commit()
      """, target)
    let outcome = await rehome(
      "replay", "--json", store, "--to", target, "--journal", folder.path("j.rehome"))
    #expect(outcome.code == 0, "\(outcome.error)")
    let rows = await rehome("export", target, "--to", "ndjson", "--table", "Shift").text
    #expect(rows.contains(##""@@primaryKey":"\"s1\"#\"mon\"","id":"s1","day":"mon","version":7"##))
    #expect(rows.contains(##""@@primaryKey":"\"s1\"#\"tue\"","id":"s1","day":"tue","version":1"##))
  }

  /// Of a payload that stands for its row, only what the SDK sends is sent; and it goes without a
  /// condition all the same where no version is known, which is told.
  @Test func payloadOfARowThatIsGoneIsSent() async throws {
    let folder = try TemporaryFolder()
    let store = folder.path("store.db")
    _ = try python(
      """
      import sqlite3, sys
      database = sqlite3.connect(sys.argv[1])
      database.executescript('''
        CREATE TABLE "Setting" ("id" PRIMARY KEY NOT NULL, "key" TEXT, "value" TEXT);
        CREATE TABLE "Post" ("id" PRIMARY KEY NOT NULL, "title" TEXT, "rating" REAL,
          "_version" INTEGER, "_lastChangedAt" INTEGER, "_deleted" INTEGER);
        CREATE TABLE "MutationEvent" ("id" PRIMARY KEY NOT NULL, "model" TEXT, "data" TEXT,
          "modelId" TEXT, "operation" TEXT, "condition" TEXT);
        CREATE TABLE "ModelMetadata" ("id" PRIMARY KEY NOT NULL, "namespace" TEXT, "model" TEXT,
          "lastSync" INTEGER, "lastFullSync" INTEGER, "fullSyncInterval" INTEGER);
        INSERT INTO "MutationEvent" VALUES
          ('1', 'Post', '{"id":"a","title":"new","_version":5,"_lastChangedAt":5,"_deleted":null}',
            'a', 'Update', '{}'),
          ('2', 'Post', '{"id":"b","title":"new"}', 'b', 'Update', '{}');
        ''')
      database.commit()
      """, store)
    try folder.write(
      #"[{"id":"a","title":"old","rating":1.5,"version":"5"},"#
        + #"{"id":"b","title":"old","rating":2.5,"version":"1"}]"#, to: "Post.json")
    let server = folder.path("server.rehome")
    #expect(await rehome("seed", "-q", folder.path("Post.json"), "-o", server).code == 0)
    let outcome = await rehome(
      "replay", "-q", store, "--to", server, "--journal", folder.path("j.rehome"))
    #expect(outcome.code == 0, "\(outcome.error)")
    let rows = await rehome("export", server, "--to", "ndjson", "--table", "Post").text
    #expect(rows.contains(#""id":"a","title":"new","rating":1.5"#), "\(rows)")
    #expect(rows.contains(#""id":"b","title":"new","rating":2.5"#), "\(rows)")
    let audit = await rehome("audit", "--json", "--fail-on", "never", store)
    let told = try (audit.json()["stores"] as? [[String: any Sendable]])?.first?["findings"]
    let findings = try #require(told as? [[String: any Sendable]])
    let unversioned = findings.filter { $0["code"] as? String == "update-without-version" }
    #expect(unversioned.map { $0["itemId"] as? String } == ["b"])
  }

  /// With the row, the keys of the items to which a payload refers are gone; one that refers to none is
  /// sent, and so is a delete behind one that does.
  @Test func payloadWithoutItsRowAndReferencesIsNotSent() async throws {
    let folder = try TemporaryFolder()
    let (store, converted) = (folder.path("store.db"), folder.path("store.rehome"))
    _ = try python(
      """
      import json, sqlite3, sys
      database = sqlite3.connect(sys.argv[1])
      database.executescript(sys.argv[2] + '''
        create table "Blog" ("id" text primary key not null);
        create table "Post" ("id" text primary key not null, "title" text, "blogPostsId" text,
          foreign key("blogPostsId") references "Blog"("id"));
        insert into Blog values ('b1');
        insert into Post values ('p6', 'kept', 'b1');
        ''')
      items = [
        {"title": "whole", "blog": {"id": "b1"}},
        {"title": "lazy", "blog": {"identifiers": [{"name": "id", "value": "b1"}], "source": "DataStore"}},
        {"title": "none", "blog": None},
        {"title": "empty", "blog": {"identifiers": []}},
        {"title": "column", "blogPostsId": "b1", "blog": {"id": "b1"}},
        {"title": "others", "posts": {"dataStoreAssociatedFields": ["x"]}},
        {"title": "there", "blog": {"id": "b1"}},
      ]
      events = [(f"p{n}", "create", item) for n, item in enumerate(items)]
      events += [("p0", "delete", {"id": "p0"}),
                 ("p8", "create", {"title": "folded", "blog": {"id": "b1"}}),
                 ("p8", "update", {"title": "later"})]
      for n, (key, kind, item) in enumerate(events):
          database.execute("insert into MutationEvent values (?, ?, NULL, 0, ?, ?, 'Post', ?, NULL)",
            (f"E{n}", f"2024-05-{n + 1:02}T10:20:30.000Z", json.dumps({"id": key} | item), key, kind))
      database.commit()
      """, store, AmplifyTables.ofIOS)
    _ = await rehome("convert", "-q", store, "-o", converted)
    for path in [store, converted] {
      let plan = await rehome(
        "replay", "-n", path, "--to", "https://localhost:9", "--dialect", "v2")
      #expect(plan.text.contains("operation 2, Post, because the row that would be sent is gone"))
      #expect(plan.text.contains("DELETE tables/Post/p0"), "\(plan.text)")
      for (title, isSent) in [
        ("whole", false), ("lazy", false), ("none", true), ("empty", true), ("column", true),
        ("others", true), ("there", true), ("folded", false), ("later", false),
      ] {
        #expect(plan.text.contains("\"title\":\"\(title)\"") == isSent, "\(title): \(plan.text)")
      }
      let page = folder.path("page.html")
      let audit = await rehome("audit", path, "--fail-on", "never", "--json")
      _ = await rehome("audit", path, "--fail-on", "never", "--html", page, "-f")
      let told = try (audit.json()["stores"] as? [[String: any Sendable]])?.first?["findings"]
      let findings = try #require(told as? [[String: any Sendable]])
      let gone = findings.filter { $0["code"] as? String == "operation-without-row" }
      for (severity, sequences) in [("error", [2, 9, 10]), ("warning", [3, 4, 5, 6])] {
        let told = gone.filter { $0["severity"] as? String == severity }
        #expect(told.compactMap { $0["operation"] as? Int } == sequences, "\(gone)")
      }
      let words = try String(contentsOfFile: page, encoding: .utf8)
      #expect(words.contains("2 cannot be sent, "), "\(words)")
    }
  }

  /// The server's column is called `id`, and the app's model knows it by another name.
  @Test func idOfAnotherNameIsNoChangeOfTheServers() async throws {
    let folder = try TemporaryFolder()
    let (store, server) = (folder.path("store.db"), folder.path("server.rehome"))
    _ = try python(
      """
      import sqlite3, sys
      database = sqlite3.connect(sys.argv[1])
      database.executescript(sys.argv[2] + '''
        create table "Book" ("isbn" text primary key not null, "title" text);
        insert into Book values ('i1', 'new');
        insert into MutationSyncMetadata values ('Book|i1', 0, 1, 4);
        insert into MutationEvent values ('E1', '2024-05-01T10:20:30.000Z', NULL, 0,
          '{"isbn":"i1","title":"new"}', 'i1', 'Book', 'update', NULL);
        ''')
      database.commit()
      """, store, AmplifyTables.ofIOS)
    try folder.write(#"[{"isbn":"i1","title":"old","version":"4"}]"#, to: "Book.json")
    let seeding = await rehome(
      "seed", "-q", folder.path("Book.json"), "-o", server, "--type", "Book.version=text",
      "--rename", "Book.isbn=id")
    #expect(seeding.code == 0, "\(seeding.error)")
    let outcome = await rehome(
      "replay", store, "--to", server, "--on-conflict", "client-wins", "--journal",
      folder.path("j.rehome"))
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(!(outcome.text + outcome.error).contains("isbn"), "\(outcome.error)")
    let rows = await rehome("export", server, "--to", "ndjson", "--table", "Book").text
    #expect(rows.contains(#""i1","title":"new""#), "\(rows)")
  }
}
