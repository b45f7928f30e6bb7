import Bytes

/// What a command line asks for, checked against its description.
package struct ParsedArguments: Sendable {
  /// What the tool should do.
  package enum Request: Sendable, Equatable {
    case run
    /// Show all of the command's help; nothing else was checked.
    case help
    /// Show a screen of the command's help; nothing else was checked.
    case screenOfHelp
    /// Show what is said about options that many commands share.
    case topic(Command.Topic)
    /// Show what a word means that is no command; the path is that of the command that is meant.
    case synonym(String, Command.Synonym)
    /// Show the tool's version; nothing else was checked.
    case version
  }

  struct GivenOption: Sendable {
    /// The long name without hyphens, however it was typed.
    let name: String
    /// The option as typed, as in `-o`.
    let label: String
    /// The value; nil for a flag.
    let value: ArgumentValue?
  }

  /// What to do.
  package let request: Request
  /// The command that was selected.
  package let path: CommandPath
  /// Every option in the order given.
  let options: [GivenOption]
  /// The values of those of each name; there may be thousands, and as many inputs that ask.
  private let given: [String: [ArgumentValue]]
  /// The words of each positional by its name.
  let words: [String: [ArgumentValue]]
  /// All words of the positionals that are files.
  package let files: [ArgumentValue]

  init(
    request: Request, path: CommandPath, options: [GivenOption], words: [String: [ArgumentValue]]
  ) {
    self.request = request
    self.path = path
    self.options = options
    given = Dictionary(grouping: options, by: \.name).mapValues { $0.compactMap(\.value) }
    self.words = words
    let names = path.leaf.positionals.filter { $0.completion == .file }.map(\.name)
    // Of one positional, as most commands have it, the words are not copied.
    files = names.count == 1 ? words[names[0]] ?? [] : names.flatMap { words[$0] ?? [] }
  }

  /// Whether the option was given, with or without a value.
  package func flag(_ name: String) -> Bool {
    assertDescribed(option: name)
    return given[name] != nil
  }

  /// The value of an option; nil when it was not given or has none.
  package func value(_ name: String) -> ArgumentValue? { values(name).last }

  /// All values of an option, in the order given.
  package func values(_ name: String) -> [ArgumentValue] {
    assertDescribed(option: name)
    return given[name] ?? []
  }

  /// The options whose values are paths, with their values in the order given.
  package var paths: [(option: Option, value: String)] {
    let described = path.options.filter(\.takesPath)
    return options.compactMap { given in
      described.first { $0.name == given.name }.flatMap { option in
        given.value.map { (option, $0.text) }
      }
    }
  }

  /// The words of a positional, in the order given.
  package func positionals(_ name: String) -> [ArgumentValue] {
    assert(
      path.leaf.positionals.contains { $0.name == name }, "\(path.name) has no positional \(name)")
    return words[name] ?? []
  }

  /// The first word of a positional; nil when it was left out.
  package func positional(_ name: String) -> ArgumentValue? { positionals(name).first }

  /// The command line as one would type it in a shell; of many words only the first few.
  package func commandLine(limit: Int = 20) -> String {
    let words = path.leaf.positionals.flatMap { self.words[$0.name] ?? [] }.map(\.text)
    return commandLine(of: words, limit: limit)
  }

  /// The same command line with other words, and without some options.
  package func commandLine(
    of words: [String], without names: Set<String> = [], limit: Int = 20
  ) -> String {
    var parts = [path.name]
    for option in options where !names.contains(option.name) {
      parts.append(option.label)
      if let value = option.value { parts.append(quotedForShell(value.text)) }
    }
    parts += words.prefix(limit).map(quotedForShell)
    if words.count > limit { parts.append("… (\(words.count - limit) more)") }
    return parts.joined(separator: " ")
  }

  /// Whether the selected command has an option of that name at all.
  package func describes(option name: String) -> Bool { path.hasOption(named: name) }

  /// A misspelt name is a mistake in the tool, found by its first test; in a release build it reads
  /// as "not given" rather than ending a person's run.
  private func assertDescribed(option name: String) {
    assert(describes(option: name), "\(path.name) has no option --\(name)")
  }
}

extension ParsedArguments {
  /// The value of an option as a whole number within `range`; nil when it was not given.
  ///
  /// - Throws: `UsageError` with code `invalidValue`.
  package func integer(_ name: String, in range: ClosedRange<Int>) throws(UsageError) -> Int? {
    guard let value = value(name) else { return nil }
    guard let number = Int(value.text), range.contains(number) else {
      let limits =
        range.upperBound == .max
        ? "of at least \(range.lowerBound)" : "from \(range.lowerBound) to \(range.upperBound)"
      throw invalid(value, "is not a whole number \(limits)")
    }
    return number
  }

  /// The error for a value that a command itself finds wrong; `reason` goes on from the value.
  func invalid(_ value: ArgumentValue, _ reason: String) -> UsageError {
    UsageError(
      .invalidValue, "\(value.label): '\(shownArgument(value.text))' \(reason)",
      commandPath: path.names)
  }
}

/// An argument as it may appear in a message: escaped and not too long.
func shownArgument(_ text: String) -> String { escapedForTerminal(text, width: 60) }

/// A word from the command line that remembers where it came from.
package struct ArgumentValue: Sendable, Equatable {
  /// The value itself.
  package let text: String
  /// What the person would call it: the option as typed, or the positional's name.
  package let label: String
  /// The position among the arguments, counted from 0 after the tool's name.
  package let index: Int

  /// Pairs a word with its origin.
  package init(text: String, label: String, index: Int) {
    self.text = text
    self.label = label
    self.index = index
  }
}
