import Bytes
import CommandLineKit
import Records
import Replay

/// What became of every operation of a queue, in this run and in earlier ones.
///
/// Queues are long: of each operation there is one small entry, and the items wait in a file.
struct ReplayReport {
  /// What is known about one operation.
  struct Entry {
    var outcome: ReplayOutcome
    var reason: PendingReason?
    var situation: ConflictSituation?
    /// Whether an earlier run did it.
    var isEarlier = false
    var status: Int32?
    var version: String?
    var words: String?
    /// What the server keeps otherwise than it was sent.
    var changes: [ServerChange] = []
    /// What was sent, where it was not taken.
    fileprivate(set) var item: ByteSpool.Place?
    /// What the server has instead.
    fileprivate(set) var serverItem: ByteSpool.Place?

    init(_ outcome: ReplayOutcome) {
      self.outcome = outcome
    }
  }

  /// The operations that were to be sent, in push order.
  let operations: [PendingOperation]
  /// Where they went.
  let target: String
  let dialect: Dialect
  /// Whether a person has said what is done about conflicts.
  var hasPolicy = false
  /// What is known, by place in `operations`.
  private var entries: [Entry]
  private var spool = ByteSpool()
  /// How the run ended; nil before it has.
  var summary: ReplaySummary?

  /// A report about operations of which nothing is known yet.
  ///
  /// What the SDK itself had completed is no part of it. One that never has its turn is pending.
  init(_ operations: [PendingOperation], target: String, dialect: Dialect) {
    self.operations = operations.filter { $0.state != .completed }
    self.target = target
    self.dialect = dialect
    entries = self.operations.map { operation in
      var entry = Entry(operation.state == .dropped ? .dropped : .pending)
      if entry.outcome == .pending { entry.reason = .stopped }
      return entry
    }
  }

  /// What is known about an operation.
  subscript(operation: PendingOperation) -> Entry {
    place(of: operation.sequence).map { entries[$0] } ?? Entry(.pending)
  }

  /// The place of an operation; nil where it is no part of the report.
  private func place(of sequence: Int64) -> Int? {
    var (low, high) = (0, operations.count)
    while low < high {
      let middle = low + (high - low) / 2
      if operations[middle].sequence < sequence { low = middle + 1 } else { high = middle }
    }
    return low < operations.count && operations[low].sequence == sequence ? low : nil
  }

  private mutating func set(_ sequence: Int64, to entry: Entry) {
    if let place = place(of: sequence) { entries[place] = entry }
  }

  /// Takes in what an earlier run or a person had settled.
  mutating func add(_ done: [DoneBefore]) {
    for done in done {
      // In this run there was nothing to do.
      var entry = Entry(done.outcome == .applied ? .alreadyApplied : done.outcome)
      entry.isEarlier = true
      set(done.sequence, to: entry)
    }
  }

  /// Takes in what is not sent at all.
  mutating func add(_ held: [HeldBack]) {
    for held in held {
      var entry = Entry(held.isInDoubt ? .inDoubt : .pending)
      entry.reason = held.reason
      set(held.sequence, to: entry)
    }
  }

  /// Takes in what became of a step; `item` is what it would have sent.
  mutating func add(_ result: StepResult, item: [UInt8]?) {
    var entry = Entry(result.outcome)
    entry.reason = result.reason
    entry.situation = result.situation
    entry.status = result.status.map(Int32.init(clamping:))
    entry.version = result.version
    entry.words = result.words
    entry.changes = result.changes
    entry.item = kept(item)
    entry.serverItem = kept(result.serverItem)
    for sequence in result.sequences { set(sequence, to: entry) }
  }

  private mutating func kept(_ item: [UInt8]?) -> ByteSpool.Place? {
    // What a full disk cannot take is shown as missing; the replay itself goes on.
    item.flatMap { try? spool.append($0.span) }
  }

  /// What an operation sent, where it was not taken; nil also where it cannot be read back.
  func item(_ entry: Entry) -> [UInt8]? { entry.item.flatMap { try? spool.read($0) } }

  /// What the server has instead, likewise.
  func serverItem(_ entry: Entry) -> [UInt8]? { entry.serverItem.flatMap { try? spool.read($0) } }

  /// How many operations had each outcome.
  var counts: [ReplayOutcome: Int] {
    var counts: [ReplayOutcome: Int] = [:]
    for entry in entries { counts[entry.outcome, default: 0] += 1 }
    return counts
  }

  /// Whether running again may finish something.
  var isTemporary: Bool {
    entries.contains { entry in
      entry.outcome == .inDoubt && entry.reason?.isTemporary != false
        || entry.reason?.isTemporary == true
    }
  }

  /// How many operations are there, but not with all of the values that were sent.
  var changedCount: Int { entries.count { !$0.changes.isEmpty } }

  /// What was found about the operations, for `--fail-on`.
  var findings: [Finding] {
    zip(operations, entries).compactMap { operation, entry in
      entry.changes.isEmpty
        ? nil
        : Finding(
          "server-changed-value", .warning, table: operation.table, itemID: operation.itemID,
          operation: operation.sequence,
          message: "the server keeps other values in "
            + entry.changes.map(\.field).joined(separator: ", "))
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
    let asksPerson = entries.contains { $0.reason == .undecided }
    if asksPerson || counts[.conflict, default: 0] > 0 { return .conflicts }
    let open = [ReplayOutcome.rejected, .pending, .inDoubt].reduce(0) {
      $0 + counts[$1, default: 0]
    }
    return open > 0 ? .completeWithRejects : .complete
  }
}
