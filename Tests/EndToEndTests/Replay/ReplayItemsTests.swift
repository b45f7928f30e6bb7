import Foundation
import TestSupport
import Testing

/// The Community Toolkit leaves default values out of the items that it sends: a change to one is a
/// change all the same.
struct ReplayItemsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A device's store on which the item `a1` is no longer complete, and has no priority nor note; a
  /// second item is new and complete.
  private func device(_ kind: Int = 2, version: String = "AAAAAAAAB9E=") throws -> String {
    let path = folder.path("device.db")
    _ = try python(
      """
      import json, sqlite3, sys
      kind, version = int(sys.argv[2]), sys.argv[3]
      item = {"id": "a1", "title": "milk", **({"version": version} if version else {})}
      with sqlite3.connect(sys.argv[1]) as db:
          db.executescript('''
          \(ToolkitTables.all)
          CREATE TABLE TodoItems (Id TEXT NOT NULL PRIMARY KEY, Title TEXT,
            IsComplete INTEGER NOT NULL, Priority INTEGER NOT NULL, Rating INTEGER, Note TEXT,
            UpdatedAt TEXT, Version TEXT, Deleted INTEGER NOT NULL);''')
          db.execute("INSERT INTO TodoItems VALUES ('a1', 'milk', 0, 0, NULL, NULL, NULL, ?, 0)",
                     (version or None,))
          db.execute("INSERT INTO TodoItems VALUES ('a2', 'tea', 1, 0, NULL, NULL, NULL, NULL, 0)")
          operation = "INSERT INTO DatasyncOperationsQueue VALUES (?,?,0,NULL,NULL,?,?,?,?,?,0)"
          db.execute(operation, ("1", kind, "App.TodoItem", "a1", version, json.dumps(item), 1))
          tea = {"id": "a2", "title": "tea", "isComplete": True}
          db.execute(operation, ("2", 0, "App.TodoItem", "a2", "", json.dumps(tea), 2))
      """, path, String(kind), version)
    return path
  }

  private static let item =
    #"{"id": "a1", "title": "milk", "isComplete": true, "priority": 5, "rating": 3, "note": "n", "#
    + #""version": "VERSION"}"#

  private func service(_ dialect: String, version: String) throws -> TableService {
    let service = try TableService(dialect)
    try service.tell(
      "POST /seed", "{\"TodoItem\": [\(Self.item.replacing("VERSION", with: version))]}")
    return service
  }

  private func replay(
    _ device: String, to target: String, _ dialect: String, _ options: [String] = []
  ) async -> Outcome {
    await rehome(
      [
        "replay", "-q", "--json", device, "--to", target, "--dialect",
        String(dialect.prefix { $0 != "-" }), "--journal", folder.path("journal.rehome"),
      ] + options)
  }

  private static let mapping = ["--map", "TodoItems=TodoItem"]

  private func commits(_ service: TableService) throws -> [String] {
    try service.commits.map { $0.lowercased() }.filter { $0.hasSuffix(" a1") }
  }

  @Test(arguments: ["toolkit", "v3"], [(2, "changed"), (0, "exists")])
  func otherItemIsAConflict(_ dialect: String, _ operation: (kind: Int, situation: String))
    async throws
  {
    let service = try service(dialect, version: "AAAAAAAAB9I=")
    let outcome = await replay(
      try device(operation.kind), to: service.address, dialect, Self.mapping)
    #expect(outcome.code == 4, "\(outcome.error)")
    let operations = try #require(try outcome.json()["operations"] as? [[String: any Sendable]])
    #expect(operations.map { $0["outcome"] as? String } == ["conflict", "applied"])
    #expect(operations.first?["situation"] as? String == operation.situation)
    #expect(try commits(service) == [])
  }

  /// The item is as before, so that the request was not carried out.
  @Test(arguments: ["toolkit", "v3"]) func lostRequestIsSentAgain(_ dialect: String) async throws {
    let service = try service(dialect, version: "AAAAAAAAB9I=")
    try service.tell(
      "POST /plan", #"{"rules": [{"kind": "close", "methods": ["PUT"], "last": 2}]}"#)
    let outcome = await replay(
      try device(version: ""), to: service.address, dialect, Self.mapping + ["-j", "1"])
    #expect(outcome.code == 0, "\(outcome.text)\(outcome.error)")
    #expect(try outcome.json()["applied"] as? Int == 2)
    #expect(try commits(service) == ["replace todoitem a1"])
  }

  /// The answer was lost, and the item is there without what was left out.
  @Test(arguments: ["toolkit", "v3"]) func itemThatArrivedIsThere(_ dialect: String) async throws {
    let service = try service(dialect, version: "AAAAAAAAB9E=")
    try service.tell(
      "POST /plan",
      #"{"rules": [{"kind": "close", "commit": "after", "methods": ["PUT"], "last": 2}]}"#)
    let outcome = await replay(
      try device(), to: service.address, dialect, Self.mapping + ["-j", "1"])
    #expect(outcome.code == 0, "\(outcome.text)\(outcome.error)")
    #expect(try outcome.json()["alreadyApplied"] as? Int == 1)
    #expect(try commits(service) == ["replace todoitem a1"])
  }

  @Test(arguments: ["v1", "v2-dotnet", "v2-node"])
  func serviceThatMergesItemsGetsTheDefaults(_ dialect: String) async throws {
    let service = try service(dialect, version: "AAAAAAAAB9E=")
    let outcome = await replay(try device(), to: service.address, dialect, Self.mapping)
    #expect(outcome.code == 0, "\(outcome.text)\(outcome.error)")
    let state = try #require(try service.tell("GET /state") as? [String: Any])
    let tables = try #require(state["tables"] as? [String: [String: [String: Any]]])
    let item = try #require(tables.values.compactMap { $0["a1"] }.first)
    let fields = try #require(item["fields"] as? NSDictionary)
    #expect(
      fields == [
        "id": "a1", "title": "milk", "isComplete": false, "priority": 0, "rating": NSNull(),
        "note": NSNull(),
      ])
    // Numbers and truth values are equal to Foundation.
    let text = try python(
      "import json, sys; print(json.loads(sys.argv[1])['isComplete'])",
      String(decoding: try JSONSerialization.data(withJSONObject: fields), as: UTF8.self))
    #expect(text == "False\n")
  }

  @Test(arguments: [("AAAAAAAAB9E=", 0), ("AAAAAAAAB9I=", 4)])
  func rehearsalDoesAsTheService(_ version: String, _ code: Int32) async throws {
    let file = try folder.write(
      "[\(Self.item.replacing("VERSION", with: version))]", to: "TodoItems.json")
    let server = folder.path("server.rehome")
    try #require(await rehome("seed", "-q", file, "-o", server).code == 0)
    let outcome = await replay(try device(), to: server, "toolkit")
    #expect(outcome.code == code, "\(outcome.text)\(outcome.error)")
    let row = try python(
      """
      import sqlite3, sys
      with sqlite3.connect(sys.argv[1]) as db:
          print(db.execute('SELECT title, isComplete, priority, rating, note FROM TodoItems '
                           "WHERE id = 'a1'").fetchone())
      """, server)
    #expect(row == (code == 0 ? "('milk', 0, 0, None, None)\n" : "('milk', 1, 5, 3, 'n')\n"))
  }
}
