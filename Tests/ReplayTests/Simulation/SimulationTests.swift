import Formats
import Records
import TestSupport
import Testing

@testable import Replay

/// Hundreds of runs, thousands where long tests are wanted, against a model of the server in bad
/// weather, with clients that die.
struct SimulationTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let dialect: Dialect
    let decision: Situation.Decision
    var testDescription: String { "\(dialect) \(decision)" }
  }

  static let cases = Dialect.ofTableServices.flatMap { dialect in
    Situation.Decision.allCases.map { Case(dialect: dialect, decision: $0) }
  }

  @Test(arguments: cases)
  func everyChangeArrivesExactlyOnce(_ given: Case) throws {
    let rules = try given.decision.rules
    var seeds = SeededGenerator(seed: 70_007)
    for _ in 0..<(LongTests.areWanted ? 200 : 30) {
      let seed = seeds.next()
      try check(given, rules, SeededGenerator(seed: seed, movedBy: nil))
    }
  }

  private func check(_ given: Case, _ rules: ConflictRules, _ seed: SeededGenerator) throws {
    var random = seed
    let situation = Situation(given.dialect, decision: given.decision, random: random)
    var settings = ReplaySettings(dialect: given.dialect)
    settings.conflicts = rules
    settings.jobs = Int.random(in: 1...4, using: &random)
    settings.maxAttempts = 6
    var weather = Weather(
      situation.server, faults: Int.random(in: 0...50, using: &random),
      random: SeededGenerator(seed: random.next(), movedBy: nil))
    var device = Device(
      situation.operations, rows: situation.rows, settings,
      deaths: Int.random(in: 0...60, using: &random),
      random: SeededGenerator(seed: random.next(), movedBy: nil))
    try device.runToEnd(&weather)
    check(situation, device, weather.server, "\(given) \(seed)")
  }

  private func check(
    _ situation: Situation, _ device: Device, _ server: ModelServer, _ place: String
  ) {
    for (id, fields) in situation.expected {
      let item = server.items[id]
      let found = item?.isDeleted == true ? nil : item?.fields
      #expect(found == fields, "\(place) \(id)")
      #expect(
        server.creations[id, default: 0] == 1 || !situation.inserted.contains(id),
        "\(place) \(id)")
      #expect(server.changes[id, default: 0] <= 1 || !server.hasVersions, "\(place) \(id)")
    }
    for operation in situation.operations {
      let isConflict = situation.conflicting.contains(operation.itemID ?? "")
      let state = device.history.state(of: operation.sequence)
      #expect((state == .ended(.conflict)) == isConflict, "\(place) \(operation.sequence)")
      #expect(
        isConflict || device.history.isDone(operation.sequence),
        "\(place) \(operation.sequence): \(String(describing: state))")
    }
  }
}
