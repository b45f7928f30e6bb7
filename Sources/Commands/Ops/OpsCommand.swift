import Audit
import Bytes
import CommandLineKit
import Records

/// `rehome ops`: the operations of a store, one by one.
enum OpsCommand {
  static let description = Command(
    name: "ops",
    summary: "list, show, drop or keep single operations",
    discussion: [
      "An operation is named by its sequence, the number in push order that every report shows. "
        + "Dropping is a mark that is kept with who, when and why; nothing is ever deleted, and "
        + "keeping undoes it."
    ],
    examples: [
      Command.Example("rehome ops list qstodoitem.sqlite", "list what waits to be sent"),
      Command.Example(
        "rehome ops list --finding error-conflict qstodoitem.sqlite", "list the conflicts"),
      Command.Example("rehome ops show qstodoitem.sqlite 7", "see why the seventh was refused"),
      Command.Example(
        "rehome ops drop --why 'see case 4711' items.rehome 7",
        "keep it from being sent, in a store of 'rehome convert' or a replay's journal"),
    ],
    subcommands: [
      OpsListCommand.description, OpsShowCommand.description,
      OpsMarkCommand.description(.drop), OpsMarkCommand.description(.keep),
    ],
    synonyms: Guidance.synonymsOfOps)

  /// The store that all subcommands work on.
  static let store = Positional("STORE", help: "the store to read", completion: .file)

  static func run(_ session: Session) throws(StoreError) -> ExitCode {
    switch session.arguments.path.leaf.name {
    case OpsListCommand.description.name: return try OpsListCommand.run(session)
    case OpsShowCommand.description.name: return try OpsShowCommand.run(session)
    case OperationMark.Kind.drop.rawValue: return try OpsMarkCommand.run(.drop, session)
    case OperationMark.Kind.keep.rawValue: return try OpsMarkCommand.run(.keep, session)
    default: throw StoreError(.internalError, "there is no such command")
    }
  }
}

extension Session {
  /// The exit code of a run that looks at single operations; who does not ask for it gets none of
  /// their findings.
  func exitCode(of operations: OperationList, _ audit: StoreAudit) -> ExitCode {
    guard arguments.value("fail-on") != nil else { return .complete }
    let worst = operations.lazy.compactMap { audit.worstSeverity(ofOperation: $0.sequence) }.max()
    return exitCode(worst: worst)
  }
}
