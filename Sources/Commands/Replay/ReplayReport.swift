import Bytes
import Records
import Replay

/// What became of every operation of a queue, in this run and in earlier ones.
///
/// Queues are long: of each operation there is one small record, and details wait in a file.
struct ReplayReport {
  /// What many operations have in common.
  struct Kind: Hashable {
    var outcome: ReplayOutcome
    var reason: PendingReason?
    var situation: ConflictSituation?
    /// Whether an earlier run or a person had settled it.
    var isEarlier = false
    /// Whether the server says that it took the change, and did not show it.
    var isPromised = false
    /// What there is none of where its table should be.
    var lack: TableLack?
    /// Whether the server keeps other values than it was sent.
    var isChanged = false

    init(_ outcome: ReplayOutcome, _ reason: PendingReason? = nil) {
      self.outcome = outcome
      self.reason = reason
    }

    /// Whether something waits for a reason.
    func isWaiting(for reason: PendingReason) -> Bool {
      (outcome == .pending || outcome == .inDoubt) && self.reason == reason
    }
  }

  /// What is known about one operation, and where the rest is.
  struct Entry {
    let kind: Kind
    let status: Int?
    let details: KeptDetails.Place
  }

  /// What every operation has of an entry, in eight bytes.
  private struct Record {
    var kind: UInt16
    var status: Int16
    var details: KeptDetails.Place

    /// Stands for no status.
    static let noStatus = Int16.min
  }

  /// The operations that were to be sent, in push order.
  let operations: OperationList
  let target: String
  let dialect: Dialect
  /// Whether a person has said what is done about conflicts.
  var hasPolicy = false
  /// What is known, by place in `operations`.
  private var records: [Record] = []
  private var kinds: [Kind] = []
  private var details = KeptDetails()
  /// The operations that are held back for doubts about later ones, and the latter.
  private var doubts = PackedPairs()
  /// Whether the place of each operation tells its `sequence`.
  private let isNumbered: Bool
  /// How the run ended; nil before it has.
  var summary: ReplaySummary?

  /// A report about operations of which nothing is known yet.
  ///
  /// What the SDK itself had completed is no part of it. One that never has its turn is pending.
  init(_ operations: OperationList, target: String, dialect: Dialect) {
    self.operations = operations.keeping { $0.state != .completed }
    self.target = target
    self.dialect = dialect
    isNumbered = self.operations.isNumbered
    records.reserveCapacity(self.operations.count)
    for operation in self.operations {
      let isDropped = operation.state == .dropped
      let kind = isDropped ? Kind(.dropped) : Kind(.pending, .stopped)
      records.append(record(of: kind, nil, .none))
    }
  }

  subscript(operation: PendingOperation) -> Entry {
    place(of: operation.sequence).map(entry)
      ?? Entry(kind: Kind(.pending), status: nil, details: .none)
  }

  /// What is known about the operation at a place.
  func entry(at place: Int) -> Entry {
    let record = records[place]
    return Entry(
      kind: kinds[Int(record.kind)],
      status: record.status == Record.noStatus ? nil : Int(record.status), details: record.details)
  }

  /// What else is told of an operation.
  func details(of entry: Entry) -> ReplayDetails { details[entry.details] }

  /// The place of an operation; nil where it is no part of the report.
  private func place(of sequence: Int64) -> Int? {
    if isNumbered {
      return operations.indices.contains(Int(clamping: sequence) &- 1) ? Int(sequence) - 1 : nil
    }
    let place = operations.firstPlace { $0.sequence >= sequence }
    return place < operations.count && operations[place].sequence == sequence ? place : nil
  }

  private mutating func set(
    _ sequences: some Sequence<Int64>, to kind: Kind, status: Int? = nil,
    _ details: KeptDetails.Place = .none
  ) {
    let record = record(of: kind, status, details)
    for sequence in sequences {
      if let place = place(of: sequence) { records[place] = record }
    }
  }

  private mutating func record(
    of kind: Kind, _ status: Int?, _ details: KeptDetails.Place
  ) -> Record {
    let known = kinds.firstIndex(of: kind)
    if known == nil { kinds.append(kind) }
    // There are fewer kinds than 16 bits tell apart, whatever a service answers.
    return Record(
      kind: UInt16(truncatingIfNeeded: known ?? kinds.count - 1),
      status: status.map(Int16.init(clamping:)) ?? Record.noStatus, details: details)
  }

  /// Takes in what an earlier run or a person had settled.
  mutating func add(_ done: some Sequence<DoneBefore>) {
    for done in done {
      // In this run there was nothing to do.
      var kind = Kind(done.outcome == .applied ? .alreadyApplied : done.outcome)
      kind.isEarlier = true
      set([done.sequence], to: kind)
    }
  }

  /// Takes in what is not sent at all, be it for `doubts` about later operations.
  mutating func add(
    _ held: some Sequence<HeldBack>, behind doubts: PackedPairs = PackedPairs()
  ) {
    self.doubts = doubts
    for held in held {
      set([held.sequence], to: Kind(held.isInDoubt ? .inDoubt : .pending, held.reason))
    }
  }

