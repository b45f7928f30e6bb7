import Testing

@testable import CommandLineKit

struct HelpTextTests {
  @Test func helpOfACommandReadsAsWritten() throws {
    let text = HelpText.text(
      for: try SampleTool.path("fire"), terminalWidth: nil, style: .plain)
    #expect(
      text == """
        kiln fire: fire pots in a kiln

        Examples:
          kiln fire bowl.pot -o out
              fire one pot
          kiln fire --cone=-5 *.pot --output out
              fire many at a low cone

        Usage:
          kiln fire [options] -o DIR POT...

        Each POT is heated slowly. A pot's curve isn't changed: what "cone" says, holds.

        .dotted paragraphs and C:\\paths survive.

        Cones - and curves:
          A cone bends when it is hot enough.

          --curve goes before --cone.

        Clay:
          Red clay is fired at a low cone, as in every kiln that people have built
          since.

        Arguments:
          POT...  a pot to fire

        Options:
          -o, --output DIR  put the fired pots here (required)
          -c, --cone N      how hot to fire
              --curve FILE  read the heating curve from a file
          -k, --clay CLAY   fire only pots of this clay (may be repeated)
              --soak MIN    hold the heat [at the top: a while] (one of 5, 10)
          -j, --json        print a report as JSON
          -h, --help        show all of this; -h shows what matters most

        Common options:
          -q, --quiet       say only what went wrong
          -v, --verbose     say more
              --color WHEN  colour the output (one of auto, always, never; default auto)

        Exit status:
          0  all pots are whole
          2  a pot broke

        See also: clay(5)

        """)
  }

  @Test func helpOfTheRootListsCommands() throws {
    let text = HelpText.text(for: try SampleTool.path(), terminalWidth: nil, style: .plain)
    #expect(text.contains("  kiln [options] COMMAND\n"))
    #expect(text.contains("  compare  compare two pots\n"))
    #expect(text.contains("      --version     show the version\n"))
    #expect(text.contains("\nEnvironment:\n  KILN  which kiln is fired\n"))
    #expect(text.hasSuffix("\nHelp on one command: kiln COMMAND --help\n"))
  }

  @Test func headingsAreBoldOnlyWithColour() throws {
    let path = try SampleTool.path("log")
    let plain = HelpText.text(for: path, terminalWidth: 80, style: .plain)
    let colored = HelpText.text(for: path, terminalWidth: 80, style: .init(usesColor: true))
    #expect(!plain.contains("\u{1B}"))
    #expect(colored.contains("\u{1B}[1mUsage:\u{1B}[0m"))
    let stripped = colored.replacing("\u{1B}[1m", with: "").replacing("\u{1B}[0m", with: "")
    #expect(stripped == plain)
  }

  @Test(arguments: [(1, 30), (40, 40), (60, 60), (77, 77), (100, 100), (5000, 100)])
  func linesFitTheTerminalWithinLimits(terminalWidth: Int, limit: Int) throws {
    let long = String(repeating: "many words ", count: 40)
    let command = Command(
      name: "tool", summary: "x", discussion: [long], sections: [.init("long", long)],
      options: [
        Option("long", argument: .value(placeholder: "VERY-LONG-PLACEHOLDER-INDEED"), help: long),
        Option("short", help: long),
      ])
    let text = HelpText.text(
      for: CommandPath(root: command), terminalWidth: terminalWidth, style: .plain)
    // What a person has to type stays whole, whatever the width.
    let lines = text.split(separator: "\n").filter { !$0.hasSuffix("-INDEED") }
    let widths = lines.map { displayWidth(of: $0) }
    #expect((limit - 11...limit).contains(widths.max() ?? 0))
    #expect(!text.contains(" \n"))
  }

  @Test func longCommandLinesGoOnAsAShellTakesThem() {
    let line = "tool run --with 'a quoted text' --and another-value input.file"
    let command = Command(
      name: "tool", summary: "work on something that takes many words to tell", discussion: [],
      examples: [Command.Example(line, "do it")])
    let path = CommandPath(root: command)
    let text = HelpText.text(for: path, terminalWidth: 40, style: .plain)
    #expect(
      text.contains(
        """
        tool: work on something that takes many
          words to tell

        Examples:
          tool run --with 'a quoted text' \\
              --and another-value input.file
              do it

        """))
    let wide = HelpText.text(for: path, terminalWidth: 80, style: .plain)
    #expect(wide.contains("  \(line)\n"))
  }

  @Test func usageLineBreaksOnlyBetweenItsParts() {
    let required = (1...8).map {
      Option("needed-\($0)", argument: .value(placeholder: "VALUE"), help: "x", isRequired: true)
    }
    let text = HelpText.text(
      for: CommandPath(root: Command(name: "tool", summary: "x", options: required)),
      terminalWidth: 60, style: .plain)
    #expect(
      text.contains("  tool [options] --needed-1 VALUE --needed-2 VALUE\n       --needed-3 VALUE"))
  }

  @Test(arguments: [
    ("", 10, [""]), ("   ", 10, [""]), ("a b c", 3, ["a b", "c"]),
    ("unbreakable x", 4, ["unbreakable", "x"]), ("漢字 漢字 ab", 7, ["漢字", "漢字 ab"]),
    ("a\n  b", 10, ["a b"]), ("x", -5, ["x"]),
  ])
  func wrappingBreaksAtSpacesOnly(text: String, width: Int, lines: [String]) {
    #expect(wrapped(text, width: width) == lines)
  }
}
