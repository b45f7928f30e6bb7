import CommandLineKit
import TestSupport
import Testing

struct ArgumentParserTests {
  @Test(arguments: [
    "fire --cone 7 -o out a", "fire --cone=7 -o out a", "fire -c 7 -o out a", "fire -c7 -oout a",
    "fire a -o out -jc7", "-q fire a -vqjc 7 --output=out", "fire -o out -c 7 -- a",
  ])
  func everySpellingGivesTheSameValues(line: String) throws {
    let parsed = try SampleTool.parse(line)
    #expect(parsed.request == .run)
    #expect(parsed.path.names == ["kiln", "fire"])
    #expect(parsed.value("cone")?.text == "7")
    #expect(parsed.value("output")?.text == "out")
    #expect(parsed.positionals("POT").map(\.text) == ["a"])
  }

  @Test func groupedFlagsAreAllSet() throws {
    let parsed = try SampleTool.parse("log list -qv")
    #expect(parsed.flag("quiet") && parsed.flag("verbose"))
  }

  @Test func optionBeforeTheSubcommandHoldsForIt() throws {
    #expect(try SampleTool.parse("--color never log list").value("color")?.text == "never")
  }

  @Test func flagGivenTwiceIsSet() throws {
    #expect(try SampleTool.parse("-q log list -q --quiet").flag("quiet"))
  }

  @Test func optionThatIsNotGivenHasNoValue() throws {
    let parsed = try SampleTool.parse("fire a -o out")
    #expect(!parsed.flag("json"))
    #expect(parsed.value("cone") == nil)
    #expect(parsed.values("clay") == [])
  }

  @Test func repeatableOptionKeepsTheOrder() throws {
    let parsed = try SampleTool.parse("fire -kred a --clay=white -o out -k blue")
    #expect(parsed.values("clay").map(\.text) == ["red", "white", "blue"])
  }

  @Test func valueRemembersItsArgument() throws {
    let parsed = try SampleTool.parse("fire a -q -o out --clay red b")
    #expect(parsed.value("output") == ArgumentValue(text: "out", label: "-o", index: 4))
    #expect(parsed.value("clay") == ArgumentValue(text: "red", label: "--clay", index: 6))
    #expect(parsed.positionals("POT").map(\.index) == [1, 7])
    #expect(parsed.positional("POT")?.label == "POT")
  }

  @Test func doubleHyphenMakesWordsOfOptions() throws {
    let parsed = try SampleTool.parse("fire -o out -- -q --help --")
    #expect(parsed.request == .run)
    #expect(parsed.positionals("POT").map(\.text) == ["-q", "--help", "--"])
  }

  @Test func hyphenAloneIsAWordAndAValue() throws {
    let parsed = try SampleTool.parse("fire - -o -")
    #expect(parsed.positionals("POT").map(\.text) == ["-"])
    #expect(parsed.value("output")?.text == "-")
  }

  @Test(arguments: ["fire a -o x -c -5", "fire a -o x --cone -5", "fire a -o x -c-5"])
  func negativeNumberIsAValue(line: String) throws {
    #expect(try SampleTool.parse(line).integer("cone", in: -10...10) == -5)
  }

  @Test func valueMayLookLikeAnOptionThatDoesNotExist() throws {
    #expect(try SampleTool.parse("fire a -o --strange").value("output")?.text == "--strange")
  }

  @Test func emptyValueAndEqualsSignsAreKept() throws {
    #expect(try SampleTool.parse("fire a -o x --cone=").value("cone")?.text == "")
    #expect(try SampleTool.parse("fire a -o x --cone=a=b").value("cone")?.text == "a=b")
    #expect(try SampleTool.parse("fire a -o x --cone=\u{301}").value("cone")?.text == "\u{301}")
  }

  @Test func laterPositionalGetsItsWordFirst() throws {
    let three = try SampleTool.parse("compare a b c")
    #expect(three.positionals("POT").map(\.text) == ["a", "b"])
    #expect(three.positional("MODEL")?.text == "c")
    #expect(try SampleTool.parse("compare c").positionals("POT") == [])
  }

  @Test func optionalPositionalMayBeLeftOut() throws {
    #expect(try SampleTool.parse("log show 3").positional("PART") == nil)
    #expect(try SampleTool.parse("log show 3 x").positional("PART")?.text == "x")
  }

