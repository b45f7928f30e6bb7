import Foundation
import TestSupport
import Testing

/// The memory of a command does not grow with the queue of a store.
struct QueueMemoryTests {
  /// How many MiB many operations may take on top of what few take: a test's build takes more than a
  /// release; what counts is that it takes no more for many.
  private static let allowance = 60
  /// The commands that keep, tie and judge operations.
  private static let judging = [
    "audit", "audit-json", "audit-html", "audit-csv", "ops-json", "convert",
  ]

  /// What keeps, ties and judges operations, which are few or have a hundred MiB of payloads.
  @Test func longPayloadsTakeAsMuchAsNone() async throws {
    let few = try Self.peaks(operations: 300, payload: 12_000, only: Self.judging)
    let many = try Self.peaks(operations: 24_000, payload: 12_000, only: Self.judging)
    #expect(few.count == Self.judging.count)
    Self.expect(many, notAbove: few)
  }

  /// Errors are no less than the operations that they are about.
  @Test func manyErrorsTakeAsMuchAsFew() async throws {
    let commands = ["audit-json", "convert"]
    let few = try Self.peaks(operations: 24_000, payload: 20, errors: 300, only: commands)
    let many = try Self.peaks(operations: 24_000, payload: 20, errors: 24_000, only: commands)
    #expect(few.count == commands.count)
    Self.expect(many, notAbove: few)
  }

  /// A queue may speak of other tables in each operation, none of which the store has.
  @Test func namesOfNoTableTakeAsMuchAsOne() async throws {
    let one = try Self.peaks(operations: 60_000, payload: 20, only: ["ops"])
    let many = try Self.peaks(operations: 60_000, payload: 20, names: 60_000, only: ["ops"])
    #expect(many.count == 1)
    Self.expect(many, notAbove: one)
  }

  /// A queue that is long in one way.
  struct LongQueue: Sendable {
    /// Few operations on as many rows: the engine keeps some MiB of pages wherever it writes many.
    static let rows = 24_000
    var operations = rows
    var payload = 20
    var errors = 0
    var commands: [String] = []
  }

  /// All commands, for minutes, which `.ci/run` asks for.
  @Test(
    .enabled(
      if: ProcessInfo.processInfo.environment["REHOME_LONG_TESTS"] != nil,
      "REHOME_LONG_TESTS is not set"),
    arguments: [
      LongQueue(payload: 12_000), LongQueue(errors: LongQueue.rows),
      // A replay of so many takes minutes in a build for tests.
      LongQueue(operations: 300_000, commands: judging),
    ])
  func manyOperationsTakeAsMuchAsFew(queue: LongQueue) async throws {
    let few = try Self.peaks(operations: 300, rows: LongQueue.rows, payload: 12_000)
    let many = try Self.peaks(
      operations: queue.operations, payload: queue.payload, errors: queue.errors,
      only: queue.commands)
    #expect(few.count > 30)
    #expect(many.count == (queue.commands.isEmpty ? few.count : queue.commands.count))
    Self.expect(many, notAbove: few)
  }

  private static func expect(_ many: [String: Int], notAbove few: [String: Int]) {
    for (command, memory) in many {
      let grown = memory - (few[command] ?? 0)
      #expect(grown < allowance, "\(command): \(grown) MiB more for many operations")
    }
  }

  /// The peak of each command in MiB; of every third operation the payload has so many bytes, and all
  /// of them name so many tables.
  private static func peaks(
    operations: Int, rows: Int? = nil, payload: Int, names: Int = 1, errors: Int = 0,
    only commands: [String] = []
  ) throws -> [String: Int] {
    let folder = try TemporaryFolder()
    let lines = try Python.run(
      file: Project.path("Tests/Oracles/queue_memory.py"),
      arguments: [
        Project.executable.path, folder.path("stores"), "--operations", "\(operations)", "--rows",
        "\(rows ?? max(3000, operations))", "--payload", "\(payload)", "--names", "\(names)",
        "--errors", "\(errors)",
      ] + commands.flatMap { ["--only", $0] })
    var peaks: [String: Int] = [:]
    for line in String(decoding: lines, as: UTF8.self).split(separator: "\n") {
      let words = line.split(separator: " ")
      try #require(words.count == 3 && [0, 2, 4, 5].contains(Int(words[2])), "\(line)")
      peaks[String(words[0])] = Int(words[1])
    }
    return peaks
  }
}
