/// Scripts that make a shell complete the tool's commands, options and values.
///
/// Each shell has its own file; all three follow the command line from stop to stop and count the
/// words for its positionals.
package enum CompletionScript {
  /// The tool's name as a part of shell function names.
  static func identifier(_ name: String) -> String {
    String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
  }

  /// Text in single quotes for bash and zsh.
  static func quoted(_ text: String) -> String {
    "'\(text.replacing("'", with: "'\\''"))'"
  }

  /// A point to which the words of a command line lead: a command, or `help` before one.
  struct Stop {
    /// The words that lead here, the tool's name first.
    let names: [String]
    var options: [Option] = []
    /// The words that may come next, each with what it stands for; none where positionals do.
    var words: [(word: String, summary: String)] = []
    /// The places of a command that has no commands below it.
    var positionals: [Positional] = []

    /// What a person types to get here, as in `tool ops list`.
    var name: String { names.joined(separator: " ") }

    /// The options by each spelling that takes the next word as its value, with the way here.
    var valueOptions: [String] {
      options.filter(\.takesValue).flatMap(\.spellings).map { "\(name) \($0)" }
    }

    /// The positionals by place; what follows an open-ended one cannot be told apart from it.
    var places: [(index: Int, isOpenEnded: Bool, kind: CompletionKind)] {
      let end = positionals.firstIndex(where: \.isVariadic).map { $0 + 1 } ?? positionals.count
      return positionals[..<end].enumerated().map { ($0, $1.isVariadic, $1.completion) }
    }
  }

  /// Every stop of a tool, the tool itself first.
  static func stops(of root: Command) -> [Stop] {
    CommandPath.every(in: root).flatMap { path -> [Stop] in
      var stop = Stop(names: path.names, options: path.options)
      guard !path.children.isEmpty else {
        stop.positionals = path.leaf.positionals
        return [stop]
      }
      stop.words = commands(below: path) + [("help", "show what a command does")]
      return [stop] + helpStops(about: path, names: path.names + ["help"])
    }
  }

  private static func commands(below path: CommandPath) -> [(word: String, summary: String)] {
    path.leaf.subcommands.map { ($0.name, $0.summary) }
  }

  /// Help tells of commands, of topics, and of words that people try instead of commands.
  private static func helpStops(about path: CommandPath, names: [String]) -> [Stop] {
    var stop = Stop(names: names)
    stop.words = commands(below: path) + path.leaf.topics.map { ($0.name, $0.summary) }
    for synonym in path.leaf.synonyms {
      let meant = synonym.names.joined(separator: " ")
      stop.words += synonym.words.map { ($0, "is called \(meant) here") }
    }
    let groups = path.children.filter { !$0.children.isEmpty }
    return [stop] + groups.flatMap { helpStops(about: $0, names: names + [$0.leaf.name]) }
  }
}

extension Option {
  /// Each way to write the option's name.
  var spellings: [String] { ["--\(name)"] + (letter.map { ["-\($0)"] } ?? []) }
}
