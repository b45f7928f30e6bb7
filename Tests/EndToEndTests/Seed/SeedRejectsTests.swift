import Foundation
import TestSupport
import Testing

/// Rejected rows go to a file, a person corrects them there, and they take their places again.
struct SeedRejectsTests {
  /// Writes the same rows in a format, with Python's own writers.
  private static let make = """
    import csv, json, sys
    from xml.sax.saxutils import escape
    names = ['id', 'zip', 'price', 'note']
    rows = [['a', '007', '1.5', 'x'], ['b', '12', '3', 'y,"q"'],
            ['c', '12345678901234567890', '2', 'line\\nbreak'], ['d', '5', 'zz', '']]
    path = sys.argv[1]
    with open(path, 'w', newline='') as file:
        if path.endswith('.csv'):
            csv.writer(file).writerows([names] + rows)
        elif path.endswith('.json'):
            json.dump([dict(zip(names, row)) for row in rows], file)
        elif path.endswith('.ndjson'):
            for row in rows: file.write(json.dumps(dict(zip(names, row))) + '\\n')
        else:
            file.write('<Items>')
            for row in rows:
                cells = ''.join(f'<{n}>{escape(v)}</{n}>' for n, v in zip(names, row))
                file.write(f'<Item>{cells}</Item><Place><n>{row[0]}</n></Place>')
            file.write('</Items>')
    """

  /// Reads the file of rejects, prints it, and writes it back corrected.
  private static let correct = """
    import csv, json, sys
    import xml.etree.ElementTree as tree
    path = sys.argv[1]
    fixes = {'007': '7', '12345678901234567890': '99', 'zz': '2.5'}
    def show(rows):
        for row in rows: print(row['_pk'], row['_reject'], row['zip'], row['price'], repr(row['note']))
    def fix(row): return {name: fixes.get(value, value) for name, value in row.items()}
    if path.endswith('.csv'):
        rows = list(csv.DictReader(open(path, newline='')))
        show(rows)
        with open(path, 'w', newline='') as file:
            writer = csv.DictWriter(file, rows[0])
            writer.writeheader()
            writer.writerows(map(fix, rows))
    elif path.endswith('.json'):
        rows = json.load(open(path))
        show(rows)
        json.dump(list(map(fix, rows)), open(path, 'w'))
    elif path.endswith('.ndjson'):
        rows = [json.loads(line) for line in open(path)]
        show(rows)
        open(path, 'w').write(''.join(json.dumps(fix(row)) + '\\n' for row in rows))
    else:
        root = tree.parse(path).getroot()
        show([{**row.attrib, **{cell.tag: cell.text or '' for cell in row}} for row in root])
        for row in root:
            for cell in row: cell.text = fixes.get(cell.text, cell.text)
        tree.ElementTree(root).write(path)
    """

  private static let rejects = """
    1 zip: value-of-wrong-type 007 1.5 'x'
    3 zip: value-of-wrong-type 12345678901234567890 2.0 'line\\nbreak'
    4 price: value-of-wrong-type 5 zz ''

    """

  // Python's writer of CSV leaves the quotes of an empty text away, which makes it NULL.
  private static let read = """
    import sqlite3, sys
    base = sqlite3.connect(sys.argv[1])
    for row in base.execute('SELECT * FROM Item'): print(row)
    print(base.execute('SELECT count(*) FROM rehome_reject').fetchone()[0])
    """

  private let types = ["--type", "Item.zip=integer", "--type", "Item.price=real"]

  /// What a database does not give stays in the store, and no file says that nothing was rejected.
  @Test func rejectsOfADatabaseStayInTheStore() async throws {
    let folder = try TemporaryFolder()
    let (store, rejects) = (folder.path("items.db"), folder.path("bad.csv"))
    _ = try python(
      """
      import sqlite3, sys
      with sqlite3.connect(sys.argv[1]) as db:
          db.executescript("CREATE TABLE t (n INTEGER); INSERT INTO t VALUES (1), (2), ('x')")
      """, store)
    let outcome = await rehome("seed", store, "--rejects", rejects, "-o", folder.path("new"))
    #expect(outcome.code == 2)
    #expect(outcome.error.contains("what it was is in rehome_reject"), "\(outcome.error)")
    #expect(outcome.error.contains("--rejects takes rows of plain files alone; \(rejects) is not"))
    #expect(folder.names == ["items.db", "new"])
  }

