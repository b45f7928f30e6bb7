import Foundation
import TestSupport
import Testing

/// Mistakes in the arguments end with 64 and say what was probably meant.
struct UsageTests {
  @Test(arguments: [
    (["convert", "a", "-o", "b", "--forse"], "did you mean --force?"),
    (["inspekt"], "did you mean inspect?"),
    (["export", "a", "--to", "ndjso"], "did you mean ndjson?"),
    (["convert", "a"], "option -o FILE is missing"),
    (["export", "a", "b", "--to", "csv"], "write --output b"),
    (["export", "a"], "json, ndjson, csv, xml"),
    (["export", "a", "--csv"], "did you mean --to csv?"),
    (["explain", "conflict"], "did you mean error-conflict or"),
    (["inspect"], "STORE"),
    ([], "no command"),
    (["inspect", "--color", "pink", "a"], "'pink'"),
  ])
  func mistakeIsExplained(arguments: [String], words: String) throws {
    let outcome = try Program.rehome.run(arguments)
    #expect(outcome.code == 64)
    #expect(outcome.error.contains(words), "\(outcome.error)")
    #expect(outcome.error.contains("--help"))
    #expect(outcome.output.isEmpty)
  }

  @Test(arguments: ["--table", "--exclude-table"])
  func patternThatMatchesNoTableListsTheTables(option: String) async throws {
    let store = Sample(name: "ios-2016").store()
    let outcome = await rehome("export", store, "--to", "ndjson", option, "todo*")
    #expect(outcome.code == 64)
    #expect(
      outcome.error == """
        rehome: no table matches todo*
          try: the tables are: TodoItem, Visit

        """)
  }

  /// What a person may type next is told: the columns, or the tables, and nothing that shows neither.
  @Test(arguments: [
    (["--type", "Item.zap=integer"], "the columns of Item are: id, zip"),
    (["--drop", "Item.zap"], "the columns of Item are: id, zip"),
    (["--rename", "Item=T", "--type", "T.zap=text"], "the columns of T are: id, zip"),
    (["--reference", "Item.zap=Item"], "the columns of Item are: id, zip"),
    (["--reference", "Item.zip=Itm"], "the tables are: Item"),
    (["--type", "zip=integer"], "name its table, too: Item.zip"),
    (["--type", "Itm.zip=integer"], "the tables are: Item"),
  ])
  func nameThatIsNotThereListsWhatIs(options: [String], words: String) async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("id,zip\n1,2\n", to: "Item.csv")
    let outcome = await rehome(["seed", file, "-o", folder.path("out")] + options)
    #expect(outcome.code == 64)
    #expect(outcome.error.hasSuffix("\n  try: \(words)\n"), "\(outcome.error)")
  }

  @Test func unknownTypeNeedsNoColumns() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("id,zip\n1,2\n", to: "Item.csv")
    let outcome = await rehome("seed", file, "-o", folder.path("out"), "--type", "Item.zip=int")
    #expect(outcome.error.contains("the types are text, integer"))
    #expect(!outcome.error.contains("try:"), "\(outcome.error)")
  }

  @Test(arguments: [
    (["--by-id", "--ignore-column", "Visit.nosuch"], "the columns of Visit are: "),
    (["--by-id", "--ignore-column", "nosuch"], "the columns are: "),
    (["--by-id", "--rename", "TodoItem.nosuch=x"], "; the columns of TodoItem are: "),
    (["--type", "TodoItem.nosuch=text"], "the columns of TodoItem are: "),
    (["--rename", "Todo=x"], "the tables are: TodoItem, Visit"),
  ])
  func comparisonListsWhatIsThere(options: [String], words: String) async throws {
    let store = Sample(name: "ios-2016").store()
    let outcome = await rehome(["verify", store, store] + options)
    #expect(outcome.code == 64)
    #expect(outcome.error.contains(words), "\(outcome.error)")
  }

  /// A command that is told goes into a shell as it is, whatever names are in it.
  @Test(arguments: [
    (#""$0" hash 'my z.zip!nope'"#, "rehome find ", "my z.zip"),
    (#""$0" seed 'my t.csv' b.csv --table-name X -o x"#, "--rename ", "my t=NAME"),
    (#""$0" export my.db --to json -o 'my x.csv'"#, "-o ", "my x.json"),
    (#""$0" export my.db 'my x' --to json"#, "--output ", "my x"),
    (#""$0" seed my.json -o x"#, "--rows ", #"$.data["rows here"]"#),
    (
      #""$0" seed 'my t.csv' --type 'my t.b=boolean' --rejects 'my bad.csv' -o x"#, "--corrected ",
      "my bad.csv"
    ),
    (
      #"cp my.db 'my s.db'; "$0" convert -q other.db -o 'my s.rehome'; "$0" replay 'my s.db' \"#
        + "\n  --to https://127.0.0.1:1", "rehome replay --to https://127.0.0.1:1 ", "my s.rehome"
    ),
  ])
  func commandThatIsToldCanBeCopied(line: String, before: String, name: String) throws {
    let folder = try TemporaryFolder()
    for (sample, copy) in [("ios-2016", "my.db"), ("ios-2014", "other.db")] {
      try FileManager.default.copyItem(
        atPath: Sample(name: sample).store(), toPath: folder.path(copy))
    }
    _ = try python(
      """
      import json, os, sys, zipfile
      os.chdir(sys.argv[1])
      for name in ['my t.csv', 'b.csv']: open(name, 'w').write('a,b\\n1,2\\n')
      with zipfile.ZipFile('my z.zip', 'w') as archive: archive.write('b.csv')
      json.dump({'data': {'rows here': [{'x': 1}, {'x': 2}]}, 'k': 1}, open('my.json', 'w'))
      """, folder.path)
    let outcome = try Program.bash.run(
      ["-c", line, Project.executable.path], in: folder.path)
    let told = try #require(outcome.error.range(of: before), "\(outcome.error)")
    let word = try python(
      "import shlex, sys; print(shlex.split(sys.argv[1], comments=True)[0].rstrip(',;'))",
      String(outcome.error[told.upperBound...]))
    #expect(word == name + "\n")
  }

  @Test func patternChoosesTables() async throws {
    let folder = try TemporaryFolder()
    let store = Sample(name: "ios-2016").store()
    let outcome = await rehome(
      "convert", "--json", store, "--table", "V*", "-o", folder.path("out"))
    let tables = try #require(try outcome.json()["tables"] as? [[String: any Sendable]])
    #expect(
      differences(
        [
          ["name": "TodoItem", "read": 6, "written": 0, "filtered": 6],
          ["name": "Visit", "read": 3, "written": 3, "filtered": 0],
        ], tables) == [])
  }

  @Test func reportAndRowsNeverShareAStream() async throws {
    let store = Sample(name: "ios-2014").store()
    let outcome = await rehome("export", "--json", store, "--to", "ndjson")
    #expect(outcome.code == 64)
    #expect(outcome.output.isEmpty)
    #expect(outcome.error.contains("--report FILE"))
  }

  /// The real program asks for options that only some commands have.
  @Test(arguments: [["explain"], ["explain", "error-conflict"], ["completions", "bash"]])
  func commandWithFewOptionsRuns(arguments: [String]) throws {
    let outcome = try Program.rehome.run(arguments)
    #expect(outcome.code == 0)
    #expect(outcome.error.isEmpty)
    #expect(!outcome.output.isEmpty)
  }

  @Test func choiceOfNoOperationIsSaid() async throws {
    let store = Sample(name: "ios-2016").store()
    let outcome = await rehome("ops", "list", "--state", "failed", store)
    #expect(outcome.code == 0)
    #expect(outcome.output.isEmpty)
    #expect(outcome.error == "none of the 8 operations is as asked for\n")
  }

  @Test func versionAndHelpGoToStandardOutput() async throws {
    #expect(await rehome("--version").text.hasPrefix("rehome "))
    let help = await rehome("convert", "--help")
    #expect(help.code == 0)
    #expect(help.text.contains("--max-rejects"))
    #expect(help.error == "")
  }
}
