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
    options: OperationFilter.options + CommonOptions.reading + CommonOptions.reportingOperations,
    essentials: ["table", "item", "kind", "state", "finding", "json"],
    positionals: [OpsCommand.store],
    exitStatuses: ExitCode.reading(.completeWithRejects))

  /// Lists the chosen operations.
  static func run(_ session: Session) throws(StoreError) -> ExitCode {
    let reader = try session.openStore(try session.storePath)
    session.sayWhatMayBeMissing(reader.findings, of: reader.source)
    let needsAudit = ["finding", "fail-on"].contains { session.arguments.value($0) != nil }
    guard session.wantsJSON || needsAudit else {
      let queue = try reader.unchanged { () throws(StoreError) in
        try reader.readQueue(.withoutRaw).afterReplay()
      }
      let chosen = try OperationFilter(session.arguments).chosen(from: queue.operations, of: reader)
      try list(chosen, among: queue, of: reader, session)
      return .complete
    }
    let audit = try StoreAudit.ofOperations(in: reader, session, listsRows: session.wantsJSON)
    let filter = try OperationFilter(session.arguments, try findings(of: audit, reader, session))
    let chosen = try filter.chosen(from: audit.queue.operations, of: reader)
    if session.wantsJSON {
      try AuditJSON.write(chosen, of: audit, to: session.console.printJSON)
    } else {
      try list(chosen, among: audit.queue, of: reader, session)
    }
    return session.exitCode(of: chosen, audit)
  }

  /// What is found about operations; about those that are dropped, where it is them that are asked
  /// for, what would be if they were not.
  private static func findings(
    of audit: StoreAudit, _ reader: any StoreReader, _ session: Session
  ) throws(StoreError) -> FindingList {
    guard session.arguments.value("finding") != nil,
      session.arguments.value("state")?.text == OperationState.dropped.rawValue
    else { return audit.findings }
    return try OperationFilter.findings(in: reader, ifKept: true, session)
  }

  private static func list(
    _ chosen: OperationList, among queue: Queue, of reader: any StoreReader, _ session: Session
  ) throws(StoreError) {
    let operations = queue.operations
    guard !chosen.isEmpty else {
      session.say(
        operations.isEmpty
          ? reader.source.nothingWaits(reader.findings.lazy.map(\.code))
          : operations.count == 1
            ? "the only operation is not as asked for"
            : "none of the \(operations.count.grouped) operations is as asked for")
      return
    }
    try OperationTable(of: reader.source, queue.deliveries).print(chosen, session)
  }
}