  /// Takes in what became of a step; `item` is what it would have sent.
  mutating func add(_ result: StepResult, item: [UInt8]?) {
    var kind = Kind(result.outcome, result.reason)
    kind.situation = result.situation
    kind.isPromised = result.words?.hasPrefix(Delivery.promiseMark) ?? false
    kind.lack = result.lack
    kind.isChanged = !result.changes.isEmpty
    let details = ReplayDetails(
      version: result.version, words: result.words, changes: result.changes, item: item,
      serverItem: result.serverItem)
    let place = self.details.add(
      details, areOfSeveral: result.outcome != .applied && result.sequences.count > 1)
    set(result.sequences, to: kind, status: result.status, place)
  }

  /// How many operations are of some kinds.
  func count(where isWanted: (Kind) -> Bool) -> Int {
    let wanted = kinds.map(isWanted)
    guard wanted.contains(true) else { return 0 }
    return records.count { wanted[Int($0.kind)] }
  }

  /// Operations that were sent as one change, or one that was not.
  struct Chain {
    /// The place of the first.
    let place: Int
    fileprivate(set) var count = 1
  }

  /// The first chains of operations of some kinds, and how many operations there are besides.
  func firstChains(
    _ most: Int, where isWanted: (Kind) -> Bool
  ) -> (chains: [Chain], rest: Int) {
    let wanted = kinds.map(isWanted)
    guard wanted.contains(true) else { return ([], 0) }
    var chains: [Chain] = []
    var numbers: [KeptDetails.Place: Int] = [:]
    var rest = 0
    for (place, record) in records.enumerated() where wanted[Int(record.kind)] {
      // Each change has details of its own.
      if !record.details.isNone, let number = numbers[record.details] {
        chains[number].count += 1
      } else if chains.count < most {
        numbers[record.details] = chains.count
        chains.append(Chain(place: place))
      } else {
        rest += 1
      }
    }
    return (chains, rest)
  }

  /// The first operation that waits for a reason and of which something was heard.
  func firstHeard(of reason: PendingReason) -> Entry? {
    let wanted = kinds.map { $0.isWaiting(for: reason) }
    return records.firstIndex { record in
      wanted[Int(record.kind)] && (record.status != Record.noStatus || !record.details.isNone)
    }.map(entry)
  }

  var counts: [ReplayOutcome: Int] {
    var counts: [ReplayOutcome: Int] = [:]
    for record in records { counts[kinds[Int(record.kind)].outcome, default: 0] += 1 }
    return counts
  }

  /// Whether running again may finish something.
  var isTemporary: Bool {
    contains { kind in
      kind.outcome == .inDoubt && kind.reason?.isTemporary != false
        || kind.reason?.isTemporary == true
    } || hasSettledDoubts
  }

  /// Whether it is known by now what became of an operation for which an older one was held back.
  private var hasSettledDoubts: Bool {
    (0..<doubts.count).contains { number in
      place(of: Int64(doubts[number].1)).map { place in
        let outcome = kinds[Int(records[place].kind)].outcome
        // A server that fails may have carried out what it refuses.
        return outcome != .inDoubt && !(outcome == .rejected && records[place].status >= 500)
      } ?? false
    }
  }

  /// Whether the server says that it took a change, and did not answer for the item, so that each
  /// run asks again and no policy decides.
  var hasUnseenPromises: Bool {
    contains { $0.outcome == .inDoubt && $0.isPromised && $0.reason != .undecided }
  }

  /// Whether something was refused, or stays in doubt, for want of it.
  func lacks(_ lack: TableLack) -> Bool { contains { $0.lack == lack } }

  /// Whether a change is in doubt since the server does not let its item be read.
  var hasClosedDoubts: Bool {
    records.contains { record in
      (record.status == 401 || record.status == 403) && kinds[Int(record.kind)].outcome == .inDoubt
    }
  }

  /// Whether some operation is of a kind now; kinds may have been those of operations before.
  private func contains(_ isWanted: (Kind) -> Bool) -> Bool {
    let wanted = kinds.map(isWanted)
    return wanted.contains(true) && records.contains { wanted[Int($0.kind)] }
  }

  /// How many operations are there, but not with all of the values that were sent.
  var changedCount: Int { count(where: \.isChanged) }

  /// The code that scripts see, a signal apart: what needs a person's help at once comes first,
  /// then what running again may finish, then what needs a decision.
  var exitCode: ExitCode {
    let counts = counts
    switch summary?.stop {
    case .notPermitted: return .notPermitted
    case .unreachable: return .unavailable
    case .requested: return .interrupted
    case .conflict: return .conflicts
    // What was only given up may go through when it is run again.
    case .tooManyFailures where counts[.rejected, default: 0] > 0: return .completeWithRejects
    case .tooManyFailures, .unavailable, nil: break
    }
    if isTemporary { return .temporary }
    let asksPerson = contains { $0.reason == .undecided }
    if asksPerson || counts[.conflict, default: 0] > 0 { return .conflicts }
    let open = [ReplayOutcome.rejected, .pending, .inDoubt].reduce(0) {
      $0 + counts[$1, default: 0]
    }
    return open > 0 ? .completeWithRejects : .complete
  }
}
