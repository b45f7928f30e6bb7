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

  /// The commands that keep errors, or tell them.
  private static let telling =
    judging + ["inspect", "ops-show", "json", "seed-json", "again", "audit-after", "html-after"]

  /// What merges stores, and what is done with what came of it.
  private static let merging = [
    "merge", "audit-merged", "html-merged", "hash-merged", "verify-merged", "json-merged",
    "plan-merged",
  ]
  /// Commands that keep what was found, or tell it.
  private static let finding = [
    "audit", "ops-json", "convert", "json", "seed-json", "inspect-both", "convert-json",
  ]
  /// The rest of them, which `.ci/run` asks, too.
  private static let alsoFinding = ["hash", "ndjson", "xml", "again", "inspect", "json-json"]

  /// What keeps, ties and judges operations, which are few or have a hundred MiB of payloads.
  @Test func longPayloadsTakeAsMuchAsNone() async throws {
    let few = try Self.peaks(
      LongQueue(operations: 300, rows: 3000, payload: 12_000, commands: Self.judging))
    let many = try Self.peaks(LongQueue(payload: 12_000, commands: Self.judging))
    #expect(few.count == Self.judging.count)
    Self.expect(many, notAbove: few)
  }

  /// An item may have more payloads than there is memory, and so may the rows of devices.
  @Test(.long)
  func payloadsOfOneItemTakeAsMuchAsThoseOfMany() async throws {
    var queue = LongQueue(
      operations: 5000, payload: 20_000,
      commands: ["audit", "audit-json", "audit-html", "ops-show"])
    queue.sdk = "powersync"
    let many = try Self.peaks(queue)
    queue.rows = 1
    let one = try Self.peaks(queue)
    #expect(one.count == queue.commands.count)
    Self.expect(one, notAbove: many, by: 20)
  }

  @Test func longRowsOfDevicesTakeAsMuchAsShortOnes() async throws {
    var queue = LongQueue(operations: 1200, commands: ["merge", "audit-merged"])
    let short = try Self.peaks(queue)
    queue.text = 40_000
    // How many batches of long rows are there at a time depends on what else the machine does.
    let long = try Self.peaks(queue).merging(try Self.peaks(queue), uniquingKeysWith: min)
    #expect(long.count == queue.commands.count)
    Self.expect(long, notAbove: short)
  }

  /// Errors are no less than the operations that they are about.
  @Test func manyErrorsTakeAsMuchAsFew() async throws {
    let commands = ["audit-json", "convert"]
    let few = try Self.peaks(LongQueue(errors: 300, commands: commands))
    let many = try Self.peaks(LongQueue(errors: LongQueue.rows, commands: commands))
    #expect(few.count == commands.count)
    Self.expect(many, notAbove: few)
  }

  /// A queue may speak of other tables in each operation, none of which the store has.
  @Test func namesOfNoTableTakeAsMuchAsOne() async throws {
    var queue = LongQueue(operations: 60_000, commands: ["ops"])
    let one = try Self.peaks(queue)
    queue.names = queue.operations
    let many = try Self.peaks(queue)
    #expect(many.count == 1)
    Self.expect(many, notAbove: one)
  }

  /// What is found about each operation takes no memory for each.
  @Test func findingsAboutAllOperationsTakeAsMuchAsNone() async throws {
    let commands = Self.finding + (LongTests.areWanted ? Self.alsoFinding : [])
    var queue = LongQueue(operations: 30_000, commands: commands)
    queue.amplify = "Create"
    let none = try Self.peaks(queue)
    queue.amplify = "Update"
    let many = try Self.peaks(queue)
    #expect(many.count == commands.count)
    Self.expect(many, notAbove: none, by: 10)
  }

  /// What people decide about whole tables takes a few bytes for each operation.
  @Test(.long)
  func marksOfAllOperationsTakeLittle() async throws {
    let marking = [
      "mark", "mark-again", "inspect-marked", "hash-marked", "json-marked", "seed-marked",
      "merge-marked",
    ]
    let others = ["convert", "inspect-after", "json", "seed-json", "merge-seeded"]
    let peaks = try Self.peaks(
      LongQueue(operations: 100_000, rows: 100, commands: marking + others))
    try #require(peaks.count == marking.count + others.count)
    let like = ["json-marked": "json", "seed-marked": "seed-json", "merge-marked": "merge-seeded"]
    for command in marking {
      let usual = peaks[like[command] ?? "inspect-after"] ?? 0
      let more = (peaks[command] ?? 0) - usual
      #expect(more < 16, "\(command): \(more) MiB more with marks")
    }
  }

  /// What stands beside the queue is brought together with it, and not held in memory.
  @Test(.long, arguments: ["powersync", "amplify-ios", "android"])
  func listsOfItemsBesideTheQueueTakeNoMemory(sdk: String) async throws {
    var queue = LongQueue(operations: 150_000, commands: ["inspect"])
    queue.sdk = sdk
    let many = try Self.peaks(queue)
    queue.rows = queue.operations
    queue.operations = 300
    let few = try Self.peaks(queue)
    #expect(many.count == 1)
    Self.expect(many, notAbove: few)
  }

  /// Rows that give way to those of the same items cost little more than rows of other items.
  @Test(.long)
  func mergesOfSameItemsTakeAsMuchAsOfOthers() async throws {
    try Self.expectSameItemsToTakeAsMuch(as: LongQueue(commands: Self.merging))
  }

  /// So many that some bytes for each of them show.
  @Test(.long)
  func largeMergesOfSameItemsTakeAsMuchAsOfOthers() async throws {
    try Self.expectSameItemsToTakeAsMuch(
      as: LongQueue(operations: 200_000, stores: 3, commands: ["merge", "audit-merged"]), by: 10)
  }

  private static func expectSameItemsToTakeAsMuch(
    as queue: LongQueue, by allowance: Int = 20
  ) throws {
    let same = try peaks(queue)
    var queue = queue
    queue.isApart = true
    let apart = try peaks(queue)
    #expect(same.count == queue.commands.count)
    expect(same, notAbove: apart, by: allowance)
  }

  /// A queue that is long in one way.
  struct LongQueue: Sendable {
    /// Few operations on as many rows: the engine keeps some MiB of pages wherever it writes many.
    static let rows = 24_000
    var operations = rows
    /// As many as operations where it is not said.
    var rows: Int?
    /// How many bytes the payload of every third operation has.
    var payload = 20
    /// How many bytes the text of every row has besides a few.
    var text = 0
    /// How many tables the operations name.
    var names = 1
    var errors = 0
    /// The kind of all operations in a store of Amplify, where it is one.
    var amplify: String?
    /// The SDK, where it is one that lists its items beside the queue.
    var sdk: String?
    /// How many such stores are merged, and whether each has items of its own.
    var stores = 2
    var isApart = false
    var commands: [String] = []

    /// What the script is told.
    var options: [String] {
      var options = [
        "--operations", "\(operations)", "--rows", "\(rows ?? operations)", "--payload",
        "\(payload)", "--text", "\(text)",
        "--names", "\(names)", "--errors", "\(errors)", "--stores", "\(stores)",
      ]
      if let amplify { options += ["--amplify", amplify] }
      if let sdk { options += ["--sdk", sdk] }
      if isApart { options.append("--apart") }
      return options + commands.flatMap { ["--only", $0] }
    }
  }

  /// All commands, for minutes, which `.ci/run` asks for.
  @Test(
    .long,
    arguments: [
      LongQueue(payload: 12_000), LongQueue(errors: LongQueue.rows, commands: telling),
      // A replay of so many takes minutes in a build for tests.
      LongQueue(operations: 300_000, commands: ["audit-html", "convert"]),
    ])
  func manyOperationsTakeAsMuchAsFew(queue: LongQueue) async throws {
    let few = try Self.peaksOfFew.get()
    let many = try Self.peaks(queue)
    #expect(few.count > 30)
    #expect(many.count == (queue.commands.isEmpty ? few.count : queue.commands.count))
    Self.expect(many, notAbove: few)
  }

  /// What all commands take for few operations.
  private static let peaksOfFew = Result {
    try peaks(LongQueue(operations: 300, rows: LongQueue.rows, payload: 12_000))
  }

  private static func expect(
    _ many: [String: Int], notAbove few: [String: Int], by allowance: Int = allowance
  ) {
    for (command, memory) in many {
      let grown = memory - (few[command] ?? 0)
      #expect(grown < allowance, "\(command): \(grown) MiB more for many")
    }
  }

  /// The peak of each command in MiB.
  private static func peaks(_ queue: LongQueue) throws -> [String: Int] {
    let folder = try TemporaryFolder()
    let lines = try Python.run(
      file: Project.path("Tests/Oracles/queue_memory.py"),
      arguments: [Project.executable.path, folder.path("stores")] + queue.options)
    var peaks: [String: Int] = [:]
    for line in String(decoding: lines, as: UTF8.self).split(separator: "\n") {
      let words = line.split(separator: " ")
      try #require(words.count == 3 && [0, 2, 4, 5].contains(Int(words[2])), "\(line)")
      peaks[String(words[0])] = Int(words[1])
    }
    return peaks
  }
}
