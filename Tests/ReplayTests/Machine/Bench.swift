import Records

@testable import Replay

/// A machine whose events are fed one by one.
struct Bench {
  var machine: ReplayMachine
  var now: Int64 = 1_000_000
  /// What the last events led to.
  private(set) var actions: [ReplayAction] = []
  /// All that was told since the beginning.
  private(set) var results: [StepResult] = []
  /// What the journal tells a later run.
  private(set) var history: ReplayHistory

  static let row = #"{"id":"a","text":"ours"}"#

  init(
    _ operations: [PendingOperation], _ dialect: Dialect = .v2,
    history: ReplayHistory = ReplayHistory(), habits: FoldHabits = FoldHabits(),
    change: (inout ReplaySettings) -> Void = { _ in }
  ) {
    var settings = ReplaySettings(dialect: dialect)
    settings.asksForTables = false
    change(&settings)
    self.history = history
    machine = ReplayMachine(
      ReplayPlan(
        OperationList(operations), history: history, dialect: settings.dialect, habits: habits),
      settings)
  }

  mutating func feed(_ events: ReplayEvent..., after milliseconds: Int64 = 0) throws {
    now += milliseconds
    actions = try machine.handle(events, at: now) { step in
      ReplayItem(
        json: step.effect.item ?? Array(#"{"id":"\#(step.itemID)","text":"ours"}"#.utf8))
    }
    for case .settled(let result) in actions { results.append(result) }
    for case .journal(let entries) in actions {
      for entry in entries { history.add(entry) }
    }
  }

  mutating func answer(
    _ status: Int, _ body: String = "", step: Int = 0, etag: String? = nil,
    retryAfter: String? = nil
  ) throws {
    let answer = ReplayAnswer(
      status: status, etag: etag, retryAfter: retryAfter, body: Array(body.utf8))
    try feed(.answer(step: step, answer))
  }

  /// Lets the time pass for which the machine wants to wait.
  mutating func wait() throws {
    for case .wake(let time) in actions { now = max(now, time) }
    try feed(.tick)
  }

  /// Lets an answer get lost, and the time pass until the server is asked.
  mutating func loseAnswer() throws {
    try feed(.failure(step: 0, .unknown("reset")))
    try wait()
  }

  var requests: [ReplayRequest] {
    actions.compactMap { if case .send(let request) = $0 { request } else { nil } }
  }

  var sent: [String] { requests.map { "\($0.method) \($0.path)" } }

  var summary: ReplaySummary? {
    for case .finish(let summary) in actions { return summary }
    return nil
  }
}

extension ReplayHistory {
  /// Adds an entry as the journal gives it back.
  mutating func add(_ entry: JournalEntry) {
    for sequence in entry.sequences {
      add(
        sequence, event: entry.event.word, version: entry.version,
        status: entry.status.map(Int64.init), detail: entry.words)
    }
  }
}
