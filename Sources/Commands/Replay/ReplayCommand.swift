import Bytes
import CommandLineKit
import Records

/// `rehome replay`: what was still waiting is sent to a server, or applied to another store.
enum ReplayCommand {
  static let description = Command(
    name: "replay",
    summary: "send what was still waiting, each change once",
    discussion: [
      "Sends the pending operations of a store to the table service at a URL. With a canonical store "
        + "as the target it is a rehearsal: they are applied to that store. A store of another layout "
        + "is converted first, to the file of --journal, and is itself never changed.",
      "Operations on one item keep their order, and what several come to is sent as one change, with "
        + "the version that the device knew as its condition. --dry-run shows every request without "
        + "sending one.",
      "'rehome audit' and 'rehome ops' read the journal: they show what became of each operation, "
        + "target by target, and what still waits at the latest server of each device. What was only "
        + "rehearsed still waits.",
    ],
    sections: sections,
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
    essentials: ["to", "dry-run", "header-file", "on-conflict", "journal", "table"],
    positionals: [
      Positional("STORE", help: "the store whose operations are sent", completion: .file)
    ],
    exitStatuses: ExitCode.reading(.completeWithRejects, .conflicts, .unavailable, .cannotCreate),
    seeAlso: ["rehome-store(5)", "rehome-findings(7)"])

  /// Shows the plan, or carries it out and reports.
  static func run(_ session: Session) throws(StoreError) -> ExitCode {
    let options = try ReplayOptions(session.arguments)
    let file = try session.beginFile("report")
    if options.isDryRun {
      let source = try ReplaySource.preview(session)
      do {
        return try ReplayPreview(source: source, options: options, session: session).run(file)
      } catch {
        throw source.told(error)
      }
    }
    let source = try ReplaySource.prepare(session)
    var hasBegun = false
    let report: ReplayReport
    do {
      report = try ReplayRun(source: source, options: options, session: session).run {
        hasBegun = true
      }
    } catch {
      if !hasBegun { source.discardIfNew() }
      throw error
    }
    try write(report, to: file, session)
    guard report.exitCode != .interrupted else { throw StoreError.interrupted }
    guard report.exitCode == .complete else { return report.exitCode }
    // What is told as server-changed-value.
    return session.exitCode(worst: report.changedCount > 0 ? .warning : nil)
  }

  private static func write(
    _ report: ReplayReport, to file: consuming StagedOutput?, _ session: Session
  ) throws(StoreError) {
    // What was sent is told even where nothing else can be written.
    let words = ReplayText(report, style: session.console.terminal.errorStyle)
    if !session.isQuiet {
      session.say(words.text)
    } else if report.exitCode != .complete, report.exitCode != .interrupted {
      session.console.tell("rehome: \(words.outline)\n")
    }
    if let file = consume file {
      try session.finish(file) { (write) throws(StoreError) in try report.writeJSON(write) }
    }
    if session.wantsJSON { try report.writeJSON(session.console.writeOutput) }
  }
}
