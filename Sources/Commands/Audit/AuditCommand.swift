import Audit
import Bytes
import CommandLineKit
import Records

/// `rehome audit`: what never reached the server, why, and what is odd about a store.
enum AuditCommand {
  static let description = Command(
    name: "audit",
    summary: "show what never reached the server, and why",
    discussion: [
      "Lists the operations that still wait in each store, what they come to when several concern "
        + "one item, the failures that were noted, how far pulls had come, and findings with "
        + "stable codes, most serious first. Nothing is changed and nothing is sent.",
      "Every finding is explained by 'rehome explain CODE'.",
    ],
    examples: [
      Command.Example("rehome audit qstodoitem.sqlite", "look at one store"),
      Command.Example(
        "rehome audit --csv operations.csv qstodoitem.sqlite",
        "list its operations for a "
          + "spreadsheet"),
      Command.Example(
        "rehome audit --html audit.html qstodoitem.sqlite", "make a page to read in a browser"),
      Command.Example(
        "rehome audit --json */Documents/*.sqlite", "audit many stores for a program"),
    ],
    options: [
      Option(
        "csv", argument: .value(placeholder: "FILE", completion: .file),
        help: "write the operations of all stores as CSV; - is standard output", group: "Output"),
      Option(
        "html", argument: .value(placeholder: "FILE", completion: .file),
        help: "write all of it as one page for a browser; - is standard output",
        group: "Output"),
      CommonOptions.force,
    ] + CommonOptions.reading + CommonOptions.reporting,
    positionals: [
      Positional(
        "STORE", help: "a store; its -wal and -journal are read with it",
        cardinality: .oneOrMore, completion: .file)
    ],
    exitStatuses: ExitCode.list([
      .complete, .completeWithRejects, .usage, .notAStore, .inputMissing, .cannotCreate,
      .inputOutput, .temporary, .notPermitted, .interrupted,
    ]),
    seeAlso: ["rehome-findings(7)"])

  /// Audits every store; one that cannot be read does not keep the others from being shown.
  static func run(_ settings: RunSettings) async throws(StoreError) -> ExitCode {
    let paths = settings.arguments.positionals("STORE").map(\.text)
    var output = try AuditOutput(
      settings, storeCount: paths.count, threads: threadCount())
    var worst = ExitCode.complete
    for path in paths {
      let audit: StoreAudit
      do {
        audit = try await self.audit(path, settings, listsRows: listsRows(settings))
      } catch {
        let error = settings.told(error)
        guard error.kind != .brokenPipe, error.kind != .interrupted else { throw error }
        ErrorMessage(error).write(to: settings.console)
        worst = ExitCode(error.kind)
        continue
      }
      // An output that cannot take one store is not complete, whatever follows.
      try output.add(audit, path: path)
      // The first finding is the most serious.
      let code = settings.exitCode(findings: Array(audit.findings.prefix(1)), rejects: 0)
      worst = worst == .complete ? code : worst
    }
    try output.finish()
    return worst
  }

  /// Reads and judges one store, and proves that it stayed as it was.
  static func audit(
    _ path: String, _ settings: RunSettings, listsRows: Bool = true
  ) async throws(StoreError) -> StoreAudit {
    let reader = try settings.openStore(path)
    var audit = try StoreAudit(
      of: reader, now: Timestamp.now, listsRows: listsRows, threads: threadCount()
    ) { () throws(StoreError) in try settings.checkInterruption() }
    try SourceProof.checkUnchanged(reader)
    audit.source.givenPath = path
    return audit
  }

  /// Whether an output shows the row of every operation.
  private static func listsRows(_ settings: RunSettings) -> Bool {
    settings.wantsJSON || ["csv", "html"].contains { settings.arguments.value($0) != nil }
  }
}
