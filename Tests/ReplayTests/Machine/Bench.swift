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

  static let row = #"{"id":"a","text":"ours"}"#

  init(
    _ operations: [PendingOperation], _ dialect: Dialect = .v2,
    history: ReplayHistory = ReplayHistory(), change: (inout ReplaySettings) -> Void = { _ in }
  ) {
    var settings = ReplaySettings(dialect: dialect)
    settings.asksForTables = false
    change(&settings)
    machine = ReplayMachine(ReplayPlan(OperationList(operations), history: history), settings)
  }

  mutating func feed(_ events: ReplayEvent..., after milliseconds: Int64 = 0) throws {
    now += milliseconds
    actions = try machine.handle(events, at: now) { step in
      ReplayItem(
        json: step.effect.item ?? Array(#"{"id":"\#(step.itemID)","text":"ours"}"#.utf8))
    }
    for case .settled(let result) in actions { results.append(result) }
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

  var requests: [ReplayRequest] {
    actions.compactMap { if case .send(let request) = $0 { request } else { nil } }
  }

  var sent: [String] { requests.map { "\($0.method) \($0.path)" } }

  var summary: ReplaySummary? {
    for case .finish(let summary) in actions { return summary }
    return nil
  }
}
