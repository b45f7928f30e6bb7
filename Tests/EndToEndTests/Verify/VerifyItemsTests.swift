import Foundation
import TestSupport
import Testing

/// `verify --by-id` compares what both stores have, by what it means, and nothing goes for equal
/// that was not compared.
struct VerifyItemsTests {
  /// A table of one row in a SQLite file, and a server's answer with one item.
  private struct Copies {
    let folder: TemporaryFolder
    var first: String { folder.path("device.db") }
    var second: String { folder.path("TodoItem.json") }

    init(_ schema: String, _ answer: String) throws {
      folder = try TemporaryFolder()
      try Devices.execute(folder.path("device.db"), schema)
      try folder.write(answer, to: "TodoItem.json")
    }

    func verify(_ arguments: String...) async -> Outcome {
      await rehome(["verify", "--by-id", first, second] + arguments)
    }
  }

  @Test(
    arguments: [
      ("INTEGER", "5", "\"5\"", true), ("TEXT", "'5'", "5", true), ("TEXT", "'05'", "5", false),
      ("INTEGER", "5", "5.0", true), ("REAL", "5.0", "5", true), ("REAL", "1.5", "\"1.5\"", true),
      ("TEXT", "'5.0'", "5", true), ("REAL", "5.0", "\"5\"", true),
      ("REAL", "12.5", "12.50", true), ("REAL", "12.5", "\"12.50\"", true),
      ("INTEGER", "3", "3.00", true), ("REAL", "1e-7", "\"1E-7\"", true),
      ("REAL", "1e22", "1e22", true), ("REAL", "12.5", "\"12.51\"", false),
      ("TEXT", "'12.5'", "\"12.50\"", false),
      ("INTEGER", "9007199254740993", "\"9.007199254740993e15\"", true),
      ("INTEGER", "9007199254740993", "9007199254740992.0", false),
      ("INTEGER", "9007199254740993", "\"9007199254740993\"", true),
      ("BOOLEAN", "1", "true", true), ("BOOLEAN", "0", "true", false),
      ("BOOLEAN", "NULL", "false", false), ("TEXT", "'true'", "true", true),
      ("TEXT", "'yes'", "true", true), ("TEXT", "'no'", "true", false),
      ("TEXT", "NULL", "\"\"", false), ("TEXT", "NULL", "null", true), ("TEXT", "''", "\"\"", true),
      ("TEXT", "'2016-10-01T11:15:30.500+02:00'", "\"2016-10-01T09:15:30.5Z\"", true),
      ("TEXT", "'2016-10-01 09:15:30'", "\"2016-10-01T09:15:30.000Z\"", true),
      ("TEXT", "'2016-10-01T09:15:30Z'", "\"2016-10-01T09:15:30.001Z\"", false),
      (
        "TEXT", "'0F8FAD5B-D9CB-469F-A165-70867728950E'",
        "\"0f8fad5b-d9cb-469f-a165-70867728950e\"", true
      ),
      ("TEXT", "'Abc'", "\"abc\"", false), ("BLOB", "x'00ff'", "\"AP8=\"", true),
      ("BLOB", "x'00ff'", "\"AP4=\"", false),
      ("TEXT", "'{\"b\": 1, \"a\": [1.0]}'", "{\"a\":[1],\"b\":1}", true),
      ("TEXT", "'{\"b\": 1, \"a\": [\"1\"]}'", "{\"a\":[1],\"b\":1}", false),
      ("TEXT", "'[1, 2]'", "[2, 1]", false),
    ])
  func valuesAreComparedAsTheWiderType(
    _ type: String, _ stored: String, _ answered: String, _ isSame: Bool
  ) async throws {
    let copies = try Copies(
      "CREATE TABLE TodoItem (id TEXT, v \(type)); INSERT INTO TodoItem VALUES ('a', \(stored));",
      "[{\"id\": \"a\", \"v\": \(answered)}]")
    let outcome = await copies.verify()
    #expect(outcome.code == (isSame ? 0 : 5), "\(outcome.text)\(outcome.error)")
  }

