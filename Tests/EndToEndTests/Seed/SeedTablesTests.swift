import Foundation
import TestSupport
import Testing

/// Tables as people have them: what is found out is told, and what cannot be is asked for.
struct SeedTablesTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private var store: String { folder.path("store.rehome") }

  /// Seeds one file and returns the report.
  private func seed(
    _ text: String, _ options: String..., as name: String = "T.csv", code: Int32 = 0
  ) async throws -> [String: any Sendable] {
    let file = try folder.write(text, to: name)
    let outcome = await rehome(["seed", "--json", "-f", file, "-o", store] + options)
    try #require(outcome.code == code, "\(outcome.error)")
    return try outcome.json()
  }

  /// The rows as Python prints them.
  private func rows(of table: String = "T") throws -> String {
    let script = """
      import sqlite3, sys
      base = sqlite3.connect(sys.argv[1])
      print(base.execute('SELECT * FROM "%s" ORDER BY _pk' % sys.argv[2]).fetchall())
      """
    return try python(script, store, table).trimmingCharacters(in: .newlines)
  }

  private func reading(_ report: [String: any Sendable]) -> [String: String] {
    let sources = report["sources"] as? [[String: Any]]
    return sources?.first?["reading"] as? [String: String] ?? [:]
  }

  private func findings(_ report: [String: any Sendable]) -> [String] {
    (report["findings"] as? [[String: Any]] ?? []).compactMap { $0["code"] as? String }
  }

  /// What a file is refused with.
  private func refusal(
    _ text: String, _ options: String..., as name: String = "T.csv"
  ) async throws -> (code: Int32, error: String) {
    let file = try folder.write(text, to: name)
    let none = folder.path("none")
    let outcome = await rehome(["seed", file, "-o", none] + options)
    #expect(!folder.names.contains("none"))
    return (outcome.code, outcome.error)
  }

  @Test func whatWasFoundOutIsTold() async throws {
    let report = try await seed("\u{FEFF}a;b\r\n1;x\r\n\r\n2;y\r\n")
    #expect(
      reading(report) == [
        "encoding": "UTF-8 with a byte order mark", "separator": "semicolon", "line ends": "CR LF",
        "header": "line 1", "blank lines": "1",
      ])
    #expect(try rows() == "[(1, 1, 'x'), (2, 2, 'y')]")
    let text = await rehome("seed", "-f", folder.path("T.csv"), "-o", store)
    #expect(
      text.error.contains(
        "T.csv: csv (encoding: UTF-8 with a byte order mark, separator: semicolon, "))
    let inspection = try await rehome("inspect", "--json", folder.path("T.csv")).json()
    let stores = try #require(inspection["stores"] as? [[String: Any]])
    #expect((stores.first?["metadata"] as? [String: String])?["separator"] == "semicolon")
  }

  /// Lines that say nothing stand between the rows of NDJSON as people put it together.
  @Test(arguments: [3, 40_000])
  func emptyLinesOfRowsOfJSONAreCounted(count: Int) async throws {
    var text = "\n"
    var empty = 1
    for number in 0..<count {
      text += "{\"id\":\(number),\"text\":\"\\n\"}\r\n"
      guard number % 3 == 2 else { continue }
      text += number % 2 == 0 ? "\n \t\n" : "\r\n\n"
      empty += 2
    }
    let file = try folder.write(text, to: "T.ndjson")
    let outcome = await rehome("seed", file, "-o", store)
    #expect(outcome.code == 0)
    #expect(outcome.error.contains("T.ndjson: ndjson (blank lines: \(empty))"), "\(outcome.error)")
    let found = try Devices.query(store, "SELECT count(*), min(id), max(id), min(text) FROM T")
    #expect(found == "\(count)|0|\(count - 1)|\n\n")
  }

  /// What is cut in the middle of a row is no empty line, and an export has none.
  @Test func emptyLinesAreNoExcuseForDamage() async throws {
    for rest in ["{\"id\":2\n\n}\n", "{\n", "\n}"] {
      let file = try folder.write("\n{\"id\":1}\n\n" + rest, to: "T.ndjson")
      #expect(await rehome("seed", file, "-o", store).code == 65, "\(rest)")
    }
    let (file, bundle) = (try folder.write("{\"id\":1}\n", to: "T.ndjson"), folder.path("b"))
    #expect(await rehome("seed", "-q", file, "-o", store).code == 0)
    #expect(await rehome("export", "-q", store, "--to", "ndjson", "-o", bundle + "/").code == 0)
    let member = URL(filePath: bundle + "/T.ndjson")
    try (try Data(contentsOf: member) + Data("\n".utf8)).write(to: member)
    let outcome = await rehome("hash", bundle)
    #expect(outcome.code == 65 && outcome.error.contains("a line is empty"), "\(outcome.error)")
  }

  /// Files of one name from several folders are told with as much of their paths as it takes.
  @Test func filesOfOneNameAreTold() async throws {
    let folders = ["a/x", "b/x", "c/x", "c/y"]
    let files = try folders.enumerated().map { number, name in
      try FileManager.default.createDirectory(
        atPath: folder.path(name), withIntermediateDirectories: true)
      return try folder.write(number == 1 ? "id;n\n1;2\n" : "id,n\n3,4\n", to: name + "/T.csv")
    }
    let outcome = await rehome(["seed"] + files + ["-o", store])
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(outcome.error.contains("semicolon in b/x/T.csv;"), "\(outcome.error)")
    let names = try Devices.query(store, "SELECT name FROM rehome_source_file ORDER BY rowid")
    #expect(names == "a/x/T.csv\nb/x/T.csv\nc/x/T.csv\ny/T.csv\n")
  }

  /// A name that gives way to another is told, but not one that the person gives.
  @Test func changedNamesAreTold() async throws {
    let file = try folder.write("id,Name,name,_pk\n1,a,b,x\n", to: "rehome_x.csv")
    let told = await rehome("seed", file, "-o", store)
    for text in [
      "the table rehome_x is called app_rehome_x here [name-changed]",
      "the column name of app_rehome_x is called name_2 here [name-changed]",
      "the column _pk of app_rehome_x is called _pk_ here [name-changed]",
    ] { #expect(told.error.contains(text), "\(told.error)") }
    let given = await rehome(
      "seed", "-f", file, "--rename", "rehome_x=X", "--rename", "X.name_2=other", "-o", store)
    #expect(given.code == 0 && given.error.contains("_pk of X is called _pk_"), "\(given.error)")
    #expect(!given.error.contains("name_2") && !given.error.contains("app_"), "\(given.error)")
  }

  @Test func previewTellsAsTheRunDoes() async throws {
    let file = try folder.write("a;d\n1;2016-10-01\n", to: "T.csv")
    let json = try await rehome("seed", "-n", "--json", file).json()
    #expect(reading(json)["separator"] == "semicolon")
    #expect(findings(json) == ["values-respelled"])
    let text = await rehome("seed", "-n", file).text
    #expect(text.contains("separator: semicolon"))
    #expect(text.contains("note: T: dates or times in d of T were read as timestamp"))
    #expect(text.contains("all values are dates or times"))
  }

  @Test func tieBetweenSeparatorsIsAskedAbout() async throws {
    let tie = try await refusal("a,b;c\n1,2;3\n4,5;6\n")
    #expect(tie.code == 64)
    #expect(tie.error.contains("2 columns between commas, and 2 columns between semicolons"))
    #expect(tie.error.contains("--separator"))
    _ = try await seed("a,b;c\n1,2;3\n4,5;6\n", "--separator", "semicolon", "--header")
    #expect(try rows() == "[(1, '1,2', 3), (2, '4,5', 6)]")
    _ = try await seed("a,b;c\n1,2;3\n", "--separator", ",")
    #expect(try rows() == "[(1, 1, '2;3')]")
  }

  @Test func oneColumnOfWordsIsATableByItsName() async throws {
    let report = try await seed("word\nhello\n\nworld\n")
    #expect(reading(report)["columns"] == "one, as the ending of the name says")
    #expect(try rows() == "[(1, 'hello'), (2, None), (3, 'world')]")
    let prose = try await refusal("word\nhello\nworld\n", as: "T")
    #expect(prose.code == 65)
    let told = try await seed("word\nhello\n", "--from", "csv", as: "T")
    #expect(reading(told)["columns"] == nil)
    let unclear = try await refusal("word\na, b\nc, d\n")
    #expect(unclear.code == 64)
    #expect(unclear.error.contains("records have more between commas"))
  }

  /// Programs write a separator behind each field, or behind each name alone.
  @Test(arguments: [
    ("name,\nAnn,\nBob,\n", "[(1, 'Ann'), (2, 'Bob')]"),
    ("name,\nAnn,1\nBob,2\n", "[(1, 'Ann', 1), (2, 'Bob', 2)]"),
    ("a;b;\n1;2;\n3;4;\n", "[(1, 1, 2), (2, 3, 4)]"), ("a,b,\n1,2\n", "[(1, 1, 2)]"),
    ("name,,,\nAnn,,,\nDan\nEve\n", "[(1, 'Ann'), (2, 'Dan'), (3, 'Eve')]"),
    ("\"name\",\"\"\n\"Ann\",\" x\"\n", "[(1, 'Ann', ' x')]"),
    ("name,\nAnn,\" x\"\n", "[(1, 'Ann', ' x')]"),
    ("wert;\n1,5\nx\n", "[(1, '1,5'), (2, 'x')]"),
    ("#TYPE X\nname,\nAnn\n", "[(1, 'Ann')]"),
  ])
  func separatorAtTheEndOfTheHeaderMakesNoLetterOfATable(text: String, expected: String)
    async throws
  {
    _ = try await seed(text, as: "T")
    #expect(try rows() == expected)
  }

  /// No letter is read with an option that only CSV has.
  @Test func optionOfCSVTellsItFromALetter() async throws {
    _ = try await seed("1,\n2, a\n3,b\n", "--no-header", as: "T")
    #expect(try rows() == "[(1, 1, None), (2, 2, ' a'), (3, 3, 'b')]")
    _ = try await seed("name,\nAnn\n", "--header", as: "T")
    #expect(try rows() == "[(1, 'Ann')]")
  }

  @Test func lastRecordThatLacksAValueIsRefusedHoweverLongTheFileIs() async throws {
    let rows = String(repeating: "1,2,3\n", count: 400_000)
    let refusal = try await refusal("a,b,\n" + rows + "4,5")
    #expect(refusal.code == 65)
    #expect(refusal.error.contains("line 400002: the record has 2 fields"), "\(refusal.error)")
    // Where others lack it, too, the program left it out; the beginning may end with the first.
    for short in [1, 10_921, 10_922, 400_000] {
      let lines = String(repeating: "1,2,3\n", count: short) + "4,5\n6,7\n"
      _ = try await seed("a,b,\n" + lines, as: "T.txt")
    }
  }

  @Test func rowsWithoutAHeaderAreAskedAbout() async throws {
    let text = "1,Milk,2016-10-01\n2,Bread,2016-10-02\n"
    let refusal = try await refusal(text)
    #expect(refusal.code == 64)
    #expect(refusal.error.contains("--no-header"))
    let report = try await seed(text, "--no-header")
    #expect(reading(report)["header"] == "none")
    #expect(
      try rows() == "[(1, 1, 'Milk', '2016-10-01T00:00:00.000Z'), "
        + "(2, 2, 'Bread', '2016-10-02T00:00:00.000Z')]")
    _ = try await seed(text, "--header")
    #expect(try rows() == "[(1, 2, 'Bread', '2016-10-02T00:00:00.000Z')]")
    // Nothing is called NULL, but an element may be called NA.
    #expect(try await self.refusal("A7,NULL\nA8,12\n").code == 64)
    _ = try await seed("id,NA\nA8,12\n")
    // Years name columns of figures, and a word over numbers is a name.
    _ = try await seed("country,2010,2011\nA,1,2\nB,3,4\n")
    _ = try await seed("id,7\n1,2\n3,4\n")
    #expect(try rows() == "[(1, 1, 2), (2, 3, 4)]")
    for text in [
      "country,2018,2019,2020\nGermany,83.1,1500,900\nFrance,67.2,1200,870000\n",
      "region,2019,2020\nNorth,1250,3100\nSouth,1490,2950\n",
    ] {
      _ = try await seed(text)
    }
    // A number over years is a year, or one of the numbers of a shelf.
    for text in [
      "1001,Anna\n1002,Bob\n1003,Carl\n", "Anna,1985\nBob,1990\nCarl,1978\n", "2024\n2023\n2022\n",
      "2020,2021\n2019,2018\n",
    ] {
      #expect(try await self.refusal(text).code == 64, "\(text)")
    }
  }

  /// Nothing is called as a UUID, an address, a day or a price over nothing but such.
  @Test(arguments: [
    "6f9619ff-8b86-d011-b42d-00c04fc964f0,Milk\n6f9619ff-8b86-d011-b42d-00c04fc964f1,Tea\n",
    "a@x.example,Ann\nb@x.example,Bob\n", "k1,31.12.2024\nk2,01.01.2025\n",
    "k1,12/31/24\nk2,1/1/25\n", "k1;1,50\nk2;2,75\nk3;-3,00\n",
  ])
  func rowsOfOneFormAreAskedAbout(_ text: String) async throws {
    let options = text.contains(";") ? ["--separator", "semicolon"] : []
    let file = try folder.write(text, to: "T.csv")
    let refused = await rehome(["seed", "-f", file, "-o", store] + options)
    #expect(refused.code == 64 && refused.error.contains("--no-header"), "\(refused.error)")
    let names = text.contains(";") ? "key;what\n" : "key,what\n"
    let named = try folder.write(names + text, to: "T.csv")
    let read = await rehome(["seed", "-f", named, "-o", store] + options)
    #expect(read.code == 0, "\(read.error)")
    // One value of another form beside them, and nobody can tell.
    let other = try folder.write(text + (options.isEmpty ? "x,y\n" : "x;y\n"), to: "T.csv")
    #expect(await rehome(["seed", "-f", other, "-o", store] + options).code == 0)
  }

  /// One value more of another kind is none of these, and takes nothing from what others tell; days
  /// over figures name them.
  @Test(arguments: [
    ("1;2;5\n2;1,50;6\n3;2,50;7\n", false), ("1;offen;5\n2;01.02.2024;6\n3;02.02.2024;7\n", false),
    ("1;x;5\n2;b@c.example;6\n3;c@d.example;7\n", false),
    ("Fruit;01.01.2024;01.02.2024\nApple;1,5;2,5\nPear;4,1;5,2\n", true),
    (";01.01.2024;01.02.2024\nApple;1,5;2,5\nPear;4,1;5,2\n", true),
    ("01.01.2024;02.01.2024\n1,5;2,5\n", true), ("app;1.2.24\nx;1.3.24\n", true),
    ("name;pkg@1.0\nx;pkg@1.1\n", true), ("mail\na@x.example\nb@x.example\n", true),
  ])
  func otherKindsTellNothingOfAHeader(_ text: String, _ hasHeader: Bool) async throws {
    let file = try folder.write(text, to: "T.csv")
    let outcome = await rehome("seed", "-f", file, "--separator", "semicolon", "-o", store)
    #expect(outcome.code == (hasHeader ? 0 : 64), "\(outcome.error)")
    #expect(outcome.error.contains("--no-header") != hasHeader, "\(outcome.error)")
  }

  /// A title above the header is not guessed at, and the advice ends there.
  @Test func titleAboveTheHeaderIsTold() async throws {
    let text = "Table 1\r\nName,Qty\r\nA,1\r\nB,2\r\n"
    let refused = try await refusal(text)
    #expect(refused.error.contains("where the first line is a title, take it away"))
    let again = try await refusal(text, "--separator", "comma")
    #expect(again.error.contains("take away a title that stands before the header"))
  }

  /// What programs write where there is no value is no name, wherever it stands.
  @Test(arguments: ["NULL", "(null)", "n/a", "NaN", "-", #"\N"#, "None", ""])
  func rowsThatBeginWithNoValueAreAskedAbout(_ word: String) async throws {
    for text in [
      "7,\(word)\n8,1.5\n", "A7,\(word),2024-01-01\nA8,12,2024-01-02\nA9,13,2024-01-03\n",
      "A7,12\nA8,\(word)\nA9,13\n",
    ] {
      let refusal = try await refusal(text)
      #expect(refusal.code == 64 && refusal.error.contains("--no-header"), "\(refusal.error)")
    }
    // Beside words over numbers it is one.
    _ = try await seed("id,\(word.isEmpty ? "x" : word)\n1,2\n3,4\n")
    #expect(try rows() == "[(1, 1, 2), (2, 3, 4)]")
  }

  @Test func textOfAnotherEncodingIsReadWhereItIsSaid() async throws {
    let bytes = Array("n;m\nGr".utf8) + [0xF6, 0xDF, 0x80] + Array(";1\n".utf8)
    let file = try folder.write(bytes, to: "T.csv")
    let refused = await rehome("seed", "-f", file, "-o", store)
    #expect(refused.code == 65)
    #expect(refused.error.contains("line 2: text is not UTF-8"))
    #expect(refused.error.contains("--encoding windows-1252"))
    #expect(await rehome("seed", "-fq", file, "-o", store, "--encoding", "windows-1252").code == 0)
    #expect(try rows() == "[(1, 'Größ€', 1)]")
    #expect(await rehome("seed", "-fq", file, "-o", store, "--encoding", "latin1").code == 0)
    #expect(try rows() == #"[(1, 'Größ\x80', 1)]"#)
    let wide = try folder.write("a,b\n1,2\n".utf16.flatMap { [UInt8($0), 0] }, to: "wide.csv")
    let unmarked = await rehome("seed", "-f", wide, "-o", store)
    #expect(unmarked.code == 64)
    #expect(unmarked.error.contains("UTF-16LE without a mark"))
    #expect(await rehome("seed", "-fq", wide, "-o", store, "--encoding", "utf-16le").code == 0)
  }

  /// A byte order mark says what the file is, which nothing else can be.
  @Test(arguments: [
    ("utf-8-sig", "utf-8", "latin1"), ("utf-8-sig", "utf-8", "windows-1252"),
    ("utf-8-sig", "utf-8", "utf-16le"), ("utf-16", "utf-16le", "utf-16be"),
    ("utf-16", "utf-16le", "utf-8"),
  ])
  func markCountsBeforeTheOption(written: String, own: String, other: String) async throws {
    let script = "import sys; open(sys.argv[1], 'w', encoding=sys.argv[2]).write('id,a\\n1,é\\n')"
    let file = folder.path("T.csv")
    _ = try python(script, file, written)
    for options in [[], ["--encoding", own], ["--encoding", other]] {
      #expect(await rehome(["seed", "-qf", file, "-o", store] + options).code == 0)
      #expect(try rows() == "[(1, 1, 'é')]")
    }
  }

  @Test func backslashesWithTabsAreEscapesOrNot() async throws {
    let escaped = try await seed("a\tb\n\\N\tx\\ty\n1\t\\\\\n", as: "T.tsv")
    #expect(reading(escaped)["separator"] == "tab, escaped")
    #expect(try rows() == #"[(1, None, 'x\ty'), (2, 1, '\\')]"#)
    let path = "a\tb\n1\tC:\\temp\\new\n"
    #expect(try await refusal(path, as: "T.tsv").code == 64)
    _ = try await seed(path, "--from", "csv", as: "T.tsv")
    #expect(try rows() == #"[(1, 1, 'C:\\temp\\new')]"#)
    // What comes behind the first records is looked at, too.
    let late = "a\tb\n" + String(repeating: "1\tx\n", count: 40_000) + "2\t\\N\n"
    let refusal = try await refusal(late, as: "T.tsv")
    #expect(refusal.code == 64)
    #expect(refusal.error.contains("--from copy"))
    _ = try await seed(late, "--null", #"\N"#, as: "T.tsv")
    _ = try await seed(late, "--from", "copy", as: "T.tsv")
  }

  @Test func columnsForWhichThereIsNoRoomAreRefused() async throws {
    let names = (1...2000).map { "c\($0)" }.joined(separator: ",")
    let wide = try await refusal(names + "\n")
    #expect(wide.code == 65 && wide.error.contains("there are more than 1999 columns in line 1"))
    #expect(!wide.error.contains("--no-header"))
  }

  @Test func columnsWithoutANameAreCalledByTheirNumber() async throws {
    let report = try await seed(",a,\n0,x,\n1,y,\n")
    #expect(findings(report) == ["column-unnamed"])
    #expect(try rows() == "[(1, 0, 'x'), (2, 1, 'y')]")
  }

  /// A name that is made up is told, whether there are values under it or not.
  @Test(
    arguments: [
      ("a,,b\n1,,2\n", ["column-unnamed"], "[(1, 1, None, 2)]"),
      (",a\n,1\n", ["column-unnamed"], "[(1, None, 1)]"),
      (",,a\n,,1\n", ["column-unnamed", "column-unnamed"], "[(1, None, None, 1)]"),
      ("a,b,,\n1,2,,\n", [], "[(1, 1, 2)]"),
      ("a,,b,\n1,2,3,\n", ["column-unnamed"], "[(1, 1, 2, 3)]"),
    ] as [(String, [String], String)])
  func namesThatAreMadeUpAreTold(text: String, codes: [String], expected: String) async throws {
    #expect(try await findings(seed(text)) == codes)
    #expect(try rows() == expected)
  }

  @Test(arguments: ["   \n", "\t\n", " \n\t \r\n\n", " ", "\n"])
  func blanksAreNoTable(text: String) async throws {
    let blank = try await refusal(text)
    #expect(blank.code == 65 && blank.error.contains("there is no header"), "\(blank.error)")
    #expect(try await refusal(text, as: "T").code == 65)
    // However many there are.
    let long = String(repeating: text, count: 50_000)
    #expect(try await refusal(long).code == 65)
  }

  @Test func blanksInQuotesAreTexts() async throws {
    _ = try await seed("\"  \"\n\" \"\n", "--header")
    #expect(try rows() == "[(1, ' ')]")
    _ = try await seed("\t\t\n", "--from", "copy", "--no-header")
    #expect(try rows() == "[(1, '', '', '')]")
  }

  @Test(arguments: [("\u{1f}", "U+001F"), ("\u{1}", "U+0001"), ("\u{7f}", "U+007F"), ("~", "~")])
  func anyCharacterOfASCIIMayStandBetweenFields(separator: String, name: String) async throws {
    let text = ["a", "b\n1", "x y'z\n"].joined(separator: separator)
    let report = try await seed(text, "--separator", separator)
    #expect(try rows() == #"[(1, 1, "x y'z")]"#)
    #expect(reading(report)["separator"] == name)
  }

  @Test(arguments: ["\"", "\\", "\n", "\r", "ab", ""])
  func lineEndsAndQuotesStandBetweenNoFields(separator: String) async throws {
    let refusal = try await refusal("a,b\n1,2\n", "--separator", separator)
    #expect(refusal.code == 64 && refusal.error.contains("that is no quote"), "\(refusal.error)")
  }

  @Test func changedSpellingsAreToldAndCanBeLeft() async throws {
    let text = "id,on,at,vip\n1,yes,2016-10-01 09:15,TRUE\n2,no,2016-10-02T10:00:00+02:00,FALSE\n"
    let report = try await seed(text)
    #expect(findings(report) == ["values-respelled", "values-respelled", "values-respelled"])
    #expect(
      try rows() == "[(1, 1, 1, '2016-10-01T09:15:00.000Z', 1), "
        + "(2, 2, 0, '2016-10-02T08:00:00.000Z', 0)]")
    let exact = try await seed(text, "--exact")
    #expect(findings(exact).isEmpty)
    #expect(
      try rows() == "[(1, 1, 'yes', '2016-10-01 09:15', 'TRUE'), "
        + "(2, 2, 'no', '2016-10-02T10:00:00+02:00', 'FALSE')]")
    let json = #"[{"d":"2016-10-01","y":"yes"},{"d":"2016-10-02","y":"no"}]"#
    #expect(try await findings(seed(json, as: "T.json")) == ["values-respelled"])
    #expect(try rows().contains("'2016-10-01T00:00:00.000Z', 'yes'"))
  }

  /// Where a person tells the type, it is not --exact that keeps the text.
  @Test(arguments: [[], ["--exact"]])
  func spellingsThatAToldTypeChangesAreTold(options: [String]) async throws {
    let file = try folder.write(
      "id,on,at,n\n1,yes,2016-10-01,42644\n2,yes,2016-10-02,42645\n", to: "T.csv")
    let outcome = await rehome(
      ["seed", "-f", file, "-o", store, "--type", "T.on=boolean", "--type", "T.at=timestamp"]
        + ["--type", "T.n=excel-date"] + options)
    #expect(outcome.code == 0, "\(outcome.error)")
    let told = outcome.error.split(separator: "\n").filter { $0.contains("values-respelled") }
    #expect(told.count == 2 && !outcome.error.contains("--exact"), "\(outcome.error)")
    #expect(told.allSatisfy { $0.contains("--type asked for that") }, "\(outcome.error)")
    #expect(
      try rows().contains("(1, 1, 1, '2016-10-01T00:00:00.000Z', '2016-10-01T00:00:00.000Z')"))
  }

  /// What JSON tells from texts, and a column of texts has no room for, is told with its counts.
  @Test(arguments: ["T.json", "T.ndjson"])
  func valuesOfJSONThatBecomeTextsAreTold(name: String) async throws {
    let rows = [
      #"{"id":1,"m":true,"l":[1],"n":1,"t":"a"}"#, #"{"id":2,"m":"true","l":"[1]","n":2,"t":"7"}"#,
      #"{"id":3,"m":1,"l":{},"n":1e400,"t":null}"#, #"{"id":4,"m":2,"l":null,"n":3,"t":"true"}"#,
    ]
    let text =
      name == "T.json" ? "[" + rows.joined(separator: ",") + "]" : rows.joined(separator: "\n")
    func told(_ options: String...) async throws -> [String] {
      let file = try folder.write(text, to: name)
      let outcome = await rehome(["seed", "--json", "-f", file, "-o", store] + options)
      #expect(outcome.code == 0, "\(outcome.error)")
      let findings = try outcome.json()["findings"] as? [[String: any Sendable]] ?? []
      #expect(findings.allSatisfy { $0["severity"] as? String == "note" })
      return findings.compactMap {
        ($0["message"] as? String)?.components(separatedBy: " of T ")[0]
      }
    }
    let all = [
      "2 numbers and 1 truth value in m", "2 lists or objects in l", "4 numbers in n",
    ]
    #expect(try await told() == all)
    #expect(
      try self.rows() == "[(1, 1, 'true', '[1]', '1', 'a'), (2, 2, 'true', '[1]', '2', '7'), "
        + "(3, 3, '1', '{}', '1e400', None), (4, 4, '2', None, '3', 'true')]")
    #expect(try await told("--exact") == [])
    #expect(try await told("--type", "T.m=text", "--type", "T.n=text") == [all[1]])
  }

  /// A column that keeps its spelling is of texts for that reason, and nothing is told of it; what is
  /// told names an option that a shell takes as it is.
  @Test func columnsThatKeepTheirSpellingAreNoMixtures() async throws {
    let file = try folder.write(
      #"[{"id":1,"a b":1},{"id":2.50,"a b":"x"}]"#, to: "T.json")
    let outcome = await rehome(["seed", "--json", "-f", file, "-o", store])
    let findings = try outcome.json()["findings"] as? [[String: any Sendable]] ?? []
    #expect(try rows().contains("'2.50'"))
    let messages = findings.compactMap { $0["message"] as? String }
    #expect(messages.count == 1)
    #expect(messages.first?.contains("; --type 'T.a b=text' says") == true, "\(messages)")
  }

  @Test func largeNumbersBesideFractionsKeepTheirDigits() async throws {
    _ = try await seed("a,b\n9007199254740993,x\n1.5,y\n")
    #expect(try rows() == "[(1, '9007199254740993', 'x'), (2, '1.5', 'y')]")
  }

  @Test func formsThatAreNotAcceptedAreToldWithThoseThatAre() async throws {
    let report = try await seed(
      "a,d\n1,2016-W40-6\n2,2016-10-01\n", "--type", "T.d=timestamp", code: 2)
    let findings = try #require(report["findings"] as? [[String: Any]])
    let told = try #require(findings.first { $0["code"] as? String == "form-not-accepted" })
    let message = try #require(told["message"] as? String)
    #expect(message.contains("the first in row 1; accepted: 2016-10-01, 2016-10-01 09:15"))
    #expect(!message.contains("W40"))
  }

  @Test func daysOfASpreadsheetAreReadWhereTold() async throws {
    _ = try await seed(
      "a,d\n1,42644\n2,42644.3857638889\n3,\n", "--type", "T.d=excel-date")
    #expect(
      try rows() == "[(1, 1, '2016-10-01T00:00:00.000Z'), (2, 2, '2016-10-01T09:15:30.000Z'), "
        + "(3, 3, None)]")
    #expect(try await seed("a,d\n1,60\n", "--type", "T.d=excel-date", code: 2).count > 0)
    // Where a comma stands before the fraction, a point stands between thousands.
    _ = try await seed(
      "a;d\n1;42.644\n2;42644,5\n", "--decimal-comma", "--type", "T.d=excel-date")
    #expect(
      try rows() == "[(1, 1, '2016-10-01T00:00:00.000Z'), (2, 2, '2016-10-01T12:00:00.000Z')]")
    _ = try await seed(#"[{"d":42644.5}]"#, "--type", "T.d=excel-date", as: "T.json")
    #expect(try rows() == "[(1, '2016-10-01T12:00:00.000Z')]")
  }

  /// Which number is the day nobody can guess, so a person says it.
  @Test(arguments: [("day-first", "%d.%m.%Y"), ("month-first", "%m/%d/%Y")])
  func daysOrMonthsFirstAreReadWhereTold(form: String, spelling: String) async throws {
    let script = """
      import datetime, sys
      for day in (datetime.date(2024, 1, 1) + datetime.timedelta(n) for n in range(0, 366, 5)):
          for text in (day.strftime(sys.argv[1]), "%d-%d-2024 09:15" % (
              (day.day, day.month) if sys.argv[1][1] == "d" else (day.month, day.day))):
              print(text, day.isoformat() + ("T09:15:00.000Z" if " " in text else "T00:00:00.000Z"), sep=",")
      for time in (datetime.datetime(2024, 2, 3, hour, 5, 9) for hour in (0, 1, 11, 12, 13, 23)):
          for clock in (" %-I:%M:%S %p", " %I:%M:%S%p", " %H:%M:%S", " %-H:%M:%S"):
              print(time.strftime(sys.argv[1] + clock), time.isoformat() + ".000Z", sep=",")
      """
    let lines = "d,wanted\n" + (try python(script, spelling))
    let told = ["--type", "T.d=\(form)"]
    for name in ["T.csv", "U.csv"] { _ = try folder.write(lines, to: name) }
    let pages = ["--rename", "U=T", "--type", "T.wanted=text"]
    let outcome = await rehome(
      ["seed", "-qf", folder.path("T.csv"), folder.path("U.csv"), "-o", store] + told + pages)
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(try Devices.query(store, "SELECT count(*), sum(d = wanted) FROM T") == "344|344\n")
  }

  /// Times that count from 1970 are what Python makes of them, in plain files and in databases.
  @Test(arguments: [("unix-seconds", 1), ("unix-milliseconds", 1000)])
  func numbersThatCountFrom1970AreTimesWhereTold(form: String, unit: Int) async throws {
    let script = """
      import datetime, decimal, json, random, sqlite3, sys
      unit, chance = int(sys.argv[1]), random.Random(70)
      start, rows = datetime.datetime(1970, 1, 1), []
      for n in range(300):
          milliseconds = chance.choice([
              chance.randrange(-62135596800000, 253402300799999), chance.randrange(0, 10**12)])
          if n % 3 == 0: milliseconds -= milliseconds % 1000
          number = decimal.Decimal(milliseconds) * unit / 1000
          time = start + datetime.timedelta(milliseconds=milliseconds)
          spelled = "%04d%s" % (time.year, time.strftime("-%m-%dT%H:%M:%S.")) + (
              "%03dZ" % (time.microsecond // 1000))
          rows.append((format(number, "f"), spelled))
      with open(sys.argv[2], "w") as csv:
          print("d,wanted", *(f"{d},{w}" for d, w in rows), sep="\\n", file=csv)
      with open(sys.argv[3], "w") as out:
          out.write("[%s]" % ",".join('{"d":%s,"wanted":"%s"}' % (d, w) for d, w in rows))
      with sqlite3.connect(sys.argv[4]) as base:
          base.execute("CREATE TABLE T (d, wanted TEXT)")
          for d, w in rows:
              base.execute("INSERT INTO T VALUES (?, ?)", (float(d) if "." in d else int(d), w))
      """
    let inputs = ["T.csv", "T.json", "T.db"].map(folder.path)
    _ = try python(script, "\(unit)", inputs[0], inputs[1], inputs[2])
    for input in inputs {
      let command = input == inputs[2] ? "convert" : "seed"
      let outcome = await rehome(
        command, "-qf", input, "-o", store, "--type", "T.d=\(form)", "--type", "T.wanted=text")
      #expect(outcome.code == 0, "\(outcome.error)")
      #expect(try Devices.query(store, "SELECT count(*), sum(d = wanted) FROM T") == "300|300\n")
    }
  }

  @Test func whatIsNoTimeThatCountsFrom1970IsTold() async throws {
    let texts = [
      "1475313330", "1.475313330123E9", "-0.5", "2016-10-01", "1e12", "x", "-62135596801",
    ]
    let csv = "d\n" + texts.map { $0 + "\n" }.joined()
    let report = try await seed(csv, "--type", "T.d=unix-seconds", "--header", code: 2)
    let findings = try #require(report["findings"] as? [[String: Any]])
    let told = try #require(findings.first { $0["code"] as? String == "form-not-accepted" })
    let message = try #require(told["message"] as? String)
    #expect(message.contains("4 values are not") && message.contains("1475313330.123"))
    #expect(
      try Devices.query(store, "SELECT d FROM T WHERE d IS NOT NULL")
        == "2016-10-01T09:15:30.000Z\n2016-10-01T09:15:30.123Z\n1969-12-31T23:59:59.500Z\n")
  }

  /// A file of nobody's layout may keep times in any way.
  @Test func typeOfTimesTakesWhatDatabasesHave() async throws {
    let base = folder.path("T.db")
    let script = """
      import sqlite3, sys
      with sqlite3.connect(sys.argv[1]) as base:
          base.execute("CREATE TABLE T (d)")
          base.executemany("INSERT INTO T VALUES (?)", [(v,) for v in (
              1475313330, 1475313330123, 1475313330.5, "2016-10-01", "2016-10-01 09:15:30")])
      """
    _ = try python(script, base)
    let outcome = await rehome(
      "convert", "-qf", base, "-o", store, "--type", "T.d=timestamp")
    #expect(outcome.code == 0, "\(outcome.error)")
    let expected = [
      "2016-10-01T09:15:30.000Z", "2016-10-01T09:15:30.123Z", "2016-10-01T09:15:30.500Z",
      "2016-10-01T00:00:00.000Z", "2016-10-01T09:15:30.000Z", "",
    ]
    #expect(try Devices.query(store, "SELECT d FROM T") == expected.joined(separator: "\n"))
  }

  /// The way out that a message shows is one.
  @Test func adviceForQuotesAndEncodingsWorks() async throws {
    let quotes = "a,b\n1,say \"hi\" now\n"
    let (code, error) = try await refusal(quotes)
    #expect(code == 65 && error.contains("--from copy with --separator ','"), "\(error)")
    _ = try await seed(quotes, "--from", "copy", "--separator", ",")
    #expect(try rows() == "[(1, 1, 'say \"hi\" now')]")
    let tabs = try await refusal(
      "a\tb\n1\tsay \"hi\" now\n\"x\"\ty\n", "--from", "csv", "--separator", "tab")
    #expect(tabs.error.contains("--from copy where"), "\(tabs.error)")
  }

  @Test(arguments: ["utf-16-le", "utf-16-be", "utf-32"])
  func unmarkedEncodingsAreTold(encoding: String) async throws {
    let script =
      "import sys; open(sys.argv[1], 'wb').write('id;имя\\n1;Müller Ö\\n'.encode(sys.argv[2]))"
    _ = try python(script, folder.path("T.csv"), encoding)
    let outcome = await rehome("seed", folder.path("T.csv"), "-o", store)
    #expect(outcome.code == 64)
    let name = encoding.replacing("-le", with: "le").replacing("-be", with: "be")
    guard encoding != "utf-32" else {
      #expect(outcome.error.contains("save it as UTF-8"), "\(outcome.error)")
      return
    }
    #expect(outcome.error.contains("say --encoding \(name)"), "\(outcome.error)")
    let told = await rehome("seed", folder.path("T.csv"), "-o", store, "--encoding", name)
    #expect(told.code == 0, "\(told.error)")
    #expect(try rows() == "[(1, 1, 'Müller Ö')]")
  }

  /// A number of JSON has no text, so that its spelling does not make the column one of texts.
  @Test(arguments: ["T.json", "T.ndjson"])
  func numbersOfJSONAreRealHoweverSpelled(name: String) async throws {
    let rows = [
      #"{"k":1,"f":12.50,"g":0.0000001}"#, #"{"k":2,"f":3,"g":1E10}"#, #"{"k":3,"f":1e22,"g":2}"#,
    ]
    let lines = rows.joined(separator: "\n")
    let text = name == "T.json" ? "[" + rows.joined(separator: ",") + "]" : lines
    let report = try await seed(text, as: name)
    #expect(findings(report) == ["values-respelled", "values-respelled"])
    let script = """
      import json, sqlite3, sys
      found = sqlite3.connect(sys.argv[1]).execute("SELECT f, g FROM T ORDER BY _pk").fetchall()
      print(all(type(v) is float for row in found for v in row))
      print(found == [(r["f"], r["g"]) for r in map(json.loads, sys.argv[2].splitlines())])
      """
    #expect(try python(script, store, lines) == "True\nTrue\n")
    _ = try await seed(text, "--exact", as: name)
    let exact = try Devices.query(store, "SELECT group_concat(f) FROM T")
    #expect(exact == "12.50,3,1e22\n")
  }

  @Test func whatIsNoDateWithTheDayFirstIsTold() async throws {
    let texts = [
      "31.12.2024", "2024-12-31", "12/31/2024", "31.12.24", "31.12/2024", "31.02.2024", "1.",
    ]
    let csv = "d\n" + texts.map { $0 + "\n" }.joined()
    let report = try await seed(csv, "--type", "T.d=day-first", "--header", code: 2)
    let findings = try #require(report["findings"] as? [[String: Any]])
    let told = try #require(findings.first { $0["code"] as? String == "form-not-accepted" })
    let message = try #require(told["message"] as? String)
    #expect(message.contains("5 values are not") && message.contains("31.12.2016"), "\(message)")
    // What is in no plain file has a type of its own.
    let outcome = await rehome("inspect", store, "--type", "T.d=day-first")
    #expect(outcome.code == 64, "\(outcome.error)")
  }

  /// What was rejected goes out and comes back corrected, however the input is spelled.
  @Test func correctionsOfAnotherSpellingComeBack() async throws {
    let file = try folder.write(
      "a;price;day\n1;1.234,5;42644\n2;zwei;42645\n3;0,125;gestern\n", to: "T.csv")
    let options = [
      "--decimal-comma", "--type", "T.price=real", "--type", "T.day=excel-date",
    ]
    let bad = folder.path("bad.csv")
    let first = await rehome(["seed", "-qf", file, "-o", store, "--rejects", bad] + options)
    #expect(first.code == 2)
    let text = try #require(folder.text("bad.csv"))
    _ = try folder.write(
      text.replacing("zwei", with: #""2,5""#).replacing("gestern", with: "42643"), to: "bad.csv")
    let again = await rehome(["seed", "-qf", file, "-o", store, "--corrected", bad] + options)
    #expect(again.code == 0, "\(again.error)")
    #expect(
      try rows() == "[(1, 1, 1234.5, '2016-10-01T00:00:00.000Z'), "
        + "(2, 2, 2.5, '2016-10-02T00:00:00.000Z'), (3, 3, 0.125, '2016-09-30T00:00:00.000Z')]")
  }

  @Test func whatCannotBeReadAtAllIsToldWithItsPlace() async throws {
    let broken = try await refusal("{\"a\":1}\n", "--from", "csv")
    #expect(broken.code == 65)
    #expect(broken.error.contains("line 1, column 2: a quote stands inside a plain field"))
    #expect(try await refusal("", "--from", "csv").code == 65)
    #expect(try await refusal("sep=;\n").error.contains("there is no header"))
  }

  @Test func formatIsWhatIsSaid() async throws {
    _ = try await seed("[a],b\n1,2\n", "--from", "csv")
    #expect(try rows() == "[(1, 1, 2)]")
    _ = try await seed("[{\"a\":1}]", "--from", "json", as: "T.csv")
    #expect(try rows() == "[(1, 1)]")
    let sqlite = Sample(name: "dotnet-2019").store()
    let outcome = await rehome("seed", sqlite, "--from", "csv", "-o", store)
    #expect(outcome.code == 64)
    #expect(outcome.error.contains("it is a SQLite database"))
    let mixed = await rehome(
      "seed", folder.path("T.csv"), "--from", "json", "--separator", ";", "-n")
    #expect(mixed.code == 64)
  }

  /// What is said of CSV decides where a text begins as JSON does, and can be none.
  @Test func recordsMayBeginWithABracketOrABrace() async throws {
    _ = try await seed("[id],[name]\n1,2\n", "--separator", "comma")
    #expect(try rows() == "[(1, 1, 2)]")
    _ = try await seed("{6F9619FF},x\n{7F9619FF},y\n", "--no-header")
    #expect(try rows() == "[(1, '{6F9619FF}', 'x'), (2, '{7F9619FF}', 'y')]")
    let files = [
      try folder.write(#"[{"id":1}]"#, to: "T.json"), try folder.write("a,b\n1,2\n", to: "U.csv"),
    ]
    let both = await rehome(["seed", "-fq"] + files + ["--separator", "comma", "-o", store])
    #expect(both.code == 0, "\(both.error)")
    #expect(try rows() == "[(1, 1)]")
    let damaged = try await refusal("{id: 1}", "--separator", "comma", as: "T.json")
    #expect(damaged.code == 65)
  }

  @Test(arguments: ["csv", "json", "ndjson", "db"])
  func decimalsHaveNoExponents(_ kind: String) async throws {
    let file = folder.path("D." + kind)
    let long = String(repeating: "9", count: 400)
    let values = ["1e5", "1.50", "-1E-3", "1e999", "x", long, "-0.\(long)"]
    _ = try python(
      """
      import csv, json, sqlite3, sys
      path, kind, values = sys.argv[1], sys.argv[2], sys.argv[3:]
      if kind == 'db':
          with sqlite3.connect(path) as db:
              db.execute('CREATE TABLE D (id INTEGER PRIMARY KEY, v TEXT)')
              db.executemany('INSERT INTO D (v) VALUES (?)', [(v,) for v in values])
      elif kind == 'csv':
          with open(path, 'w') as file: csv.writer(file).writerows([['v']] + [[v] for v in values])
      else:
          rows = [json.dumps({'v': v}) for v in values]
          text = '\\n'.join(rows) if kind == 'ndjson' else '[' + ','.join(rows) + ']'
          with open(path, 'w') as file: file.write(text + '\\n')
      """, [file, kind] + values)
    let command = kind == "db" ? "convert" : "seed"
    let outcome = await rehome(command, "-f", file, "--type", "D.v=decimal", "-o", store)
    #expect(outcome.code == 2, "\(outcome.error)")
    let found = try python(
      """
      import json, sqlite3, sys
      print(json.dumps([v for v, in sqlite3.connect(sys.argv[1]).execute('SELECT v FROM D')]))
      """, store)
    #expect(
      found
        == "[\"100000\", \"1.50\", \"-0.001\", null, null, \"\(long)\", \"-0.\(long)\"]\n")
  }

  /// An input that is not to be had is told before what its options are about.
  @Test(arguments: [
    ["--separator", "comma"], ["--null", "NA"], ["--rows", "$.a"], ["--rename", "none=T"],
    ["--type", "none.a=text"], ["--corrected", "Item.csv"], [],
  ])
  func inputThatCannotBeReadIsToldFirst(options: [String]) async throws {
    let options = options.map { $0 == "Item.csv" ? folder.path($0) : $0 }
    let good = try folder.write("id,n\n1,2\n", to: "Item.csv")
    let empty = try folder.write("", to: "empty.csv")
    for (bad, code) in [(folder.path("none.csv"), Int32(66)), (empty, 65)] {
      for inputs in [[bad], [good, bad], [bad, good]] {
        let outcome = await rehome(["seed"] + inputs + ["-fo", store] + options)
        #expect(outcome.code == code, "\(inputs) \(options): \(outcome.error)")
      }
    }
  }

  /// The type takes what it takes in a column of a database.
  @Test(arguments: ["csv", "json", "ndjson", "xml", "db"])
  func columnOfUUIDsTakesThemInAnyForm(ending: String) async throws {
    let uuid = "6f9619ff-8b86-d011-b42d-00c04fc964ff"
    let good = [uuid, uuid.replacing("-", with: ""), "{\(uuid)}", "(\(uuid.uppercased()))"]
    let values = good + ["{\(uuid))", uuid + "0", "word"]
    let path = folder.path("T.\(ending)")
    _ = try python(
      """
      import json, sqlite3, sys
      path, values = sys.argv[1], sys.argv[2:]
      rows = [{"id": str(place), "g": value} for place, value in enumerate(values)]
      texts = {
          "csv": "id,g\\n" + "".join(f"{row['id']},{row['g']}\\n" for row in rows),
          "json": json.dumps(rows),
          "ndjson": "".join(json.dumps(row) + "\\n" for row in rows),
          "xml": "<r>" + "".join(
              f"<T><id>{row['id']}</id><g>{row['g']}</g></T>" for row in rows) + "</r>",
      }
      ending = path.rsplit(".", 1)[1]
      if ending == "db":
          store = sqlite3.connect(path)
          store.execute("CREATE TABLE T (id TEXT, g TEXT)")
          store.executemany("INSERT INTO T VALUES (:id, :g)", rows)
          store.commit()
      else:
          open(path, "w").write(texts[ending])
      """, [path] + values)
    let store = folder.path("uuids.rehome")
    let outcome = await rehome("seed", "-q", path, "-o", store, "--type", "T.g=uuid")
    #expect(outcome.code == 2, "\(outcome.error)")
    let found = try Devices.query(store, "SELECT g FROM T WHERE g IS NOT NULL ORDER BY _pk")
    #expect(found == good.joined(separator: "\n") + "\n")
  }

  /// What is refused leaves nothing.
  @Test func pageOfStoresThatAnOptionDoesNotFitIsNotWritten() async throws {
    let json = try folder.write(#"[{"id":1}]"#, to: "T.json")
    let other = try folder.write(#"[{"id":1}]"#, to: "U.json")
    let page = folder.path("page.html")
    for options in [["--separator", "comma"], ["--type", "X.a=text"]] {
      let outcome = await rehome(["audit", json, other, "--html", page] + options)
      #expect(outcome.code == 64 && outcome.error.contains("is not written"), "\(outcome.error)")
      #expect(!FileManager.default.fileExists(atPath: page))
    }
  }

  @Test func whatIsNoNameIsToldAsThat() async throws {
    let csv = try folder.write("id,n\n1,2\n", to: "a.csv")
    let json = try folder.write(#"[{"id":1}]"#, to: "c.json")
    for arguments in [
      [csv, json, "--rename", "a"], [csv, "--rename", "=q"], [csv, json, "--rename", "=q"],
    ] {
      let outcome = await rehome(["seed", "-fo", store] + arguments)
      #expect(outcome.code == 64)
      #expect(outcome.error.contains("it must be TABLE=NAME"), "\(outcome.error)")
    }
  }

  /// What CSV alone has is not said of other files without a word.
  @Test(arguments: [
    ["--separator", "comma"], ["--encoding", "latin1"], ["--null", "NA"], ["--decimal-comma"],
    ["--header"], ["--no-header"],
  ])
  func optionOfCSVNeedsAFileOfCSV(options: [String]) async throws {
    let json = try folder.write(#"[{"id":1}]"#, to: "T.json")
    let xml = try folder.write("<d><row><id>1</id></row></d>", to: "T.xml")
    let csv = try folder.write("id;n\n1;2\n", to: "U")
    let outputs = [
      ["seed", "-fo", store, json], ["seed", "-fo", store, xml], ["convert", "-fo", store, json],
      ["export", "--to", "ndjson", json], ["verify", json, json], ["hash", json],
      ["inspect", json, xml], ["audit", "--json", json, xml], ["find", json, xml],
    ]
    for arguments in outputs {
      let outcome = await rehome(arguments + options)
      #expect(outcome.code == 64, "\(arguments)")
      #expect(
        outcome.error.contains("\(options[0]): no input is a plain file of CSV"),
        "\(arguments) \(outcome.error)")
    }
    let rest = options == ["--separator", "comma"] ? ["--separator", "semicolon"] : options
    let seed = ["seed", "-fo", store, json, csv]
    for arguments in [seed, ["hash", csv], ["inspect", json, csv], ["verify", csv, csv]] {
      let outcome = await rehome(arguments + rest)
      #expect(outcome.code == 0, "\(arguments) \(outcome.error)")
    }
  }

  /// No beginning of a table is taken for something it is not, or ends in anything but an answer.
  @Test func tablesThatAreCutAreReadOrRefused() async throws {
    let text = Array("\u{FEFF}a;b;c\r\n\"x;\"\"y\";1,5;2016-10-01\r\nz;2;\r\n".utf8)
    for count in 0...text.count {
      let file = try folder.write(Array(text[..<count]), to: "T.csv")
      let outcome = await rehome("hash", file)
      #expect([0, 64, 65].contains(outcome.code), "\(count): \(outcome.error)")
    }
  }

  /// Windows PowerShell writes a line about the rows before the header.
  @Test func lineAboutTheTypeIsNoHeader() async throws {
    let file = try folder.write(
      "#TYPE System.Object\r\n\"Id\",\"Name\"\r\n\"1\",\"x\"\r\n", to: "P.csv")
    let store = folder.path("p.rehome")
    let outcome = await rehome("seed", file, "-o", store)
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(outcome.error.contains("separator: comma") && outcome.error.contains("header: line 2"))
    #expect(try Devices.query(store, "SELECT * FROM P") == "1|1|x\n")
    let header = try folder.write("#TYPE a,b\n1,2\n", to: "Q.csv")
    #expect(await rehome("seed", header, "-fo", store).code == 0)
    #expect(try Devices.query(store, "SELECT \"#TYPE a\", b FROM Q") == "1|2\n")
    let pairs = try folder.write(
      "#TYPE System.Collections.Generic.KeyValuePair`2[[System.String, mscorlib, Version=4.0.0.0]]"
        + "\r\n\"Key\",\"Value\"\r\n\"a\",\"x\"\r\n", to: "R.csv")
    #expect(await rehome("seed", pairs, "-fo", store).code == 0)
    #expect(try Devices.query(store, "SELECT Key, Value FROM R") == "a|x\n")
    let cars = try folder.write("#TYPE of car\nVW\nOpel\n", to: "S.csv")
    #expect(await rehome("seed", cars, "-fo", store).code == 0)
    #expect(try Devices.query(store, "SELECT count(*) FROM S") == "2\n")
  }

  /// Spreadsheets write a title as wide as their table.
  @Test(arguments: [
    "Sales 2024,,,\nGenerated,2024-12-31,,\n,,,\nid,Name,Qty,Price\n1,A,2,3.5\n",
    "Sales 2024;;;\nid;Name;Qty;Price\n1;A;2;3,5\n2;B;;\n",
    "Sales,,\n,,\nid,Name,Day\na,Ann,2024-12-31\n",
  ])
  func titleAboveTheHeaderIsAskedAbout(_ text: String) async throws {
    let refused = try await refusal(text)
    #expect(refused.code == 64)
    #expect(refused.error.contains("below a title"), "\(refused.error)")
    #expect(refused.error.contains("take away the lines above the header"), "\(refused.error)")
    for option in ["--header", "--no-header"] {
      #expect(try await seed(text, option)["sources"] != nil)
    }
  }

  /// A header may lack names, as may the index of a table, and lists go with blank lines.
  @Test(arguments: [
    "id,,\n1,a,b\n2,c,d\n", "name,,\nAnn,Smith,London\nBob,Jones,Leeds\n",
    ",a,b\nx,1,2\ny,3,4\n", "name,,\nAnn,,\nBob,Jones,Leeds\n", "a,\nx,\ny,\n",
    ",,c\nNULL,b,c\n1,2,3\n", ",0\nname,Ann\nage,12\n", ",flag\nalpha,beta\ngamma,true\n",
    ",,note\nUK,Ann,hello\nUK,Bob,2020-01-01\n", "Setting,\nhost,localhost\nport,8080\n",
    "name,town,,,\nAnn,London,,,\nBob,Leeds,see,also,there\nCat,York,,,3\n",
    "name,,\nAnn,Smith,maybe\nBob,Jones,yes\n", "name,,\nAnn,,\n,,\nBob,Jones,Leeds\n",
    "id,name,,\n,,,\na,Ann,London,UK\nb,Bob,Leeds,UK\n",
    "a,,,,\n" + String(repeating: "x,y,,,\n", count: 50) + "one,two,three,four,five\nx,y,,,7\n",
  ])
  func headerWithFewNamesIsAHeader(_ text: String) async throws {
    #expect(try await seed(text)["sources"] != nil)
  }

  /// A separator is named only where it would make more columns.
  @Test func separatorsThatAreNotThereAreNotNamed() async throws {
    let file = try folder.write("Id\n\"1\",\"x\"\n", to: "P.csv")
    let outcome = await rehome("seed", file, "-o", folder.path("p.rehome"))
    #expect(outcome.code == 64)
    #expect(outcome.error.contains("more between commas\n"), "\(outcome.error)")
  }
}
