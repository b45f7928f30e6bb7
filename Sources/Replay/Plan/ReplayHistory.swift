package import Records

/// What the journal of earlier runs says about operations.
///
/// The entries are added in the order in which they were written; the last one counts.
package struct ReplayHistory: Sendable {
  /// How far an operation has come.
  package enum State: Sendable, Equatable {
    /// It was sent, and nobody knows what became of it.
    case inDoubt
    /// What became of it.
    case ended(ReplayOutcome)
  }

  private var states: [Int64: State] = [:]
  private var versions: [Int64: String] = [:]
  /// What was seen before changes were sent of which nobody knows what became of them.
  private var marks: [Int64: String] = [:]
  /// What was refused because the server failed, which may have carried it out all the same.
  private var failed: Set<Int64> = []

  /// A history without entries.
  package init() {}

  /// Adds the journal's next entry about one operation; an event of unknown name changes nothing.
  package mutating func add(
    _ sequence: Int64, event word: String, version: String?, status: Int64? = nil,
    detail: String? = nil
  ) {
    let event = JournalEntry.Event(word: word)
    if event == .sending {
      marks[sequence] = detail
    } else if case .outcome(let outcome)? = event, outcome.isFinal {
      marks[sequence] = nil
    }
    switch event {
    case nil: return
    case .outcome(.rejected)? where (status ?? 0) >= 500:
      failed.insert(sequence)
      states[sequence] = .ended(.rejected)
      versions[sequence] = version
      return
    case .sending?, .outcome(.inDoubt)?: states[sequence] = .inDoubt
    case .outcome(let outcome)?: states[sequence] = .ended(outcome)
    }
    versions[sequence] = version
    failed.remove(sequence)
  }

  /// Whether the server must be asked for the item before an operation is sent again.
  func needsQuestion(_ sequence: Int64) -> Bool {
    states[sequence] == .inDoubt || failed.contains(sequence)
  }

  /// What was seen before an operation was sent last.
  func mark(of sequence: Int64) -> String? { marks[sequence] }

  /// How far an operation has come; nil when it was never sent.
  package func state(of sequence: Int64) -> State? { states[sequence] }

  /// The item's version on the server after an operation that is done.
  package func version(after sequence: Int64) -> String? { versions[sequence] }

  /// Whether a later run has nothing left to do for an operation.
  package func isDone(_ sequence: Int64) -> Bool {
    if case .ended(let outcome)? = states[sequence] { outcome.isFinal } else { false }
  }
}