  /// A service calls ids as its SDK does, and the app may have a column `id` besides.
  @Test(arguments: [
    ("couchbase-ios-2015/notes.cblite", "task", "_id"),
    ("parse-android-2016/ParseOfflineStore", "_User", "objectId"),
  ])
  func idsAreFoundByTheNameThatTheSDKGivesThem(
    _ sample: String, _ table: String, _ id: String
  ) async throws {
    let folder = try TemporaryFolder()
    let sample = Project.path("samples/" + sample)
    let exported = await rehome("export", sample, "--to", "ndjson", "--table", table)
    let rows = exported.text.split(separator: "\n").map { $0.dropLast() + #","id":7}"# }
    let server = try folder.write("[" + rows.joined(separator: ",") + "]", to: table + ".json")
    for sides in [[sample, server], [server, sample]] {
      let outcome = await rehome(["verify", "--by-id", "--table", table] + sides)
      #expect(outcome.code == 0, "\(outcome.text)\(outcome.error)")
    }
    try folder.write(
      "[" + rows.joined(separator: ",").replacing(#""\#(id)":""#, with: #""\#(id)":"x"#) + "]",
      to: table + ".json")
    #expect(await rehome("verify", "--by-id", "--table", table, sample, server).code == 5)
  }

  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func totalsAreThoseOfAnIndependentCount(_ seed: UInt64) async throws {
    let folder = try TemporaryFolder()
    let seed = SeededGenerator(seed: seed).seed
    let script = Project.path("Tests/Oracles/item_pairs.py")
    let made = try Program.python.run(["-B", script, folder.path, "\(seed)", "700"])
    try #require(made.code == 0, "\(made.error)")
    let report = try await rehome(
      "verify", "--by-id", "--json", folder.path("device.db"), folder.path("TodoItem.json")
    ).json()
    let totals = try Self.totals(report)
    let expected = try JSONDecoder().decode(
      [String: Int].self, from: Data(contentsOf: URL(filePath: folder.path("expected.json"))))
    for (name, count) in expected { #expect(totals[name] == count, "\(name), seed \(seed)") }
  }

  @Test func columnsOfOneStoreAreNamedAndTheOthersCompared() async throws {
    let copies = try Copies(
      """
      CREATE TABLE TodoItem (text TEXT, extra TEXT, id INTEGER PRIMARY KEY);
      INSERT INTO TodoItem VALUES ('x', 'y', 7);
      """,
      "[{\"id\": \"7\", \"TEXT\": \"x\", \"__version\": \"AAA\", \"__updatedAt\": \"never\"}]")
    let outcome = await copies.verify()
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(
      outcome.text == """
        TodoItem: not compared: extra (only in the first)
        equal: 1 table, 1 row

        """)
    let table = try Self.table(try await copies.verify("--json").json())
    #expect(table["compared"] as? [String] == ["id", "text"])
    let leftOut = try #require(table["leftOut"] as? [[String: String]])
    #expect(leftOut.compactMap { $0["reason"] } == ["system", "system", "missing"])
  }

  @Test(
    arguments: [
      ("[{\"value\": 1}]", "the second has no column with ids"),
      ("{\"value\": [{\"name\": \"a\"}]}", "the second has no column with ids"),
      ("[]", "only in the first"),
    ])
  func whatCannotBeComparedIsNotEqual(_ answer: String, _ told: String) async throws {
    let copies = try Copies(
      "CREATE TABLE TodoItem (id TEXT, text TEXT); INSERT INTO TodoItem VALUES ('a', 'x');", answer)
    let outcome = await copies.verify()
    #expect(outcome.code == 5 || outcome.code == 65, "\(outcome.text)")
    if outcome.code == 5 { #expect(outcome.text.contains(told), "\(outcome.text)") }
  }

  @Test func tablesWithoutAnyCommonColumnAreNotEqual() async throws {
    let copies = try Copies(
      "CREATE TABLE TodoItem (a TEXT); INSERT INTO TodoItem VALUES ('x');", "[{\"b\": \"x\"}]")
    let outcome = await copies.verify()
    #expect(outcome.code == 5)
    #expect(outcome.text.contains("no column can be compared"))
  }

  @Test func itemsThatAreThereTwiceAreCounted() async throws {
    let copies = try Copies(
      """
      CREATE TABLE TodoItem (id TEXT, text TEXT);
      INSERT INTO TodoItem VALUES ('a', 'x'), ('a', 'x'), ('b', 'y');
      """, "[{\"id\": \"a\", \"text\": \"x\"}, {\"id\": \"b\", \"text\": \"y\"}]")
    let outcome = await copies.verify()
    #expect(outcome.code == 5)
    #expect(outcome.text.contains("item a: 2 times in the first, 1 time in the second"))
    #expect(try Self.totals(try await copies.verify("--json").json())["onlyLeft"] == 1)
  }

  @Test func itemsThatOnlyOneStoreMarksAsDeletedAreGone() async throws {
    let copies = try Copies(
      "CREATE TABLE TodoItem (id TEXT); INSERT INTO TodoItem VALUES ('a'), ('c');",
      """
      [{"id": "a", "deleted": false}, {"id": "b", "deleted": true}, {"id": "c", "deleted": true}]
      """)
    let outcome = await copies.verify()
    #expect(outcome.code == 5)
    #expect(
      outcome.text == """
        TodoItem: 2 and 1 rows
          item c: only in the first
        TodoItem: 2 items of the second marked as deleted, which count as gone
        different

        """)
  }

  @Test func namesMeetInTheStoreThatHasTheOldOne() async throws {
    let copies = try Copies(
      "CREATE TABLE Todo (id TEXT, text TEXT); INSERT INTO Todo VALUES ('a', 'x');",
      "[{\"id\": \"a\", \"title\": \"x\"}]")
    #expect(await copies.verify().code == 5)
    for names in [["Todo=TodoItem", "TodoItem.text=title"], ["TodoItem=Todo", "Todo.title=text"]] {
      let options = names.flatMap { ["--rename", $0] }
      let outcome = await rehome(["verify", "--by-id", copies.first, copies.second] + options)
      #expect(outcome.code == 0, "\(outcome.text)\(outcome.error)")
      #expect(!outcome.text.contains("not compared"))
    }
    let wrong = await copies.verify("--rename", "Todo=Other")
    #expect(wrong.code == 64)
    #expect(wrong.error.contains("--rename Todo=Other"))
  }

  @Test func typesAreForTheStoreThatHasTheColumn() async throws {
    let copies = try Copies(
      "CREATE TABLE TodoItem (id TEXT, sum TEXT); INSERT INTO TodoItem VALUES ('a', '5.50');",
      "[{\"id\": \"a\", \"price\": \"5.5\"}]")
    let rename = ["--rename", "TodoItem.sum=price"]
    #expect(await rehome(["verify", "--by-id", copies.first, copies.second] + rename).code == 5)
    let typed = rename + ["--type", "TodoItem.sum=decimal"]
    let outcome = await rehome(["verify", "--by-id", copies.first, copies.second] + typed)
    #expect(outcome.code == 0, "\(outcome.text)\(outcome.error)")
    let wrong = await copies.verify("--type", "TodoItem.nothing=decimal")
    #expect(wrong.code == 64)
  }

  @Test func tablesAndColumnsCanBeLeftOut() async throws {
    let copies = try Copies(
      """
      CREATE TABLE TodoItem (id TEXT, text TEXT, remark TEXT);
      CREATE TABLE Other (id TEXT);
      INSERT INTO TodoItem VALUES ('a', 'x', 'y');
      """, "[{\"id\": \"a\", \"text\": \"x\", \"remark\": \"z\"}]")
    #expect(await copies.verify().text.contains("Other: only in the first"))
    #expect(await copies.verify("--table", "Todo*").code == 5)
    for column in ["remark", "TodoItem.remark", "rem*"] {
      #expect(await copies.verify("--table", "Todo*", "--ignore-column", column).code == 0)
    }
    #expect(await copies.verify("--exclude-table", "Other", "--ignore-column", "remark").code == 0)
    #expect(await copies.verify("--ignore-column", "nothing").code == 64)
    #expect(await copies.verify("--table", "Nothing").code == 64)
  }

  /// Both stores have the column, one of them in a table that was called otherwise.
  @Test(arguments: ["TodoItem.remark", "Foo.remark", "T*.remark"])
  func columnsOfRenamedTablesCanBeLeftOut(_ column: String) async throws {
    let copies = try Copies(
      "CREATE TABLE TodoItem (id TEXT, remark TEXT); INSERT INTO TodoItem VALUES ('a', 'y');",
      "[{\"id\": \"a\", \"remark\": \"z\"}]")
    let renamed = copies.first + ".rehome"
    let made = await rehome(
      "convert", "-q", "--rename", "TodoItem=Foo", copies.second, "-o", renamed)
    try #require(made.code == 0, "\(made.error)")
    let words = ["verify", "--by-id", copies.first, renamed, "--rename", "TodoItem=Foo"]
    #expect(await rehome(words).code == 5)
    let outcome = await rehome(words + ["--ignore-column", column])
    #expect(outcome.code == 0, "\(outcome.text)\(outcome.error)")
  }

  @Test(arguments: [["--pending"], ["--ignore-column", "x"], ["--table", "x"]])
  func optionsAboutItemsNeedTheComparisonById(_ options: [String]) async throws {
    let copies = try Copies("CREATE TABLE TodoItem (id TEXT);", "[{\"id\": \"a\"}]")
    let outcome = await rehome(["verify", copies.first, copies.second] + options)
    #expect(outcome.code == 64)
    #expect(outcome.error.contains("--by-id"))
  }

  @Test func referencesAreComparedByTheIdsOfTheirRows() async throws {
    let folder = try TemporaryFolder()
    let script = """
      import sqlite3, sys
      db = sqlite3.connect(sys.argv[1])
      for key in [1, 2]:
          db.execute("UPDATE Author SET _pk = _pk + 100 WHERE _pk = ?", (key,))
          db.execute("UPDATE Book SET author = author + 100 WHERE author = ?", (key,))
      if len(sys.argv) > 2: db.execute("UPDATE Book SET author = 102 WHERE id = 'b1'")
      db.commit()
      """
    let (first, second) = (folder.path("first"), folder.path("second"))
    try await Self.makeLibrary(at: first)
    try FileManager.default.copyItem(atPath: first, toPath: second)
    _ = try python(script, second)
    #expect(await rehome("verify", first, second).code == 5)
    let same = await rehome("verify", "--by-id", first, second)
    #expect(same.code == 0, "\(same.text)")
    _ = try python("import sqlite3, sys\n" + Self.changeAuthor, second)
    let other = await rehome("verify", "--by-id", first, second)
    #expect(other.code == 5)
    #expect(other.text.contains("item b1, author"), "\(other.text)")
  }

  /// The keys of two stores may be the same where the ids are not.
  @Test func referencesThatDifferAreShownAsIds() async throws {
    let folder = try TemporaryFolder()
    var stores: [String] = []
    for (name, authors, book) in [("a", "z\ny", "z"), ("b", "y\nz", "y")] {
      let inputs = try folder.makeFolder(name)
      try "id\n\(authors)\n".write(
        toFile: inputs + "/Author.csv", atomically: true, encoding: .utf8)
      try "id,author,other\n1,\(book),z\n".write(
        toFile: inputs + "/Book.csv", atomically: true, encoding: .utf8)
      let store = folder.path(name + ".rehome")
      let seeding = await rehome(
        "seed", "-q", inputs + "/Author.csv", inputs + "/Book.csv", "-o", store,
        "--reference", "Book.author=Author", "--reference", "Book.other=Author")
      try #require(seeding.code == 0, "\(seeding.error)")
      stores.append(store)
    }
    let outcome = await rehome("verify", "--by-id", stores[0], stores[1])
    #expect(outcome.code == 5)
    #expect(outcome.text.contains(#"item 1, author: "z" is not "y""#), "\(outcome.text)")
    #expect(!outcome.text.contains("item 1, other"))
    // A server's answer has the ids themselves; what leads nowhere has none.
    let answer = try folder.write(#"[{"id":1,"author":"x","other":"y"}]"#, to: "Book.json")
    _ = try python(
      """
      import sqlite3, sys
      with sqlite3.connect(sys.argv[1]) as db: db.execute("UPDATE Book SET other = 9")
      """, stores[0])
    let other = await rehome("verify", "--by-id", stores[0], answer, "--table", "Book")
    #expect(other.text.contains(#"item 1, author: "z" is not "x""#), "\(other.text)")
    #expect(other.text.contains(#"item 1, other: "the row 9" is not "y""#), "\(other.text)")
  }

  /// Ids that are numbers are texts where another store keeps references as such.
  @Test func numbersThatReferAreComparedWithTexts() async throws {
    let folder = try TemporaryFolder()
    let files = try [
      folder.write(#"[{"id":7,"name":"x"},{"id":8,"name":"y"}]"#, to: "Author.json"),
      folder.write("id,author\n1,7\n2,8\n", to: "Post.csv"),
    ]
    let store = folder.path("store.rehome")
    let seeding = await rehome(
      ["seed", "-q"] + files + ["-o", store, "--reference", "Post.author=Author"])
    try #require(seeding.code == 0, "\(seeding.error)")
    for (author, code) in [("8", Int32(0)), ("7", 5)] {
      let answer = try folder.write(
        #"{"Author":[{"id":7,"name":"x"},{"id":8,"name":"y"}],"#
          + #""Post":[{"id":1,"author":"7"},{"id":2,"author":"\#(author)"}]}"#, to: "answer.json")
      for isFirst in [true, false] {
        let outcome = await rehome(
          ["verify", "--by-id"] + (isFirst ? [store, answer] : [answer, store]))
        #expect(outcome.code == code, "\(outcome.text)")
        #expect(!outcome.text.contains("not compared"), "\(outcome.text)")
      }
    }
  }

  @Test func keysInAPlainFileAreNoIds() async throws {
    let folder = try TemporaryFolder()
    let store = try #require(Sample.all.first { $0.name == "ios-2016" }).store()
    let file = folder.path("Visit.ndjson")
    let export = await rehome(
      "export", "-q", store, "--to", "ndjson", "--table", "Visit", "-o", file)
    try #require(export.code == 0)
    let outcome = await rehome("verify", "--by-id", store, file, "--table", "Visit")
    #expect(outcome.code == 0, "\(outcome.text)")
    #expect(outcome.text.contains("not compared: task (keys of rows that are known by no id)"))
  }

  @Test func bareVerificationCountsBeyondTheLimit() async throws {
    let rehearsal = try await Rehearsal(operations: 60)
    let other = rehearsal.folder.path("other.rehome")
    try FileManager.default.copyItem(atPath: rehearsal.server, toPath: other)
    try rehearsal.alter(other, "UPDATE TodoItem SET text = 'new' WHERE _pk % 2 = 0")
    let outcome = await rehome("verify", rehearsal.server, other, "--limit", "3")
    #expect(outcome.code == 5)
    #expect(outcome.text.contains("… and 17 more: of 20 rows that differ"), "\(outcome.text)")
    let report = try await rehome("verify", "--json", "--limit", "0", rehearsal.server, other)
      .json()
    #expect(try Self.totals(report)["changed"] == 20)
  }

  private static let changeAuthor = """
    with sqlite3.connect(sys.argv[1]) as db:
        db.execute("UPDATE Book SET author = 102 WHERE id = 'b1'")
    """

  /// A canonical store of two tables, one of which refers to the other.
  private static func makeLibrary(at path: String) async throws {
    let folder = try TemporaryFolder()
    let author = try folder.write("_pk,id\n1,a1\n2,a2\n", to: "Author.csv")
    let book = try folder.write("_pk,id,author\n1,b1,1\n2,b2,2\n3,b3,\n", to: "Book.csv")
    let seeding = await rehome("seed", "-q", author, book, "-o", path)
    try #require(seeding.code == 0, "\(seeding.error)")
    _ = try python(
      """
      import sqlite3, sys
      with sqlite3.connect(sys.argv[1]) as db:
          db.execute("UPDATE rehome_column SET type = 'reference', role = 'reference', "
                     "target = 'Author' WHERE name = 'author'")
      """, path)
  }

  private static func table(_ report: [String: any Sendable]) throws -> [String: any Sendable] {
    try #require((report["tables"] as? [[String: any Sendable]])?.first)
  }

  private static func totals(_ report: [String: any Sendable]) throws -> [String: Int] {
    let difference = try #require(try table(report)["differences"] as? [String: any Sendable])
    return try #require(difference["totals"] as? [String: Int])
  }

  @Test(arguments: ["[]", #"{"value":[]}"#])
  func itemMarkedAsDeletedIsGoneWhereTheOtherHasNothing(_ answer: String) async throws {
    let folder = try TemporaryFolder()
    let first = try folder.write(#"[{"id":"1","v":1,"deleted":true}]"#, to: "T.json")
    try folder.makeFolder("server")
    let second = try folder.write(answer, to: "server/T.json")
    for stores in [[first, second], [second, first]] {
      let outcome = await rehome(["verify", "--by-id"] + stores)
      #expect(outcome.code == 0, "\(outcome.text)\(outcome.error)")
      #expect(outcome.text.contains("marked as deleted, which count as gone"))
    }
  }

  @Test func itemWithoutIDHasNoneInTheReport() async throws {
    let copies = try Copies(
      "CREATE TABLE TodoItem (id TEXT, v TEXT); INSERT INTO TodoItem VALUES (NULL, 'x');", "[]")
    let outcome = await copies.verify("--json")
    #expect(outcome.code == 5)
    let table = try #require((try outcome.json()["tables"] as? [[String: Any]])?.first)
    let difference = try #require(table["differences"] as? [String: Any])
    let row = try #require((difference["rows"] as? [[String: Any]])?.first)
    #expect(row["id"] is NSNull && row["_pk"] is NSNull, "\(row)")
    #expect(await copies.verify().text.contains("item without id: only in the first"))
  }

  /// Of names that differ only in letter case each is compared with its own.
  @Test(arguments: [
    (#"[{"id":1,"name":"lower"}]"#, 0 as Int32, "Name (only in the first)"),
    (#"[{"id":1,"Name":"upper"}]"#, 0, "name_2 (only in the first)"),
    (#"[{"id":1,"name":"upper"}]"#, 5, "name_2"),
  ])
  func twinsAreComparedWithTheirOwn(_ answer: String, _ code: Int32, _ words: String) async throws {
    let folder = try TemporaryFolder()
    for (name, rows) in [("a", #"[{"id":1,"Name":"upper","name":"lower"}]"#), ("b", answer)] {
      try FileManager.default.createDirectory(
        atPath: folder.path(name), withIntermediateDirectories: true)
      try folder.write(rows, to: name + "/T.json")
    }
    let outcome = await rehome(
      "verify", "--by-id", folder.path("a/T.json"), folder.path("b/T.json"))
    #expect(outcome.code == code, "\(outcome.text)\(outcome.error)")
    #expect(outcome.text.contains(words), "\(outcome.text)")
  }

  /// What is said of plain files means the one of two inputs that is one.
  @Test(arguments: ["store", "export.xml", "export.json", "bundle", "core-data.xml"])
  func formatIsThatOfThePlainFile(_ name: String) async throws {
    let folder = try TemporaryFolder()
    let words = try folder.write("id\nab\ncd\n", to: "Word.txt")
    let store = folder.path("store")
    #expect(await rehome("seed", "-q", words, "--from", "csv", "-o", store).code == 0)
    for (to, path) in [("xml", "export.xml"), ("json", "export.json"), ("csv", "bundle")] {
      _ = await rehome("export", "-q", store, "--to", to, "-o", folder.path(path))
    }
    try folder.write(
      """
      <?xml version="1.0"?>
      <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">
      <database><databaseInfo><version>134481920</version><UUID>U</UUID>
      <nextObjectID>103</nextObjectID></databaseInfo>
      <object type="WORD" id="z101"><attribute name="id" type="string">ab</attribute></object>
      <object type="WORD" id="z102"><attribute name="id" type="string">cd</attribute></object>
      </database>
      """, to: "core-data.xml")
    for inputs in [[folder.path(name), words], [words, folder.path(name)]] {
      let outcome = await rehome(["verify", "--by-id", "--from", "csv"] + inputs)
      #expect(outcome.code == 0, "\(outcome.text)\(outcome.error)")
    }
    let alone = await rehome("inspect", folder.path(name), "--from", "csv")
    #expect(alone.code != 0)
  }

  /// A table that a server does not have yet goes by what waits for it.
  @Test(
    arguments: [
      (["a", "b"], ["a", "b"], 0), (["a", "b"], ["a"], 5), (["a"], [], 5), ([], ["a"], 0),
      ([], [], 0),
    ] as [([String], [String], Int32)])
  func tableThatOnlyTheDeviceHasGoesByWhatWaits(
    _ rows: [String], _ inserts: [String], _ code: Int32
  ) async throws {
    let folder = try TemporaryFolder()
    let device = try Devices.make(
      "device.rehome", in: folder,
      """
      device.make('Old', [('id', 'text', 'id', None)])
      device.add('Old', 1, ['o'])
      device.make('New', [('id', 'text', 'id', None), ('text', 'text', 'value', None)])
      for key, id in enumerate(\(rows), 1):
          device.add('New', key, [id, 'text'])
      for key, id in enumerate(\(inserts), 1):
          sql("INSERT INTO rehome_operation VALUES (?, 1, 'New', ?, 'insert', 'pending', NULL, NULL, "
              "?, NULL, '1', '1', NULL)", (key, id, key))
      """)
    let server = try folder.write("[{\"id\":\"o\"}]", to: "Old.json")
    for pair in [[device, server], [server, device]] {
      let outcome = await rehome(["verify", "--by-id", "--pending"] + pair)
      #expect(outcome.code == code, "\(outcome.text)\(outcome.error)")
      #expect(await rehome(["verify", "--by-id"] + pair).code == 5)
    }
  }

  /// What an SDK never sends is missing on every server.
  @Test func tableThatStaysOnTheDeviceIsNoDifference() async throws {
    let folder = try TemporaryFolder()
    let store = Sample(name: "watermelon-2024").store()
    let server = folder.path("server.rehome")
    _ = await rehome("convert", "-q", "--exclude-table", "local_storage", store, "-o", server)
    let outcome = await rehome("verify", "--by-id", "--pending", store, server)
    #expect(outcome.code == 0, "\(outcome.text)\(outcome.error)")
    #expect(outcome.text.contains("local_storage: only in the first, which never sends it"))
    #expect(await rehome("verify", "--by-id", store, server).code == 5)
  }

  /// To Parse `Game` and `game` are two classes, however alike their objects are.
  @Test func classesInAnotherLetterCaseAreOthers() async throws {
    let folder = try TemporaryFolder()
    let lower = try Devices.makeParse("lower", in: folder, "game=u1u1u1u1u1")
    let upper = try Devices.makeParse("upper", in: folder, "Game=u1u1u1u1u1")
    let server = try folder.write(
      #"[{"objectId":"u1u1u1u1u1","name":"newupperGame"}]"#, to: "game.json")
    for other in [lower, server] {
      let outcome = await rehome("verify", "--by-id", upper, other)
      #expect(outcome.code == 5)
      #expect(
        outcome.text == "Game: only in the first\ngame: only in the second\ndifferent\n",
        "\(outcome.text)\(outcome.error)")
    }
  }

  @Test func fieldsInAnotherLetterCaseAreOthersToSomeSDKs() async throws {
    let folder = try TemporaryFolder()
    let store = try Devices.makeParse("one", in: folder, "game=u1u1u1u1u1")
    let server = try folder.write(
      #"[{"objectId":"u1u1u1u1u1","NAME":"newonegame"}]"#, to: "game.json")
    let report = try await rehome("verify", "--by-id", "--json", store, server).json()
    let table = try Self.table(report)
    #expect(table["compared"] as? [String] == ["objectId"])
    let leftOut = try #require(table["leftOut"] as? [[String: String]])
    let missing = leftOut.filter { $0["reason"] == "missing" }.compactMap { $0["column"] }
    #expect(missing.contains("name") && missing.contains("NAME"), "\(leftOut)")
  }

  /// The local id of an object is made by each device, and nobody else ever hears of it.
  @Test func whatNoDeviceSendsIsNoDifference() async throws {
    let folders = (try TemporaryFolder(), try TemporaryFolder())
    let one = try Devices.makeParse("same", in: folders.0, "game=u1u1u1u1u1")
    let two = try Devices.makeParse("same", in: folders.1, "game=u1u1u1u1u1")
    let outcome = await rehome("verify", "--by-id", one, two)
    #expect(outcome.code == 0, "\(outcome.text)\(outcome.error)")
    #expect(outcome.text == "equal: 1 table, 1 row\n")
    #expect(await rehome("verify", one, two).code == 5)
  }

  /// The early SDKs reserve all names of that kind, but a mark of deletion says what a server knows.
  @Test(arguments: [("dotnet-2014", "TodoItem"), ("android-2014", "todoitem")])
  func marksOfDeletionWithReservedNamesCount(_ sample: String, _ table: String) async throws {
    let folder = try TemporaryFolder()
    let stores = ["marked", "without"].map { folder.path($0) }
    for (path, change) in zip(
      stores, ["UPDATE \(table) SET __deleted = 1", "DELETE FROM \(table)"])
    {
      try FileManager.default.copyItem(atPath: Sample(name: sample).store(), toPath: path)
      _ = try python(
        """
        import os, sqlite3, sys
        os.chmod(sys.argv[1], 0o644)
        db = sqlite3.connect(sys.argv[1])
        db.execute(sys.argv[2])
        db.commit()
        """, path, change + " WHERE rowid = (SELECT min(rowid) FROM \(table))")
    }
    let outcome = await rehome(["verify", "--by-id"] + stores)
    #expect(outcome.code == 0, "\(outcome.text)\(outcome.error)")
    let words = "\(table): 1 item of the first marked as deleted, which count as gone\n"
    #expect(outcome.text.hasPrefix(words))
  }

  /// The words for truth of a plain file are the texts that the other store has.
  @Test(arguments: [
    ("yes,no", "yes,no", true), ("TRUE,FALSE", "TRUE,FALSE", true),
    ("TRUE,FALSE", "true,false", true), ("yes,no", "no,yes", false),
  ])
  func wordsForTruthAreComparedWithTexts(_ file: String, _ stored: String, _ isSame: Bool)
    async throws
  {
    let values = stored.split(separator: ",")
    let copies = try Copies(
      "CREATE TABLE T (id TEXT PRIMARY KEY, b TEXT);"
        + "INSERT INTO T VALUES ('k1', '\(values[0])'), ('k2', '\(values[1])');", "[]")
    let words = file.split(separator: ",")
    let csv = try copies.folder.write("id,b\nk1,\(words[0])\nk2,\(words[1])\n", to: "T.csv")
    let outcome = await rehome("verify", "--by-id", copies.first, csv)
    #expect(outcome.code == (isSame ? 0 : 5), "\(outcome.text)\(outcome.error)")
  }

  @Test func idsThatAreWordsForTruthAreTheSameBesideOthers() async throws {
    let folder = try TemporaryFolder()
    var files: [String] = []
    for (name, ids) in [("a", "yes\nno\n"), ("b", "yes\nno\nx3\n")] {
      try folder.makeFolder(name)
      files.append(try folder.write("id\n" + ids, to: "\(name)/T.csv"))
    }
    let outcome = await rehome("verify", "--by-id", files[0], files[1])
    #expect(outcome.text.contains("item x3: only in the second"), "\(outcome.text)")
    #expect(!outcome.text.contains("yes"), "\(outcome.text)")
  }
}
