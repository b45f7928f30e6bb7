/// What became of an operation.
package enum ReplayOutcome: String, Sendable, CaseIterable {
  /// The server took it in this run or an earlier one.
  case applied
  /// The server had it already: an answer was lost, or nothing was left to do.
  case alreadyApplied
  /// The server's item differs, and no policy decided.
  case conflict
  /// The server refused it for good.
  case rejected
  /// It was not sent, or surely without effect; running again may finish it.
  case pending
  /// It was sent and nobody could be asked whether it arrived.
  case inDoubt
  /// A person or the policy decided for the server's item.
  case dropped

  /// Whether a later run has nothing left to do for it.
  package var isFinal: Bool {
    switch self {
    case .applied, .alreadyApplied, .dropped: true
    case .conflict, .rejected, .pending, .inDoubt: false
    }
  }

  /// What it is, in a word or two for people.
  package var words: String {
    switch self {
    case .applied: "applied"
    case .alreadyApplied: "there already"
    case .conflict: "in conflict"
    case .rejected: "refused"
    case .pending: "not done"
    case .inDoubt: "in doubt"
    case .dropped: "dropped"
    }
  }
}
