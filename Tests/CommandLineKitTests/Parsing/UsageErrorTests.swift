import CommandLineKit
import Testing

struct UsageErrorTests {
  struct Mistake: CustomTestStringConvertible {
    let line: String
    let code: UsageError.Code
    let message: String
    var testDescription: String { line }

    init(_ line: String, _ code: UsageError.Code, _ message: String) {
      self.line = line
      self.code = code
      self.message = message
    }
  }

  @Test(arguments: [
    Mistake("fire --jsn a", .unknownOption, "unknown option --jsn; did you mean --json?"),
    Mistake("fire --JSON a", .unknownOption, "unknown option --JSON; did you mean --json?"),
    Mistake("fire --verb a", .unknownOption, "unknown option --verb; did you mean --verbose?"),
    Mistake("fire --zzzzz a", .unknownOption, "unknown option --zzzzz"),
    Mistake(
      "--json fire a", .unknownOption,
      "unknown option --json; it belongs after the subcommand, as in 'kiln fire --json'"),
    Mistake("log list --plain", .unknownOption, "unknown option --plain; 'kiln compare' has it"),
    Mistake("log list --version", .unknownOption, "unknown option --version; 'kiln' has it"),
    Mistake("fire -J a", .unknownOption, "unknown option -J; did you mean -j?"),
    Mistake("fire -z a", .unknownOption, "unknown option -z"),
    Mistake("fire -qz a", .unknownOption, "unknown option -z in '-qz'"),
    Mistake("fire -quiet", .unknownOption, "unknown option -u in '-quiet'; did you mean --quiet?"),
    Mistake("frie a", .unknownCommand, "unknown command 'frie'; did you mean fire?"),
    Mistake(
      "paint a --glossy", .unknownCommand,
      "unknown command 'paint'; use one of fire, log, compare, shells"),
    Mistake("log shwo", .unknownCommand, "unknown command 'shwo'; did you mean show?"),
    Mistake("log", .missingCommand, "no command given; use one of list, show"),
    Mistake("", .missingCommand, "no command given; use one of fire, log, compare, shells"),
    Mistake("fire a -o", .missingValue, "option -o needs a value, DIR"),
    Mistake(
      "fire a -o --json", .missingValue,
      "option -o needs a value, but '--json' follows; if that is the value, write -o--json"),
    Mistake(
      "fire a --output -q", .missingValue,
      "option --output needs a value, but '-q' follows; if that is the value, write --output=-q"),
    Mistake("fire a --json=yes", .unexpectedValue, "option --json takes no value"),
    Mistake(
      "fire a -o x --output y", .repeatedOption,
      "option --output is given twice (first as -o); give it once"),
    Mistake("fire -c1 -c2", .repeatedOption, "option -c is given twice; give it once"),
    Mistake(
      "log list --color alwyas", .invalidChoice,
      "--color: 'alwyas' is not known; did you mean always?"),
    Mistake(
      "log list --color=", .invalidChoice,
      "--color: '' is not known; use one of auto, always, never"),
    Mistake("shells bsh", .invalidChoice, "SHELL: 'bsh' is not known; did you mean bash?"),
    Mistake("fire -o x", .missingArgument, "POT is missing: a pot to fire"),
    Mistake("compare", .missingArgument, "MODEL is missing: the pot to compare with"),
    Mistake("fire a", .missingOption, "option -o DIR is missing: put the fired pots here"),
    Mistake(
      "fire -a.sqlite -o x", .unknownOption,
      "unknown option -a in '-a.sqlite'; if that is a file, write ./-a.sqlite"),
    Mistake(
      "log list --never", .unknownOption, "unknown option --never; did you mean --color never?"),
    Mistake("help frie", .unknownCommand, "unknown command 'frie'; did you mean fire?"),
    Mistake("frie --help", .unknownCommand, "unknown command 'frie'; did you mean fire?"),
    Mistake("version", .unknownCommand, "unknown command 'version'; did you mean --version?"),
    Mistake(
      "log show 1 2 3", .unexpectedArgument,
      "unexpected argument '3'; 'kiln log show' takes only FIRING [PART]"),
    Mistake(
      "log list 1", .unexpectedArgument,
      "unexpected argument '1'; 'kiln log list' takes no such words"),
  ])
  func mistakeIsNamedWithAWayOut(mistake: Mistake) throws {
    let error = try SampleTool.mistake(mistake.line.split(separator: " ").map(String.init))
    #expect(error.code == mistake.code)
    #expect(error.message == mistake.message)
  }

  /// Other programs take headers as arguments, and what stands in them may be a secret.
  @Test(arguments: ["X-ZUMO-AUTH: s3cret", "Authorization: Bearer s3cret"])
  func headerIsNamedWithoutItsValue(_ word: String) throws {
    let message = try SampleTool.mistake(["log", "list", word]).message
    #expect(message.contains(word.prefix { $0 != ":" }) && !message.contains("s3cret"))
  }

  @Test func errorNamesTheCommandItIsAbout() throws {
    let error = try SampleTool.mistake(["log", "show", "--jsn"])
    #expect(error.commandPath == ["kiln", "log", "show"])
    #expect(error.hint == "see 'kiln log show --help'")
    #expect(
      error.description == "kiln log show: unknown option --jsn\nsee 'kiln log show --help'")
  }

  @Test func firstMistakeIsReported() throws {
    #expect(try SampleTool.mistake(["fire", "--aaaaaa", "--bbbbbb"]).message.hasSuffix("--aaaaaa"))
  }

  @Test func argumentIsEscapedAndCutInTheMessage() throws {
    let error = try SampleTool.mistake(["\u{1B}[31m" + String(repeating: "x", count: 100_000)])
    #expect(error.message.hasPrefix("unknown command '\\u{1B}[31mxxx"))
    #expect(error.message.count < 160)
  }

  @Test(arguments: ["0", "9", "x", "", "1.5", "99999999999999999999"])
  func numberOutsideItsRangeIsRefused(text: String) throws {
    let parsed = try SampleTool.parse("fire a -o x --cone=\(text)")
    let error = try #require(throws: UsageError.self) { try parsed.integer("cone", in: 1...8) }
    #expect(error.code == .invalidValue)
    #expect(error.message == "--cone: '\(text)' is not a whole number from 1 to 8")
  }

  @Test func openRangeIsNamedByItsLowerBound() throws {
    let parsed = try SampleTool.parse("fire a -o x -c 0")
    let error = try #require(throws: UsageError.self) { try parsed.integer("cone", in: 1...(.max)) }
    #expect(error.message == "-c: '0' is not a whole number of at least 1")
  }

  @Test func askingForAnUndescribedOptionTrapsInDebugBuilds() async {
    #if DEBUG
      await #expect(processExitsWith: .failure) {
        _ = try SampleTool.parse("log list").flag("misspelt")
      }
    #endif
  }
}
