package import Records

/// How a run ended.
package struct ReplaySummary: Sendable, Equatable {
  /// Why a run ended before every step had its turn.
  package enum Stop: Sendable, Equatable {
    /// The server asked for credentials, or they do not suffice: 401, 403 or 407.
    case notPermitted(status: Int)
    /// The server never answered.
    case unreachable(String)
    /// The server or the network failed for too long.
    case unavailable(String)
    case conflict
    /// More operations failed than the settings allow.
    case tooManyFailures
    case requested(String)
  }

  /// How many operations had each outcome in this run; those of earlier runs do not count.
  private(set) var counts: [ReplayOutcome: Int] = [:]
  /// How many of the pending ones running again may finish.
  private(set) var temporary = 0
  /// Why the run ended early.
  package internal(set) var stop: Stop?

  /// How many operations had an outcome.
  package subscript(outcome: ReplayOutcome) -> Int { counts[outcome] ?? 0 }

  mutating func count(_ result: StepResult) {
    counts[result.outcome, default: 0] += result.sequences.count
    if result.reason?.isTemporary == true || result.outcome == .inDoubt && result.reason == nil {
      temporary += result.sequences.count
    }
  }
}
