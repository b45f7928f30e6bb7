import TestSupport
import Testing

/// What becomes of rows and values that an app's own rules refuse: nothing of it goes untold.
@Suite(.enabled(if: SystemProgram.python.isInstalled, "python3 is not installed"))
struct SeedRefusedRowsTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private var output: String { folder.path("app.db") }

  private func database(_ name: String, _ sql: String) throws -> String {
    let path = folder.path(name)
    _ = try python(
      """
      import os, sqlite3, sys
      if os.path.exists(sys.argv[1]): os.remove(sys.argv[1])
      sqlite3.connect(sys.argv[1]).executescript(sys.argv[2])
      """, path, sql)
    return path
  }

  private func seed(
    _ inputs: [String], into kind: String = "toolkit", _ template: String, _ options: [String] = []
  ) async -> Outcome {
    await rehome(
      ["seed", "--json"] + inputs + ["--into", kind, "--template", template, "-fo", output]
        + options)
  }

  /// The books of tables, with how many rows these really have.
  private func books(
    _ outcome: Outcome, _ tables: KeyValuePairs<String, String>
  ) throws -> [[Int?]] {
    let told = try #require(try outcome.json()["tables"] as? [[String: any Sendable]])
    return try tables.map { name, own in
      let book = told.first { $0["name"] as? String == name }
      let count = try Devices.query(output, "SELECT count(*) FROM \(own)")
      return ["read", "written", "rejected"].map { book?[$0] as? Int } + [Int(count.dropLast())]
    }
  }

  /// A table may say that a row which breaks a rule takes the place of another, or goes untold.
  @Test(
    arguments: [
      "Id TEXT PRIMARY KEY, name TEXT UNIQUE ON CONFLICT #",
      "Id TEXT PRIMARY KEY, name TEXT, UNIQUE (name) ON CONFLICT #",
      "Id TEXT, name TEXT PRIMARY KEY ON CONFLICT #",
      "Id TEXT, name TEXT PRIMARY KEY ON CONFLICT #) WITHOUT ROWID; CREATE TABLE more (x",
    ], ["REPLACE", "IGNORE", "FAIL"])
  func rowsThatTheTableGivesUpAreRefused(_ columns: String, _ clause: String) async throws {
    let items = try folder.write("id,name,grade\na,x,1\nb,x,\nc,y,2\n", to: "Item.csv")
    let rule = columns.replacing("#", with: clause)
    let outcome = await seed(
      [items], try database("template.db", ToolkitTables.all + "CREATE TABLE Item (\(rule));"),
      ["--drop-unknown"])
    #expect(outcome.code == 2, "\(outcome.error)")
    #expect(try books(outcome, ["Item": "Item"]) == [[3, 2, 1, 2]])
    #expect(try Devices.query(output, "SELECT Id FROM Item ORDER BY 1") == "a\nc\n")
  }

  /// A rule may say, too, what the app has for nothing; then no row goes.
  @Test(
    arguments: [
      ("ON CONFLICT REPLACE DEFAULT (3 + 4)", "a|1\nb|7\nc|2\n"),
      ("ON CONFLICT REPLACE", "a|1\nc|2\n"),
      ("on conflict replace DEFAULT 7 CHECK (grade > 0)", "a|1\nb|7\nc|2\n"),
      ("ON CONFLICT REPLACE DEFAULT seven", "a|1\nc|2\n"),
      ("ON CONFLICT REPLACE DEFAULT \"name\"", "a|1\nc|2\n"),
      ("ON CONFLICT REPLACE DEFAULT NULL", "a|1\nc|2\n"),
      ("ON CONFLICT REPLACE DEFAULT (7 -- x\n)", "a|1\nb|7\nc|2\n"),
      ("ON CONFLICT IGNORE DEFAULT 7", "a|1\nc|2\n"), ("ON CONFLICT FAIL DEFAULT 7", "a|1\nc|2\n"),
      ("DEFAULT 7 CHECK ('NOT NULL ON CONFLICT REPLACE' <> '')", "a|1\nc|2\n"),
    ])
  func nullsBecomeWhatTheTableHasForNothing(_ rule: String, rows: String) async throws {
    let items = try folder.write("id,name,grade\na,x,1\nb,x,\nc,y,2\n", to: "Item.csv")
    let template = try database(
      "template.db",
      ToolkitTables.all
        + "CREATE TABLE Item (Id TEXT PRIMARY KEY, name TEXT, grade INTEGER NOT NULL \(rule));")
    let outcome = await seed([items], template)
    let isKept = rows.contains("b")
    #expect(outcome.code == (isKept ? 0 : 2), "\(outcome.error)")
    #expect(try Devices.query(output, "SELECT Id, grade FROM Item ORDER BY 1") == rows)
    let told = "nulls of Item.grade that became the app's default: 1"
    #expect(outcome.text.contains(told) == isKept, "\(outcome.text)")
  }

  private static let posts =
    ToolkitTables.all + """
      CREATE TABLE Author (Id TEXT PRIMARY KEY, name TEXT NOT NULL);
      CREATE TABLE Post (Id TEXT PRIMARY KEY, author TEXT NOT NULL REFERENCES Author);
      """

  /// Rows go again once the rows that they need turn out not to be there.
  @Test(arguments: [[0, 1], [1, 0]])
  func booksDoNotDependOnTheOrderOfInputs(_ order: [Int]) async throws {
    let files = [
      try folder.write("id,name\na,A\nb,\n", to: "Author.csv"),
      try folder.write("id,author\np1,a\np2,b\np3,z\n", to: "Post.csv"),
    ]
    let inputs = order.map { files[$0] }
    let template = try database("template.db", Self.posts)
    let outcome = await seed(inputs, template)
    #expect(outcome.code == 2, "\(outcome.error)")
    #expect(
      try books(outcome, ["Author": "Author", "Post": "Post"]) == [[2, 1, 1, 1], [3, 1, 2, 1]])
    #expect(await seed(inputs, template, ["--max-rejects", "2"]).code == 3)
    #expect(await seed(inputs, template, ["--max-rejects", "3"]).code == 2)
  }

  @Test(arguments: [[0, 1, 2], [2, 1, 0]])
  func booksOfPairsDoNotDependOnTheOrderOfInputs(_ order: [Int]) async throws {
    let entities =
      "[Entity('Post', (A('id', 'string'),), (Relationship('tags', 'Tag', 'posts', True),)), "
      + "Entity('Tag', (A('id', 'string'), A('label', 'string')), "
      + "(Relationship('posts', 'Post', 'tags', True),))]"
    let device = try ObjectStore.describe(
      "device.sqlite", in: folder, of: entities,
      """
      store.insert('Post', {'id': 'p'})
      for tag in 't', 'u': store.insert('Tag', {'id': tag, 'label': 'same'})
      for tag in 1, 2: store.link('Post', 'tags', 1, tag)
      """)
    let template = try ObjectStore.describe(
      "empty.sqlite", in: folder, of: entities,
      "store.database.execute('CREATE UNIQUE INDEX one ON ZTAG (ZLABEL)')")
    var files: [String] = []
    for table in ["Post", "Tag", "Post_tags"] {
      files.append(folder.path(table + ".json"))
      _ = await rehome(
        "export", "-q", device, "--to", "json", "--table", table, "-o", files[files.count - 1])
    }
    let outcome = await seed(order.map { files[$0] }, into: "core-data", template)
    #expect(outcome.code == 2, "\(outcome.error)")
    #expect(
      try books(outcome, ["Tag": "ZTAG", "Post_tags": "Z_1TAGS"]) == [[2, 1, 1, 1], [2, 1, 1, 1]])
    #expect(!outcome.text.contains("source-given-twice"), "\(outcome.text)")
  }

  /// An app asks only for what came after its token, and so never again for what is missing.
  @Test(
    arguments: [
      ("", "'milk', 1", true), ("", "'milk', 'one'", false), ("NOT NULL", "NULL, 1", false),
      ("REFERENCES Word (Id)", "'gone', 1", false), ("REFERENCES Word (Id)", "NULL, 1", true),
    ])
  func tokenOfATableThatLacksSomethingIsLeftOut(
    rule: String, values: String, isKept: Bool
  ) async throws {
    let device = try database(
      "device.db",
      QueueTables.dotNet + """
        CREATE TABLE item (id TEXT PRIMARY KEY, word TEXT, done BOOLEAN, version TEXT);
        CREATE TABLE other (id TEXT PRIMARY KEY, version TEXT);
        INSERT INTO item VALUES ('a', NULL, 0, 'AA=='), ('b', \(values), 'AA==');
        UPDATE item SET word = 'x' WHERE id = 'a' AND '\(rule)' = 'NOT NULL';
        INSERT INTO other VALUES ('o', 'AA==');
        INSERT INTO __config VALUES ('deltaToken|item|all', '2016-10-01T09:15:30.0000000+00:00'),
          ('deltaToken|other|all', '2016-10-01T09:15:30.0000000+00:00');
        """)
    let template = try database(
      "template.db",
      ToolkitTables.all + """
        CREATE TABLE Word (Id TEXT PRIMARY KEY);
        CREATE TABLE Item (Id TEXT PRIMARY KEY, word TEXT \(rule), done INTEGER, version TEXT);
        CREATE TABLE Other (Id TEXT PRIMARY KEY, version TEXT);
        """)
    let canonical = folder.path("device.rehome")
    _ = await rehome("convert", "-qf", device, "-o", canonical)
    for input in [device, canonical] {
      let outcome = await seed([input], template)
      let told = "tokens of item, where rows or values are missing"
      #expect(outcome.text.contains(told) != isKept, "\(outcome.text)\(outcome.error)")
      #expect(
        try Devices.query(output, "SELECT Id FROM DatasyncDeltaTokens ORDER BY 1")
          == (isKept ? "q-item-all\n" : "") + "q-other-all\n")
    }
  }

  @Test(arguments: [true, false])
  func tokenOfAnEntityThatLacksRowsIsLeftOut(isStrict: Bool) async throws {
    let entities =
      "system_entities() + [Entity(name, (A('id', 'string'), A('text', 'string'), "
      + "A('version', 'string'))) for name in ('Item', 'Other')]"
    let device = try ObjectStore.describe(
      "device.sqlite", in: folder, of: entities,
      """
      for item in 'a', 'b': store.insert('Item', {'id': item, 'text': 'same', 'version': 'AA='})
      store.insert('Other', {'id': 'o', 'version': 'AA='})
      for table in 'Item', 'Other':
          queue.add_token('T' + table, table, 'all', '2016-10-01T09:15:30.123Z')
      """)
    let template = try ObjectStore.describe(
      "empty.sqlite", in: folder, of: entities,
      isStrict ? "store.database.execute('CREATE UNIQUE INDEX one ON ZITEM (ZTEXT)')" : "")
    // Of two inputs, each has tokens.
    var files: [String] = []
    for table in ["Item", "Other"] {
      files.append(folder.path(table + ".json"))
      _ = await rehome(
        "export", "-q", device, "--to", "json", "--exclude-table", table, "-o",
        files[files.count - 1])
    }
    for inputs in [[device], files] {
      let outcome = await seed(inputs, into: "core-data", template)
      #expect(outcome.code == (isStrict ? 2 : 0), "\(outcome.error)")
      let told = "tokens of Item, where rows or values are missing"
      #expect(outcome.text.contains(told) == isStrict, "\(outcome.text)")
      #expect(
        try Devices.query(output, "SELECT ZTABLE FROM ZMS_TABLECONFIG ORDER BY 1")
          == (isStrict ? "" : "Item\n") + "Other\n")
    }
  }

  private static let parts =
    "system_entities() + [Entity('Item', (A('id', 'string'),), (Relationship('owner', 'Part', 'item'),))"
    + ", Entity('Part', (A('id', 'string'), A('text', 'string')), "
    + "(Relationship('item', 'Item', 'owner'),))] + [Entity(name, parent='Part') "
    + "for name in ('Nail', 'Screw')]"

  private static let addTokens = """

    for table in 'Item', 'Nail', 'Screw':
        queue.add_token('T' + table, table, 'all', '2016-10-01T09:15:30.123Z')
    """

  /// Of entities with one table, each has tokens of its own; and no server knows relationships.
  @Test func tokensOfEntitiesThatLackNothingStay() async throws {
    let device = try ObjectStore.describe(
      "device.sqlite", in: folder, of: Self.parts,
      """
      for name in 'Nail', 'Screw': store.insert(name, {'id': name, 'text': 'same'})
      store.insert('Item', {'id': 'i'})
      store.database.execute("UPDATE ZITEM SET ZOWNER = 'x'")
      """ + Self.addTokens)
    let template = try ObjectStore.describe(
      "empty.sqlite", in: folder, of: Self.parts,
      "store.database.execute('CREATE UNIQUE INDEX one ON ZPART (ZTEXT)')")
    let outcome = await seed([device], into: "core-data", template)
    #expect(outcome.code == 2, "\(outcome.error)")
    #expect(outcome.text.contains("tokens of Screw, where rows or values are missing"))
    #expect(
      try Devices.query(output, "SELECT ZTABLE FROM ZMS_TABLECONFIG ORDER BY 1") == "Item\nNail\n")
  }

  /// What came between the times of two inputs, the app would never get.
  @Test(arguments: [[0, 1], [1, 0]])
  func earliestTokenOfAQueryCounts(_ order: [Int]) async throws {
    var files: [String] = []
    for (table, month) in [("Item", "10"), ("Nail", "09")] {
      let device = try ObjectStore.describe(
        table + ".sqlite", in: folder, of: Self.parts,
        Self.addTokens.replacing("2016-10-", with: "2016-\(month)-"))
      files.append(folder.path(table + ".json"))
      _ = await rehome(
        "export", "-q", device, "--to", "json", "--table", table, "-o", files[files.count - 1])
    }
    let toolkit = try database(
      "template.db",
      ToolkitTables.all
        + ["Item", "Nail"].map { "CREATE TABLE \($0) (Id TEXT PRIMARY KEY, text TEXT);" }
        .joined())
    for (kind, template, times) in [
      (
        "core-data", try ObjectStore.describe("empty.sqlite", in: folder, of: Self.parts),
        "SELECT ZTABLE, substr(ZVALUE, 1, 10) FROM ZMS_TABLECONFIG WHERE ZTABLE <> 'Screw' ORDER BY 1"
      ),
      (
        "toolkit", toolkit,
        "SELECT substr(Id, 3, 4), date(Value / 1000, 'unixepoch') FROM DatasyncDeltaTokens ORDER BY 1"
      ),
    ] {
      let outcome = await seed(order.map { files[$0] }, into: kind, template, ["--drop-unknown"])
      #expect(outcome.code == 0, "\(outcome.error)")
      #expect(try Devices.query(output, times) == "Item|2016-09-01\nNail|2016-09-01\n")
      let told = "tokens of Item for a query that has one already: 1"
      #expect(outcome.text.contains(told), "\(outcome.text)")
    }
  }
}
