import Foundation
import TestSupport
import Testing

/// Operations on some tables are left out of a list and of a replay.
struct ExcludedTablesTests {
  /// A store with operations on three tables.
  private func store(_ folder: borrowing TemporaryFolder) throws -> String {
    let path = folder.path("device.sqlite")
    _ = try python(
      """
      import sqlite3, sys
      with sqlite3.connect(sys.argv[1]) as db:
          db.executescript('''
          \(ToolkitTables.all)''')
          for number, name in enumerate(["Tag", "Tale", "Todo"], 1):
              db.execute(f"CREATE TABLE {name}s (Id TEXT NOT NULL PRIMARY KEY, Title TEXT, "
                         "UpdatedAt TEXT, Version TEXT, Deleted INTEGER NOT NULL)")
              db.execute(f"INSERT INTO {name}s VALUES ('a', 't', NULL, NULL, 0)")
              db.execute("INSERT INTO DatasyncOperationsQueue VALUES (?,0,0,NULL,NULL,?,'a','',?,?,0)",
                         (str(number), f"App.{name}", '{"id": "a", "title": "t"}', number))
      """, path)
    return path
  }

  private static func sequences(in list: String) throws -> [Int?] {
    let list = try JSONSerialization.jsonObject(with: Data(list.utf8)) as? [[String: Any]]
    return try #require(list).map { $0["sequence"] as? Int }
  }

  @Test(arguments: [
    (["--exclude-table", "Todos"], [1, 2]), (["--exclude-table", "Ta*"], [3]),
    (["--table", "T*", "--exclude-table", "Tags", "--exclude-table", "Todos"], [2]),
    (["--table", "Tags", "--exclude-table", "Tags"], []), ([], [1, 2, 3]),
  ])
  func restIsListedAndSent(options: [String], sequences: [Int]) async throws {
    let folder = try TemporaryFolder()
    let device = try store(folder)
    let list = await rehome(["ops", "list", "--json", device] + options)
    #expect(try Self.sequences(in: list.text) == sequences, "\(list.error)")
    let plan = await rehome(
      ["replay", "--dry-run", "--json", device, "--to", "https://example.invalid"] + options)
    let steps = try #require(try plan.json()["steps"] as? [[String: Any]], "\(plan.error)")
    #expect(steps.map { $0["sequences"] as? [Int] } == sequences.map { [$0] })
  }

  @Test(arguments: [["ops", "list"], ["replay", "--dry-run", "--to", "https://example.invalid"]])
  func nameOfNoTableIsRefused(command: [String]) async throws {
    let folder = try TemporaryFolder()
    let outcome = await rehome(command + [try store(folder), "--exclude-table", "nope"])
    #expect(outcome.code == 64 && outcome.error.contains("no table matches nope"))
  }
}