  @Test(arguments: [
    ("--help", "kiln"), ("-h", "kiln"), ("fire -h", "kiln fire"), ("log --help", "kiln log"),
    ("log show --nonsense --help", "kiln log show"), ("-h fire", "kiln fire"),
    ("fire a b -qh", "kiln fire"), ("help", "kiln"), ("help log show", "kiln log show"),
    ("--version --help", "kiln"), ("fire -h --help", "kiln fire"), ("help -h", "kiln"),
  ])
  func helpWinsAnywhere(line: String, command: String) throws {
    let parsed = try SampleTool.parse(line)
    let isScreen = line.contains("h") && !line.contains("help")
    #expect(parsed.request == (isScreen ? .screenOfHelp : .help))
    #expect(parsed.path.name == command)
  }

  private static let guided = Command(
    name: "kiln", summary: "x",
    subcommands: [
      Command(name: "fire", summary: "x", positionals: [Positional("POT", help: "x")]),
      SampleTool.log,
    ],
    synonyms: [
      .init("burn bake", leadTo: "fire", .init("kiln fire bowl.pot", "fire a pot")),
      .init("history", leadTo: "log list", .init("kiln log list", "see all")),
    ],
    topics: [.init("heat", summary: "x", options: [])])

  @Test(arguments: [
    (["burn", "a.pot"], "kiln fire", "kiln fire bowl.pot"),
    (["BAKE"], "kiln fire", "kiln fire bowl.pot"),
    (["history"], "kiln log list", "kiln log list"),
  ])
  func wordThatMeansACommandLeadsToIt(
    arguments: [String], command: String, example: String
  ) throws {
    let error = try #require(throws: UsageError.self) {
      try ArgumentParser.parse(arguments, with: Self.guided)
    }
    #expect(error.code == .unknownCommand)
    #expect(error.message.contains("'\(command)' does that"))
    #expect(error.hint == "  try: \(example)\nsee '\(command) --help'")
    let help = try ArgumentParser.parse(["help"] + arguments, with: Self.guided)
    #expect(help.path.name == command)
    guard case .synonym(arguments[0], let synonym) = help.request else {
      Issue.record("\(help.request)")
      return
    }
    #expect(synonym.example.commandLine == example)
  }

  @Test func topicIsAskedForBehindHelpOnly() throws {
    let parsed = try ArgumentParser.parse(["help", "heat"], with: Self.guided)
    #expect(parsed.request == .topic(try #require(Self.guided.topic(named: "heat"))))
    let error = try #require(throws: UsageError.self) {
      try ArgumentParser.parse(["heat"], with: Self.guided)
    }
    #expect(error.message == "'heat' is no command; 'kiln help heat' explains it")
  }

  @Test func requiredOptionMayBeWaived() throws {
    let root = Command(
      name: "tool", summary: "x",
      options: [
        Option(
          "to", argument: .value(placeholder: "T"), help: "x", isRequired: true, waivedBy: "try"),
        Option("try", help: "x"),
      ])
    #expect(try ArgumentParser.parse(["--try"], with: root).flag("try"))
    #expect(throws: UsageError.self) { try ArgumentParser.parse([], with: root) }
  }

  @Test func versionIsAskedForAtTheRoot() throws {
    #expect(try SampleTool.parse("--version").request == .version)
  }

  @Test(arguments: 0..<500)
  func anyArgumentsGiveAResultOrAUsageError(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let pieces = [
      "fire", "log", "show", "-", "--", "-o", "--out", "=", "--cone=", "-qvo", "-\u{301}", "\u{0}",
      "--soak=", "", "-5", "é", "--help=", "compare", "👩‍👩‍👧", "-=", "--=", "---", "\r\n",
    ]
    let arguments = (0..<Int.random(in: 0...6, using: &generator)).map { _ in
      (0..<Int.random(in: 1...2, using: &generator)).map { _ in
        pieces.randomElement(using: &generator) ?? ""
      }.joined()
    }
    do throws(UsageError) {
      _ = try ArgumentParser.parse(arguments, with: SampleTool.root)
    } catch {
      #expect(escapedForTerminal(error.message) == error.message)
    }
  }
}
