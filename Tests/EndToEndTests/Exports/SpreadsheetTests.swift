import Foundation
import TestSupport
import Testing

/// `export --to csv --for excel` is what a spreadsheet shows as it is meant.
struct SpreadsheetTests {
  private static let office = Program(named: "soffice")

  private static let items = #"""
    id,code,big,price,flag,when,fine,text
    1,007,9007199254740993,1.5,true,2016-10-01T09:15:30.000Z,2016-10-01T09:15:30.123Z,=1+1
    2,1.10,123456789012345,-2.25,false,1999-12-31T23:59:59.000Z,2016-10-01T09:15:30.120Z,"a,""b"
    3,1E5,-12,3.0,,,,"two
    lines"
    4,12345678901234567890,0,0.1,true,0001-01-01T00:00:00.000Z,,""

    """#

  /// A store of one table with what spreadsheets like to change.
  private func makeStore(in folder: TemporaryFolder) async throws -> String {
    let file = try folder.write(Self.items, to: "Item.csv")
    let store = folder.path("store.rehome")
    let seeding = await rehome("seed", "-q", file, "-o", store, "--type", "Item.code=text")
    try #require(seeding.code == 0, "\(seeding.error)")
    return store
  }

  private func export(_ store: String, to path: String) async throws {
    let outcome = await rehome(
      "export", "-q", store, "--to", "csv", "--for", "excel", "--table", "Item", "-o", path)
    try #require(outcome.code == 0, "\(outcome.error)")
  }

  @Test func fieldsAreAsSpreadsheetsTakeThem() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("items.csv")
    try await export(try await makeStore(in: folder), to: path)
    let lines = [
      "_pk,id,code,big,price,flag,when,fine,text",
      #"1,1,"=""007""","=""9007199254740993""",1.5,true,2016-10-01 09:15:30,"#
        + "2016-10-01 09:15:30.123,'=1+1",
      #"2,2,"=""1.10""",123456789012345,-2.25,false,1999-12-31 23:59:59,"#
        + #"2016-10-01 09:15:30.120,"a,""b""#,
      #"3,3,"=""1E5""",-12,3.0,,,,"two"# + "\nlines\"",
      #"4,4,"=""12345678901234567890""",0,0.1,true,0001-01-01 00:00:00,,"""#, "",
    ]
    let expected = "\u{FEFF}" + lines.joined(separator: "\r\n")
    let written = try Data(contentsOf: URL(filePath: path))
    #expect(String(decoding: written, as: UTF8.self) == expected)
  }

  /// Texts that spreadsheets of some language make a date, a time, a fraction or a truth value of.
  private static let dated = [
    "1/2", "3-4", "1/2/2024", "2024-01-02", "2024-01", "1.2.2024", "1.2.", "12:30", "1:02:03.1234",
    "2024-01-02 10:00:00", "9 AM", "9:30 pm", "MAR1", "sept2", "DEC 12", "1-Mai", "1. März 2024",
    "100:30", "1000:59:59", "24:00", "3 AOÛT", "March 5, 2024", "1 1/2", "2 5/128", "TRUE", "wahr",
    "Faux", "1E5", "12e-3", "12,30", "1,500", "10,0",
  ]
  /// Those of which none makes anything else.
  private static let plain = [
    "12a", "192.168.0.1", "555-1234", "May", "Mars", "hello", "MAR12345", "a/b", "1,2", "Section 4",
    "v1.2.3", "1 2", "5 apples", "trueish", "Straße 12", "1:2:3:4", "2024-01-02T10:00:00Z", "12.5",
    "127.0.0.1:8080", "a:100:30", "1,05", "1,2,0", "1,50 EUR", ",", "0",
  ]

  @Test func textsThatLookLikeDatesStayTexts() async throws {
    let folder = try TemporaryFolder()
    let texts = Self.dated + Self.plain
    let rows = texts.enumerated().map { "\($0),\"\($1)\"\n" }.joined()
    let file = try folder.write("id,text\n" + rows, to: "Item.csv")
    let store = folder.path("store.rehome")
    let seeding = await rehome(
      "seed", "-q", file, "-o", store, "--exact", "--type", "Item.text=text")
    try #require(seeding.code == 0, "\(seeding.error)")
    let path = folder.path("items.csv")
    try await export(store, to: path)
    let fields = try python(
      """
      import csv, sys
      for row in csv.DictReader(open(sys.argv[1], newline="", encoding="utf-8-sig")):
          print(row["text"])
      """, path)
    let expected = Self.dated.map { "=\"\($0)\"" } + Self.plain
    #expect(fields.split(separator: "\n").map(String.init) == expected)
    // A bundle says for whom it is, and loses nothing.
    let bundle = folder.path("bundle")
    let exported = await rehome(
      "export", "-q", store, "--to", "csv", "--for", "excel", "-o", bundle)
    try #require(exported.code == 0, "\(exported.error)")
    #expect(await rehome("verify", "-q", store, bundle).code == 0)
  }

  /// A table alone comes back as a spreadsheet sees it, which only texts that begin as formulas change.
  @Test func tableAloneComesBack() async throws {
    let folder = try TemporaryFolder()
    let store = try await makeStore(in: folder)
    let path = try folder.makeFolder("out") + "/Item.csv"
    try await export(store, to: path)
    let seeded = folder.path("seeded.rehome")
    let outcome = await rehome("seed", path, "-o", seeded)
    #expect(outcome.code == 0 && outcome.error.contains("5 fields of Item with a formula"))
    let query = "SELECT id, code, big, price, flag, \"when\", fine FROM Item ORDER BY id"
    #expect(try Devices.query(seeded, query) == Devices.query(store, query))
    let columns = "SELECT name, type FROM rehome_column WHERE name <> 'text' ORDER BY position"
    #expect(try Devices.query(seeded, columns) == Devices.query(store, columns))
    let exact = folder.path("exact.rehome")
    _ = await rehome("seed", "-q", "--exact", path, "-o", exact)
    #expect(try Devices.query(exact, "SELECT code FROM Item").contains(#"="007""#))
  }

  /// Only what is for spreadsheets has formulas of texts; elsewhere they are what somebody has typed.
  @Test(arguments: ["", "\u{FEFF}"]) func formulasAreTextsInFilesForSpreadsheets(
    mark: String
  ) async throws {
    let folder = try TemporaryFolder()
    let texts = ["=\"007\"", "=\"a\"b\"", "=\"", "=\"\"", "=x", "=\"1"]
    let lines = texts.enumerated().map { number, text in
      "\(number),\"\(text.replacingOccurrences(of: "\"", with: "\"\""))\""
    }.joined(separator: "\n")
    let path = try folder.write(mark + "id,v\n" + lines + "\n", to: "F.csv")
    let store = folder.path("store.rehome")
    #expect(await rehome("seed", "-q", path, "-o", store).code == 0)
    let expected = mark.isEmpty ? texts : ["007", texts[1], texts[2], "", texts[4], texts[5]]
    let values = expected.enumerated().map { "(\($0), '\($1)')" }.joined(separator: ", ")
    let found = try Devices.query(store, "SELECT id, v FROM F ORDER BY id")
    #expect(try found == Devices.query(":memory:", "SELECT * FROM (VALUES \(values))"), "\(found)")
  }

  /// Programs that write for spreadsheets leave the quotes around fields away.
  @Test(arguments: ["", "\u{FEFF}"], [",", ";", "\t"])
  func formulasWithoutQuotesAreTheirTexts(mark: String, separator: String) async throws {
    let folder = try TemporaryFolder()
    let lines = ["id,code", #"1,="007""#, #"2,="a""b""#, #"3,="""#, "4,", #"5,="=x""#, "6,=1+1"]
    let text = lines.joined(separator: "\r\n").replacingOccurrences(of: ",", with: separator)
    let path = try folder.write(mark + text, to: "F.csv")
    let store = folder.path("store.rehome")
    let outcome = await rehome("seed", path, "-o", store)
    #expect(outcome.code == 0 && outcome.error.contains("4 fields of F with a formula"))
    let found = try Devices.query(store, "SELECT id, quote(code) FROM F ORDER BY id")
    #expect(found == "1|'007'\n2|'a\"b'\n3|''\n4|NULL\n5|'=x'\n6|'=1+1'\n")
  }

  /// A spreadsheet ends such a field at the first separator, so nothing says what was meant.
  @Test(arguments: [#"="a"#, #"="a"b"#, #"="a,b""#, #"="a"# + "\n\"", #"=="a""#, #"a="b""#])
  func formulaWithoutItsEndIsRefused(_ field: String) async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("id,code\n1,x\n2,\(field)\n", to: "F.csv")
    let outcome = await rehome("seed", path, "-o", folder.path("store.rehome"))
    #expect(outcome.code == 65)
    #expect(outcome.error.contains("line 3, column"), "\(outcome.error)")
    #expect(outcome.error.contains("a quote stands inside a plain field"), "\(outcome.error)")
  }

  /// With `--exact` a text is what stands in the file.
  @Test(arguments: ["", "\u{FEFF}"])
  func formulaWithoutQuotesStaysWhereTextsAreExact(mark: String) async throws {
    let folder = try TemporaryFolder()
    let lines = ["id,code", #"1,="007""#, #"2,="a""b""#, #"3,="""#, #"4,"=""008""""#]
    let path = try folder.write(mark + lines.joined(separator: "\n"), to: "F.csv")
    let store = folder.path("store.rehome")
    #expect(await rehome("seed", "-q", "--exact", path, "-o", store).code == 0)
    let found = try Devices.query(store, "SELECT code FROM F ORDER BY id")
    #expect(found == "=\"007\"\n=\"a\"\"b\"\n=\"\"\n=\"008\"\n")
  }

  /// What an editor puts before the corrected rows says nothing about their fields.
  @Test(arguments: ["", "\u{FEFF}"], ["", "\u{FEFF}"])
  func correctedRowsAreSpelledAsTheInput(ofInput: String, ofCorrections: String) async throws {
    let folder = try TemporaryFolder()
    let rows = #"1,"=""007""",abc"# + "\n" + #"2,"=""008""",5"# + "\n"
    let input = try folder.write(ofInput + "id,s,n\n" + rows, to: "I.csv")
    let (rejects, store) = (folder.path("rejects.csv"), folder.path("store.rehome"))
    let arguments = ["seed", "-qf", input, "--type", "I.n=integer", "-o", store]
    #expect(await rehome(arguments + ["--rejects", rejects]).code == 2)
    let rejected = try String(contentsOfFile: rejects, encoding: .utf8)
    let corrected = try folder.write(
      ofCorrections + rejected.replacingOccurrences(of: "abc", with: "4"), to: "corrected.csv")
    #expect(await rehome(arguments + ["--corrected", corrected]).code == 0)
    let expected = ofInput.isEmpty ? #"1|="007"|4"# + "\n" + #"2|="008"|5"# : "1|007|4\n2|008|5"
    let found = try Devices.query(store, "SELECT id, s, n FROM I ORDER BY id")
    #expect(found == expected + "\n", "\(rejected)")
  }

  @Test(.enabled(if: office.isInstalled, "LibreOffice (libreoffice-calc-nogui) is not installed"))
  func libreOfficeShowsWhatIsThere() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("items.csv")
    try await export(try await makeStore(in: folder), to: path)
    // UTF-8, commas and quotes; what comes out is each cell as it is shown.
    let outcome = try await Self.office.runApart([
      "--headless", "-env:UserInstallation=file://" + folder.path("profile"),
      "--infilter=CSV:44,34,76,1,,1033,false,true,false,false,false,-1,true",
      "--convert-to", "fods", "--outdir", folder.path("shown"), path,
    ])
    try #require(outcome.code == 0, "\(outcome.error)")
    let cells = try python(Self.cellScript, folder.path("shown/items.fods"))
    let rows = try JSONDecoder().decode([[String]].self, from: Data(cells.utf8))
    try #require(rows.count == 5 && rows.allSatisfy { $0.count >= 9 })
    #expect(
      rows[1] == [
        "float 1", "float 1", "string 007", "string 9007199254740993", "float 1.5", "boolean true",
        "date 2016-10-01T09:15:30", "date 2016-10-01T09:15:30.12", "string '=1+1",
      ])
    #expect(
      rows[2] == [
        "float 2", "float 2", "string 1.10", "float 123456789012345", "float -2.25",
        "boolean false", "date 1999-12-31T23:59:59", "date 2016-10-01T09:15:30.12",
        "string a,\"b",
      ])
    #expect(rows[3][2...4] == ["string 1E5", "float -12", "float 3"])
    #expect(rows[3][8] == "string two\nlines")
    #expect(rows[4][2] == "string 12345678901234567890")
  }

  /// What each cell holds, by its kind; a flat document spells a fraction of a second in two digits.
  private static let cellScript = """
    import json, sys
    from xml.etree import ElementTree
    office, table, text = (
        "{urn:oasis:names:tc:opendocument:xmlns:%s:1.0}" % name
        for name in ("office", "table", "text"))
    rows = []
    for row in ElementTree.parse(sys.argv[1]).getroot().iter(table + "table-row"):
        cells = []
        for cell in row.iter(table + "table-cell"):
            kind = cell.get(office + "value-type")
            words = chr(10).join("".join(line.itertext()) for line in cell.iter(text + "p"))
            values = [cell.get(office + name) for name in ("date-value", "boolean-value", "value")]
            value = next((value for value in values if value is not None), words)
            count = int(cell.get(table + "number-columns-repeated", "1"))
            cells += ["" if kind is None else f"{kind} {value}"] * min(count, 9)
        rows.append(cells[:9])
    print(json.dumps(rows))
    """

  @Test(arguments: [["--to", "json"], ["--to", "ndjson", "--table", "Item"], ["--to", "xml"]])
  func otherFormatsAreNotForSpreadsheets(_ format: [String]) async throws {
    let folder = try TemporaryFolder()
    let store = try await makeStore(in: folder)
    let outcome = await rehome(["export", store, "--for", "excel"] + format)
    #expect(outcome.code == 64)
    #expect(outcome.error.contains("--to csv"))
  }

  @Test(
    arguments: [
      ("csv", "t.json", "-o t.csv"), ("json", "x.csv", "-o x.json"),
      ("xml", "x.json.gz", "-o x.xml.gz"), ("ndjson", "X.XML", "-o X.ndjson"),
    ])
  func nameOfAnotherFormatIsRefused(
    _ format: String, _ name: String, _ advice: String
  ) async throws {
    let folder = try TemporaryFolder()
    let store = try await makeStore(in: folder)
    for table in [[], ["--table", "Item"]] {
      let path = folder.path(name)
      let outcome = await rehome(["export", store, "--to", format, "-o", path] + table)
      #expect(outcome.code == 64)
      #expect(outcome.error.contains(folder.path(String(advice.dropFirst(3)))), "\(outcome.error)")
      #expect(!folder.names.contains(name))
    }
    // A folder may have any name.
    let bundle = folder.path(name) + "/"
    #expect(await rehome("export", "-q", store, "--to", format, "-o", bundle).code == 0)
  }

  @Test func severalTablesGoToStandardOutputAsOneDocument() async throws {
    let folder = try TemporaryFolder()
    let store = folder.path("store.rehome")
    let files = try ["A", "B"].map { try folder.write("id,text\n1,x\n", to: "\($0).csv") }
    _ = await rehome(["seed", "-q", "-o", store] + files)
    let outcome = await rehome(
      "export", store, "--to", "json", "--table", "A", "--table", "B", "-o", "-")
    #expect(outcome.code == 0)
    let tables = try outcome.json()["tables"] as? [[String: any Sendable]]
    #expect(tables?.compactMap { $0["name"] as? String } == ["A", "B"])
  }
}
