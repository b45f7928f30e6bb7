import Foundation
import TestSupport
import Testing

/// What waits in a long queue costs a comparison with a server little memory.
@Suite(.enabled(if: SystemProgram.python.isInstalled, "python3 is not installed"))
struct WaitingMemoryTests {
  private static let count = 100_000
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Makes a store of a sample that holds many items, each with an operation; these are in no order.
  private func store(ofSample sample: String, _ statements: String) async throws -> String {
    let path = folder.path("device.rehome")
    #expect(await rehome("convert", "-q", Project.path(sample), "-o", path).code != 1)
    _ = try python(
      """
      import random, sqlite3, sys
      count = int(sys.argv[2])
      places = list(range(1, count + 1))
      random.Random(1).shuffle(places)
      with sqlite3.connect(sys.argv[1]) as database:
          database.execute('DELETE FROM rehome_operation')
      \(statements)
      """, path, String(Self.count))
    return path
  }

  /// How many MiB it takes to compare two stores with and without what waits.
  private func peaks(_ stores: [String], table: String) throws -> (with: Double, without: Double) {
    let command = ["verify", "-q", "--by-id", "--table", table] + stores
    return (
      try RunCosts(of: command + ["--pending"], codes: [0]).memory,
      try RunCosts(of: command, codes: [5]).memory
    )
  }

  /// Makes a store of todos with descriptions that wait; SQL says which are completed.
  private func todos(completed: String) async throws -> String {
    try await store(
      ofSample: "samples/powersync-2025/todos.sqlite",
      """
          database.execute('DELETE FROM todos')
          database.executemany(
              "INSERT INTO todos VALUES (?, ?, 'l', ?, \(completed), 2)",
              ((place, f'item-{place}', f'new {place}') for place in range(1, count + 1)))
          database.executemany(
              "INSERT INTO rehome_operation VALUES (?, 1, 'todos', ?, 'update', 'pending', ?, NULL, ?, "
              "NULL, ?, 'PATCH', NULL)",
              ((number, f'item-{place}', '{"description":"new %d"}' % place, place, str(number))
               for number, place in enumerate(places, 1)))
      """)
  }

  /// A server's answer with all todos as they were.
  private func answer() throws -> String {
    let rows = (1...Self.count).map { place in
      #"{"id":"item-\#(place)","list_id":"l","description":"old","completed":1,"price":2}"#
    }
    return try folder.write(rows.joined(separator: "\n"), to: "todos.ndjson")
  }

  @Test(.long) func partialUpdatesTakeLittle() async throws {
    let device = try await todos(completed: "1")
    let (with, without) = try peaks([device, try answer()], table: "todos")
    #expect(with - without < 20, "\(with) MiB, \(without) without what waits")
  }

  @Test func newItemsWithoutIDsTakeLittle() async throws {
    let device = try await store(
      ofSample: "samples/parse-android-2016/ParseOfflineStore",
      """
          database.execute('DELETE FROM Game')
          database.executemany(
              "INSERT INTO Game (_pk, _uuid, title) VALUES (?, ?, 't')",
              ((place, f'new-item-{place}') for place in range(1, count + 1)))
          database.executemany(
              "INSERT INTO rehome_operation VALUES (?, 1, 'Game', ?, 'insert', 'pending', NULL, NULL, ?, "
              "NULL, ?, NULL, NULL)",
              ((number, f'new-item-{place}', place, str(number))
               for number, place in enumerate(places, 1)))
      """)
    let server = try folder.write(#"{"results":[]}"#, to: "Game.json")
    let (with, without) = try peaks([device, server], table: "Game")
    #expect(with - without < 10, "\(with) MiB, \(without) without what waits")
  }

  /// The items of a long queue are told apart as those of a short one.
  @Test(.long)
  func itemsThatDifferInMoreThanWhatWaitsStayDifferent() async throws {
    let (device, server) = (try await todos(completed: "?1 % 3 > 0"), try answer())
    let outcome = await rehome(
      "verify", "--by-id", "--pending", "--json", "--table", "todos", device, server)
    #expect(outcome.code == 5)
    let tables = try #require(try outcome.json()["tables"] as? [[String: any Sendable]])
    let difference = try #require(tables.first?["differences"] as? [String: any Sendable])
    let totals = try #require(difference["totals"] as? [String: Int])
    #expect(totals["changed"] == Self.count / 3, "\(totals)")
    #expect(totals["explained"] == Self.count - Self.count / 3, "\(totals)")
  }
}
