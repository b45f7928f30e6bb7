/// What the machine wants to be done, in this order.
package enum ReplayAction: Sendable, Equatable {
  /// Write these entries; they must be durable before any later action of the list is begun.
  case journal([JournalEntry])
  case settled(StepResult)
  /// Send a request; one answer or failure is due for it.
  case send(ReplayRequest)
  /// Feed a tick at this time, in the milliseconds of the events, unless something comes earlier.
  case wake(at: Int64)
  /// The run is over; no request is under way.
  case finish(ReplaySummary)
}

/// What one call of the machine comes to.
struct Turn {
  /// The time of its events.
  let now: Int64
  /// What must be durable before anything leaves.
  var journal: [JournalEntry] = []
  var settled: [StepResult] = []
  var requests: [ReplayRequest] = []

  /// More than this is not settled in one turn, so that its actions stay few.
  static let limit = 512

  /// Whether another turn must go on.
  var isFull: Bool { settled.count >= Self.limit }

  /// The actions, in the order that makes them safe.
  var actions: [ReplayAction] {
    (journal.isEmpty ? [] : [.journal(journal)]) + settled.map { .settled($0) }
      + requests.map { .send($0) }
  }
}
