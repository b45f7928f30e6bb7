import Audit
import Bytes
import CommandLineKit
import Records

/// `rehome ops list`: the operations in push order.
enum OpsListCommand {
  static let description = Command(
    name: "list",
    summary: "list operations in push order",
    examples: [
      Command.Example(
        "rehome ops list --kind delete qstodoitem.sqlite", "list the deletes that wait"),
      Command.Example(
        "rehome ops list --finding operation-without-row qstodoitem.sqlite",
        "list what can never be sent"),
    ],
    options: OperationFilter.options + CommonOptions.reading + CommonOptions.reporting,
    positionals: [OpsCommand.store],
    exitStatuses: ExitCode.list([
      .complete, .usage, .notAStore, .inputMissing, .inputOutput, .temporary, .notPermitted,
      .interrupted,
    ]))

  /// Lists the chosen operations.
  static func run(_ settings: RunSettings) async throws(StoreError) -> ExitCode {
    let audit = try await AuditCommand.audit(try OpsCommand.path(settings), settings)
    let filter = try OperationFilter(settings.arguments, audit)
    let chosen = audit.queue.operations.filter(filter.accepts)
    if settings.wantsJSON {
      let console = settings.console
      try AuditJSON.write(chosen, of: audit) { (bytes) throws(StoreError) in
        try console.writeOutput(bytes)
      }
      return .complete
    }
    guard !chosen.isEmpty else {
      let count = audit.queue.operations.count
      settings.say(
        count == 0 ? "the queue is empty" : "none of the \(count) operations is as asked for")
      return .complete
    }
    try settings.console.print(
      OperationTable.text(chosen, of: audit, style: settings.console.terminal.outputStyle))
    return .complete
  }
}
