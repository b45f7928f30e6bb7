import Audit
import Bytes
import CommandLineKit
import Records

/// `rehome ops show`: one operation whole.
enum OpsShowCommand {
  static let description = Command(
    name: "show",
    summary: "show one operation whole, with its raw payload",
    examples: [
      Command.Example("rehome ops show qstodoitem.sqlite 7", "show the seventh operation")
    ],
    options: [
      OperationFilter.originalID
    ] + CommonOptions.reading + CommonOptions.reportingOperations,
    essentials: ["original-id", "json", "salvage"],
    positionals: [
      OpsCommand.store,
      Positional(
        "SEQUENCE", help: "the operation's place in push order", cardinality: .optional),
    ],
    exitStatuses: ExitCode.reading(.completeWithRejects))

  /// Shows every operation that the arguments name; an id of the SDK's may name several.
  static func run(_ session: Session) throws(StoreError) -> ExitCode {
    let arguments = session.arguments
    let word = arguments.positional("SEQUENCE").map(\.text)
    let original = arguments.value("original-id")?.text
    guard (word == nil) != (original == nil) else {
      throw StoreError(
        .usage, "name an operation by its sequence or by --original-id",
        hint: "'rehome ops list' shows both")
    }
    let sequence = word.flatMap(ChosenOperations.sequence)
    if let word, sequence == nil {
      throw StoreError(
        .usage, "\(word) names no operation", hint: "a sequence is a number, such as 7")
    }
    let reader = try session.openStore(try session.storePath)
    let audit = try StoreAudit.ofOperations(in: reader, session, listsRows: true)
    let chosen = audit.queue.operations.keeping { operation in
      original.map { hasSameBytes(operation.originalID, $0) } ?? (operation.sequence == sequence)
    }
    if chosen.isEmpty {
      if let original { throw ChosenOperations.missing(originalID: original) }
      if let sequence { throw ChosenOperations.missing(sequence, audit.queue.operations) }
    }
    if session.wantsJSON {
      try AuditJSON.write(chosen, of: audit, to: session.console.printJSON)
      return session.exitCode(of: chosen, audit)
    }
    for operation in chosen {
      try session.console.show(
        OperationPage(operation, audit, style: session.console.terminal.outputStyle).text)
    }
    return session.exitCode(of: chosen, audit)
  }
}
