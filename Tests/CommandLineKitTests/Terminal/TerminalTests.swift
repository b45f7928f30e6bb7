import CommandLineKit
import Testing

struct TerminalTests {
  private static func usesColor(
    _ choice: ColorChoice, isTerminal: Bool = true, _ environment: [String: String]
  ) -> Bool {
    let facts = Terminal.Facts(outputIsTerminal: isTerminal, width: 80)
    return Terminal(facts: facts, color: choice) { environment[$0] }.outputStyle.usesColor
  }

  @Test func automaticColourNeedsACapableTerminal() {
    #expect(Self.usesColor(.auto, ["TERM": "xterm"]))
    #expect(!Self.usesColor(.auto, isTerminal: false, ["TERM": "xterm"]))
    #expect(!Self.usesColor(.auto, ["TERM": "dumb"]))
    #expect(!Self.usesColor(.auto, [:]))
  }

  @Test func noColorCountsOnlyWhenNotEmpty() {
    #expect(!Self.usesColor(.auto, ["TERM": "xterm", "NO_COLOR": "1"]))
    #expect(Self.usesColor(.auto, ["TERM": "xterm", "NO_COLOR": ""]))
  }

  @Test func explicitChoiceBeatsTheEnvironment() {
    #expect(Self.usesColor(.always, isTerminal: false, ["NO_COLOR": "1", "TERM": "dumb"]))
    #expect(!Self.usesColor(.never, ["TERM": "xterm"]))
  }

  @Test func streamsAreJudgedOneByOne() {
    let facts = Terminal.Facts(errorIsTerminal: true)
    let terminal = Terminal(facts: facts, color: .auto) { $0 == "TERM" ? "xterm" : nil }
    #expect(!terminal.outputStyle.usesColor && terminal.errorStyle.usesColor)
    #expect(terminal.canRedraw)
  }

  @Test func dumbTerminalIsNotRedrawn() {
    let facts = Terminal.Facts(errorIsTerminal: true)
    let terminal = Terminal(facts: facts, color: .always) { _ in "dumb" }
    #expect(!terminal.canRedraw)
  }

  @Test func impossibleWidthIsUnknown() {
    let terminal = Terminal(facts: .init(width: 0), color: .never) { _ in nil }
    #expect(terminal.width == nil)
  }

  @Test(arguments: [("40", 40), ("0", 80), ("-3", 80), ("wide", 80), ("", 80)])
  func columnsOfTheEnvironmentCountWhereTheyAreAWidth(columns: String, width: Int) {
    let facts = Terminal.Facts(outputIsTerminal: true, width: 80)
    let terminal = Terminal(facts: facts, color: .never) { $0 == "COLUMNS" ? columns : nil }
    #expect(terminal.width == width)
    #expect(terminal.outputStyle.width == width)
  }

  @Test func eachStreamHasAWidthOnlyWhereItIsAScreen() {
    let facts = Terminal.Facts(errorIsTerminal: true, width: 80)
    let terminal = Terminal(facts: facts, color: .never) { _ in nil }
    #expect(terminal.outputStyle.width == nil)
    #expect(terminal.errorStyle.width == 80)
  }

  @Test func environmentIsReadByName() {
    #expect(environmentText("PATH")?.isEmpty == false)
    #expect(environmentText("REHOME_SURELY_NOT_SET") == nil)
  }

  @Test func stylesMarkOnlyWithColour() {
    let style = TextStyle(usesColor: true)
    #expect(style.red("x") == "\u{1B}[31mx\u{1B}[0m")
    #expect(style.bold("") == "")
    #expect(TextStyle.plain.red("x") == "x")
  }
}
