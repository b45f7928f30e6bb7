import Foundation
import TestSupport
import Testing

/// What an app of the Community Toolkit sends replaces the item, so it is the whole item as that app's
/// server takes it, whatever the SDK of the device would have sent.
@Suite(.enabled(if: SystemProgram.python.isInstalled, "python3 is not installed"))
struct SeedToolkitItemsTests {
  private let folder: TemporaryFolder
  private var device: String { folder.path("device.db") }
  private var output: String { folder.path("app.db") }

  init() throws {
    folder = try TemporaryFolder()
  }

  private func seed(_ input: String) async -> Outcome {
    await rehome("seed", input, "--into", "toolkit", "-fo", output)
  }

  /// The operations, each as its kind, the id and the item with sorted members.
  private func queue() throws -> String {
    try python(
      """
      import json, sqlite3, sys
      for kind, name, item in sqlite3.connect(sys.argv[1]).execute(
              'SELECT Kind, ItemId, Item FROM DatasyncOperationsQueue ORDER BY Sequence'):
          print(kind, name, json.dumps(json.loads(item), sort_keys=True))
      """, output)
  }

  /// Amplify for Android keeps of an update what changed, and truth values as whole numbers.
  @Test func updateOfSomeFieldsBecomesTheWholeItem() async throws {
    _ = try python(
      """
      import json, sqlite3, sys
      database = sqlite3.connect(sys.argv[1])
      database.executescript('''
        CREATE TABLE PersistentRecord (id TEXT PRIMARY KEY, containedModelClassName TEXT,
          containedModelId TEXT, serializedMutationData TEXT);
        CREATE TABLE LastSyncMetadata (id TEXT PRIMARY KEY, lastSyncTime INTEGER, lastSyncType TEXT,
          modelClassName TEXT);
        CREATE TABLE PersistentModelVersion (id TEXT PRIMARY KEY, version TEXT);
        CREATE TABLE ModelMetadata (id TEXT PRIMARY KEY, _deleted INTEGER, _lastChangedAt INTEGER,
          _version INTEGER);
        CREATE TABLE Blog (id TEXT PRIMARY KEY, name TEXT);
        CREATE TABLE Post (id TEXT PRIMARY KEY, done INTEGER, rating INTEGER, title TEXT,
          blogPostsId TEXT, FOREIGN KEY (blogPostsId) REFERENCES Blog(id));
        INSERT INTO Blog VALUES ('b1', 'Home');
        INSERT INTO Post VALUES ('p1', 1, 5, 'new', 'b1'), ('p2', 1, 0, NULL, 'b1');
        ''')
      def field(name, kind, isModel=False):
          return {"name": name, "targetType": kind, "isRequired": False, "isArray": False,
                  "isEnum": False, "isModel": isModel, "isReadOnly": False, "authRules": []}
      schema = {"name": "Post", "fields": {
          "id": field("id", "ID"), "done": field("done", "Boolean"),
          "rating": field("rating", "Int"), "title": field("title", "String"),
          "blog": field("blog", "Blog", True)},
          "associations": {"blog": {"name": "BelongsTo", "targetName": "blogPostsId"}}}
      changes = [("p1", {"title": "new"}), ("p2", {"done": True}), ("p3", {"title": "x"})]
      for place, (item, change) in enumerate(changes):
          number = f"dec4b57{place}-0479-11ec-b744-9fe25688c16f"
          data = json.dumps({
              "modelSchema": schema, "mutationId": number, "mutationType": "UPDATE",
              "mutatedItem": {"id": item, "modelSchema": schema,
                              "serializedData": {"id": item, **change}},
              "predicate": {"_type": "ALL"}}, separators=(",", ":"))
          database.execute("INSERT INTO PersistentRecord VALUES (?, ?, ?, ?)", (
              number, "com.amplifyframework.core.model.SerializedModel", item, data))
      database.commit()
      """, device)
    let store = folder.path("device.rehome")
    _ = await rehome("convert", "-q", device, "-o", store)
    for input in [device, store] {
      let outcome = await seed(input)
      // The row of the third is gone, and nothing else tells the rest of it.
      #expect(outcome.code == 2, "\(outcome.error)")
      #expect(
        outcome.error.contains("operations of Post whose row is not in the store"),
        "\(outcome.error)")
      #expect(
        try queue() == """
          2 p1 {"blogPostsId": "b1", "done": true, "id": "p1", "rating": 5, "title": "new"}
          2 p2 {"blogPostsId": "b1", "done": true, "id": "p2"}

          """)
    }
  }

  /// A canonical store in which A has one item, B another, and both have a third.
  private func merged(_ a: (String, String), _ b: (String, String)) async throws -> String {
    let devices = try [("A", a), ("B", b)].map { device, values in
      try Devices.make(
        device + ".rehome", in: folder,
        """
        device.make('Item', [('id', 'text', 'id', None), ('updatedAt', 'timestamp', 'updatedAt', None),
            ('text', 'text', 'value', None), ('note', 'text', 'value', None)])
        for key, item in enumerate(['\(device)', 'both', 'once'], 1):
            time = '2016-10-0\(device == "A" ? 2 : 1)T00:00:00.000Z'
            device.add('Item', key, [item, time, '\(values.0)', '\(values.1)'])
        sql("UPDATE rehome_source SET layout = 'watermelondb'")
        for number, item in enumerate(['\(device)', 'both', 'both', 'once'][:\(device == "A" ? 3 : 4)], 1):
            sql("INSERT INTO rehome_operation VALUES (?, ?, 'Item', ?, 'update', 'pending', NULL, NULL, ?, "
                "NULL, ?, 'update', NULL)", (number, 1, item, {'both': 2, 'once': 3}.get(item, 1), item))
        """)
    }
    let store = folder.path("merged.rehome")
    let outcome = await rehome(["convert", "-q"] + devices + ["-o", store])
    #expect(outcome.code == 0, "\(outcome.error)")
    return store
  }

  /// The toolkit has one operation for an item; that of another device is no part of it.
  ///
  /// The row of a device may have given way to that of another, and is what it sends all the same.
  @Test func changesOfAnotherDeviceAreToldAndNotJoined() async throws {
    let outcome = await seed(try await merged(("a", "x"), ("b", "y")))
    #expect(outcome.code == 2, "\(outcome.error)")
    let told = outcome.error.split(separator: "\n").filter { $0.contains("of another device") }
    #expect(told.count == 1, "\(outcome.error)")
    for word in ["Item", "both", "A.rehome", ": 2"] {
      #expect(told.first?.contains(word) == true, "\(outcome.error)")
    }
    #expect(
      outcome.error.contains("joined with another one on the same item: 1"), "\(outcome.error)")
    let items = try queue().replacing(/, "updatedAt": "[^"]*"/, with: "")
    #expect(
      items == """
        2 A {"id": "A", "note": "x", "text": "a"}
        2 B {"id": "B", "note": "y", "text": "b"}
        2 both {"id": "both", "note": "y", "text": "b"}
        2 once {"id": "once", "note": "y", "text": "b"}

        """)
  }

  /// PowerSync keeps of a PATCH what changed, and never an id.
  @Test func changesThatAreJoinedBecomeTheWholeItem() async throws {
    _ = try python(
      """
      import json, sqlite3, sys
      database = sqlite3.connect(sys.argv[1])
      database.executescript('''
        \(QueueTables.powerSyncTodos)
        ''')
      for name, row in [('i', {"a": "x", "n": 7}), ('j', {"a": "y", "n": 1}), ('m', {"a": "z"})]:
          database.execute("INSERT INTO ps_data__todos VALUES (?, ?)", (name, json.dumps(row)))
      for op, name, data in [
              ("PUT", "i", {"a": "x", "n": 1}), ("PATCH", "i", {"n": 7}), ("PATCH", "j", {"n": 1}),
              ("DELETE", "k", None), ("PATCH", "gone", {"n": 1}), ("DELETE", "m", None),
              ("PUT", "m", {"a": "z"})]:
          entry = {"op": op, "id": name, "type": "todos"}
          entry.update({"data": data} if data else {"old": {"a": "was"}} if name == "k" else {})
          database.execute("INSERT INTO ps_crud (data) VALUES (?)", (json.dumps(entry),))
      database.commit()
      """, device)
    let outcome = await seed(device)
    #expect(outcome.code == 2, "\(outcome.error)")
    #expect(
      outcome.error.contains("operations of todos whose row is not in the store"),
      "\(outcome.error)")
    #expect(
      try queue() == """
        0 i {"a": "x", "id": "i", "n": 7}
        2 j {"a": "y", "id": "j", "n": 1}
        1 k {"a": "was", "id": "k"}
        2 m {"a": "z", "id": "m"}

        """)
  }

  /// A document of Couchbase has its id beside its properties, one of which may be called so.
  @Test func idOfTheItemTakesThePlaceOfAColumn() async throws {
    let store = folder.path("notes.rehome")
    let sample = Project.path("samples/couchbase-ios-2015/notes.cblite")
    #expect(await rehome("convert", "-q", sample, "-o", store).code == 0)
    _ = try python(
      """
      import sqlite3, sys
      database = sqlite3.connect(sys.argv[1])
      database.executescript('''ALTER TABLE task RENAME COLUMN price TO Id;
          UPDATE rehome_column SET name = 'Id', sourceName = 'Id'
          WHERE "table" = 'task' AND name = 'price' ''')
      """, store)
    let outcome = await seed(store)
    #expect(outcome.error.contains("that go without task.Id"), "\(outcome.error)")
    let first = try queue().split(separator: "\n")[0]
    #expect(first.contains(#""id": "task-n""#) && !first.contains("0.1"), "\(first)")
  }
}
