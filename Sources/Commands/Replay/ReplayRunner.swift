import Bytes
import Canonical
import CommandLineKit
import HTTPTransport
import Records
import Replay
import SQLite

/// Carries out what the machine of a replay decides: writes the journal, then sends.
struct ReplayRunner {
  let session: Session
  let journal: ReplayJournal
  let items: ReplayItems
  let transport: any ReplayTransport
  /// How many operations there are to send.
  var total: Int?

  /// How long a signal may go unnoticed, in milliseconds.
  private static let longestWait: Int64 = 200

  /// Runs until the machine has finished.
  ///
  /// What several answers lead to is written to the journal at once, so that one flush of the
  /// disk serves all requests that leave next. `settled` hears what became of each step.
  func run(
    _ machine: inout ReplayMachine, settled: (StepResult) -> Void
  ) throws(StoreError) -> ReplaySummary {
    var events: [ReplayEvent] = [.start]
    var isStopping = false
    var progress = session.makeProgress(.operations, total: total)
    defer { progress.clear() }
    while true {
      if session.interruption.isRaised, !isStopping {
        isStopping = true
        events.append(.stop("stopped by a signal"))
      }
      let now = Self.milliseconds
      let actions = try machine.handle(events, at: now) { (step) throws(StoreError) in
        try items.item(for: step)
      }
      var agenda = ReplayRunner.Agenda()
      for action in actions { agenda.take(action, hiding: transport.secrets, settled: settled) }
      progress.add(agenda.settledCount, label: "replay")
      // An entry may be about millions of operations, so its lines are not there all at once.
      try journal.append(agenda.entries.lazy.flatMap(JournalLine.lines))
      if let summary = agenda.summary { return summary }
      for request in agenda.requests { transport.start(request) }
      let left = (agenda.wakeTime ?? .max) &- Self.milliseconds
      let wait = max(0, min(left, Self.longestWait))
      events = try transport.wait(milliseconds: Int(wait))
      if events.isEmpty { events = [.tick] }
    }
  }

  private static var milliseconds: Int64 {
    let now = Timestamp.now
    return now.secondsSince1970 &* 1000 &+ Int64(now.nanoseconds / 1_000_000)
  }

  /// What several actions come to, in the order in which it has to happen.
  fileprivate struct Agenda {
    var entries: [JournalEntry] = []
    var requests: [ReplayRequest] = []
    var wakeTime: Int64?
    var summary: ReplaySummary?
    var settledCount = 0

    /// Takes an action; what is kept or told of it is cleared of secrets.
    mutating func take(
      _ action: ReplayAction, hiding secrets: Secrets, settled: (StepResult) -> Void
    ) {
      switch action {
      case .journal(let entries):
        self.entries += entries.map(secrets.hidden(in:))
      case .settled(let result):
        settledCount += result.sequences.count
        settled(secrets.hidden(in: result))
      case .send(let request): requests.append(request)
      case .wake(let time): wakeTime = min(wakeTime ?? time, time)
      case .finish(let summary): self.summary = summary
      }
    }
  }
}

extension ReplayTransport {
  /// Nothing, where nothing leaves the machine.
  var secrets: Secrets { Secrets() }
}

extension JournalLine {
  static func lines(_ entry: JournalEntry) -> some Sequence<JournalLine> {
    let now = Timestamp.now
    return entry.sequences.lazy.map { sequence in
      var line = JournalLine(sequence: sequence, time: now, event: entry.event.word)
      line.attempt = entry.attempt.map(Int64.init)
      line.status = entry.status.map(Int64.init)
      line.version = entry.version
      line.detail = entry.words
      return line
    }
  }
}

/// Carries requests of a replay to their target and brings back what comes of them.
///
/// It stays on the thread that made it. Every request that was started gives one event.
protocol ReplayTransport: AnyObject {
  /// What is neither told nor kept, wherever a server shows it.
  var secrets: Secrets { get }

  /// Gets ready to change the target, which until then is as it was.
  func begin() throws(StoreError)

  /// Sends a request, or keeps it until the next `wait`.
  func start(_ request: ReplayRequest)

  /// The answers and failures that are there, at the latest when the time is over.
  func wait(milliseconds: Int) throws(StoreError) -> [ReplayEvent]

  /// Ends the work on the target.
  func close() throws(StoreError)
}
