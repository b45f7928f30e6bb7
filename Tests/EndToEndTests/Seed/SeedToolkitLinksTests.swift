import Foundation
import TestSupport
import Testing

/// References in stores of the Community Toolkit lead to rows that are there, by Python's sqlite3.
@Suite(.enabled(if: SystemProgram.python.isInstalled, "python3 is not installed"))
struct SeedToolkitLinksTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private var output: String { folder.path("app.db") }

  private func template(_ tables: String) throws -> String {
    let path = folder.path("template.db")
    _ = try python(
      """
      import os, sqlite3, sys
      if os.path.exists(sys.argv[1]): os.remove(sys.argv[1])
      sqlite3.connect(sys.argv[1]).executescript(sys.argv[2])
      """, path, ToolkitTables.all + tables)
    return path
  }

  /// Authors of whom the store refuses the second, and posts of theirs.
  private func files() throws -> [String] {
    [
      try folder.write("id,name\na,Anna\nb,\nc,Cy\n", to: "Author.csv"),
      try folder.write("id,author\np1,a\np2,b\np3,c\np4,\n", to: "Post.csv"),
    ]
  }

  private func seed(_ inputs: [String], _ tables: String, _ options: [String] = []) async throws
    -> Outcome
  {
    let template = try template(tables)
    return await rehome(
      ["seed"] + inputs + ["--into", "toolkit", "--template", template, "-fo", output] + options)
  }

  private static let authors =
    "CREATE TABLE Author (Id TEXT NOT NULL PRIMARY KEY, name TEXT NOT NULL);"

  private func brokenKeys() throws -> String {
    try Devices.query(output, "SELECT * FROM pragma_foreign_key_check")
  }

  @Test(
    arguments: [[], ["--exclude-table", "Author"], ["--table", "Post"]],
    [[], ["--reference", "Post.author=Author"]])
  func declaredKeysLeadToRows(_ choice: [String], _ tying: [String]) async throws {
    for isFirst in [true, false] {
      let files = try files()
      let outcome = try await seed(
        isFirst ? files : files.reversed(),
        Self.authors + "CREATE TABLE Post (Id TEXT PRIMARY KEY, author TEXT REFERENCES author);",
        choice + tying)
      #expect(outcome.code == (choice.isEmpty ? 2 : 0), "\(outcome.error)")
      #expect(try brokenKeys().isEmpty)
      let rows = try Devices.query(output, "SELECT Id, author FROM Post ORDER BY 1")
      #expect(
        rows
          == (choice.isEmpty
            ? "p1|a\np2|None\np3|c\np4|None\n" : "p1|None\np2|None\np3|None\np4|None\n"))
      #expect(
        outcome.error.contains(
          "references of Post to rows that the store does not have, "
            + "which became NULL: "
            + (choice.isEmpty ? "1" : "3")), "\(outcome.error)")
    }
  }

  /// A key to columns whose values may come twice is none to the engine.
  @Test(arguments: [("", false), ("UNIQUE", true)])
  func keysLeadToWhatTellsRowsApart(rule: String, isKey: Bool) async throws {
    let outcome = try await seed(
      try files(),
      "CREATE TABLE Author (Id TEXT NOT NULL PRIMARY KEY, name TEXT NOT NULL \(rule));"
        + "CREATE TABLE Post (Id TEXT PRIMARY KEY, author TEXT REFERENCES Author (name));")
    #expect(outcome.code == 2, "\(outcome.error)")
    let rows = try Devices.query(output, "SELECT Id, author FROM Post ORDER BY 1")
    #expect(
      rows
        == (isKey
          ? "p1|None\np2|None\np3|None\np4|None\n" : "p1|a\np2|b\np3|c\np4|None\n"))
  }

  /// What a reference names its row by is not what rows of the toolkit are known by.
  @Test(arguments: ["name", "_pk"], ["", "REFERENCES Author(Id)"])
  func referencesByAnotherColumnBecomeIds(_ column: String, _ rule: String) async throws {
    let files = [
      try folder.write("_pk,id,name\n7,A,x\n3,B,y\n", to: "Author.csv"),
      try folder.write(
        "id,author\n" + (column == "name" ? "p,y\nq,x\n" : "p,3\nq,7\n"), to: "Post.csv"),
    ]
    let outcome = try await seed(
      files,
      "CREATE TABLE Author (Id TEXT NOT NULL PRIMARY KEY, name TEXT, _pk_ INTEGER);"
        + "CREATE TABLE Post (Id TEXT PRIMARY KEY, author TEXT \(rule));",
      ["--reference", "Post.author=Author.\(column)"])
    #expect(outcome.code == 0 && !outcome.error.contains("became NULL"), "\(outcome.error)")
    #expect(
      try Devices.query(output, "SELECT Id, author FROM Post ORDER BY 1") == "p|B\nq|A\n")
  }

  /// The server has the items that were left out here.
  @Test func idsStayWhereNoKeyIsDeclared() async throws {
    let outcome = try await seed(
      try files(), Self.authors + "CREATE TABLE Post (Id TEXT PRIMARY KEY, author TEXT);",
      ["--exclude-table", "Author", "--reference", "Post.author=Author"])
    #expect(outcome.code == 0, "\(outcome.error)")
    let rows = try Devices.query(output, "SELECT author FROM Post ORDER BY Id")
    #expect(rows == "a\nb\nc\nNone\n")
  }

  @Test func keysOfRowsThatNobodyHasGo() async throws {
    let files = [
      try folder.write("id,name\na,Anna\n", to: "Author.csv"),
      try folder.write("id,author\np1,a\np2,zz\n", to: "Post.csv"),
    ]
    let outcome = try await seed(
      files,
      Self.authors + "CREATE TABLE Post (Id TEXT PRIMARY KEY, author TEXT REFERENCES Author(Id));")
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(
      outcome.error.contains(
        "references of Post to rows that the store does not have, "
          + "which became NULL: 1"), "\(outcome.error)")
    #expect(try Devices.query(output, "SELECT author FROM Post ORDER BY Id") == "a\nNone\n")
  }

  /// Keys that must not be NULL, and those of two columns, of which one is the row's own.
  @Test func rowsThatMustReferAreRefused() async throws {
    let files =
      try files() + [
        try folder.write("id,post\nk1,p1\nk2,p2\n", to: "Remark.csv"),
        try folder.write("book,author\nx,a\nx,b\n", to: "Pair.csv"),
      ]
    let outcome = try await seed(
      files,
      Self.authors + """
        CREATE TABLE Post (Id TEXT PRIMARY KEY, author TEXT NOT NULL DEFAULT 'a' REFERENCES Author);
        CREATE TABLE Remark (Id TEXT PRIMARY KEY, post TEXT NOT NULL REFERENCES Post (Id));
        CREATE TABLE Pair (book TEXT, author TEXT, PRIMARY KEY (book, author),
          FOREIGN KEY (author) REFERENCES Author (Id)) WITHOUT ROWID;
        """)
    #expect(outcome.code == 2, "\(outcome.error)")
    #expect(try brokenKeys().isEmpty)
    for (table, books) in [
      ("Post", ["Post", "4", "2", "2"]), ("Remark", ["Remark", "2", "1", "1"]),
      ("Pair", ["Pair", "2", "1", "1"]),
    ] {
      let count = try Devices.query(output, "SELECT count(*) FROM \(table)")
      #expect(count == books[2] + "\n", "\(table)")
      let lines = outcome.error.split(separator: "\n").map {
        $0.split(separator: " ").map(String.init)
      }
      #expect(lines.contains { $0.starts(with: books) }, "\(outcome.error)")
      #expect(
        outcome.error.contains(
          "rows of \(table) that the store refuses (FOREIGN KEY constraint failed: \(table)."),
        "\(outcome.error)")
    }
  }

  /// A device with an author whom stores refuse, posts, comments on them, and changes of some rows.
  private func device(changing rows: KeyValuePairs<String, String>) throws -> String {
    let path = folder.path("device.db")
    let operations = rows.enumerated().map { place, row in
      "INSERT INTO __operations VALUES ('0d7c1f0e-5b1a-4f0e-9a51-3c0b6d5f9e1\(place)', 1, 0, "
        + "'\(row.key)', 0, '\(row.value)', NULL, NULL, \(place + 1), 1);"
    }
    try Devices.execute(
      path,
      QueueTables.dotNet + """
        CREATE TABLE author (id TEXT PRIMARY KEY, name TEXT, version TEXT);
        CREATE TABLE post (id TEXT PRIMARY KEY, author TEXT, version TEXT);
        CREATE TABLE comment (id TEXT PRIMARY KEY, post TEXT, version TEXT);
        INSERT INTO author VALUES ('a', 'Anna', 'AA=='), ('b', NULL, 'AA==');
        INSERT INTO post VALUES ('p1', 'a', 'AA=='), ('p2', 'b', 'AA==');
        INSERT INTO comment VALUES ('c1', 'p1', 'AA=='), ('c2', 'p2', 'AA==');
        \(operations.joined())
        """)
    return path
  }

  /// No change waits whose row goes, be it because of a row of a later input or because a rule of the
  /// app's does not let the reference go.
  @Test(arguments: ["CHECK (author IS NOT NULL)", "NOT NULL"], [false, true])
  func changesOfRowsThatGoAreTakenBack(rule: String, isOfTwoInputs: Bool) async throws {
    let device = try device(
      changing: ["post": "p2", "post": "p1", "comment": "c2", "comment": "c1"])
    let rest = folder.path("rest.json")
    _ = await rehome(
      "export", "-q", device, "--to", "json", "--exclude-table", "author", "-o", rest)
    let authors = try folder.write("id,name\na,Anna\nb,\n", to: "author.csv")
    let outcome = try await seed(
      isOfTwoInputs ? [rest, authors] : [device],
      """
      CREATE TABLE Author (Id TEXT NOT NULL PRIMARY KEY, name TEXT NOT NULL, version TEXT);
      CREATE TABLE Post (Id TEXT PRIMARY KEY, author TEXT \(rule) REFERENCES Author(Id), version TEXT);
      CREATE TABLE Comment (Id TEXT PRIMARY KEY, post TEXT NOT NULL REFERENCES Post(Id), version TEXT);
      """)
    #expect(outcome.code == 2, "\(outcome.error)")
    #expect(try brokenKeys().isEmpty)
    let waiting = "SELECT ItemId, Sequence FROM DatasyncOperationsQueue ORDER BY Sequence"
    #expect(try Devices.query(output, waiting) == "p1|1\nc1|2\n")
    #expect(
      try Devices.query(output, "SELECT Id FROM Post UNION SELECT Id FROM Comment") == "c1\np1\n")
    for table in ["post", "comment"] {
      let told =
        "operations of \(table) whose row is not in the store, so that they are not carried over: 1"
      #expect(outcome.error.contains(told), "\(outcome.error)")
    }
    #expect(outcome.error.contains("3 rows and 2 operations are in"), "\(outcome.error)")
  }

  /// The server, to which a change goes, may have the item that the store has not; the row itself has
  /// to do without.
  @Test(arguments: [("", "p1\np2\n"), ("NOT NULL", "p1\n")])
  func changesKeepTheReferencesThatTheirRowsLose(rule: String, waiting: String) async throws {
    let outcome = try await seed(
      [try device(changing: ["post": "p1", "post": "p2"])],
      """
      CREATE TABLE Author (Id TEXT NOT NULL PRIMARY KEY, name TEXT NOT NULL, version TEXT);
      CREATE TABLE Post (Id TEXT PRIMARY KEY, author TEXT \(rule) REFERENCES Author(Id), version TEXT);
      """, ["--exclude-table", "comment"])
    #expect(outcome.code == 2, "\(outcome.error)")
    #expect(try brokenKeys().isEmpty)
    #expect(
      try Devices.query(output, "SELECT ItemId FROM DatasyncOperationsQueue ORDER BY 1") == waiting)
    let rows = try Devices.query(output, "SELECT Id, author FROM Post ORDER BY 1")
    guard rule.isEmpty else {
      #expect(rows == "p1|a\n")
      #expect(
        outcome.error.contains("operations of post whose row is not in the store"),
        "\(outcome.error)")
      return
    }
    #expect(rows == "p1|a\np2|None\n")
    let sent = try Devices.query(
      output, "SELECT json_extract(Item, '$.author') FROM DatasyncOperationsQueue ORDER BY ItemId")
    #expect(sent == "a\nb\n")
  }

  /// Of a key of several columns, one without a value is enough.
  @Test(
    arguments: [
      ("", "k1|t|a\nk2|t|None\n"), ("writer NOT NULL", "k1|t|a\nk2|None|b\n"),
      ("shared", "k1|t|a\nk2|None|b\n"), ("both NOT NULL", "k1|t|a\n"),
    ])
  func keysOfSeveralColumnsLoseOne(rule: String, rows: String) async throws {
    let files = [
      try folder.write("team,name\nt,a\n", to: "Person.csv"),
      try folder.write("id,owner,writer\nk1,t,a\nk2,t,b\n", to: "Letter.csv"),
    ]
    let outcome = try await seed(
      files,
      """
      CREATE TABLE Person (team TEXT, name TEXT, PRIMARY KEY (team, name));
      CREATE TABLE Other (id TEXT PRIMARY KEY);
      CREATE TABLE Letter (Id TEXT PRIMARY KEY,
        owner TEXT \(rule.hasPrefix("both") ? "NOT NULL" : ""),
        writer TEXT \(rule.contains("NOT NULL") ? "NOT NULL" : ""),
        \(rule == "shared" ? "FOREIGN KEY (writer) REFERENCES Missing (id)," : "")
        FOREIGN KEY (owner, writer) REFERENCES Person (team, name));
      """)
    #expect(outcome.code == (rule.hasPrefix("both") ? 2 : 0), "\(outcome.error)")
    #expect(try Devices.query(output, "SELECT Id, owner, writer FROM Letter ORDER BY 1") == rows)
  }

  /// The first row that the app adds would get the number.
  @Test func numbersOfRowsThatAreNotThereGo() async throws {
    let device = folder.path("blog.rehome")
    let files = [
      try folder.write("n,word\n1,one\n2,\n", to: "Tag.csv"),
      try folder.write("id,tag\nk1,1\nk2,2\n", to: "Book.csv"),
    ]
    let tied = await rehome(
      ["seed", "-q"] + files + ["-o", device, "--reference", "Book.tag=Tag._pk"])
    #expect(tied.code == 0, "\(tied.error)")
    let outcome = try await seed(
      [device],
      """
      CREATE TABLE Tag (n INTEGER, word TEXT NOT NULL);
      CREATE TABLE Book (Id TEXT NOT NULL PRIMARY KEY, tag INTEGER);
      """)
    #expect(outcome.code == 2, "\(outcome.error)")
    #expect(try Devices.query(output, "SELECT tag FROM Book ORDER BY Id") == "1\nNone\n")
    #expect(
      outcome.error.contains(
        "references of Book to rows that the store does not have, "
          + "which became NULL: 1"),
      "\(outcome.error)")
    let without = await rehome(
      "seed", device, "--into", "toolkit", "-fo", output, "--exclude-table", "Tag")
    #expect(try Devices.query(output, "SELECT tag FROM Book ORDER BY Id") == "None\nNone\n")
    #expect(
      without.error.contains(
        "references of Book to rows that the store does not have, "
          + "which became NULL: 2"),
      "\(without.error)")
  }
}
