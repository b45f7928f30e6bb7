import Bytes
package import CommandLineKit
import Exports
import Opening
import Records
import SQLite

/// The tool: one description of all commands, and the way from arguments to an exit code.
package enum RehomeCommand {
  /// The description that feeds parsing, help, manual and completions.
  package static let description = Command(
    name: "rehome",
    summary: "carry the data of old device apps into the present",
    discussion: [
      "Reads the local stores that mobile apps left on devices, shows what was still waiting to be "
        + "sent, and writes the data in forms that other programs read. The source is evidence: it "
        + "is never changed."
    ],
    examples: [
      Command.Example("rehome inspect qstodoitem.sqlite", "see what a store is and holds"),
      Command.Example(
        "rehome audit qstodoitem.sqlite", "see which changes never reached the server, and why"),
      Command.Example(
        "rehome export qstodoitem.sqlite --to csv --table TodoItem -o TodoItem.csv",
        "write a table for a spreadsheet"),
      Command.Example(
        "rehome convert qstodoitem.sqlite -o items.rehome",
        "put all of it into one plain SQLite file"),
      Command.Example(
        "rehome seed items.json -o fresh.rehome && rehome verify items.json fresh.rehome",
        "load an export into a new store, and prove that all of it is there"),
    ],
    subcommands: commands.map(\.description),
    synonyms: Guidance.synonyms, topics: Guidance.topics,
    exitStatuses: ExitCode.list(ExitCode.allCases),
    variables: [
      Command.Variable(
        "TMPDIR",
        "the folder for private copies of stores, which no run leaves there; /tmp where it is not "
          + "set, or empty. Rows that are too many for memory wait in /var/tmp"),
      Command.Variable(
        "NO_COLOR", "where it is set, and not empty, nothing is colored but by --color always"),
      Command.Variable("COLUMNS", "how wide text on a terminal is, whatever that says itself"),
      Command.Variable(
        "TERM", "where it is not set, empty or dumb, nothing is colored and no progress is shown"),
      Command.Variable(
        "USER, LOGNAME", "the name that marks of operations are kept with, unless --who gives one"),
      Command.Variable(
        "https_proxy, no_proxy", "how 'rehome replay' reaches a server, as with curl(1)"),
    ],
    seeAlso: [
      "rehome-store(5)", "rehome-export(5)", "rehome-findings(7)", "rehome-options(7)",
      "rehome-safety(7)",
    ])

  /// Each command with what carries it out, in the order of the help.
  private static let commands:
    [(description: Command, run: @Sendable (Session) throws(StoreError) -> ExitCode)] = [
      (FindCommand.description, FindCommand.run), (InspectCommand.description, InspectCommand.run),
      (ConvertCommand.description, ConvertCommand.run),
      (AuditCommand.description, AuditCommand.run), (OpsCommand.description, OpsCommand.run),
      (ReplayCommand.description, ReplayCommand.run),
      (ExportCommand.description, ExportCommand.run), (SeedCommand.description, SeedCommand.run),
      (ExplainCommand.description, ExplainCommand.run),
      (HashCommand.description, HashCommand.run), (VerifyCommand.description, VerifyCommand.run),
      (CompletionsCommand.description, CompletionsCommand.run),
    ]

  /// Runs the tool on `arguments`, the tool's own name left out.
  ///
  /// - Returns: the exit code.
  package static func run(
    _ arguments: [String], console: Console? = nil, temporaryFolder: String = "/tmp"
  ) async -> Int32 {
    let parsed: ParsedArguments
    do {
      parsed = try ArgumentParser.parse(arguments, with: description)
    } catch {
      let console = console ?? .standard()
      console.tell("rehome: \(error.message)\n\(error.hint)\n")
      if error.code == .missingCommand { showCommands(error.commandPath, on: console) }
      return ExitCode.usage.rawValue
    }
    let console = console ?? .standard(color: color(of: parsed))
    do {
      let limits = try InputLimits(parsed)
      let result = InputLimits.$current.withValue(limits) {
        run(parsed, limits, console, temporaryFolder: temporaryFolder)
      }
      return try result.get()
    } catch {
      return report(error, on: console)
    }
  }

  /// What the person says that is only for plain files of one format.
  private static func formatOptions(_ parsed: ParsedArguments) -> FormatOptions {
    FormatOptions(
      rows: parsed.describes(option: "rows") ? parsed.values("rows").map(\.text) : [],
      ofCSV: PlainOptions.namesOfCSV.filter { parsed.describes(option: $0) && parsed.flag($0) })
  }

  private static func run(
    _ parsed: ParsedArguments, _ limits: InputLimits, _ console: Console, temporaryFolder: String
  ) -> Result<Int32, StoreError> {
    let budget = RunBudget(limits)
    let session = Session(
      arguments: parsed, console: console,
      interruption: Interruption { SignalWatch.isInterrupted || budget.isSpent },
      temporaryFolder: temporaryFolder, budget: budget, pipes: PipedInputs(parsed),
      formatOptions: formatOptions(parsed))
    do {
      if parsed.request == .run {
        try session.checkFiles()
        try session.checkTableName()
      }
      let result = Result { () throws(StoreError) in try run(session) }
      // Whatever else went wrong comes from that.
      try checkWhatWasSetAside()
      return .success(try result.get())
    } catch {
      return .failure(session.reported(error))
    }
  }

  private static func run(_ session: Session) throws(StoreError) -> Int32 {
    let parsed = session.arguments
    if let text = help(parsed, session.console.terminal) {
      try session.console.print(text)
      return ExitCode.complete.rawValue
    }
    let name = parsed.path.names.dropFirst().first
    guard let command = commands.first(where: { $0.description.name == name }) else {
      throw StoreError(.internalError, "there is no such command")
    }
    let code = try command.run(session)
    let isIncomplete = code == .complete && session.heldStores.hasLosses
    return (isIncomplete ? .completeWithRejects : code).rawValue
  }

  /// What is shown instead of running a command; nil where one is to be run.
  private static func help(_ parsed: ParsedArguments, _ terminal: Terminal) -> String? {
    let (width, style) = (terminal.width, terminal.outputStyle)
    func screen() -> String {
      HelpText.screen(for: parsed.path, terminalWidth: width, style: style)
    }
    switch parsed.request {
    case .run: return nil
    case .version: return "rehome \(Tool.version)\n"
    case .help: return HelpText.text(for: parsed.path, terminalWidth: width, style: style)
    case .screenOfHelp: return screen()
    case .topic(let topic):
      return HelpText.text(about: topic, of: description, terminalWidth: width, style: style)
    case .synonym(let word, let synonym):
      let example = synonym.example
      return "'\(escapedForTerminal(word))' is no command; '\(parsed.path.name)' does that: "
        + "\(example.explanation)\n  \(example.commandLine)\n\n" + screen()
    }
  }

  /// Whoever gave no command wants to know which there are.
  private static func showCommands(_ names: [String], on console: Console) {
    guard let path = CommandPath(following: names.dropFirst(), from: description) else { return }
    let screen = HelpText.screen(
      for: path, terminalWidth: console.terminal.width, style: console.terminal.errorStyle)
    console.writeError("\n" + screen)
  }

  /// Says why the run stopped, where anybody wants to know, and returns the exit code.
  private static func report(_ error: StoreError, on console: Console) -> Int32 {
    switch error.kind {
    case .brokenPipe:
      // Whoever ran `rehome … | head` has what they wanted, and no use for a message.
      break
    case .interrupted:
      // Where the signal arrived, in the engine or between two batches, is nobody's concern.
      console.report(StoreError.interrupted)
      if let code = SignalWatch.exitCode { return code }
    default:
      console.report(error)
    }
    return ExitCode(error.kind).rawValue
  }

  private static func color(of parsed: ParsedArguments) -> ColorChoice {
    guard parsed.request == .run, parsed.describes(option: "color"),
      let value = parsed.value("color")?.text
    else { return .auto }
    return ColorChoice(rawValue: value) ?? .auto
  }
}

/// Facts about this build of the tool.
enum Tool {
  /// The version that is shown and written into stores.
  static let version = "0.1.0"
  /// The day of this version, for the manual.
  static let date = "2026-11-21"
}
