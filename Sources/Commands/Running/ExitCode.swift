import Bytes
import CommandLineKit

/// The exit codes of the contract; scripts rely on them.
package enum ExitCode: Int32, Sendable, CaseIterable {
  case complete = 0
  case completeWithRejects = 2
  case tooManyRejects = 3
  case conflicts = 4
  case different = 5
  case usage = 64
  case notAStore = 65
  case inputMissing = 66
  case unavailable = 69
  case internalError = 70
  case cannotCreate = 73
  case inputOutput = 74
  case temporary = 75
  case notPermitted = 77
  case interrupted = 130

  init(_ kind: FailureKind) {
    self =
      switch kind {
      case .notAStore, .damaged, .unsupported, .limit: .notAStore
      case .missing: .inputMissing
      case .notPermitted: .notPermitted
      case .cannotCreate, .exists: .cannotCreate
      case .inputOutput, .noSpace: .inputOutput
      // Whoever ran `rehome … | head` has what they wanted.
      case .brokenPipe: .complete
      case .temporary: .temporary
      case .tooManyRejects: .tooManyRejects
      case .usage: .usage
      case .interrupted: .interrupted
      case .internalError: .internalError
      }
  }

  var meaning: String {
    switch self {
    case .complete: "complete"
    case .completeWithRejects:
      "complete, but rows were rejected, something could not be read, or a finding reached --fail-on"
    case .tooManyRejects: "stopped because --max-rejects was passed; nothing was published"
    case .conflicts: "replay ended with unresolved conflicts"
    case .different: "verify found a difference"
    case .usage: "the command line is wrong"
    case .notAStore: "the input is not a store, is damaged, or is of an unsupported kind"
    case .inputMissing: "the input does not exist"
    case .unavailable: "the server is unavailable"
    case .internalError: "an error of rehome itself"
    case .cannotCreate: "the output cannot be created, or it exists and --force was not given"
    case .inputOutput: "reading or writing failed, or the disk is full"
    case .temporary: "a passing trouble; running again will go on"
    case .notPermitted: "the system does not permit it"
    case .interrupted: "stopped by a signal (143 for a termination request)"
    }
  }

  /// The entries for the help of a command that can end in these ways.
  static func list(_ codes: [ExitCode]) -> [Command.ExitStatus] {
    codes.map { Command.ExitStatus(Int($0.rawValue), $0.meaning) }
  }

  /// The entries for a command that reads a store, and that can also end in these other ways.
  static func reading(_ others: ExitCode...) -> [Command.ExitStatus] {
    let codes: [ExitCode] = [
      .complete, .usage, .notAStore, .inputMissing, .inputOutput, .temporary, .notPermitted,
      .interrupted,
    ]
    return list((codes + others).sorted { $0.rawValue < $1.rawValue })
  }
}
