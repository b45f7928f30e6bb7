/// A mistake in the arguments: what is wrong, where, and what to try.
package struct UsageError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The kinds of mistakes.
  package enum Code: Sendable, Equatable {
    /// No command in scope has the option.
    case unknownOption
    /// There is no such subcommand.
    case unknownCommand
    /// A subcommand is needed and none was given.
    case missingCommand
    /// An option that needs a value has none.
    case missingValue
    /// A flag was given a value.
    case unexpectedValue
    /// An option that takes one value was given twice.
    case repeatedOption
    /// A value is not one of the allowed words.
    case invalidChoice
    /// A value does not have the form or range it needs.
    case invalidValue
    /// A positional has too few words.
    case missingArgument
    /// There are more words than the command takes.
    case unexpectedArgument
    /// A required option is missing.
    case missingOption
    /// Arguments that exclude or require each other.
    case conflictingArguments
  }

  /// The kind of mistake.
  package let code: Code
  /// What is wrong and, where known, what was probably meant; safe to show on a terminal.
  package let message: String
  /// The command that was being parsed, root first.
  package let commandPath: [String]
  /// A command line that does what was probably meant.
  package let example: String?

  /// Makes an error; `message` must hold text from arguments only in escaped form.
  package init(
    _ code: Code, _ message: String, commandPath: [String], example: String? = nil
  ) {
    self.code = code
    self.message = message
    self.commandPath = commandPath
    self.example = example
  }

  /// What follows the message: what to try, where that is known, and where to read on.
  package var hint: String {
    (example.map { "  try: \($0)\n" } ?? "")
      + "see '\(commandPath.joined(separator: " ")) --help'"
  }

  /// All lines as printed, with the command in front.
  package var description: String {
    "\(commandPath.joined(separator: " ")): \(message)\n\(hint)"
  }
}
