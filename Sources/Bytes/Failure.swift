/// The kinds of failure that stop a run; each has one exit code.
package enum FailureKind: String, Sendable, CaseIterable {
  /// The input is not of a kind that is known.
  case notAStore
  /// The input is of a known kind, but its bytes contradict each other.
  case damaged
  /// The input is of a kind or in a state that cannot be read.
  case unsupported
  /// The input does not exist.
  case missing
  /// The system does not let us.
  case notPermitted
  /// The output cannot be made.
  case cannotCreate
  /// The output exists and may not be replaced.
  case exists
  case inputOutput
  /// There is no room left, or no place at all for files of our own; no input is the cause.
  case noSpace
  /// Whoever read our output has gone.
  case brokenPipe
  /// A limit that honest stores stay under was passed.
  case limit
  /// Something changed meanwhile; running again will go on.
  case temporary
  /// More was rejected than the user allowed.
  case tooManyRejects
  /// The command line asks for something that does not fit the input.
  case usage
  /// A signal asked to stop.
  case interrupted
  /// Our own books contradict each other.
  case internalError
}

extension FailureKind {
  /// Whether what is read may seem to fail like this when somebody changes it meanwhile.
  package var mayComeOfChange: Bool {
    switch self {
    case .notAStore, .damaged, .unsupported, .missing, .inputOutput, .limit, .internalError: true
    case .notPermitted, .cannotCreate, .exists, .noSpace, .brokenPipe, .temporary, .tooManyRejects,
      .usage, .interrupted:
      false
    }
  }
}

/// Somebody changed a source while it was read, so that nothing holds that was seen of it.
package struct SourceChange: Failure {
  package let kind = FailureKind.temporary
  package let path: String?
  package let message = "the store changed while it was being read"
  package let hint: String? = "close whatever writes to it, and run again"

  /// A change of the store at a path, or of that which a person calls so.
  package init(of path: String?) { self.path = path }
}

/// An error that says enough to be shown to a person and turned into an exit code.
package protocol Failure: Error {
  var kind: FailureKind { get }
  /// The file concerned.
  var path: String? { get }
  /// What happened: lower case, no full stop, no contents of the store.
  var message: String { get }
  /// What to try, as a phrase.
  var hint: String? { get }
}
