import Foundation
import TestSupport
import Testing

/// Several plain files become one store: pages one table, and ids references.
@Suite(.enabled(if: SystemProgram.python.isInstalled, "python3 is not installed"))
struct SeedPagesTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func files(_ files: KeyValuePairs<String, String>) throws -> [String] {
    try files.map { try folder.write($0.value, to: $0.key) }
  }

  private func seed(_ files: [String], _ options: String...) async -> Outcome {
    await rehome(["seed"] + files + ["-f", "--json", "-o", store] + options)
  }

  private var store: String { folder.path("out.rehome") }

  private func rows(_ query: String) throws -> String {
    let script = """
      import sqlite3, sys
      print(*sqlite3.connect(sys.argv[1]).execute(sys.argv[2]).fetchall(), sep='\\n')
      """
    return try python(script, store, query)
  }

  private func findings(_ outcome: Outcome) throws -> [String] {
    let findings = try outcome.json()["findings"] as? [[String: Any]] ?? []
    return findings.compactMap { $0["code"] as? String }
  }

  /// Members of one object are tables, not pages, and what comes twice in one array is there twice.
  @Test(arguments: [
    (#"{"Sale":[{"id":"A","n":1},{"id":"A","n":1}],"Shop":[]}"#, 2),
    (#"{"Sale":[{"id":"A","n":1},{"id":"A","n":1}],"Shop":[{"id":"A","n":1}]}"#, 2),
    (#"{"Shop":[],"Sale":[{"id":"A","n":1}]}{"Shop":[],"Sale":[{"id":"A","n":1}]}"#, 1),
  ])
  func tablesOfOneObjectAreNoPages(_ text: String, _ rows: Int) async throws {
    let outcome = await seed(try files(["s.json": text]))
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(try self.rows("SELECT count(*) FROM Sale") == "(\(rows),)\n")
    #expect(try findings(outcome).contains("row-on-several-pages") == (rows == 1))
    #expect(await rehome("verify", "-q", folder.path("s.json"), store).code == (rows == 2 ? 0 : 5))
  }

  @Test func filesRenamedToOneNameArePages() async throws {
    let files = try files([
      "p1.json": #"{"value":[{"id":"a","n":1},{"id":"b"}],"next":"u"}"#,
      "p2.csv": "x,id,n\r\nc,b,2.5\r\n,c,\r\n",
      "p3.ndjson": "{\"id\":\"a\",\"n\":1}\n{\"id\":\"a\",\"n\":7}\n",
    ])
    let outcome = await seed(files, "--rename", "p1=T", "--rename", "p2=T", "--rename", "p3=T")
    #expect(outcome.code == 0, "\(outcome.error)")
    let expected = """
      (1, 'a', 1.0, None)
      (2, 'b', None, None)
      (3, 'b', 2.5, 'c')
      (4, 'c', None, None)
      (6, 'a', 7.0, None)

      """
    #expect(try rows("SELECT * FROM T ORDER BY _pk") == expected)
    #expect(try findings(outcome) == ["row-on-several-pages", "duplicate-item-id"])
    let table = try #require((try outcome.json()["tables"] as? [[String: Any]])?.first)
    #expect(table["read"] as? Int == 6 && table["written"] as? Int == 5)
    #expect(table["filtered"] as? Int == 1 && table["merged"] as? Int == 1)
  }

  @Test(arguments: [
    ("id\na\n", "1 row of T came more than once just as it is, and is kept once ["),
    ("id\na\nb\n", "2 rows of T came more than once just as they are, and are kept once ["),
  ])
  func rowsOfSeveralPagesAreCounted(_ rows: String, _ words: String) async throws {
    let pages = try files(["p1.csv": rows, "p2.csv": rows])
    let outcome = await rehome(
      ["seed"] + pages + ["-o", store, "--rename", "p1=T", "--rename", "p2=T"])
    #expect(outcome.code == 0 && outcome.error.contains(words), "\(outcome.error)")
  }

  /// A name alone stands for no file where another one has it, too.
  @Test func pagesOfOneNameAreToldByTheirPaths() async throws {
    for name in ["d1", "d2", "d3"] {
      try FileManager.default.createDirectory(
        atPath: folder.path(name), withIntermediateDirectories: false)
    }
    let files = try files([
      "d1/T.csv": "id,n\na,1\n", "d2/T.csv": "id;n\nb;1\n", "d3/T.csv": "id,n\na,1\n",
    ])
    let outcome = await seed(files)
    #expect(outcome.code == 0, "\(outcome.error)")
    let source = try #require((try outcome.json()["sources"] as? [[String: Any]])?.first)
    let names = (source["files"] as? [[String: Any]])?.map { $0["name"] as? String }
    #expect(names == ["d1/T.csv", "d2/T.csv", "d3/T.csv"])
    #expect(outcome.text.contains("d3/T.csv has the same bytes as d1/T.csv"), "\(outcome.text)")
    let told = await rehome(["seed"] + files + ["-fo", store]).error
    #expect(told.contains("comma in d1/T.csv; semicolon in d2/T.csv"), "\(told)")
  }

  /// A row has its id whatever else of it could not be taken.
  @Test(arguments: [("q", 1), ("3", 1)])
  func twinsAreToldWhateverElseTheyHold(_ value: String, _ count: Int) async throws {
    let files = try files(["p1.csv": "id,a,b\n1,x,\(value)\n", "p2.csv": "id,a,b\n1,z,2\n2,z,r\n"])
    let outcome = await seed(
      files, "--rename", "p1=T", "--rename", "p2=T", "--type", "T.b=integer")
    #expect(outcome.code == 2, "\(outcome.error)")
    #expect(
      outcome.text.contains("the id of another row, which is not the same: \(count)\""),
      "\(outcome.text)")
    #expect(try rows("SELECT count(*) FROM T") == "(3,)\n")
  }

  @Test func rowsAreItemsByTheNamesThatColumnsGet() async throws {
    for (header, options) in [("Id", ["--rename", "T.Id=id"]), ("Id", []), ("id", []), ("k", [])] {
      let files = try files([
        "p1.csv": "\(header),n\na,x\nb,y\n", "p2.csv": "\(header),n\nb,y\na,z\n",
      ])
      let outcome = await rehome(
        ["seed", "--json", "-fo", store] + files
          + ["--rename", "p1=T", "--rename", "p2=T"] + options)
      let isItem = header != "k"
      #expect(
        try findings(outcome) == (isItem ? ["row-on-several-pages", "duplicate-item-id"] : []))
      #expect(try rows("SELECT count(*) FROM T") == (isItem ? "(3,)\n" : "(4,)\n"))
    }
  }

  /// Rows without an id are there twice then; tables of their own are what they are.
  @Test func pageThatIsGivenTwiceIsTold() async throws {
    let once = try files(["A.csv": "n\nx\n"])
    let twice = await seed(once + once)
    #expect(try findings(twice) == ["source-given-twice"], "\(twice.error)")
    #expect(try rows("SELECT count(*) FROM A") == "(2,)\n")
    let tables = try files(["P.csv": "id,n\n5,x\n", "Q.csv": "id,n\n5,x\n"])
    #expect(try findings(await seed(tables)).isEmpty)
  }

  @Test(arguments: [
    (["--drop", "p1.a"], 64), (["--drop", "T.a"], 0), (["--drop", "p2.b"], 0),
    (["--rename", "p1.a=c"], 64), (["--rename", "T.a=c"], 0), (["--rename", "p2.b=c"], 0),
    (["--type", "p1.a=uri"], 0),
  ])
  func columnOfOnePageIsNotTakenFromOthers(options: [String], code: Int) async throws {
    let files = try files([
      "p1.json": #"[{"id":1,"a":"x"}]"#, "p2.json": #"[{"id":2,"a":"y","b":1}]"#,
    ])
    let outcome = await rehome(
      ["seed", "-q"] + files + ["-o", store, "--rename", "p1=T", "--rename", "p2=T"] + options)
    #expect(Int(outcome.code) == code, "\(outcome.error)")
    if code == 64 {
      #expect(outcome.error.contains("p2, which is a page of T"), "\(outcome.error)")
    }
  }

  @Test func tableIsRenamedOnce() async throws {
    let files = try files(["T.json": #"[{"id":1}]"#])
    let outcome = await seed(files, "--rename", "T=U", "--rename", "T=V")
    #expect(outcome.code == 64)
    #expect(outcome.error.contains("another --rename calls the table U"), "\(outcome.error)")
  }

  @Test(arguments: [
    (["T="], "--rename T=: the new name is empty"), (["A=B"], "the store has no table A"),
    (["T=A", "A=B"], "--rename A=B: another --rename calls the table A"),
    (["id=B"], "the store has no table id; name its table, too: T.id"),
  ])
  func nameThatCannotBeGivenIsTold(names: [String], told: String) async throws {
    let files = try files(["T.json": #"[{"id":1}]"#])
    let options = names.flatMap { ["--rename", $0] }
    for command in ["seed", "convert"] {
      let outcome = await rehome([command, "-fo", store] + files + options)
      #expect(outcome.code == 64)
      let text = outcome.error.replacing("\n  try: ", with: "; ")
      #expect(text.contains(told), "\(outcome.error)")
    }
  }

  /// A name of which a report shows another one may be given as that, unless a table is called so.
  @Test func namesThatReportsShowAreMeant() async throws {
    let one = try files(["rehome_x.csv": "id,a\n1,2\n"])
    let other = try files(["T.csv": "id\n1\n"])
    for files in [one, one + other] {
      let outcome = await seed(
        files, "--rename", "app_rehome_x=Y", "--rename", "app_rehome_x.a=b", "--type",
        "app_rehome_x.b=text")
      #expect(outcome.code == 0, "\(outcome.error)")
      #expect(try rows("SELECT b FROM Y") == "('2',)\n")
    }
    let page = await seed(one + other, "--rename", "app_rehome_x=T")
    #expect(page.code == 0, "\(page.error)")
    #expect(try rows("SELECT count(*) FROM T") == "(2,)\n")
    let own = try files(["app_rehome_x.csv": "id,a\n1,3\n"])
    for files in [one + own, own + one] {
      let outcome = await seed(files, "--rename", "app_rehome_x=Y")
      #expect(outcome.code == 0, "\(outcome.error)")
      #expect(try rows("SELECT a FROM Y") == "(3,)\n")
      #expect(try rows("SELECT a FROM app_rehome_x") == "(2,)\n")
    }
    let twice = await seed(one, "--rename", "app_rehome_x=Y", "--rename", "rehome_x=Z")
    #expect(twice.code == 64 && twice.error.contains("another --rename"), "\(twice.error)")
  }

  @Test(arguments: [(1, "the source is as it was"), (2, "the sources are as they were")])
  func eachPageIsASource(count: Int, told: String) async throws {
    let files = try files(["p1.json": #"[{"id":1}]"#, "p2.json": #"[{"id":2}]"#]).prefix(count)
    let outcome = await rehome(
      ["seed", "-fo", store] + files + ["--rename", "p1=T"]
        + (count > 1 ? ["--rename", "p2=T"] : []))
    #expect(outcome.code == 0 && outcome.error.contains(told), "\(outcome.error)")
  }

  /// One letter in two spellings makes two names, of tables as well as in what a person says.
  @Test func namesInTwoSpellingsOfALetterAreTwo() async throws {
    let (composed, decomposed) = ("Caf\u{E9}", "Cafe\u{301}")
    let files = try files([
      "\(composed).csv": "id,n\na,1\n", "\(decomposed).csv": "id,n\nb,2\n",
    ])
    let options = ["--rename", "\(decomposed)=Other", "--type", "\(composed).n=text"]
    let outcome = await rehome(["seed"] + files + ["-f", "-o", store] + options)
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(try rows("SELECT n, typeof(n) FROM \"\(composed)\"") == "('1', 'text')\n")
    #expect(try rows("SELECT n, typeof(n) FROM Other") == "(2, 'integer')\n")
  }

  /// A table keeps the name of what its rows came from.
  @Test func sourceTableIsTheFilesOwn() async throws {
    let file = try files(["T.csv": "id,n\na,1\n"])
    let hash = await rehome(["hash"] + file + ["--rename", "T=Item"])
    #expect(await seed(file, "--rename", "T=Item").code == 0)
    let query = "SELECT name, sourceName, sourceTable FROM rehome_table"
    #expect(try rows(query) == "('Item', 'T', 'T')\n")
    let other = await rehome("hash", store)
    #expect(hash.text.prefix(64) == other.text.prefix(64))
  }

  @Test func filesOfOneNameArePages() async throws {
    try FileManager.default.createDirectory(
      atPath: folder.path("more"), withIntermediateDirectories: false)
    let files = try files(["T.json": #"[{"_pk":3,"a":1}]"#, "more/T.json": #"[{"_pk":9,"a":"x"}]"#])
    #expect(await seed(files).code == 0)
    #expect(try rows("SELECT * FROM T") == "(3, '1')\n(9, 'x')\n")
    let reversed = await seed(files.reversed())
    #expect(reversed.code == 64 && reversed.error.contains("its _pk does not go on behind"))
  }

  @Test func pagesOfAFileAreCompared() async throws {
    let files = try files([
      "T.json": #"{"value":[{"id":1,"n":1}]}{"value":[{"n":1,"id":1},{"id":2}]}"#
    ])
    let outcome = await seed(files)
    #expect(try findings(outcome) == ["row-on-several-pages"])
    #expect(try rows("SELECT * FROM T") == "(1, 1, 1)\n(3, 2, None)\n")
  }

  /// Services say how many items there are, however often a page has one of them.
  @Test func rowsThatCameBeforeDoNotCount() async throws {
    let pages = [1, 2].map { last in
      let items = (1...last).map { #"{"id":"\#($0)"}"# }.joined(separator: ",")
      return #"{"value":[\#(items)],"count":2,"nextLink":\#(last == 1 ? #""x""# : "null")}"#
    }
    let outcome = await seed(try files(["C.json": pages.joined(separator: "\n")]))
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(try findings(outcome) == ["row-on-several-pages"])
  }

  @Test func missingAndNullAreCountedApart() async throws {
    let files = try files(["T.json": #"[{"a":1,"b":null},{"a":2},{"b":null}]"#])
    let outcome = await seed(files)
    let table = try #require((try outcome.json()["tables"] as? [[String: Any]])?.first)
    let columns = try #require(table["columns"] as? [[String: Any]])
    #expect(columns.map { $0["nulls"] as? Int } == [0, 2])
    #expect(columns.map { $0["missing"] as? Int } == [1, 1])
    let told = await rehome("seed", files[0], "-fo", store)
    #expect(told.error.contains("T.a is missing in 1 row and null in 0; 1 more column"))
  }

  /// CSV has no keys that a row could lack.
  @Test func keysThatAreMissingInPagesOfJSONAreCountedBesideOneOfCSV() async throws {
    let files = try files([
      "T.json": #"[{"a":1,"b":null},{"a":2}]"#, "T.csv": "c,a\nx,3\n", "T.ndjson": #"{"b":5}"#,
    ])
    let outcome = await seed(files)
    let table = try #require((try outcome.json()["tables"] as? [[String: Any]])?.first)
    let columns = try #require(table["columns"] as? [[String: Any]], "\(outcome.error)")
    #expect(columns.map { $0["name"] as? String } == ["a", "b", "c"])
    #expect(columns.map { $0["nulls"] as? Int } == [0, 1, 0])
    #expect(columns.map { $0["missing"] as? Int } == [1, 1, 3])
  }

  @Test func annotationsOfODataAreNoColumns() async throws {
    let text = """
      {"@odata.context":"https://x/$metadata#T","value":[{"@odata.etag":"W","@id":"u","id":1,
      "p@odata.type":"#Int64","p":5}]}
      """
    let outcome = await seed(try files(["T.json": text]))
    #expect(try rows("SELECT * FROM T") == "(1, 1, 5)\n")
    #expect(try findings(outcome) == ["members-left-aside"])
    #expect(outcome.text.contains("@odata.etag, @id, p@odata.type"))
  }

  @Test func annotationThatIsNamedIsAColumn() async throws {
    let text = #"{"@odata.context":"https://x/$metadata#T","value":[{"@odata.etag":"W","id":1}]}"#
    let outcome = await seed(try files(["T.json": text]), "--rename", "T.@odata.etag=tag")
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(try rows("SELECT tag, id FROM T") == "('W', 1)\n")
    #expect(try findings(outcome) == [])
  }

  /// Only OData's context says that what begins with @ tells about the rows and is none of theirs.
  @Test(arguments: [
    #"{"@context":"/contexts/Book","hydra:member":[ROW],"hydra:totalItems":1}"#,
    #"{"@context":"https://schema.org","@type":"Collection","member":[ROW],"totalItems":1}"#,
    #"{"metadata":"v1","items":[ROW]}"#, "[ROW]",
  ])
  func rowsOfLinkedDataKeepTheirIDs(answer: String) async throws {
    let text = answer.replacing("ROW", with: #"{"@id":"/books/1","@type":"Book","title":"x"}"#)
    let outcome = await seed(try files(["T.json": text]))
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(try rows(#"SELECT "@id", "@type", title FROM T"#) == "('/books/1', 'Book', 'x')\n")
  }

  @Test func pagesOfHydraTellOfMore() async throws {
    let text = #"{"@context":"/c","hydra:member":[{"a":1}],"hydra:totalItems":2,VIEW}"#
    let view = #""hydra:view":{"@id":"?page=1","hydra:next":"?page=2"}"#
    let outcome = await seed(try files(["T.json": text.replacing("VIEW", with: view)]))
    #expect(try findings(outcome) == ["more-pages"])
    let last = await seed(try files(["T.json": text.replacing(",VIEW", with: "")]))
    #expect(try findings(last) == ["count-differs"])
  }

  @Test(arguments: [
    ##"{"@odata.context":"#T/$deletedEntity","id":"T(2)","reason":"deleted"}"##,
    #"{"@removed":{"reason":"deleted"},"@id":"T(2)"}"#,
  ])
  func removedItemsAmongRowsAreTold(row: String) async throws {
    let text = #"{"@odata.context":"x/$metadata#T/$delta","value":[{"Id":1},ROW]}"#
    let outcome = await seed(try files(["T.json": text.replacing("ROW", with: row)]))
    #expect(try findings(outcome).contains("removed-items-among-rows"))
    // Items of all answers may have a context of their own.
    let items =
      ##"{"@odata.context":"x/$metadata#T","value":[{"@odata.context":"#T/x","Id":1}]}"##
    #expect(try findings(await seed(try files(["T.json": items]))) == ["members-left-aside"])
  }

  @Test func columnsAreRenamedAndDropped() async throws {
    for (name, text) in [("T.csv", "id,a,b\n1,2,3\n"), ("T.json", #"[{"id":1,"a":2,"b":3}]"#)] {
      let file = try folder.write(text, to: name)
      let outcome = await seed(
        [file], "--rename", "T=Item", "--rename", "T.a=c", "--drop", "Item.b", "--type",
        "Item.a=text")
      #expect(outcome.code == 0, "\(outcome.error)")
      #expect(try rows("SELECT * FROM Item") == "(1, 1, '2')\n")
      for (option, value) in [
        ("--drop", "T.x"), ("--rename", "T.a=ID"), ("--rename", "T.a="), ("--rename", "U.a=c"),
      ] {
        #expect(await seed([file], option, value).code == 64, "\(value)")
      }
    }
  }

  /// What two files mean by names that they exchange is what one document means.
  @Test func correctionIsForTheTableThatHasTheName() async throws {
    let files = try ["A": "id,v\na,1\n", "B": "id,v\nb,2\n"].sorted { $0.key < $1.key }.map {
      try folder.write($0.value, to: "\($0.key).csv")
    }
    let swap = ["--rename", "A=B", "--rename", "B=A"]
    let dropping = ["-o", store, "--drop", "A.v"] + swap
    #expect(await rehome(["seed", "-qf"] + files + dropping).code == 0)
    #expect(try rows("SELECT * FROM A") == "(1, 'b', 2)\n")
    #expect(try rows("SELECT * FROM B") == "(1, 'a')\n")
    let chain = ["--rename", "A=T", "--rename", "T=U"]
    #expect(await rehome(["seed", "-qf"] + files + ["-o", store] + chain).code == 64)
  }

  @Test func columnsMayBeCalledByTheirNewNames() async throws {
    let file = try folder.write("id,a,b\n1,2,3\n", to: "T.csv")
    for (options, expected) in [
      (["--rename", "T.a=c", "--type", "T.c=text", "--drop", "T.b"], "(1, 1, '2')\n"),
      (["--rename", "T.a=c", "--drop", "T.c"], "(1, 1, 3)\n"),
      (["--rename", "T.a=c", "--drop", "T.a"], "(1, 1, 3)\n"),
    ] {
      let outcome = await rehome(["seed", "-qf", file, "-o", store] + options)
      #expect(outcome.code == 0, "\(options): \(outcome.error)")
      #expect(try rows("SELECT * FROM T") == expected, "\(options)")
    }
    for name in ["T", "Item"] {
      let chosen = await seed([file], "--rename", "T=Item", "--table", name)
      #expect(chosen.code == 0, "\(chosen.error)")
    }
    // Of two columns with the name, that of the file is meant.
    let swapped = await seed(
      [file], "--rename", "T.a=x", "--rename", "T.b=a", "--rename", "T.x=b", "--drop", "T.a")
    #expect(swapped.code == 0, "\(swapped.error)")
    #expect(try rows("SELECT id, a FROM T") == "(1, 3)\n")
  }

  /// Each page is read as it is written itself, and what its rows lack is corrected in one file.
  @Test func pagesOfDifferentCSVAreOneTable() async throws {
    let files = try files([
      "p1.csv": "id,d,v,\na,43000,\"1.5\",\nb,x,2,\n", "p2.csv": "d;id;v;w\n43001;c;1,5;q\n",
    ])
    let options = [
      "--rename", "p1=T", "--rename", "p2=T", "--type", "T.d=excel-date", "--type", "T.v=real",
      "--drop", "T.id",
    ]
    let bad = folder.path("bad.csv")
    let seed = ["seed"] + files + ["--json", "-fo", store] + options
    let first = await rehome(seed + ["--rejects", bad])
    #expect(first.code == 2, "\(first.error)")
    #expect(
      try findings(first) == ["form-not-accepted", "form-not-accepted", "value-of-wrong-type"])
    #expect(first.text.contains(#""separator": "comma in p1.csv; semicolon in p2.csv""#))
    #expect(
      try rows("SELECT * FROM T") == """
        (1, '2017-09-22T00:00:00.000Z', 1.5, None)
        (2, None, 2.0, None)
        (3, '2017-09-23T00:00:00.000Z', None, 'q')

        """)
    let text = try #require(folder.text("bad.csv"))
    _ = try folder.write(
      text.replacing(",x,", with: ",43002,").replacing(#""1,5""#, with: "1.5"), to: "bad.csv")
    let second = await rehome(seed + ["--corrected", bad])
    #expect(second.code == 0, "\(second.error)")
    #expect(
      try rows("SELECT d, v FROM T WHERE _pk > 1") == """
        ('2017-09-24T00:00:00.000Z', 2.0)
        ('2017-09-23T00:00:00.000Z', 1.5)

        """)
  }

  /// A column without a name is one only where it has values, on whichever page.
  @Test func namelessColumnsOfPagesMeet() async throws {
    let files = try files([
      "a.csv": "id,\n1,\n", "b.csv": "id,column2,\n2,x,\n", "c.csv": "id,,\n3,,y\n",
    ])
    let names = files.indices.flatMap { ["--rename", "\(["a", "b", "c"][$0])=T"] }
    for files in [files, files.reversed()] {
      let outcome = await rehome(["seed", "--json", "-fo", store] + files + names)
      #expect(outcome.code == 0, "\(outcome.error)")
      #expect(try findings(outcome) == ["column-unnamed"])
      #expect(
        try rows("SELECT id, column2, column3 FROM T ORDER BY id")
          == "(1, None, None)\n(2, 'x', None)\n(3, None, 'y')\n")
    }
  }

  private func linked() throws -> [String] {
    try files([
      "Post.json": """
      [{"id":"p1","authorId":2,"up":null},{"id":"p2","authorId":9,"up":"p1"},
      {"id":"p3","authorId":1.0,"up":"p3"},{"id":"p4","authorId":null,"up":"p9"}]
      """,
      "a1.csv": "id,name\n1,Ann\n", "a2.ndjson": "{\"id\":2,\"name\":\"Bob\"}\n",
    ])
  }

  @Test func referencesBecomeKeysWhateverTheOrder() async throws {
    for files in [try linked(), try linked().reversed()] {
      let outcome = await seed(
        files, "--rename", "a1=Author", "--rename", "a2=Author", "--reference",
        "Post.authorId=Author", "--reference", "Post.up=Post")
      #expect(outcome.code == 2, "\(outcome.error)")
      let joined = try rows(
        """
        SELECT Post.id, Author.name, up.id FROM Post LEFT JOIN Author ON Post.authorId = Author._pk
        LEFT JOIN Post AS up ON Post.up = up._pk ORDER BY 1
        """)
      #expect(
        joined == """
          ('p1', 'Bob', None)
          ('p2', None, 'p1')
          ('p3', 'Ann', 'p3')
          ('p4', None, None)

          """)
      let rejects = try rows(#"SELECT "row", "column", code, raw FROM rehome_reject ORDER BY 1"#)
      #expect(
        rejects == """
          (2, 'authorId', 'dangling-reference', 9.0)
          (4, 'up', 'dangling-reference', 'p9')

          """)
      let circle = folder.path("circle.json")
      _ = await rehome("export", "-q", store, "--to", "json", "-fo", circle)
      #expect(await rehome("verify", store, circle).code == 0)
    }
  }

  /// An answer without rows shows no columns, and may have had any.
  @Test(arguments: [
    ("Author.json", "[]"), ("Author.json", #"{"value":[]}"#), ("Author.xml", "<d></d>"),
  ])
  func answerWithoutRowsHasAnyColumn(name: String, text: String) async throws {
    let empty = try folder.write(text, to: name)
    let post = try folder.write(#"[{"id":1,"authorId":7},{"id":2}]"#, to: "Post.json")
    let outcome = await seed(
      [empty, post], "--reference", "Post.authorId=Author", "--type", "Author.zip=text", "--drop",
      "Author.x", "--rename", "Author.y=z", "--reference", "Author.best=Post")
    #expect(outcome.code == 2, "\(outcome.error)")
    #expect(try rows("SELECT id, authorId FROM Post") == "(1, None)\n(2, None)\n")
    #expect(
      try rows(#"SELECT "column", code, raw FROM rehome_reject"#)
        == "('authorId', 'dangling-reference', 7)\n")
    let code = await seed([empty, post], "--reference", "Post.authorId=Author.code")
    #expect(code.code == 2, "\(code.error)")
    // A store that was made of such an answer is no other.
    let authors = folder.path("authors")
    #expect(await rehome("seed", "-q", empty, "-o", authors).code == 0)
    let stored = await seed([authors, post], "--reference", "Post.authorId=Author")
    #expect(stored.code == 2, "\(stored.error)")
    let none = try folder.write(#"[{"id":1,"authorId":null}]"#, to: "Post.json")
    #expect(await seed([empty, none], "--reference", "Post.authorId=Author").code == 0)
    for command in [
      ["convert", "-f", "-o", store], ["inspect"], ["export", "--to", "json"],
      ["verify", "--by-id", empty],
    ] {
      let other = await rehome(
        command + [empty, "--type", "Author.zip=text", "--rename", "Author.y=z"])
      #expect(other.code == 0, "\(command): \(other.error)")
    }
    let ignored = await rehome("verify", "--by-id", empty, empty, "--ignore-column", "Author.x")
    #expect(ignored.code == 0, "\(ignored.error)")
    #expect(await rehome("verify", "--by-id", empty, empty, "--type", "Autor.x=text").code == 64)
    let wrong = await seed([empty, post], "--type", "Autor.zip=text")
    #expect(wrong.code == 64)
  }

  @Test func pageWithoutRowsHasAnyColumn() async throws {
    let files = try files(["p1.json": "[]", "p2.json": #"[{"id":1,"a":7}]"#, "Q.json": "[]"])
    let names = ["--rename", "p1=T", "--rename", "p2=T"]
    for options in [
      ["--drop", "p1.b"], ["--rename", "p1.b=c"], ["--type", "p1.b=text", "--type", "p1.a=text"],
      ["--reference", "p1.b=Q"],
    ] {
      let outcome = await rehome(["seed", "-fo", store] + files + names + options)
      #expect(outcome.code == 0, "\(options): \(outcome.error)")
    }
    for options in [
      ["--drop", "p2.b"], ["--drop", "T.b"], ["--drop", "p1.a"], ["--reference", "Q.b=p1.b"],
    ] {
      let outcome = await rehome(["seed", "-fo", store] + files + names + options)
      #expect(outcome.code == 64, "\(options): \(outcome.error)")
    }
  }

  @Test func referencesMayNameAKeyOrAnotherColumn() async throws {
    let files = try files([
      "Post.json": #"[{"id":1,"by":"Bob","no":7},{"id":2,"by":"Eve","no":8}]"#,
      "Author.json": #"[{"_pk":7,"name":"Bob"}]"#,
    ])
    let outcome = await seed(
      files, "--reference", "Post.by=Author.name", "--reference", "Post.no=Author._pk")
    #expect(outcome.code == 2)
    #expect(try rows("SELECT * FROM Post") == "(1, 1, 7, 7)\n(2, 2, None, None)\n")
    for wrong in [
      "Post.by=Author", "Post.by=Nobody", "Post.x=Author._pk", "Post.by", "Nobody.by=Post",
      "Post.by=Author.x",
    ] {
      #expect(await seed(files, "--reference", wrong).code == 64, "\(wrong)")
    }
    #expect(
      await seed(files, "--reference", "Post.no=Post", "--reference", "Post.no=Author._pk").code
        == 64)
  }

  @Test func referencesThatNameSeveralRowsAreTold() async throws {
    let files = try files([
      "Post.json": #"[{"id":1,"by":"Bob"},{"id":2,"by":"Bob"},{"id":3,"by":"Eve"}]"#,
      "Author.json": #"[{"id":7,"name":"Bob"},{"id":8,"name":"Bob"},{"id":9,"name":"Eve"}]"#,
    ])
    let outcome = await seed(files, "--reference", "Post.by=Author.name")
    #expect(outcome.code == 0)
    #expect(try findings(outcome) == ["duplicate-item-id"])
    #expect(
      outcome.text.contains(
        "values of Post.by that name several rows of Author, of which the first was taken: 2"),
      "\(outcome.text)")
    #expect(try rows(#"SELECT "by" FROM Post"#) == "(1,)\n(1,)\n(3,)\n")
  }

  @Test func rejectedReferencesAreCorrectedByTheirIDs() async throws {
    let files = try linked()
    let folder = self.folder.path("rejects")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    let options = [
      "--rename", "a1=Author", "--rename", "a2=Author", "--reference", "Post.authorId=Author",
      "--reference", "Post.up=Post",
    ]
    let first = await rehome(["seed"] + files + ["-o", store, "--rejects", folder] + options)
    #expect(first.code == 2)
    let path = folder + "/Post.json"
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(text.contains(#""authorId":9.0,"up":"p1""#), "\(text)")
    let corrected = text.replacingOccurrences(of: ":9.0", with: ":1")
      .replacingOccurrences(of: "\"p9\"", with: "\"p1\"")
    try corrected.write(toFile: path, atomically: true, encoding: .utf8)
    let second = await rehome(["seed"] + files + ["-fo", store, "--corrected", folder] + options)
    #expect(second.code == 0, "\(second.error)")
    #expect(
      try rows("SELECT id, authorId, up FROM Post") == """
        ('p1', 2, None)
        ('p2', 1, 1)
        ('p3', 1, 3)
        ('p4', None, 1)

        """)
  }

  /// Ids that are the same in two files, of which one has nothing but dates or words for truth.
  private static let sameIDs: [(ids: [String], references: [String])] = [
    (["yes", "no", "unknown"], ["yes", "no"]), (["yes", "no"], ["yes", "maybe", "no"]),
    (["2020-01-01", "2020-01-06"], ["2020-01-06", "n/a", "2020-01-01"]),
    (["2020-01-01", "other"], ["2020-01-01", "2020-01-02"]), (["TRUE", "FALSE"], ["TRUE", "x"]),
  ]

  @Test(arguments: sameIDs.indices, ["csv", "json"])
  func idsAreTheSameWhateverElseTheirFilesHold(_ place: Int, _ format: String) async throws {
    let (ids, references) = Self.sameIDs[place]
    let tables = [("Answer", "id", ids), ("Vote", "answer", references)]
    let files = try tables.map { name, column, values in
      let rows =
        format == "csv"
        ? "\(column)\n" + values.joined(separator: "\n") + "\n"
        : "[" + values.map { #"{"\#(column)":"\#($0)"}"# }.joined(separator: ",") + "]"
      return try folder.write(rows, to: "\(name).\(format)")
    }
    let rejects = folder.path("rejects")
    try FileManager.default.createDirectory(atPath: rejects, withIntermediateDirectories: false)
    let outcome = await rehome(
      ["seed"] + files + ["-o", store, "--reference", "Vote.answer=Answer", "--rejects", rejects])
    let lost = references.filter { !ids.contains($0) }
    #expect(outcome.code == (lost.isEmpty ? 0 : 2), "\(outcome.error)")
    let found = try rows(
      "SELECT a.id FROM Vote v JOIN Answer a ON a._pk = v.answer ORDER BY v._pk")
    let kept = references.filter(ids.contains)
    #expect(found == kept.map { "('\($0)',)\n" }.joined())
    // What is rejected stands as it was.
    #expect(
      try rows("SELECT typeof(raw), raw FROM rehome_reject")
        == (lost.isEmpty ? "\n" : lost.map { "('text', '\($0)')\n" }.joined()))
    for value in lost {
      let text = try String(contentsOfFile: rejects + "/Vote." + format, encoding: .utf8)
      #expect(text.contains(value), "\(text)")
    }
  }

  @Test func typeThatIsToldOfAnIDIsTaken() async throws {
    let file = try folder.write("id,n\n2020-01-01,1\n", to: "T.csv")
    #expect(await seed([file], "--type", "T.id=timestamp").code == 0)
    #expect(try rows("SELECT id FROM T") == "('2020-01-01T00:00:00.000Z',)\n")
    #expect(await seed([file]).code == 0)
    #expect(try rows("SELECT id FROM T") == "('2020-01-01',)\n")
  }

  /// What may be the last page says nothing of rows that another one counts.
  @Test(arguments: [
    ("p2.json", #"[{"id":3}]"#), ("p2.csv", "id\n3\n"), ("p2.ndjson", "{\"id\":3}\n{\"id\":3}\n"),
    ("p2.xml", "<r><row><id>3</id></row></r>"), ("p2.json", #"{"results":[{"id":3}]}"#),
  ])
  func barePageExcusesNoCount(_ name: String, _ text: String) async throws {
    let answer = #"{"results":[{"id":1},{"id":2}],"count":COUNT,"next":"u"}"#
    for (count, codes) in [("500", ["count-differs"]), ("3", [])] {
      let pages = try files(["p1.json": answer.replacing("COUNT", with: count), name: text])
      for pages in [pages, pages.reversed()] {
        let outcome = await rehome(
          ["seed", "--json", "-fo", store, "--rename", "p1=T", "--rename", "p2=T"] + pages)
        let found = try findings(outcome).filter { $0 != "row-on-several-pages" }
        #expect(found == codes, "\(outcome.text)")
      }
    }
  }

  /// A count may be that of one table of several, of which rows come again on a bare page.
  @Test(arguments: [("4", []), ("7", ["count-differs"])])
  func countOfATableHasNoRepeatedRows(_ count: String, codes: [String]) async throws {
    let answer = #"{"a":[{"id":0},{"id":1}],"b":[{"id":0}],"total":COUNT,"next":"u"}"#
    let pages = try files([
      "m.json": answer.replacing("COUNT", with: count), "a2.json": #"[{"id":1},{"id":2},{"id":3}]"#,
    ])
    for pages in [pages, pages.reversed()] {
      let outcome = await rehome(["seed", "--json", "-fo", store, "--rename", "a2=a"] + pages)
      let found = try findings(outcome).filter { $0 != "row-on-several-pages" }
      #expect(found == codes, "\(outcome.text)")
    }
  }

  @Test func badValueIsToldWithItsPage() async throws {
    let pages = try files(["p1.csv": "id,n\n1,1\n2,2\n", "p2.csv": "id,n\n3,3\n4,bad\n"])
    let outcome = await seed(
      pages, "--rename", "p1=T", "--rename", "p2=T", "--type", "T.n=integer")
    #expect(outcome.text.contains("the first in row 2 of p2.csv;"), "\(outcome.text)")
    let alone = await seed([pages[1]], "--type", "p2.n=integer")
    #expect(alone.text.contains("the first in row 2;"), "\(alone.text)")
  }

  /// The counts of DynamoDB are those of the page, and the last page has no next key.
  @Test func countsOfPagesAreThoseOfTheirFiles() async throws {
    let pages = [
      #"{"Items":[{"k":1},{"k":2}],"Count":2,"LastEvaluatedKey":{"k":0}}"#,
      #"{"Items":[{"k":3}],"Count":1}"#,
    ]
    let separate = try files(["p1.json": pages[0], "p2.json": pages[1]])
    let names = ["--rename", "p1=T", "--rename", "p2=T"]
    for files in [separate, separate.reversed()] {
      let outcome = await rehome(["seed", "--json", "-fo", store] + files + names)
      #expect(try findings(outcome) == [], "\(outcome.text)")
    }
    let together = await seed(try files(["T.json": pages.joined()]))
    #expect(try findings(together) == [])
    let lie = try files(["p2.json": #"{"Items":[{"k":3}],"Count":7}"#])
    let wrong = await rehome(["seed", "--json", "-fo", store, separate[0]] + lie + names)
    #expect(try findings(wrong) == ["count-differs"], "\(wrong.text)")
  }
}
