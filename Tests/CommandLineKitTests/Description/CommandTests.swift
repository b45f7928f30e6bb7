import Testing

@testable import CommandLineKit

struct CommandTests {
  @Test func sampleToolHasNoProblems() {
    #expect(SampleTool.root.descriptionProblems() == [])
  }

  @Test func problemsOfADescriptionAreNamed() {
    let broken = Command(
      name: "tool", summary: "",
      options: [
        Option("fast", letter: "f", help: "go fast"), Option("fast", help: "go faster."),
        Option("far", letter: "f", help: "go far"),
      ],
      positionals: [
        Positional("A", help: "a", cardinality: .oneOrMore),
        Positional("B", help: "b", cardinality: .optional),
      ],
      subcommands: [Command(name: "x", summary: "x"), Command(name: "x", summary: "x")])
    #expect(
      broken.descriptionProblems() == [
        "tool: two subcommands are called x",
        "tool: two options are called --fast",
        "tool: two options use -f",
        "tool: summary has no text",
        "tool: the text of --fast ends with a full stop",
        "tool: it has both subcommands and positionals",
        "tool: more than one positional has no fixed number of words",
      ])
  }

  @Test func problemsOfParagraphsAreNamed() {
    let broken = Command(
      name: "tool", summary: "x", discussion: ["--fast goes, as --help says."],
      sections: [.init("Ends", "--far and --fast go nowhere", "It is --far.")],
      options: [Option("fast", help: "x")])
    #expect(
      broken.descriptionProblems() == [
        "tool: '--far and --fast go …' is no full sentence", "tool: there is no --far to tell of",
      ])
  }

  @Test func problemsOfGuidanceAreNamed() {
    let broken = Command(
      name: "tool", summary: "x", essentials: ["fast"],
      subcommands: [Command(name: "go", summary: "x")],
      synonyms: [
        .init("run go", leadTo: "go", .init("tool go", "x")),
        .init("run", leadTo: "gone", .init("tool gone", "x")),
      ],
      topics: [.init("a", summary: "x", options: []), .init("a", summary: "x", options: [])])
    #expect(
      broken.descriptionProblems() == [
        "tool: there is no --fast for -h to show", "tool: two synonyms are called run",
        "tool: the synonym go is a subcommand", "tool: run leads nowhere",
        "tool: two topics are called a",
      ])
  }

  @Test func optionsOfATopicAreNoLongerTheCommandsOwn() throws {
    let hot = Option("hot", help: "x")
    let root = Command(
      name: "tool", summary: "x",
      subcommands: [
        Command(name: "go", summary: "x", options: [hot, Option("cold", help: "x")]),
        Command(name: "stay", summary: "x", options: [Option("hot", help: "another")]),
      ], topics: [.init("heat", summary: "x", options: [hot])])
    let go = try #require(CommandPath(following: ["go"], from: root))
    #expect(go.ownOptions.map(\.name) == ["cold", "help"])
    #expect(go.sharedOptions.map(\.topic.name) == ["heat"])
    let stay = try #require(CommandPath(following: ["stay"], from: root))
    #expect(stay.ownOptions.map(\.name) == ["hot", "help"] && stay.sharedOptions.isEmpty)
  }

  @Test func pathsVisitTheTreeFromTheTop() {
    #expect(
      CommandPath.every(in: SampleTool.root).map(\.name) == [
        "kiln", "kiln fire", "kiln log", "kiln log list", "kiln log show", "kiln compare",
        "kiln shells",
      ])
  }

  @Test func pathToAnUnknownCommandIsNil() {
    #expect(CommandPath(following: ["log", "burn"], from: SampleTool.root) == nil)
  }

  @Test func optionsAreOwnThenInheritedThenBuiltIn() throws {
    let path = try SampleTool.path("compare")
    #expect(path.options.map(\.name) == ["plain", "quiet", "verbose", "color", "help"])
  }

  @Test func nearerOptionHidesTheInheritedOne() throws {
    let child = Command(
      name: "child", summary: "child", options: [Option("color", help: "a flag here")])
    let root = Command(
      name: "tool", summary: "tool", options: SampleTool.common, subcommands: [child])
    let path = try #require(CommandPath(following: ["child"], from: root))
    #expect(path.options.filter { $0.name == "color" }.map(\.argument) == [.flag])
  }

  @Test func exitStatusesComeFromTheNearestCommandThatHasSome() throws {
    #expect(try SampleTool.path("log", "show").exitStatuses.map(\.code) == [0, 64])
    #expect(try SampleTool.path("fire").exitStatuses.map(\.code) == [0, 2])
  }
}
