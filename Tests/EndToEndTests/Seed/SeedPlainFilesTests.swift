import Foundation
import TestSupport
import Testing

/// Plain files become tables whose columns have the type that every value fits.
struct SeedPlainFilesTests {
  private let csv = """
    id,zip,huge,plus,count,price,flag,when,empty,mixed
    a,007,12345678901234567890,+5,1,1.5,true,2016-10-01T09:15:30.123Z,,1
    b,123,1,1,-2,2,false,,"",x

    """

  @Test func typesFitTheWholeColumn() async throws {
    let folder = try TemporaryFolder()
    let file = folder.path("Item.csv")
    try csv.write(toFile: file, atomically: true, encoding: .utf8)
    let preview = try await rehome("seed", "--dry-run", "--json", file).json()
    let tables = try #require(preview["tables"] as? [[String: Any]])
    let columns = try #require(tables.first?["columns"] as? [[String: Any]])
    #expect(
      columns.compactMap { $0["type"] as? String } == [
        "text", "text", "text", "text", "integer", "real", "boolean", "timestamp", "text", "text",
      ])
    #expect(
      columns.compactMap { $0["reason"] as? String } == [
        "\"a\" in row 1", "\"007\" in row 1", "\"12345678901234567890\" in row 1",
        "\"+5\" in row 1", "every value fits", "not integer: \"1.5\" in row 1",
        "every value fits", "every value fits", "\"\" in row 2", "not real: \"x\" in row 2",
      ])
    #expect(folder.names == ["Item.csv"])
  }

  @Test func nullAndEmptyStayApart() async throws {
    let folder = try TemporaryFolder()
    let file = folder.path("Item.csv")
    try csv.write(toFile: file, atomically: true, encoding: .utf8)
    let store = folder.path("store.rehome")
    #expect(await rehome("seed", "-q", file, "-o", store).code == 0)
    let script = """
      import sqlite3, sys
      print(sqlite3.connect(sys.argv[1]).execute('SELECT "empty", zip, price FROM Item').fetchall())
      """
    #expect(try python(script, store) == "[(None, '007', 1.5), ('', '123', 2.0)]\n")
  }

  @Test func identifiersAndDocumentsAreRejectedWhereTheyAreNone() async throws {
    let folder = try TemporaryFolder()
    let file = folder.path("T.csv")
    let text = """
      id,u,j
      1,abc,[1
      2,0F8FAD5B-D9CB-469f-a165-70867728950e,"{""a"":[1,null]}"
      3,0f8fad5b-d9cb-469f-a165-70867728950,nul
      4,,
      """
    try text.write(toFile: file, atomically: true, encoding: .utf8)
    let store = folder.path("store.rehome")
    let outcome = await rehome(
      "seed", file, "-o", store, "--type", "T.u=uuid", "--type", "T.j=json")
    #expect(outcome.code == 2)
    #expect(outcome.error.contains("accepted: a JSON document"), "\(outcome.error)")
    let stored = try python(
      """
      import sqlite3, sys
      db = sqlite3.connect(sys.argv[1])
      print(db.execute('SELECT u, j FROM T ORDER BY _pk').fetchall())
      print(db.execute('SELECT count(*) FROM rehome_reject').fetchone()[0])
      """, store)
    #expect(
      stored == """
        [(None, None), ('0F8FAD5B-D9CB-469f-a165-70867728950e', '{"a":[1,null]}'), (None, None), \
        (None, None)]
        4

        """)
  }

  @Test func givenTypeRejectsWhatDoesNotFit() async throws {
    let folder = try TemporaryFolder()
    let file = folder.path("Item.csv")
    try csv.write(toFile: file, atomically: true, encoding: .utf8)
    let store = folder.path("store.rehome")
    let arguments = ["--type", "Item.zip=integer"]
    let outcome = await rehome("seed", "-q", file, "-o", store, arguments[0], arguments[1])
    #expect(outcome.code == 2)
    let limited = await rehome(
      "seed", "-qf", file, "-o", folder.path("none"), arguments[0], arguments[1],
      "--max-rejects", "0")
    #expect(limited.code == 3)
    #expect(!folder.names.contains("none"))
    let script = """
      import sqlite3, sys
      base = sqlite3.connect(sys.argv[1])
      print(base.execute('SELECT zip FROM Item').fetchall())
      print(base.execute('SELECT "row", "column", raw FROM rehome_reject').fetchall())
      """
    #expect(try python(script, store) == "[(None,), (123,)]\n[(1, 'zip', '007')]\n")
  }

  /// Rows, tables and elements may be called as the mark of an export is.
  @Test(arguments: [
    ("a.ndjson", #"{"rehome":"x","id":"1"}"#), ("b.ndjson", #"{"re home":1,"id":"1"}"#),
    ("c.json", #"{"rehome":[{"id":"1"}],"A":[{"id":"2"}]}"#),
    ("d.ndjson", #"{ "rehome" : {"a":1},"id":"1"}"#),
    ("e.xml", "<rehome><row><id>1</id></row><row><id>2</id></row></rehome>"),
  ])
  func rowsMayHaveTheNameOfTheMark(name: String, text: String) async throws {
    let folder = try TemporaryFolder()
    try text.write(toFile: folder.path(name), atomically: true, encoding: .utf8)
    let report = try await rehome("seed", "--dry-run", "--json", folder.path(name)).json()
    let tables = try #require(report["tables"] as? [[String: Any]])
    let rows = ["c.json": [1, 1], "e.xml": [2]][name] ?? [1]
    #expect(tables.compactMap { $0["written"] as? Int } == rows)
  }

  /// What is known for an export is no plain file, whatever a person says.
  @Test(arguments: [
    #"{"rehome":{"format":2,"kind":"document"}}"#, #"{"rehome""#, #"{"rehome":{"format":1,"#,
    #"{"rehome":{"kind":"document","format":1},"nameOrigin":"schema"}"#,
  ])
  func markIsStillOneWhateverFollows(text: String) async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(text, to: "export")
    let outcome = await rehome("seed", "--dry-run", "--from", "ndjson", file)
    #expect(outcome.code == 64 && outcome.error.contains("an export"), "\(outcome.error)")
  }

  @Test func rootOfAnExportIsStillOne() async throws {
    let folder = try TemporaryFolder()
    let text = #"<rehome format="1" kind="document"><x/></rehome>"#
    let outcome = await rehome("seed", "--dry-run", try folder.write(text, to: "export"))
    #expect(outcome.code == 65 && outcome.error.contains("nameOrigin"), "\(outcome.error)")
  }

  /// A number that a column cannot hold is told, whether it is too large or too near to zero.
  @Test func vanishingNumberIsRejected() async throws {
    let folder = try TemporaryFolder()
    let (file, store) = (folder.path("R.csv"), folder.path("store"))
    let lines = "id,v\na,1e-400\nb,1e309\nc,-0.0e5\nd,5e-324\ne,0e999\n"
    try lines.write(toFile: file, atomically: true, encoding: .utf8)
    let outcome = await rehome("seed", "-q", file, "--type", "R.v=real", "-o", store)
    #expect(outcome.code == 2)
    let query = "SELECT id, v FROM R ORDER BY id"
    #expect(
      try Devices.query(store, query)
        == Devices.query(
          ":memory:",
          """
          SELECT * FROM (VALUES ('a', NULL), ('b', NULL), ('c', 0.0), ('d', 5e-324), ('e', 0.0))
          """))
  }

  @Test func oneNameIsNotForSeveralFiles() async throws {
    let folder = try TemporaryFolder()
    let files = try ["a", "b"].map { try folder.write("x,y\n1,2\n", to: "\($0).csv") }
    let outcome = await rehome(
      ["seed"] + files + ["--table-name", "T", "-o", folder.path("o")])
    #expect(outcome.code == 64 && outcome.error.contains("--table-name"))
    #expect(outcome.error.contains("--rename a=NAME"), "\(outcome.error)")
    #expect(
      await rehome("seed", "-q", files[0], "--table-name", "T", "-o", folder.path("o")).code == 0)
  }

  @Test(arguments: [
    (["--type", "T.a=date"], "excel-date"), (["--separator", "§"], "one character of ASCII"),
    (["--corrected", "-"], "--corrected takes a file, and - is standard input"),
    (["--into", "toolkit", "--template", "-"], "--template takes a file, and - is standard input"),
  ])
  func mistakeIsToldWithWhatIsTaken(options: [String], told: String) async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("a,b\n1,2\n", to: "T.csv")
    let outcome = await rehome(["seed", file, "-o", folder.path("o")] + options)
    #expect(outcome.code == 64)
    #expect(outcome.error.contains(told), "\(outcome.error)")
  }

  /// A name that is given stands above that of the file and of what the file calls its only table.
  @Test(arguments: [
    ("a.json", #"{"Orders":[{"Id":1}],"count":1}"#), ("a.json", #"{"value":[{"Id":1}]}"#),
    ("a.xml", "<d><Orders><Id>1</Id></Orders></d>"), ("a.xml", "<d><row><Id>1</Id></row></d>"),
    ("a.csv", "Id,n\n1,2\n"), ("a.ndjson", "{\"Id\":1}\n{\"Id\":2}\n"),
  ])
  func onlyTableIsCalledAsItIsTold(name: String, text: String) async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(text, to: name)
    let outcome = await rehome("inspect", "--json", file, "--table-name", "X")
    #expect(outcome.code == 0, "\(outcome.error)")
    let stores = try outcome.json()["stores"] as? [[String: Any]]
    let tables = stores?.first?["tables"] as? [[String: Any]]
    #expect(tables?.compactMap { $0["name"] as? String } == ["X"])
  }

  @Test(arguments: [
    ("a.json", #"{"A":[{"Id":1}],"B":[]}"#), ("a.xml", "<d><A><n>1</n></A><B><n>1</n></B></d>"),
  ])
  func oneNameIsNotForSeveralTables(name: String, text: String) async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(text, to: name)
    let outcome = await rehome("inspect", file, "--table-name", "X")
    #expect(outcome.code == 64 && outcome.error.contains("--rename A=X"), "\(outcome.error)")
  }

  /// In a file of one column without a header an empty line is a row without a value, also where no
  /// other stands before it; Python reads the same lines.
  @Test(arguments: [
    "\n\nx\n\ny\n", "\nx\n", "x\n\n", "\r\n\"a,b\"\r\n\r\n", "\n\n\n1\n2\n",
  ])
  func emptyLinesOfOneColumnAreRows(text: String) async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(text, to: "T.csv")
    let outcome = await rehome(
      "seed", "-q", file, "--from", "csv", "--separator", "comma", "--no-header", "-o",
      folder.path("s"))
    #expect(outcome.code == 0, "\(outcome.error)")
    let found = "[r[0] for r in sqlite3.connect(sys.argv[1]).execute('SELECT column1 FROM T')]"
    let read = "[r[0] if r else None for r in csv.reader(open(sys.argv[2], newline=''))]"
    let script = """
      import csv, sqlite3, sys
      found, read = \(found), \(read)
      print([v if v is None else str(v) for v in found] == read, len(read))
      """
    let rows = text.utf8.count { $0 == 0x0A }
    #expect(try python(script, folder.path("s"), file) == "True \(rows)\n")
  }

  @Test func emptyLinesAboveAHeaderOrColumnsSayNothing() async throws {
    let folder = try TemporaryFolder()
    let header = try folder.write("\n\nv\n\nx\n", to: "A.csv")
    let wide = try folder.write("\n\na,b\n\nc,d\n", to: "B.csv")
    let report = try await rehome("seed", "-n", "--json", header, "--header").json()
    let tables = report["tables"] as? [[String: Any]]
    #expect(tables?.first?["read"] as? Int == 2)
    let other = try await rehome("seed", "-n", "--json", wide, "--no-header").json()
    let others = other["tables"] as? [[String: Any]]
    #expect(others?.first?["read"] as? Int == 2)
  }

  @Test func tableThatComesTwiceIsAnError() async throws {
    let folder = try TemporaryFolder()
    let (one, two) = (folder.path("Item.csv"), folder.path("item.ndjson"))
    try csv.write(toFile: one, atomically: true, encoding: .utf8)
    try "{\"a\":1}\n".write(toFile: two, atomically: true, encoding: .utf8)
    let outcome = await rehome("seed", one, two, "-o", folder.path("store.rehome"))
    #expect(outcome.code == 64)
    #expect(outcome.error.contains("the table item comes from \(one), too"))
  }
}
