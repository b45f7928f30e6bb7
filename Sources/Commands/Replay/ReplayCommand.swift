import Bytes
import CanonicalStore
import CommandLineKit
import Records
import Replay

/// `rehome replay`: what was still waiting is sent to a server, or applied to another store.
enum ReplayCommand {
  static let description = Command(
    name: "replay",
    summary: "send what was still waiting, exactly once",
    discussion: [
      "Sends the pending operations of a store to the table service at a URL, or applies them to "
        + "a canonical store, which is the rehearsal. Operations on one item keep their order, "
        + "and what several come to is sent as one change, with the version that the device knew "
        + "as its condition.",
      "A journal in the canonical store is written before each request and after each answer. A "
        + "run that was stopped or killed at any moment goes on when it is started again: what "
        + "was sent without an answer is looked up on the server first, so nothing is sent twice "
        + "and nothing is left out. A store of another layout is converted first; the source "
        + "itself is never changed.",
      "Tokens come from --header-file and appear nowhere else. --dry-run shows every request "
        + "without sending one.",
      "A canonical store as the target answers as a server would. Changed items get a new "
        + "version and the time of the run as updatedAt; a table with a column for deleted items "
        + "keeps them, marked.",
    ],
    examples: [
      Command.Example(
        "rehome replay qstodoitem.sqlite --to https://example.net --dry-run",
        "see what would be sent"),
      Command.Example(
        "rehome replay qstodoitem.sqlite --to https://example.net --header-file token.txt",
        "send it"),
      Command.Example(
        "rehome replay device.rehome --to server.rehome --on-conflict client-wins",
        "rehearse it on a store that was seeded from the server"),
    ],
    options: ReplayOptions.described + CommonOptions.opening + CommonOptions.reporting,
    positionals: [
      Positional("STORE", help: "the store whose operations are sent", completion: .file)
    ],
    exitStatuses: ExitCode.list([
      .complete, .completeWithRejects, .conflicts, .usage, .notAStore, .inputMissing,
      .unavailable, .cannotCreate, .inputOutput, .temporary, .notPermitted, .interrupted,
    ]),
    seeAlso: ["rehome-store(5)", "rehome-findings(7)"])

  /// Shows the plan, or carries it out and reports.
  static func run(_ settings: RunSettings) async throws(StoreError) -> ExitCode {
    let options = try ReplayOptions(settings.arguments)
    if options.isDryRun {
      let source = try await ReplaySource.preview(settings)
      return try ReplayPreview(source: source, options: options, settings: settings).run()
    }
    let source = try await ReplaySource.prepare(settings)
    let report = try ReplayRun(source: source, options: options, settings: settings).run()
    try write(report, settings)
    guard report.exitCode != .interrupted else {
      throw StoreError(.interrupted, "stopped by a signal")
    }
    return report.exitCode
  }

  private static func write(
    _ report: ReplayReport, _ settings: RunSettings
  ) throws(StoreError) {
    if let path = settings.arguments.value("report")?.text {
      var staged = try storeErrors { () throws(FileError) in
        try StagedOutput(for: path, replacing: settings.arguments.flag("force"))
      }
      try report.writeJSON { (bytes) throws(StoreError) in
        try storeErrors { () throws(FileError) in try staged.write(bytes.span) }
      }
      do {
        try staged.publish()
      } catch {
        throw StoreError(error)
      }
    }
    if settings.wantsJSON { try report.writeJSON(settings.console.writeOutput) }
    settings.say(ReplayText(report, style: settings.console.terminal.errorStyle).text)
  }
}
