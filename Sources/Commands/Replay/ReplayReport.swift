import Bytes
import Records
import Replay

/// What became of every operation of a queue, in this run and in earlier ones.
///
/// Queues are long: of each operation there is one small record, and versions and items wait in
/// files.
struct ReplayReport {
  /// What is known about one operation.
  struct Entry {
    var outcome: ReplayOutcome
    var reason: PendingReason?
    var situation: ConflictSituation?
    var isEarlier = false
    var status: Int32?
    var version: String?
    var details = Details()
    var words: String? { details.words }
    var changes: [ServerChange] { details.changes }

    init(_ outcome: ReplayOutcome) {
      self.outcome = outcome
    }
  }

  /// What is known about operations that did not simply go through.
  struct Details {
    var words: String?
    /// The version, where it lies too far behind those of other operations.
    fileprivate var version: String?
    /// What the server keeps otherwise than it was sent.
    var changes: [ServerChange] = []
    /// What was sent, where it was not taken.
    fileprivate(set) var item: ByteSpool.Place?
    /// What the server has instead.
    fileprivate(set) var serverItem: ByteSpool.Place?

    fileprivate var isEmpty: Bool {
      words == nil && version == nil && changes.isEmpty && item == nil && serverItem == nil
    }
  }

  /// What many operations have in common.
  private struct Kind: Hashable {
    var outcome: ReplayOutcome
    var reason: PendingReason?
    var situation: ConflictSituation?
    var isEarlier = false
  }

  /// What every operation has of an entry, in eight bytes.
  private struct Record {
    var kind: UInt16
    var status: Int16
    /// One more than where the version is; 0 where there is none, or where the details have it.
    var version: UInt32 = 0

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
  private var details: [Int: Details] = [:]
  private var versions = ByteSpool()
  private var spool = ByteSpool()
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
      var entry = Entry(operation.state == .dropped ? .dropped : .pending)
      if entry.outcome == .pending { entry.reason = .stopped }
      records.append(record(of: entry))
    }
  }

  subscript(operation: PendingOperation) -> Entry {
    place(of: operation.sequence).map(entry) ?? Entry(.pending)
  }

  /// What is known about the operation at a place.
  func entry(at place: Int) -> Entry {
    let record = records[place]
    let kind = kinds[Int(record.kind)]
    var entry = Entry(kind.outcome)
    (entry.reason, entry.situation) = (kind.reason, kind.situation)
    entry.isEarlier = kind.isEarlier
    entry.status = record.status == Record.noStatus ? nil : Int32(record.status)
    entry.details = details[place] ?? Details()
    entry.version = entry.details.version
    if record.version > 0 {
      entry.version = String(
        decoding: versions.counted(at: Int(record.version) - 1), as: UTF8.self)
    }
    return entry
  }

  /// The place of an operation; nil where it is no part of the report.
  private func place(of sequence: Int64) -> Int? {
    if isNumbered {
      return operations.indices.contains(Int(clamping: sequence) &- 1) ? Int(sequence) - 1 : nil
    }
    let place = operations.firstPlace { $0.sequence >= sequence }
    return place < operations.count && operations[place].sequence == sequence ? place : nil
  }

  private mutating func set(_ sequences: [Int64], to entry: Entry) {
    var record = record(of: entry)
    var details = entry.details
    if let version = entry.version {
      if let place = UInt32(exactly: versions.append(counted: version.utf8Span.span) + 1) {
        record.version = place
      } else {
        details.version = version
      }
    }
    for place in sequences.compactMap(place) {
      records[place] = record
      self.details[place] = details.isEmpty ? nil : details
    }
  }

  private mutating func record(of entry: Entry) -> Record {
    let kind = Kind(
      outcome: entry.outcome, reason: entry.reason, situation: entry.situation,
      isEarlier: entry.isEarlier)
    let known = kinds.firstIndex(of: kind)
    if known == nil { kinds.append(kind) }
    // There are fewer kinds than 16 bits tell apart, whatever a service answers.
    return Record(
      kind: UInt16(truncatingIfNeeded: known ?? kinds.count - 1),
      status: entry.status.map(Int16.init(clamping:)) ?? Record.noStatus)
  }

  /// Takes in what an earlier run or a person had settled.
  mutating func add(_ done: some Sequence<DoneBefore>) {
    for done in done {
      // In this run there was nothing to do.
      var entry = Entry(done.outcome == .applied ? .alreadyApplied : done.outcome)
      entry.isEarlier = true
      set([done.sequence], to: entry)
    }
  }

  /// Takes in what is not sent at all, be it for `doubts` about later operations.
  mutating func add(
    _ held: some Sequence<HeldBack>, behind doubts: PackedPairs = PackedPairs()
  ) {
    self.doubts = doubts
    for held in held {
      var entry = Entry(held.isInDoubt ? .inDoubt : .pending)
      entry.reason = held.reason
      set([held.sequence], to: entry)
    }
  }

  /// Takes in what became of a step; `item` is what it would have sent.
  mutating func add(_ result: StepResult, item: [UInt8]?) {
    var entry = Entry(result.outcome)
    entry.reason = result.reason
    entry.situation = result.situation
    entry.status = result.status.map(Int32.init(clamping:))
    entry.version = result.version
    entry.details.words = result.words
    entry.details.changes = result.changes
    entry.details.item = kept(item)
    entry.details.serverItem = kept(result.serverItem)
    set(result.sequences, to: entry)
  }

  private mutating func kept(_ item: [UInt8]?) -> ByteSpool.Place? {
    // What a full disk cannot take is shown as missing; the replay itself goes on.
    item.flatMap { try? spool.append($0.span) }
  }

  /// What an operation sent, where it was not taken; nil also where it cannot be read back.
  func item(_ entry: Entry) -> [UInt8]? { entry.details.item.flatMap { try? spool.read($0) } }

  /// What the server has instead, likewise.
  func serverItem(_ entry: Entry) -> [UInt8]? {
    entry.details.serverItem.flatMap { try? spool.read($0) }
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
    details.contains { place, details in
      guard details.words?.hasPrefix(Delivery.promiseMark) == true else { return false }
      let kind = kinds[Int(records[place].kind)]
      return kind.outcome == .inDoubt && kind.reason != .undecided
    }
  }

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
  var changedCount: Int { details.values.count { !$0.changes.isEmpty } }

  /// What was found about the operations, for `--fail-on`.
  var findings: [Finding] {
    details.filter { !$0.value.changes.isEmpty }.sorted { $0.key < $1.key }.map { place, details in
      let operation = operations[place]
      return Finding(
        "server-changed-value", .warning, table: operation.table, itemID: operation.itemID,
        operation: operation.sequence,
        message: "the server keeps other values in "
          + details.changes.map(\.field).joined(separator: ", "))
    }
  }

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
