import CommandLineKit
import Testing

struct DescribedNameTests {
  @Test func everyCommandAndOptionIsListed() {
    let names = SampleTool.root.describedNames()
    #expect(names.contains { $0.commandPath == "kiln log show" && $0.name == "show" })
    #expect(names.contains { $0.commandPath == "kiln fire" && $0.name == "--cone" })
    #expect(names.contains { $0.commandPath == "kiln log list" && $0.name == "--color" })
  }

  @Test func helpAndManualTogetherMissNothing() {
    let paths = CommandPath.every(in: SampleTool.root)
    let help = paths.map { HelpText.text(for: $0, terminalWidth: nil, style: .plain) }
    let manual = paths.map { ManualPage.troff(for: $0, date: "2025-01-31", version: "1") }
    #expect(SampleTool.root.namesMissing(from: help.joined()) == [])
    #expect(SampleTool.root.namesMissing(from: manual.joined()) == [])
    #expect(SampleTool.root.unknownOptions(in: help.joined() + manual.joined()) == [])
  }

  @Test func missingNameIsFoundDespiteALongerOne() {
    let root = Command(name: "tool", summary: "x", options: [Option("out", help: "x")])
    let missing = root.namesMissing(from: "tool --output --help --version").map(\.name)
    #expect(missing == ["--out"])
  }

  @Test(arguments: ["use --jsn now", "\\fB\\-\\-jsn\\fR", "`--jsn=x`, --help", "[--jsn]"])
  func optionThatNobodyHasIsFound(text: String) {
    #expect(SampleTool.root.unknownOptions(in: text) == ["--jsn"])
  }

  @Test(arguments: ["--quiet", "a -- b", "| --- | --- |", "\\-\\-json"])
  func textWithoutUnknownOptionsIsAccepted(text: String) {
    #expect(SampleTool.root.unknownOptions(in: text) == [])
  }
}
