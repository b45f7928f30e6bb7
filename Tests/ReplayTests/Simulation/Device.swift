import Formats
import Records
import TestSupport

@testable import Replay

/// A client that may die at any action and begins again from its journal.
struct Device {
  let operations: [PendingOperation]
  let rows: [String: [UInt8]]
  let settings: ReplaySettings
  /// How many actions in a thousand the client dies before.
  var deaths: Int
  var random: SeededGenerator
  /// What the disk has kept.
  private(set) var journal: [JournalEntry] = []
  /// What the last run that came to its end told.
  private(set) var results: [StepResult] = []
  private(set) var runs = 0

  init(
    _ operations: [PendingOperation], rows: [String: [UInt8]], _ settings: ReplaySettings,
    deaths: Int, random: SeededGenerator
  ) {
    self.operations = operations
    self.rows = rows
    self.settings = settings
    self.deaths = deaths
    self.random = random
  }

  var history: ReplayHistory {
    var history = ReplayHistory()
    for entry in journal { history.add(entry) }
    return history
  }

  /// Runs again and again until a run ends that leaves nothing for another.
  mutating func runToEnd(_ weather: inout Weather) throws {
    while runs < 400 {
      runs += 1
      // A storm ends at some time, which is all that the promise needs.
      if runs > 60 { (weather.faults, deaths) = (0, 0) }
      guard let summary = try run(&weather) else { continue }
      // Nothing here is refused but what a server at fault refuses, and what it garbles.
      let isRefused = results.contains { $0.outcome == .rejected }
      if summary.stop == nil, summary.temporary == 0, !isRefused { return }
    }
  }

  /// One run; nil when it died.
  private mutating func run(_ weather: inout Weather) throws -> ReplaySummary? {
    var settings = settings
    settings.seed = random.next()
    var machine = ReplayMachine(ReplayPlan(OperationList(operations), history: history), settings)
    var flying: [ReplayRequest] = []
    var events = [ReplayEvent.start]
    var now: Int64 = 1_700_000_000_000
    results = []
    for _ in 0..<100_000 {
      var wake: Int64?
      for action in try machine.handle(events, at: now, item: item) {
        if Int.random(in: 0..<1000, using: &random) < deaths {
          // What had left reaches the server or not; nobody hears of it.
          for request in flying where Bool.random(using: &random) { _ = weather.carry(request) }
          weather.settle()
          return nil
        }
        switch action {
        case .journal(let entries): journal += entries
        case .settled(let result): results.append(result)
        case .send(let request): flying.append(request)
        case .wake(let time): wake = time
        case .finish(let summary):
          weather.settle()
          return summary
        }
      }
      events = []
      flying.shuffle(using: &random)
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        if let request = flying.popLast() { events.append(weather.carry(request)) }
      }
      if events.isEmpty, let wake { now = max(now, wake) }
      if events.isEmpty { events = [.tick] }
      now += 1
    }
    return nil
  }

  private func item(_ step: ReplayStep) -> ReplayItem? {
    rows[step.itemID].map { ReplayItem(json: $0) }
  }
}