  @Test(arguments: ["csv", "json", "ndjson", "xml"])
  func correctedRowsTakeTheirPlaces(_ format: String) async throws {
    let folder = try TemporaryFolder()
    let (file, bad) = (folder.path("Item.\(format)"), folder.path("bad.\(format)"))
    _ = try python(Self.make, file)
    let arguments = ["seed", "-q", file, "-o", folder.path("store.rehome")] + types
    // Nothing is published, but the rejects are there.
    let limited = await rehome(arguments + ["--rejects", bad, "--max-rejects", "2"])
    #expect(limited.code == 3)
    #expect(limited.error.contains("--corrected \(bad)"))
    #expect(Set(folder.names) == ["Item.\(format)", "bad.\(format)"])
    #expect(try python(Self.correct, bad) == Self.rejects)
    let other = folder.path("other.\(format)")
    let corrected = await rehome(arguments + ["--corrected", bad, "--rejects", other])
    #expect(corrected.code == 0, "\(corrected.error)")
    #expect(!FileManager.default.fileExists(atPath: other))
    #expect(
      try python(Self.read, folder.path("store.rehome")) == """
        (1, 'a', 7, 1.5, 'x')
        (2, 'b', 12, 3.0, 'y,"q"')
        (3, 'c', 99, 2.0, 'line\\nbreak')
        (4, 'd', 5, 2.5, \(format == "csv" ? "None" : "''"))
        0

        """)
  }

  /// A column of the app may hold less than its type in the file: no version without bytes, and no
  /// whole number that is no floating point number.
  @Test(
    .enabled(if: SystemProgram.python.isInstalled, "python3 is not installed"),
    arguments: ["csv"])
  func valuesThatOnlyTheAppCannotTakeAreInTheFile(_ format: String) async throws {
    let folder = try TemporaryFolder()
    let (file, template) = (folder.path("Item.\(format)"), folder.path("template.db"))
    let (bad, output) = (folder.path("bad.\(format)"), folder.path("app.db"))
    let empty = try folder.write("[]", to: "Other.json")
    _ = await rehome("seed", "-q", empty, "--into", "toolkit", "-o", template)
    _ = try python(
      """
      import sqlite3, sys
      sqlite3.connect(sys.argv[1]).execute(
          'CREATE TABLE Item (Id TEXT NOT NULL PRIMARY KEY, zip REAL, Version BLOB, note TEXT)')
      """, template)
    _ = try python(
      Self.make.replacing("'price'", with: "'version'").replacing("'12', '3'", with: "'5', 'AAA='")
        .replacing("12345678901234567890", with: "9007199254740993")
        .replacing("'1.5'", with: "'AAE='").replacing("'2'", with: "'AAI='"), file)
    let arguments = [
      "seed", file, "--type", "Item.zip=integer", "--into", "toolkit", "--template", template,
      "-fo", output, "--type", "Item.version=text",
    ]
    let outcome = await rehome(arguments + ["--rejects", bad])
    #expect(outcome.code == 2, "\(outcome.error)")
    for column in ["zip", "version"] {
      #expect(
        outcome.error.contains("values of Item.\(column) that the app's column does not hold"),
        "\(outcome.error)")
    }
    let correct = Self.correct.replacing("row['price']", with: "row['version']")
      .replacing(
        "'12345678901234567890': '99', 'zz': '2.5'", with: "'9007199254740993': '99', 'zz': 'AAQ='")
    #expect(
      try python(correct, bad) == """
        1 zip: value-of-wrong-type 007 AAE= 'x'
        3 zip: value-of-wrong-type 9007199254740993 AAI= 'line\\nbreak'
        4 version: value-of-wrong-type 5 zz ''

        """)
    let again = await rehome(arguments + ["--corrected", bad])
    #expect(again.code == 0, "\(again.error)")
    #expect(
      try Devices.query(output, "SELECT id, zip, hex(version) FROM Item ORDER BY id")
        == "a|7.0|0001\nb|5.0|0000\nc|99.0|0002\nd|5.0|0004\n")
  }

  /// Rows whose name says nothing make the table of the file, whose name need be none of XML.
  @Test(arguments: ["T", "two words"], ["row", "Record"])
  func rowsThatAreCalledRowComeBack(_ table: String, _ element: String) async throws {
    let folder = try TemporaryFolder()
    let rows = ["x", "2"].map { "<\(element)><n>\($0)</n></\(element)>" }.joined()
    let file = try folder.write("<d>\(rows)</d>", to: table + ".xml")
    let arguments = [
      "seed", "-qf", file, "-o", folder.path("o"), "--type", "\(table).n=integer",
    ]
    let bad = folder.path("bad.xml")
    #expect(await rehome(arguments + ["--rejects", bad]).code == 2)
    let text = try #require(folder.text("bad.xml"))
    try folder.write(text.replacing(">x<", with: ">7<"), to: "bad.xml")
    let again = await rehome(arguments + ["--corrected", bad])
    #expect(again.code == 0, "\(again.error)")
    let script =
      "import sqlite3, sys; print(sqlite3.connect(sys.argv[1])"
      + ".execute('SELECT n FROM \"%s\"' % sys.argv[2]).fetchall())"
    #expect(try python(script, folder.path("o"), table) == "[(7,), (2,)]\n")
  }

  @Test func severalInputsHaveAFolder() async throws {
    let folder = try TemporaryFolder()
    let (one, two) = (folder.path("Item.csv"), folder.path("Place.ndjson"))
    _ = try python(Self.make, one)
    try "{\"n\":\"x\"}\n{\"n\":2}\n".write(toFile: two, atomically: true, encoding: .utf8)
    let bad = folder.path("bad")
    let arguments =
      ["seed", "-q", one, two, "-o", folder.path("a")] + types + ["--type", "Place.n=integer"]
    #expect(await rehome(arguments + ["--rejects", bad]).code == 64)
    try FileManager.default.createDirectory(atPath: bad, withIntermediateDirectories: false)
    #expect(await rehome(arguments + ["--rejects", bad]).code == 2)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: bad).sorted()
        == ["Item.csv", "Place.ndjson"])
    #expect(try python(Self.correct, bad + "/Item.csv") == Self.rejects)
    let again = await rehome(arguments + ["-f", "--corrected", bad, "--json"])
    #expect(again.code == 2)
    #expect(
      try python(Self.read, folder.path("a")).hasSuffix("(4, 'd', 5, 2.5, None)\n1\n"))
  }

  /// Nobody has to read the rows again to hear of the values that a store or an export lacks.
  @Test func keptRejectsAreToldByFind() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("id,n\n1,x\n2,5\n", to: "W.csv")
    let (store, export) = (folder.path("w.db"), folder.path("w.json"))
    _ = await rehome("seed", "-q", file, "--type", "W.n=integer", "-o", store)
    _ = await rehome("export", "-q", store, "--to", "json", "-o", export)
    for path in [store, export] {
      let found = await rehome("find", "--json", "--fail-on", "warning", path)
      #expect(found.code == 2, "\(found.error)")
      #expect(found.text.contains("\"value-of-wrong-type\""), "\(found.text)")
    }
  }

  /// Whoever follows the advice of one run after the other loses nothing that was corrected.
  @Test(arguments: ["csv", "ndjson"])
  func correctionsOutliveTheNextRound(_ format: String) async throws {
    let folder = try TemporaryFolder()
    let isCSV = format == "csv"
    let text = [("a", "1"), ("b", "x"), ("c", "y")].map {
      isCSV ? "\($0.0),\($0.1)\n" : "{\"id\":\"\($0.0)\",\"n\":\"\($0.1)\"}\n"
    }.joined()
    let file = try folder.write((isCSV ? "id,n\n" : "") + text, to: "C.\(format)")
    let arguments = ["seed", file, "--type", "C.n=integer", "-fo", folder.path("o")]
    func path(_ round: Int) -> String { folder.path("bad\(round).\(format)") }
    #expect(await rehome(arguments + ["--rejects", path(1)]).code == 2)
    let first = try #require(folder.text("bad1.\(format)"))
    try folder.write(
      first.replacing(isCSV ? "b,x" : #""x""#, with: isCSV ? "B,2" : "2"), to: "bad1.\(format)")
    let second = await rehome(arguments + ["--corrected", path(1), "--rejects", path(2)])
    #expect(second.code == 2)
    #expect(
      second.error.contains("1 row with rejected values, and 1 corrected before"), "\(second.error)"
    )
    let rest = try #require(folder.text("bad2.\(format)"))
    try folder.write(
      rest.replacing(isCSV ? ",y" : #""y""#, with: isCSV ? ",3" : "3"), to: "bad2.\(format)")
    let third = await rehome(arguments + ["--corrected", path(2), "--rejects", path(3)])
    #expect(third.code == 0, "\(third.error)")
    #expect(!folder.names.contains("bad3.\(format)"))
    #expect(
      try python(
        "import sqlite3, sys; print(*sqlite3.connect(sys.argv[1])"
          + ".execute('SELECT id, n FROM C').fetchall())", folder.path("o"))
        == "('a', 1) ('\(isCSV ? "B" : "b")', 2) ('c', 3)\n")
  }

  /// A row that is on several pages is corrected on each of them, in every round.
  @Test func correctionsOfRepeatedRowsOutliveTheNextRound() async throws {
    let folder = try TemporaryFolder()
    for name in ["one", "two"] { try folder.makeFolder(name) }
    let pages = [
      try folder.write("id,n\n1,5\n2,x\n3,7\n", to: "one/Item.csv"),
      try folder.write("id,n\n1,5\n2,x\n3,8\n4,y\n", to: "two/Item.csv"),
    ]
    let arguments = ["seed"] + pages + ["--type", "Item.n=integer", "-fo", folder.path("o")]
    func path(_ round: Int) -> String { folder.path("bad\(round).csv") }
    #expect(await rehome(arguments + ["--rejects", path(1)]).code == 2)
    let first = try #require(folder.text("bad1.csv"))
    try folder.write(first.replacing(",2,x", with: ",2,55"), to: "bad1.csv")
    let second = await rehome(arguments + ["--corrected", path(1), "--rejects", path(2)])
    #expect(second.code == 2, "\(second.error)")
    let rest = try #require(folder.text("bad2.csv"))
    #expect(
      rest == "_pk,_reject,id,n\r\n2,,2,55\r\n5,,2,55\r\n7,n: value-of-wrong-type,4,y\r\n")
    try folder.write(rest.replacing(",4,y", with: ",4,66"), to: "bad2.csv")
    let third = await rehome(arguments + ["--corrected", path(2)])
    #expect(third.code == 0, "\(third.error)")
    #expect(
      try python(
        "import sqlite3, sys; print(*sqlite3.connect(sys.argv[1])"
          + ".execute('SELECT id, n FROM Item').fetchall())", folder.path("o"))
        == "(1, 5) (2, 55) (3, 7) (3, 8) (4, 66)\n")
  }

  /// A table whose rows name none of another one has its rejects beside those that do.
  @Test func rejectsBesideReferencesAreAllThere() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(
      #"{"A":[{"id":1,"n":"x"},{"id":2,"n":"3"}],"B":[{"id":1,"a":1},{"id":2,"a":9}]}"#,
      to: "D.json")
    let outcome = await rehome(
      "seed", file, "--reference", "B.a=A", "--type", "A.n=integer", "--rejects",
      folder.path("bad.json"), "-fo", folder.path("o"))
    #expect(outcome.code == 2, "\(outcome.error)")
    let text = try #require(folder.text("bad.json"))
    #expect(text.contains("n: value-of-wrong-type"), "\(text)")
    #expect(text.contains("a: dangling-reference"), "\(text)")
  }

  /// A folder has the files of all inputs as soon as one of them is to be corrected once more.
  @Test func correctedInputStaysBesideOthers() async throws {
    let folder = try TemporaryFolder()
    let files = [
      try folder.write("n\nx\n", to: "A.csv"), try folder.write("n\ny\n", to: "B.csv"),
    ]
    for name in ["one", "two"] { try folder.makeFolder(name) }
    let arguments =
      ["seed"] + files + [
        "--type", "A.n=integer", "--type", "B.n=integer", "-fo", folder.path("o"),
      ]
    #expect(await rehome(arguments + ["--rejects", folder.path("one")]).code == 2)
    try folder.write("_pk,_reject,n\n1,,7\n", to: "one/A.csv")
    let second = await rehome(
      arguments + ["--corrected", folder.path("one"), "--rejects", folder.path("two")])
    #expect(second.code == 2, "\(second.error)")
    try folder.write("_pk,_reject,n\n1,,8\n", to: "two/B.csv")
    let third = await rehome(arguments + ["--corrected", folder.path("two")])
    #expect(third.code == 0, "\(third.error)")
  }

  /// The same text in the same column is the same number, or none, in both files.
  @Test func correctionsAreSpelledAsTheInputIs() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(
      "id;v;d;w\na;1.234;43000,5;1\nb;12.34;43001,25;2,5\nc;2;x;-0,125\n", to: "V.csv")
    let arguments = [
      "seed", file, "--decimal-comma", "--type", "V.v=real", "--type", "V.d=excel-date", "--type",
      "V.w=decimal", "-fo", folder.path("o"),
    ]
    let bad = folder.path("bad.csv")
    #expect(await rehome(arguments + ["--rejects", bad]).code == 2)
    let text = try #require(folder.text("bad.csv"))
    #expect(text.contains("b,12.34,\"43001,25\",\"2,5\""), "\(text)")
    #expect(text.contains("c,\"2,0\",x,\"-0,125\""), "\(text)")
    #expect(await rehome(arguments + ["--corrected", bad]).code == 2)
    try folder.write(
      text.replacing(",12.34,", with: ",1.234,").replacing(",x,", with: ",43002,"), to: "bad.csv")
    let corrected = await rehome(arguments + ["--corrected", bad])
    #expect(corrected.code == 0, "\(corrected.error)")
    #expect(
      try python(
        "import sqlite3, sys; print(*sqlite3.connect(sys.argv[1])"
          + ".execute('SELECT id, v, d, w FROM V').fetchall(), sep='\\n')", folder.path("o"))
          == """
          ('a', 1234.0, '2017-09-22T12:00:00.000Z', '1')
          ('b', 1234.0, '2017-09-23T06:00:00.000Z', '2.5')
          ('c', 2.0, '2017-09-24T00:00:00.000Z', '-0.125')

          """)
  }

  /// What was read as numbers since 1970 comes back as such, so that nothing changes by the way alone.
  @Test(
    arguments: ["csv", "json", "ndjson", "xml"],
    [
      (
        "unix-seconds",
        ["1475312400", "-1.5", "1475313330.123456789", "0", "1475313330.1239999999"]
      ),
      ("unix-milliseconds", ["1475313330123", "-1500", "1475313330123.456789", "0", "0.5"]),
    ])
  func timesThatAreNumbersComeBack(format: String, times: (form: String, values: [String]))
    async throws
  {
    let folder = try TemporaryFolder()
    let rows = times.values.enumerated().map { (id: "r\($0.offset)", t: $0.element) }
    let text =
      switch format {
      case "csv": "id,t,n\n" + rows.map { "\($0.id),\($0.t),x\n" }.joined()
      case "xml":
        "<E>" + rows.map { "<E1><id>\($0.id)</id><t>\($0.t)</t><n>x</n></E1>" }.joined() + "</E>"
      case "json":
        "[" + rows.map { #"{"id":"\#($0.id)","t":\#($0.t),"n":"x"}"# }.joined(separator: ",") + "]"
      default: rows.map { #"{"id":"\#($0.id)","t":\#($0.t),"n":"x"}"# + "\n" }.joined()
      }
    let file = try folder.write(text, to: "E1." + format)
    let arguments = [
      "seed", file, "--type", "E1.t=" + times.form, "--type", "E1.n=integer", "-fo",
    ]
    let bad = folder.path("bad." + format)
    let first = await rehome(arguments + [folder.path("one"), "--rejects", bad])
    #expect(first.code == 2, "\(first.error)")
    let second = await rehome(arguments + [folder.path("two"), "--corrected", bad])
    #expect(second.code == 2, "\(second.error)")
    let query = "SELECT id, t FROM E1 ORDER BY id"
    let read = try Devices.query(folder.path("one"), query)
    #expect(read == (try Devices.query(folder.path("two"), query)))
    #expect(!read.contains("None"), "\(read)")
  }

  /// What is wrong with the form of the corrected file, no option about the input mends.
  @Test func formOfTheCorrectedFileIsToldOfItself() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("id,n\na,x\n", to: "E.csv")
    // An editor on Windows has saved an ü.
    let text = Array("_pk,_reject,id,n\n1,,M".utf8) + [0xFC] + Array(",2\n".utf8)
    let bad = try folder.write(text, to: "bad.csv")
    let outcome = await rehome("seed", file, "--corrected", bad, "-o", folder.path("o"))
    #expect(outcome.code == 65)
    #expect(outcome.error.contains("save it as --rejects wrote it"), "\(outcome.error)")
    #expect(!outcome.error.contains("--encoding"), "\(outcome.error)")
  }

  @Test func pagesOfATableHaveOneFileInAFolder() async throws {
    let folder = try TemporaryFolder()
    let pages = try (1...2).map { try folder.write("n\nx\($0)\n", to: "p\($0).csv") }
    try folder.makeFolder("bad")
    let arguments =
      ["seed", "-qf"] + pages + ["-o", folder.path("o"), "--type", "T.n=integer"]
      + ["--rename", "p1=T", "--rename", "p2=T"]
    #expect(await rehome(arguments + ["--rejects", folder.path("bad")]).code == 2)
    let bad = try #require(folder.text("bad/p1.csv"))
    #expect(
      bad == "_pk,_reject,n\r\n1,n: value-of-wrong-type,x1\r\n2,n: value-of-wrong-type,x2\r\n")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("bad")) == ["p1.csv"])
    try folder.write(bad.replacing(",x", with: ",7"), to: "bad/p1.csv")
    let again = await rehome(arguments + ["--corrected", folder.path("bad")])
    #expect(again.code == 0, "\(again.error)")
  }

  @Test(arguments: [
    ("_pk,_reject,n,t\n9,,1,z\n", "row 1 of it corrects the row 9"),
    ("_pk,_reject,n,t\n1,,1,z\n2,,1,\"z\n\"\n9,,1,z\n10,,1,z\n", "row 3 of it corrects the row 9"),
    ("_pk,_reject,m,t\n1,,1,z\n", "its columns are not those of the input"),
    ("_pk,_reject,n,t\n1,,1,z\n1,,2,z\n", "no _pk whose numbers grow"),
    ("{\"_pk\":1,\"n\":1}\n", "no plain file of csv"),
  ])
  func correctionsThatDoNotBelongAreRefused(_ text: String, _ message: String) async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("n,t\n1,x\n2,y\n", to: "T.csv")
    let bad = try folder.write(text, to: "bad")
    let outcome = await rehome("seed", file, "--corrected", bad, "-o", folder.path("o"))
    #expect(outcome.code == 65)
    #expect(outcome.error.contains(message), "\(outcome.error)")
    #expect(!folder.names.contains("o"))
  }

  /// Its place is told by its number, and not by where a reader of many rows stands.
  @Test(arguments: ["csv", "ndjson"], [0, 5000])
  func correctionOfNoRowIsToldByItsPlace(_ format: String, _ stranger: Int) async throws {
    let folder = try TemporaryFolder()
    let isCSV = format == "csv"
    let rows = (1...3000).map { isCSV ? "\($0),x\n" : "{\"n\":\($0),\"t\":\"x\"}\n" }
    let file = try folder.write((isCSV ? "n,t\n" : "") + rows.joined(), to: "T.\(format)")
    let keys = stranger == 0 ? Array(0...3000) : Array(1...3000) + [stranger]
    let corrections = keys.map {
      isCSV ? "\($0),,7,y\n" : "{\"_pk\":\($0),\"_reject\":\"\",\"n\":7,\"t\":\"y\"}\n"
    }
    let bad = try folder.write(
      (isCSV ? "_pk,_reject,n,t\n" : "") + corrections.joined(), to: "bad.\(format)")
    let outcome = await rehome("seed", file, "--corrected", bad, "-o", folder.path("o"))
    let row = stranger == 0 ? 1 : 3001
    #expect(outcome.code == 65)
    #expect(
      outcome.error.contains("row \(row) of it corrects the row \(stranger),"), "\(outcome.error)")
  }

  @Test func fileOfRejectsTakesNoOthersPlace() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("n,t\nx,1\n", to: "T.csv")
    let arguments = ["seed", file, "-o", folder.path("o"), "--type", "T.n=integer", "--rejects"]
    #expect(await rehome(arguments + [file, "-f"]).code == 73)
    #expect(await rehome(arguments + [folder.path("o"), "-f"]).code == 64)
    let bad = try folder.write("old", to: "bad.csv")
    #expect(await rehome(arguments + [bad]).code == 73)
    #expect(await rehome(arguments + [bad, "-f"]).code == 2)
    #expect(
      try String(contentsOfFile: bad, encoding: .utf8)
        == "_pk,_reject,n,t\r\n1,n: value-of-wrong-type,x,1\r\n")
    // Its own type is known again, and the reason is no column.
    let alone = await rehome("seed", "-q", bad, "-o", folder.path("p"))
    #expect(alone.code == 0)
    #expect(
      try python(
        "import sqlite3, sys; print(sqlite3.connect(sys.argv[1])"
          + ".execute('SELECT * FROM bad').fetchall())", folder.path("p"))
        == "[(1, 'x', 1)]\n")
  }

  /// A person may have corrected what an earlier run wrote, so it stays, and is told as older.
  @Test(arguments: [false, true]) func rejectsOfAnEarlierRunAreTold(_ isFolder: Bool) async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("n,t\nx,1\n", to: "T.csv")
    if isFolder { try folder.makeFolder("bad") }
    let bad = folder.path(isFolder ? "bad" : "bad.csv")
    let name = isFolder ? "bad/T.csv" : "bad.csv"
    let arguments = [
      "seed", "-f", file, "-o", folder.path("o"), "--type", "T.n=integer", "--rejects", bad,
    ]
    #expect(await rehome(arguments).code == 2)
    #expect(folder.text(name) != nil)
    // What is being corrected is not what is written anew.
    let text = try #require(folder.text(name))
    try folder.write(text.replacing(",x,", with: ",7,"), to: name)
    #expect(await rehome(arguments + ["--corrected", bad]).code == 73)
    #expect(folder.text(name) != nil)
    if isFolder { try folder.write("n\n1\n", to: "bad/other.csv") }
    try folder.write("n,t\n7,1\n", to: "T.csv")
    let corrected = await rehome(arguments)
    #expect(corrected.code == 0 && corrected.error.contains("is older"), "\(corrected.error)")
    #expect(corrected.error.contains("other.csv") == false)
    #expect(folder.text(name) != nil)
    try FileManager.default.removeItem(atPath: folder.path(name))
    #expect(await rehome(arguments).error.contains("is not written"))
  }

  @Test func correctionsThatMeetNoInputAreRefused() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("n,t\n1,x\n", to: "T.csv")
    let document = folder.path("d.json")
    #expect(await rehome("export", "-q", file, "--to", "json", "-o", document).code == 0)
    for name in ["right", "wrong", "empty", "document"] { _ = try folder.makeFolder(name) }
    let rows = "_pk,_reject,n,t\n1,,7,y\n"
    for name in ["right/T.csv", "right/.hidden", "wrong/T.csv", "wrong/S.csv", "document/d.json"] {
      try folder.write(rows, to: name)
    }
    for (input, corrected, code, message) in [
      (file, "right", 0, ""), (file, "wrong", 64, "wrong/S.csv: no input is called as this file"),
      (file, "empty", 64, "no file of corrected rows"), (file, "none", 66, "no such file"),
      (document, "right/T.csv", 64, "of a plain file, and the input is none"),
      (document, "document", 64, "of a plain file, and the input is none"),
    ] as [(String, String, Int32, String)] {
      let outcome = await rehome(
        "seed", "-f", input, "--corrected", folder.path(corrected), "-o", folder.path("o"))
      #expect(outcome.code == code, "\(corrected): \(outcome.error)")
      #expect(message.isEmpty || outcome.error.contains(message), "\(outcome.error)")
    }
    let several = await rehome(
      "seed", file, document, "--corrected", folder.path("none"), "-o", folder.path("p"))
    #expect(several.code == 66)
  }
}
