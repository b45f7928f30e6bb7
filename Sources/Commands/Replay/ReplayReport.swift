import CommandLineKit
import Records
import Replay

/// What became of every operation of a queue, in this run and in earlier ones.
struct ReplayReport {
  /// What is known about one operation.
  struct Entry {
    var outcome: ReplayOutcome
    var reason: PendingReason?
    var situation: ConflictSituation?
    var status: Int?
    var version: String?
    var words: String?
    /// What was sent, where it was not taken.
    var item: [UInt8]?
    /// What the server has instead.
    var serverItem: [UInt8]?
    /// Whether an earlier run did it.
    var isEarlier = false

    init(_ outcome: ReplayOutcome) {
      self.outcome = outcome
    }
  }

  /// The operations that were to be sent, in push order.
  let operations: [PendingOperation]
  /// Where they went.
  let target: String
  let dialect: Dialect
  private(set) var entries: [Int64: Entry] = [:]
  /// How the run ended; nil before it has.
  var summary: ReplaySummary?

  /// A report about operations of which nothing is known yet.
  ///
  /// What the SDK itself had completed is no part of it.
  init(_ operations: [PendingOperation], target: String, dialect: Dialect) {
    self.operations = operations.filter { $0.state != .completed }
    self.target = target
    self.dialect = dialect
  }

  /// What is known about an operation; one that never had its turn is pending.
  subscript(operation: PendingOperation) -> Entry {
    if let entry = entries[operation.sequence] { return entry }
    var entry = Entry(operation.state == .dropped ? .dropped : .pending)
    if entry.outcome == .pending { entry.reason = .stopped }
    return entry
  }

  /// Takes in what an earlier run or a person had settled.
  mutating func add(_ done: [DoneBefore]) {
    for done in done {
      // In this run there was nothing to do.
      var entry = Entry(done.outcome == .applied ? .alreadyApplied : done.outcome)
      entry.isEarlier = true
      entries[done.sequence] = entry
    }
  }

  /// Takes in what is not sent at all.
  mutating func add(_ held: [HeldBack]) {
    for held in held {
      var entry = Entry(held.isInDoubt ? .inDoubt : .pending)
      entry.reason = held.reason
      entries[held.sequence] = entry
    }
  }

  /// Takes in what became of a step; `item` is what it would have sent.
  mutating func add(_ result: StepResult, item: [UInt8]?) {
    var entry = Entry(result.outcome)
    entry.reason = result.reason
    entry.situation = result.situation
    entry.status = result.status
    entry.version = result.version
    entry.words = result.words
    entry.item = item
    entry.serverItem = result.serverItem
    for sequence in result.sequences { entries[sequence] = entry }
  }

  /// How many operations had each outcome.
  var counts: [ReplayOutcome: Int] {
    var counts: [ReplayOutcome: Int] = [:]
    for operation in operations { counts[self[operation].outcome, default: 0] += 1 }
    return counts
  }

  /// Whether running again may finish something.
  var isTemporary: Bool {
    operations.contains { operation in
      let entry = self[operation]
      return entry.outcome == .inDoubt && entry.reason?.isTemporary != false
        || entry.reason?.isTemporary == true
    }
  }

  /// The code that scripts see, a signal apart: what needs a person's help at once comes first,
  /// then what running again may finish, then what needs a decision.
  var exitCode: ExitCode {
    switch summary?.stop {
    case .notPermitted: return .notPermitted
    case .unreachable: return .unavailable
    case .requested: return .interrupted
    case .conflict: return .conflicts
    case .tooManyFailures: return .completeWithRejects
    case .unavailable, nil: break
    }
    let counts = counts
    if isTemporary { return .temporary }
    if counts[.conflict, default: 0] > 0 { return .conflicts }
    let open = [ReplayOutcome.rejected, .pending, .inDoubt].reduce(0) {
      $0 + counts[$1, default: 0]
    }
    return open > 0 ? .completeWithRejects : .complete
  }
}
