/// One option of a command, with or without a value.
package struct Option: Sendable, Equatable {
  /// The long name without its hyphens.
  package var name: String
  /// The letter of the short form, if there is one.
  package var letter: Character?
  /// Whether a value follows, how often, and what it looks like.
  var argument: Argument
  /// What the option does: lower case, no final full stop.
  package var help: String
  /// The heading under which help and manual list it.
  var group: String
  /// What holds when the option is not given, as shown to people.
  var defaultText: String?
  /// Whether the command is wrong without it.
  var isRequired: Bool
  /// The option with which it is not required after all.
  var waiver: String?
  /// What the command makes at the path that is the value; empty where it reads what is there.
  package var output: Output

  /// Describes an option; it is a flag unless `argument` says otherwise.
  package init(
    _ name: String, letter: Character? = nil, argument: Argument = .flag, help: String,
    group: String = "Options", defaultText: String? = nil, isRequired: Bool = false,
    waivedBy waiver: String? = nil, output: Output = []
  ) {
    self.name = name
    self.letter = letter
    self.argument = argument
    self.help = help
    self.group = group
    self.defaultText = defaultText
    self.isRequired = isRequired
    self.waiver = waiver
    self.output = output
  }

  /// What a command makes at a path.
  package struct Output: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// A file, which stands where another one may have been.
    package static let file = Output(rawValue: 1)
    /// A folder, which stands where another one may have been, with all that was in it.
    package static let folder = Output(rawValue: 2)
    /// Files in a folder that is there, beside what is in it.
    package static let contents = Output(rawValue: 4)
    /// Nothing where the value is `-`, which is standard output.
    package static let stream = Output(rawValue: 8)
    /// A file that is a database.
    package static let database: Output = [.file, Output(rawValue: 16)]
    /// A database that is gone on with where it is there.
    package static let journal: Output = [.database, Output(rawValue: 32)]
  }

  /// The value that belongs to an option.
  package enum Argument: Sendable, Equatable {
    /// No value; giving it twice is the same as once.
    case flag
    /// Exactly one value; giving the option twice is a mistake.
    case value(placeholder: String, completion: CompletionKind = .free)
    /// One value each time the option is given.
    case repeatableValue(placeholder: String, completion: CompletionKind = .free)
  }
}

extension Option {
  /// The option that every command has.
  static let helpRequest = Option(
    "help", letter: "h", help: "show all of this; -h shows what matters most")
  /// The option that only the root has.
  static let versionRequest = Option("version", help: "show the version")

  /// Whether the value is a path.
  package var takesPath: Bool { completion == .file || completion == .folder }

  /// The word that stands for the value in help, nil for a flag.
  var placeholder: String? {
    switch argument {
    case .flag: nil
    case .value(let placeholder, _), .repeatableValue(let placeholder, _): placeholder
    }
  }

  /// What a shell can offer as the value; `free` for a flag.
  var completion: CompletionKind {
    switch argument {
    case .flag: .free
    case .value(_, let completion), .repeatableValue(_, let completion): completion
    }
  }

  var takesValue: Bool { argument != .flag }

  /// Whether the option may be given with several values.
  var isRepeatable: Bool {
    if case .repeatableValue = argument { return true }
    return false
  }
}

/// What a value looks like: what a shell offers for it and what the parser accepts.
///
/// A word list that is only known at run time is computed before the description is built and
/// given as `choices` or `suggestions`.
package enum CompletionKind: Sendable, Equatable {
  /// Anything; a shell offers nothing.
  case free
  case file
  case folder
  /// One of these words; any other is a usage error.
  case choices([String])
  /// These words are offered, any other is accepted too.
  case suggestions([String])
}
