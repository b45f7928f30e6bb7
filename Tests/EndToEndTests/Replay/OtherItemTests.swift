import Foundation
import TestSupport
import Testing

/// An operation whose payload is that of another item changes neither.
struct OtherItemTests {
  @Test func deleteIsHeldBackAndTold() async throws {
    let folder = try TemporaryFolder()
    let store = try AlteredStore.make(
      in: folder,
      """
      UPDATE ZMS_TABLEOPERATIONS
      SET ZPROPERTIES = CAST('{"type":2,"item":{"id":"another","ms_version":"v"}}' AS BLOB)
      WHERE Z_PK = (SELECT max(Z_PK) FROM ZMS_TABLEOPERATIONS);
      """)
    let plan = try await rehome("replay", "--dry-run", "--json", store).json()
    let held = try #require(plan["held"] as? [[String: any Sendable]])
    #expect(held.contains { $0["reason"] as? String == "unreadable" })
    let steps = try #require(plan["steps"] as? [[String: any Sendable]])
    #expect(!steps.contains { $0["condition"] as? String == "\"v\"" })
    #expect(await rehome("audit", store).text.contains("the payload is that of another item"))
  }

  @Test(arguments: ["direct", "converted"])
  func rowsWithIDsThatDifferInCaseAreSentEachUnderItsOwn(_ way: String) async throws {
    let folder = try TemporaryFolder()
    var store = try CordovaStore.make(
      "app.db", in: folder,
      """
      INSERT INTO note VALUES ('A', 1, 'VU'), ('a', 2, 'VL'), ('B', 3, 'VB');
      INSERT INTO __operations VALUES (1, 'note', 'update', 'A', '{}'),
        (2, 'note', 'update', 'a', '{}'), (3, 'note', 'update', 'B', '{}'),
        (4, 'note', 'update', 'b', '{}');
      """)
    if way == "converted" {
      let canonical = folder.path("own.rehome")
      #expect(await rehome("convert", "-q", store, "-o", canonical).code == 0)
      store = canonical
    }
    let plan = try await rehome("replay", "--dry-run", "--json", store, "--dialect", "v2").json()
    let steps = try #require(plan["steps"] as? [[String: any Sendable]])
    #expect(steps.map { $0["condition"] as? String } == ["\"VU\"", "\"VL\"", "\"VB\""])
    #expect(steps.map { $0["path"] as? String } == ["A", "a", "B"].map { "tables/note/\($0)" })
    #expect(steps.map { ($0["body"] as? [String: any Sendable])?["n"] as? Int } == [1, 2, 3])
    #expect(steps.map { $0["sequences"] as? [Int] } == [[1], [2], [3, 4]])
  }

  /// The row spells its id otherwise than the operations do, of which the delete has no row.
  @Test(arguments: ["direct", "converted"])
  func operationsFoldAsInAnAudit(_ way: String) async throws {
    let folder = try TemporaryFolder()
    var store = try CordovaStore.make(
      "app.db", in: folder,
      """
      INSERT INTO note VALUES ('a1', 1, 'V');
      INSERT INTO __operations VALUES (1, 'note', 'update', 'A1', '{}'),
        (2, 'note', 'delete', 'A1', '{"id":"A1","version":"V"}');
      """)
    if way == "converted" {
      let canonical = folder.path("own.rehome")
      #expect(await rehome("convert", "-q", store, "-o", canonical).code == 0)
      store = canonical
    }
    let plan = try await rehome("replay", "--dry-run", "--json", store, "--dialect", "v2").json()
    let steps = try #require(plan["steps"] as? [[String: any Sendable]])
    #expect(steps.map { $0["sequences"] as? [Int] } == [[1, 2]])
    #expect(steps.map { $0["path"] as? String } == ["tables/note/a1"])
    let audit = try await rehome("audit", "--json", store).json()
    let seen = try #require((audit["stores"] as? [[String: Any]])?.first)
    let effects = try #require(seen["effects"] as? [[String: Any]])
    #expect(effects.map { $0["sequences"] as? [Int] } == [[1, 2]])
  }

  /// The Community Toolkit sends what it keeps with the operation, whatever it does to the item.
  @Test func operationsOfTheToolkitAreHeldBackToo() async throws {
    let folder = try TemporaryFolder()
    let store = folder.path("app.db")
    _ = try python(
      """
      import sqlite3, sys
      sqlite3.connect(sys.argv[1]).executescript('''
      \(ToolkitTables.all)
      CREATE TABLE Todos (Id TEXT NOT NULL PRIMARY KEY, UpdatedAt TEXT, Version TEXT);
      INSERT INTO Todos VALUES ('a', NULL, 'V'), ('b', NULL, 'V');
      INSERT INTO DatasyncOperationsQueue VALUES
        ('1', 2, 0, NULL, NULL, 'A.Todo', 'a', 'V', '{"id":"b","title":"of b"}', 1, 0),
        ('2', 0, 0, NULL, NULL, 'A.Todo', 'c', '', '{"id":"other"}', 2, 0),
        ('3', 2, 0, NULL, NULL, 'A.Todo', 'b', 'V', '{"id":"B"}', 3, 0);''')
      """, store)
    let plan = try await rehome("replay", "--dry-run", "--json", store).json()
    #expect((plan["held"] as? [any Sendable])?.count == 2)
    #expect((plan["steps"] as? [any Sendable])?.count == 1)
    let audit = await rehome("audit", store).text
    #expect(audit.components(separatedBy: "the payload is that of another item").count == 3)
  }
}
