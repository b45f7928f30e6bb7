import Foundation
import TestSupport
import Testing

/// Items that are deleted have no rows in an app's store that cannot say so, by Python's sqlite3.
@Suite(.enabled(if: SystemProgram.python.isInstalled, "python3 is not installed"))
struct SeedDeletedItemsTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private var output: String { folder.path("app.db") }

  /// A server's answer with two items that are deleted, and one that refers to one of them.
  private static let answer = """
    [{"id":"a","text":"x","deleted":true},{"id":"b","text":"y","deleted":false},
     {"id":"c","text":"z","deleted":true}]
    """

  private func seed(_ kind: String, _ inputs: [String], _ template: String) async -> Outcome {
    await rehome(
      ["seed"] + inputs + ["--into", kind, "--template", template, "--json", "-fo", output])
  }

  private func template(_ tables: String) throws -> String {
    let path = folder.path("template.db")
    try? FileManager.default.removeItem(atPath: path)
    try Devices.execute(path, ToolkitTables.all + tables)
    return path
  }

  private func books(_ outcome: Outcome, _ table: String) throws -> [Int?] {
    let tables = try #require(try outcome.json()["tables"] as? [[String: any Sendable]])
    let own = try #require(tables.first { $0["name"] as? String == table })
    return ["read", "written", "rejected", "filtered"].map { own[$0] as? Int }
  }

  @Test(arguments: ["core-data", "toolkit"], [false, true])
  func markedRowsAreLeftOut(_ kind: String, hasMark: Bool) async throws {
    let answer = try folder.write(Self.answer, to: "TodoItem.json")
    let isToolkit = kind == "toolkit"
    let mark =
      isToolkit
      ? (hasMark ? ", Deleted INTEGER NOT NULL" : "")
      : (hasMark ? ", A('deleted', 'boolean')" : "")
    let template =
      isToolkit
      ? try template("CREATE TABLE TodoItem (Id TEXT NOT NULL PRIMARY KEY, Text TEXT\(mark));")
      : try ObjectStore.describe(
        "empty.sqlite", in: folder,
        of: "[Entity('TodoItem', (A('id', 'string'), A('text', 'string')\(mark)))]")
    let outcome = await seed(kind, [answer], template)
    #expect(outcome.code == 0, "\(outcome.error)")
    let rows = try Devices.query(
      output,
      isToolkit ? "SELECT Id FROM TodoItem ORDER BY 1" : "SELECT ZID FROM ZTODOITEM ORDER BY 1")
    #expect(rows == (hasMark ? "a\nb\nc\n" : "b\n"))
    #expect(try books(outcome, "TodoItem") == (hasMark ? [3, 3, 0, 0] : [3, 1, 0, 2]))
    #expect(
      outcome.text.contains(
        "rows of TodoItem that are marked as deleted, which were left out as the app has no such mark: 2"
      )
        != hasMark, "\(outcome.text)")
    #expect(!outcome.text.contains("no property"), "\(outcome.text)")
    #expect(await rehome("verify", "--by-id", output, answer).code == 0)
  }

  /// Where rows have no numbers they are left out as they come.
  @Test func markedRowsOfTablesWithoutRowIDsAreLeftOut() async throws {
    let template = try template(
      "CREATE TABLE TodoItem (Id TEXT NOT NULL PRIMARY KEY, Text TEXT) WITHOUT ROWID;")
    let answer = try folder.write(Self.answer, to: "TodoItem.json")
    let outcome = await seed("toolkit", [answer], template)
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(try Devices.query(output, "SELECT Id FROM TodoItem") == "b\n")
    #expect(try books(outcome, "TodoItem") == [3, 1, 0, 2])
  }

  /// Whoever refers to an item that is gone refers to nothing, and no value was bad.
  @Test func referencesToMarkedRowsBecomeNothing() async throws {
    let answer = try folder.write(Self.answer, to: "TodoItem.json")
    let visits = try folder.write(
      #"[{"id":"u","task":"a"},{"id":"v","task":"b"}]"#, to: "Visit.json")
    let object = try ObjectStore.describe(
      "empty.sqlite", in: folder,
      of: "[Entity('TodoItem', (A('id', 'string'), A('text', 'string')), "
        + "(Relationship('visits', 'Visit', 'task', True),)), Entity('Visit', (A('id', 'string'),), "
        + "(Relationship('task', 'TodoItem', 'visits'),))]")
    let toolkit = try template(
      """
      CREATE TABLE TodoItem (Id TEXT NOT NULL PRIMARY KEY, Text TEXT);
      CREATE TABLE Visit (Id TEXT NOT NULL PRIMARY KEY, Task TEXT REFERENCES TodoItem (Id));
      """)
    for (kind, template, query) in [
      ("core-data", object, "SELECT ZID, ZTASK FROM ZVISIT ORDER BY 1"),
      ("toolkit", toolkit, "SELECT Id, Task FROM Visit ORDER BY 1"),
    ] {
      let outcome = await seed(
        kind, [answer, visits, "--reference", "Visit.task=TodoItem"], template)
      #expect(outcome.code == 0, "\(outcome.error)")
      let rows = try Devices.query(output, query)
      #expect(rows == (kind == "toolkit" ? "u|None\nv|b\n" : "u|None\nv|2\n"))
      #expect(outcome.text.contains("references of Visit to rows"), "\(outcome.text)")
    }
  }

  /// A pull leaves an item alone that has a change, and the change sends its row.
  @Test func markedRowWithAChangeStays() async throws {
    let store = try Devices.make(
      "device.rehome", in: folder,
      """
      device.make('TodoItem', [('id', 'text', 'id', None), ('text', 'text', 'value', None),
          ('deleted', 'boolean', 'deleted', None)])
      for key, id in enumerate('abc', 1):
          device.add('TodoItem', key, [id, 'x', id != 'b'])
      sql("INSERT INTO rehome_operation VALUES (1, 1, 'TodoItem', 'a', 'update', 'pending', NULL, NULL, "
          "1, NULL, NULL, NULL, NULL)")
      """)
    let template = try template("CREATE TABLE TodoItem (Id TEXT NOT NULL PRIMARY KEY, Text TEXT);")
    let outcome = await seed("toolkit", [store], template)
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(try Devices.query(output, "SELECT Id FROM TodoItem ORDER BY 1") == "a\nb\n")
    #expect(try books(outcome, "TodoItem") == [3, 2, 0, 1])
    #expect(try Devices.query(output, "SELECT ItemId FROM DatasyncOperationsQueue") == "a\n")
  }

  private static let items = """
    CREATE TABLE Items (Id TEXT NOT NULL PRIMARY KEY, Name TEXT, UpdatedAt TEXT, Version TEXT,
      Deleted INTEGER NOT NULL);
    """

  /// A device of the toolkit with rows, and with changes told as kind and id.
  private func device(
    _ name: String, rows: String, day: Int, changes: [(kind: Int, id: String)]
  ) throws -> String {
    let path = folder.path(name)
    let queue = changes.enumerated().map { place, change in
      """
      INSERT INTO DatasyncOperationsQueue VALUES ('\(name)\(place)', \(change.kind), 0, NULL, NULL,
        'A.Item', '\(change.id)', '', '{"id":"\(change.id)"}', \(place + 1), 0);
      """
    }
    let filled = rows.map {
      "INSERT INTO Items VALUES ('\($0)', '\(name)', '2024-01-0\(day) 00:00:00+00:00', 'v', 0);"
    }
    try Devices.execute(
      path, ToolkitTables.all + Self.items + (queue + filled).joined(separator: "\n"))
    return path
  }

  /// What is sent decides: an item of which only a delete waits has no row.
  @Test(arguments: [false, true], [false, true])
  func rowOfAnItemWhoseDeleteWaitsIsLeftOut(isReversed: Bool, isMerged: Bool) async throws {
    var devices = [
      try device("a", rows: "xy", day: 1, changes: [(2, "x"), (1, "z"), (0, "y")]),
      try device("b", rows: "xz", day: 2, changes: [(2, "x"), (2, "z"), (1, "y")]),
    ]
    if isReversed { devices.reverse() }
    if isMerged {
      let merged = folder.path("m.rehome")
      _ = await rehome(["convert", "-q"] + devices + ["-fo", merged])
      devices = [merged]
    } else {
      devices = [devices[0]]
    }
    let outcome = await seed("toolkit", devices, try template(Self.items))
    let deleted = Set(
      try Devices.query(output, "SELECT ItemId FROM DatasyncOperationsQueue WHERE Kind = 1")
        .split(separator: "\n").map(String.init))
    #expect(!deleted.isEmpty || !isMerged)
    let rows = Set(
      try Devices.query(output, "SELECT Id FROM Items").split(separator: "\n").map(String.init))
    #expect(rows.isDisjoint(with: deleted), "\(outcome.error)")
    #expect(rows.count == 2)
    #expect(
      outcome.text.contains("rows of Items whose delete waits") == isMerged, "\(outcome.text)")
  }

  /// A row that stands beside a delete of its own device goes, and stays where the item came again.
  @Test func rowBesideItsOwnDeleteIsLeftOut() async throws {
    let store = try device("c", rows: "pq", day: 1, changes: [(1, "p"), (1, "q"), (0, "q")])
    let outcome = await seed("toolkit", [store], try template(Self.items))
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(try Devices.query(output, "SELECT Id FROM Items") == "q\n")
    #expect(try books(outcome, "Items") == [2, 1, 0, 1])
    #expect(
      outcome.text.contains(
        "rows of Items whose delete waits, which were left out as the app has none then: 1"),
      "\(outcome.text)")
  }

  /// The same of Core Data, where each device's changes are sent; a row that is sent stays.
  @Test func objectOfAnItemWhoseDeleteWaitsIsLeftOut() async throws {
    let model =
      "system_entities() + [Entity('Todo', (A('id', 'string'), A('version', 'string'), "
      + "A('updatedAt', 'date')))]"
    let first = try ObjectStore.describe(
      "first.sqlite", in: folder, of: model,
      """
      store.insert('Todo', {'id': 'y', 'version': 'AA='})
      store.insert('Todo', {'id': 'w', 'version': 'AA='})
      queue.add(1, 'Todo', 'w', 1)
      """)
    let second = try ObjectStore.describe(
      "second.sqlite", in: folder, of: model,
      """
      store.insert('Todo', {'id': 'x', 'version': 'AA='})
      queue.add(1, 'Todo', 'y', {'type': 2, 'item': {'id': 'y'}})
      queue.add(2, 'Todo', 'w', {'type': 2, 'item': {'id': 'w'}})
      """)
    let merged = folder.path("m.rehome")
    _ = await rehome("convert", "-q", first, second, "-fo", merged)
    let template = try ObjectStore.describe("empty.sqlite", in: folder, of: model)
    let outcome = await seed("core-data", [merged], template)
    #expect(try Devices.query(output, "SELECT ZID FROM ZTODO ORDER BY 1") == "w\nx\n")
    #expect(
      try Devices.query(output, "SELECT ZITEMID FROM ZMS_TABLEOPERATIONS ORDER BY Z_PK")
        == "w\ny\nw\n", "\(outcome.error)")
    #expect(try books(outcome, "Todo") == [3, 2, 0, 1])
  }
}
