extension Command {
  /// Words that people try, and the command that does what they mean.
  package struct Synonym: Sendable, Equatable {
    /// The words, in lower case.
    package var words: [String]
    /// The way to the command from the one that has the synonym, as in `["ops", "list"]`.
    var names: [String]
    /// What to type instead.
    package var example: Example

    /// Leads some words, with blanks between them, to a command below.
    package init(_ words: String, leadTo command: String, _ example: Example) {
      self.words = words.split(separator: " ").map(String.init)
      names = command.split(separator: " ").map(String.init)
      self.example = example
    }
  }

  /// Options that many commands share, explained on one page instead of on each.
  package struct Topic: Sendable, Equatable {
    /// The word after `help`.
    package var name: String
    /// One line that says what the options are for: lower case, no final full stop.
    var summary: String
    /// Longer text, one paragraph an element, in full sentences.
    var discussion: [String]
    /// Command lines worth copying.
    package var examples: [Example]
    /// The options; where a command has exactly such a one, it only names it.
    package var options: [Option]

    /// Describes what some options have in common.
    package init(
      _ name: String, summary: String, discussion: [String] = [], examples: [Example] = [],
      options: [Option]
    ) {
      self.name = name
      self.summary = summary
      self.discussion = discussion
      self.examples = examples
      self.options = options
    }
  }

  /// What a word means that is no subcommand, if that is known.
  func synonym(_ word: String) -> Synonym? {
    let word = word.lowercased()
    return synonyms.first { $0.words.contains(word) }
  }

  /// The topic of a name, if there is one.
  package func topic(named name: String) -> Topic? { topics.first { $0.name == name } }
}

extension CommandPath {
  /// The topics that tell of options of this command, each with those of them that it has.
  var sharedOptions: [(topic: Command.Topic, options: [Option])] {
    let all = options
    return (commands.first?.topics ?? []).compactMap { topic in
      let shared = topic.options.filter(all.contains)
      return shared.isEmpty ? nil : (topic, shared)
    }
  }

  /// The options that the command's own page explains.
  var ownOptions: [Option] {
    let shared = sharedOptions.flatMap(\.options)
    return options.filter { !shared.contains($0) }
  }

  /// The options that matter most, for a screen of help.
  var essentialOptions: [Option] {
    guard !leaf.essentials.isEmpty else { return ownOptions }
    let all = options
    return leaf.essentials.compactMap { name in all.first { $0.name == name } }
  }
}
