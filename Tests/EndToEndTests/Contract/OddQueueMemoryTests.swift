import Foundation
import TestSupport
import Testing

/// Queues that no app leaves often take no more memory than others of their length.
@Suite(.enabled(if: SystemProgram.python.isInstalled, "python3 is not installed"))
struct OddQueueMemoryTests {
  private static let count = 300_000
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func peak(_ command: String...) throws -> Double {
    try RunCosts(of: command).memory
  }

  /// A store of the SDK for iOS with so many operations and rows, and as many tokens; what an operation
  /// does, and on which item it is, is told by its number.
  private func store(
    _ name: String, operations: Int = count, kind: String = "1", item: String = "number",
    rows: Int = 1, tokens: Int = 0
  ) throws -> String {
    let path = folder.path(name + ".sqlite")
    _ = try python(
      """
      import sqlite3, sys
      folder, path, operations, kind, item, rows, tokens = sys.argv[1:]
      sys.path.insert(0, folder)
      from queue_memory import SCHEMA, item_id
      base = sqlite3.connect(path)
      base.executescript(SCHEMA)
      base.execute("UPDATE Z_METADATA SET Z_UUID = ?", (path,))
      base.executemany("INSERT INTO ZTODOITEM VALUES (?, 4, 1, ?, 'text', 'v')",
          ((number, item_id(number)) for number in range(1, int(rows) + 1)))
      kind, item = (eval('lambda number, count: ' + word) for word in (kind, item))
      count = int(operations)
      base.executemany(
          "INSERT INTO ZMS_TABLEOPERATIONS VALUES (?, 3, 1, ?, 0, ?, 'TodoItem', ?)",
          ((number, number, item_id(item(number, count)),
            b'{"type":%d}' % kind(number, count)) for number in range(1, count + 1)))
      base.executemany(
          "INSERT INTO ZMS_TABLECONFIG VALUES (?, 1, 1, 1, ?, ?, 'TodoItem', ?)",
          ((number, str(number), 'query%d' % number,
            '2024-05-01T10:20:%02d.%03dZ' % (number // 1000 % 60, number % 1000))
           for number in range(1, int(tokens) + 1)))
      base.commit()
      base.close()
      """, Project.path("Tests/Oracles"), path, String(operations), kind, item, String(rows),
      String(tokens))
    return path
  }

  private func converted(_ stores: String...) async throws -> String {
    let path = stores[0] + ".rehome"
    _ = await rehome(["convert", "-q"] + stores + ["-o", path])
    return path
  }

  /// Those that nobody can decode stand beside others, or wait for one that never comes.
  @Test(.long)
  func operationsThatCannotBeDecodedTakeAsMuchAsOthers() async throws {
    let toolkit = folder.path("toolkit.db")
    let usual = try store("usual")
    let few = (
      try peak("audit", usual),
      try peak("seed", "-qf", try await converted(usual), "--into", "toolkit", "-o", toolkit)
    )
    let apart = try store("apart", kind: "1 if number == count else 9")
    let between = try store(
      "between", kind: "1 if number % 2 else 9", item: "(number + 1) // 2")
    for odd in [apart, between] {
      #expect(try peak("audit", odd) < few.0 + 8)
      let odd = try await converted(odd)
      #expect(try peak("seed", "-qf", odd, "--into", "toolkit", "-o", toolkit) < few.1 + 8)
    }
  }

  /// The changes of a device whose rows are gone are older than those of the next device.
  @Test(.long)
  func operationsThatArePassedOverTakeAsMuchAsThoseOfOneDevice() async throws {
    let alone = try await converted(try store("alone", operations: 120_000))
    let older = try store("older", operations: 60_000)
    let newer = try store("newer", operations: 60_000, rows: 60_000)
    let merged = try await converted(older, newer)
    let arguments = ["--to", "https://example.com", "--dry-run"]
    #expect(
      try RunCosts(of: ["replay", merged] + arguments).memory
        < RunCosts(of: ["replay", alone] + arguments).memory + 6)
  }

  @Test(.long)
  func manyTokensTakeAsMuchAsFew() async throws {
    let few = try store("few", operations: 1, tokens: 1)
    let many = try store("many", operations: 1, tokens: 150_000)
    func peaks(_ store: String) async throws -> [Double] {
      let own = try await converted(store)
      return [
        try peak("inspect", store), try peak("audit", "--json", store),
        try peak("audit", "-qf", "--html", folder.path("page.html"), own),
        try peak("convert", "-qf", own, "-o", folder.path("again.rehome")),
        try peak("export", "-qf", own, "--to", "json", "-o", folder.path("store.json")),
        try peak("seed", "-qf", own, "--into", "toolkit", "-o", folder.path("toolkit.db")),
      ]
    }
    for (many, few) in zip(try await peaks(many), try await peaks(few)) {
      #expect(many < few + 24)
    }
  }
}
