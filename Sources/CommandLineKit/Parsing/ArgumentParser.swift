/// Reads arguments the way GNU tools do.
///
/// Options and words may be mixed, `--` ends the options, `-` alone is a word. Long options must be
/// written out. A request for help wins over mistakes elsewhere on the line.
package struct ArgumentParser {
  var path: CommandPath
  var scope: [Option]
  /// Everything after the tool's name.
  let arguments: [String]
  var next = 0
  /// The options so far, in the order given.
  var options: [ParsedArguments.GivenOption] = []
  /// The words so far, not yet dealt out to positionals.
  var words: [ArgumentValue] = []
  /// The first mistake; parsing goes on, because a later `--help` outranks it.
  var firstError: UsageError?
  /// Whether help was asked for anywhere, and more of it than a screen.
  var wantsHelp = false
  var wantsAllHelp = false
  /// What help was asked for about something else than a command.
  var subject: ParsedArguments.Request?
  var wantsVersion = false

  private init(_ arguments: [String], root: Command) {
    self.arguments = arguments
    path = CommandPath(root: root)
    scope = path.options
  }

  /// Checks `arguments`, without the tool's own name, against the description of the tool.
  ///
  /// - Throws: `UsageError` for the first mistake, unless help or the version is asked for.
  package static func parse(
    _ arguments: [String], with root: Command
  ) throws(UsageError) -> ParsedArguments {
    var parser = ArgumentParser(arguments, root: root)
    parser.readAll()
    return try parser.result()
  }

  private mutating func readAll() {
    var optionsEnded = false
    while next < arguments.count {
      let index = next
      let argument = arguments[index]
      next += 1
      if optionsEnded || !looksLikeOption(argument) {
        readWord(argument, at: index)
      } else if argument == "--" {
        optionsEnded = true
      } else if argument.utf8.starts(with: "--".utf8) {
        readLongOption(argument, at: index)
      } else {
        readShortOptions(argument, at: index)
      }
    }
  }

  private mutating func result() throws(UsageError) -> ParsedArguments {
    if wantsHelp, let subject {
      return ParsedArguments(request: subject, path: path, options: [], words: [:])
    }
    // Help on a command that there is not would be help on something else.
    if let firstError, firstError.code == .unknownCommand { throw firstError }
    if wantsHelp || wantsVersion {
      let help: ParsedArguments.Request = wantsAllHelp ? .help : .screenOfHelp
      return ParsedArguments(
        request: wantsHelp ? help : .version, path: path, options: [], words: [:])
    }
    if let firstError { throw firstError }
    if !path.leaf.subcommands.isEmpty { throw missingCommand() }
    let assigned = try assignedWords()
    try checkRequiredOptions()
    return ParsedArguments(request: .run, path: path, options: options, words: assigned)
  }

  /// Remembers a mistake unless there was an earlier one.
  mutating func note(_ code: UsageError.Code, _ message: String) {
    guard firstError == nil else { return }
    firstError = error(code, message)
  }

  /// An error about the command found so far.
  func error(_ code: UsageError.Code, _ message: String) -> UsageError {
    UsageError(code, message, commandPath: path.names)
  }
}

/// Whether an argument is written as an option; compared by bytes, so that a combining mark after
/// the hyphen does not hide it.
func looksLikeOption(_ argument: String) -> Bool {
  argument.utf8.first == UInt8(ascii: "-") && argument.utf8.count > 1
}
