import CommandLineKit
import Testing

/// A made-up tool with every kind of option and positional, and commands two levels deep.
enum SampleTool {
  static let common = [
    Option("quiet", letter: "q", help: "say only what went wrong", group: "Common options"),
    Option("verbose", letter: "v", help: "say more", group: "Common options"),
    Option(
      "color",
      argument: .value(placeholder: "WHEN", completion: .choices(["auto", "always", "never"])),
      help: "colour the output", group: "Common options", defaultText: "auto"),
  ]

  static let fire = Command(
    name: "fire", summary: "fire pots in a kiln",
    discussion: [
      "Each POT is heated slowly. A pot's curve isn't changed: what \"cone\" says, holds.",
      ".dotted paragraphs and C:\\paths survive.",
    ],
    sections: [
      .init(
        "Cones - and curves", "A cone bends when it is hot enough.", "--curve goes before --cone."),
      .init(
        "Clay", "Red clay is fired at a low cone, as in every kiln that people have built since."),
    ],
    examples: [
      .init("kiln fire bowl.pot -o out", "fire one pot"),
      .init("kiln fire --cone=-5 *.pot --output out", "fire many at a low cone"),
    ],
    options: [
      Option(
        "output", letter: "o", argument: .value(placeholder: "DIR", completion: .folder),
        help: "put the fired pots here", isRequired: true),
      Option("cone", letter: "c", argument: .value(placeholder: "N"), help: "how hot to fire"),
      Option(
        "curve", argument: .value(placeholder: "FILE", completion: .file),
        help: "read the heating curve from a file"),
      Option(
        "clay", letter: "k",
        argument: .repeatableValue(
          placeholder: "CLAY", completion: .suggestions(["red", "white", "don't know"])),
        help: "fire only pots of this clay"),
      Option(
        "soak", argument: .value(placeholder: "MIN", completion: .choices(["5", "10"])),
        help: "hold the heat [at the top: a while]"),
      Option("json", letter: "j", help: "print a report as JSON"),
    ],
    positionals: [
      Positional("POT", help: "a pot to fire", cardinality: .oneOrMore, completion: .file)
    ],
    exitStatuses: [.init(0, "all pots are whole"), .init(2, "a pot broke")],
    seeAlso: ["clay(5)"])

  static let log = Command(
    name: "log", summary: "look at earlier firings",
    subcommands: [
      Command(name: "list", summary: "list all firings"),
      Command(
        name: "show", summary: "show one firing",
        positionals: [
          Positional("FIRING", help: "the firing's number"),
          Positional("PART", help: "a part of it", cardinality: .optional),
        ]),
    ])

  static let compare = Command(
    name: "compare", summary: "compare two pots",
    options: [Option("plain", letter: "p", help: "leave out the colours")],
    positionals: [
      Positional("POT", help: "pots", cardinality: .zeroOrMore, completion: .file),
      Positional("MODEL", help: "the pot to compare with", completion: .file),
    ])

  static let shells = Command(
    name: "shells", summary: "print shell completions",
    positionals: [
      Positional("SHELL", help: "the shell", completion: .choices(["bash", "zsh", "fish"])),
      Positional("FOLDER", help: "where to", cardinality: .optional, completion: .folder),
    ])

  static let root = Command(
    name: "kiln", summary: "fire pots without breaking them",
    examples: [.init("kiln fire bowl.pot -o out", "fire one pot")],
    options: common, subcommands: [fire, log, compare, shells],
    exitStatuses: [.init(0, "it worked"), .init(64, "the arguments are wrong")],
    variables: [.init("KILN", "which kiln is fired")])

  /// The same tool with a topic of help and with words that people try.
  static let guided = {
    var tool = root
    tool.synonyms = [
      .init("burn bake", leadTo: "fire", .init("kiln fire bowl.pot -o out", "fire one pot"))
    ]
    tool.topics = [.init("curves", summary: "how heat rises", options: [])]
    return tool
  }()

  /// Parses a command line given as one string.
  static func parse(_ line: String) throws(UsageError) -> ParsedArguments {
    try ArgumentParser.parse(line.split(separator: " ").map(String.init), with: root)
  }

  /// The mistake in a command line.
  static func mistake(_ arguments: [String]) throws -> UsageError {
    try #require(throws: UsageError.self) { try ArgumentParser.parse(arguments, with: root) }
  }

  static func path(_ names: String...) throws -> CommandPath {
    try #require(CommandPath(following: names, from: root))
  }
}
