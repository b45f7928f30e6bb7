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
    essentials: ["table", "item", "kind", "state", "finding", "json"],
    positionals: [OpsCommand.store],
    exitStatuses: ExitCode.list([
      .complete, .usage, .notAStore, .inputMissing, .inputOutput, .temporary, .notPermitted,
      .interrupted,
    ]))

  /// Lists the chosen operations.
  static func run(_ settings: RunSettings) throws(StoreError) -> ExitCode {
    let reader = try settings.openStore(try OpsCommand.path(settings))
    guard settings.wantsJSON || settings.arguments.value("finding") != nil else {
      let queue = try reader.readDecodedQueue().afterReplay()
      try SourceProof.checkUnchanged(reader)
      return try list(
        queue, of: reader.source, try OperationFilter(settings.arguments), settings)
    }
    let view = QueueView(of: reader, queue: try reader.readQueue())
    let audit = try StoreAudit(ofOperationsIn: view, settings, listsRows: settings.wantsJSON)
    let filter = try OperationFilter(settings.arguments, audit.findings)
    guard settings.wantsJSON else {
      return try list(audit.queue, of: reader.source, filter, settings)
    }
    let console = settings.console
    try AuditJSON.write(filter.chosen(from: audit.queue.operations), of: audit) {
      (bytes) throws(StoreError) in try console.writeOutput(bytes)
    }
    return .complete
  }

  private static func list(
    _ queue: Queue, of source: SourceDescription, _ filter: OperationFilter,
    _ settings: RunSettings
  ) throws(StoreError) -> ExitCode {
    let operations = queue.operations
    let chosen = filter.chosen(from: operations)
    guard !chosen.isEmpty else {
      settings.say(
        operations.isEmpty
          ? "the queue is empty"
          : operations.count == 1
            ? "the only operation is not as asked for"
            : "none of the \(Quantity.count(operations.count)) operations is as asked for")
      return .complete
    }
    try OperationTable(of: source, queue.deliveries).print(chosen, to: settings.console)
    return .complete
  }
}
