import Foundation
import TestSupport
import Testing

/// The memory of a command does not grow with the queue of a store.
///
/// A minute of work, which `.ci/run` asks for.
@Suite(
  .enabled(
    if: ProcessInfo.processInfo.environment["REHOME_LONG_TESTS"] != nil,
    "REHOME_LONG_TESTS is not set"))
struct QueueMemoryTests {
  /// Few operations and many, whose payloads alone take more than is allowed.
  private static let counts = (few: 300, many: 10_000)

  /// A test's build takes more than a release; what counts is that it takes no more for many.
  private static let allowance = 72

  /// These tie operations to their rows in pieces of four thousand, however long their payloads are.
  private static let tyingInPieces: Set<String> = [
    "inspect", "audit", "audit-json", "audit-html", "ops", "convert",
  ]

  @Test func manyOperationsTakeAsMuchAsFew() async throws {
    let few = try Self.peaks(operations: Self.counts.few)
    let many = try Self.peaks(operations: Self.counts.many)
    #expect(few.count > 20)
    for (command, memory) in many where !Self.tyingInPieces.contains(command) {
      let grown = memory - (few[command] ?? 0)
      #expect(grown < Self.allowance, "\(command): \(grown) MiB more for many operations")
    }
  }

  /// The peak of each command in MiB; the payloads of all operations have a hundred of them.
  private static func peaks(operations: Int) throws -> [String: Int] {
    let folder = try TemporaryFolder()
    let lines = try Python.run(
      file: Project.path("Tests/Oracles/queue_memory.py"),
      arguments: [
        Project.executable.path, folder.path("stores"), "--operations", "\(operations)", "--rows",
        "3000", "--payload", "12000",
      ])
    var peaks: [String: Int] = [:]
    for line in String(decoding: lines, as: UTF8.self).split(separator: "\n") {
      let words = line.split(separator: " ")
      try #require(words.count == 3 && [0, 2, 4].contains(Int(words[2])), "\(line)")
      peaks[String(words[0])] = Int(words[1])
    }
    return peaks
  }
}
