/// One command or subcommand: the single source of parsing, help, manual and completions.
///
/// A command has either subcommands or positionals. Its options also apply to everything below it,
/// before or after the subcommand's name.
package struct Command: Sendable, Equatable {
  /// The word that selects the command; for the root, the name of the tool.
  package var name: String
  /// One line that says what the command does: lower case, no final full stop.
  var summary: String
  /// Longer text, one paragraph an element, in full sentences.
  var discussion: [String]
  /// What is behind the discussion, for those who look for one thing.
  var sections: [Section]
  /// Command lines worth copying, most useful first.
  package var examples: [Example]
  /// What can be switched on or set; shown in this order within each group.
  package var options: [Option]
  /// The long names of the options that `-h` shows, in its order; all of them where empty.
  var essentials: [String]
  /// What the command works on, in order.
  var positionals: [Positional]
  /// The commands one level below.
  package var subcommands: [Command]
  /// Words that are no commands, and what does what they mean.
  package var synonyms: [Synonym]
  /// Options that many commands share; only the tool itself has such.
  package var topics: [Topic]
  /// What the process's exit codes mean; where empty, the manual shows the parent's.
  var exitStatuses: [ExitStatus]
  /// The variables of the environment that count for all commands; only the tool itself has such.
  var variables: [Variable]
  /// Other manual pages, as in `sqlite3(1)`.
  package var seeAlso: [String]

  /// Describes a command; whatever is left out is empty.
  package init(
    name: String, summary: String, discussion: [String] = [], sections: [Section] = [],
    examples: [Example] = [], options: [Option] = [], essentials: [String] = [],
    positionals: [Positional] = [], subcommands: [Command] = [], synonyms: [Synonym] = [],
    topics: [Topic] = [], exitStatuses: [ExitStatus] = [], variables: [Variable] = [],
    seeAlso: [String] = []
  ) {
    self.name = name
    self.summary = summary
    self.discussion = discussion
    self.sections = sections
    self.examples = examples
    self.options = options
    self.essentials = essentials
    self.positionals = positionals
    self.subcommands = subcommands
    self.synonyms = synonyms
    self.topics = topics
    self.exitStatuses = exitStatuses
    self.variables = variables
    self.seeAlso = seeAlso
  }

  /// The direct subcommand called `name`, if there is one.
  func subcommand(named name: String) -> Command? {
    subcommands.first { $0.name == name }
  }
}

extension Command {
  /// Some paragraphs about one subject.
  package struct Section: Sendable, Equatable {
    /// The subject, without a full stop.
    var title: String
    /// In full sentences, one paragraph an element.
    var paragraphs: [String]

    /// Puts paragraphs under a title.
    package init(_ title: String, _ paragraphs: String...) {
      self.title = title
      self.paragraphs = paragraphs
    }
  }

  /// A command line and what it does.
  package struct Example: Sendable, Equatable {
    /// What to type, with the tool's name in front.
    package var commandLine: String
    /// What it does, in one short phrase.
    package var explanation: String

    /// Pairs a command line with its explanation.
    package init(_ commandLine: String, _ explanation: String) {
      self.commandLine = commandLine
      self.explanation = explanation
    }
  }

  /// A variable of the environment and what it does.
  package struct Variable: Sendable, Equatable {
    /// What it is called.
    var name: String
    /// What its value decides.
    var meaning: String

    /// Pairs a variable with its meaning.
    package init(_ name: String, _ meaning: String) {
      self.name = name
      self.meaning = meaning
    }
  }

  /// An exit code and what it tells a script.
  package struct ExitStatus: Sendable, Equatable {
    /// The number, from 0 to 255.
    package var code: Int
    /// When the tool ends with it.
    var meaning: String

    /// Pairs an exit code with its meaning.
    package init(_ code: Int, _ meaning: String) {
      self.code = code
      self.meaning = meaning
    }
  }
}
