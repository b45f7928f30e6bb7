import Foundation
import TestSupport
import Testing

/// A replay of a Local Datastore of Parse to a server of Parse.
@Suite(.enabled(if: SystemProgram.python.isInstalled, "python3 is not installed"))
struct ParseServerReplayTests {
  private static let sample = Project.path("samples/parse-android-2016/ParseOfflineStore")
  private static let token = "r:tok.Xq7/s3cr3t"

  /// A server of Parse that wants its keys, and a folder for journals.
  private struct Situation {
    let service: TableService
    let folder: TemporaryFolder
    let headers: String

    init() throws {
      service = try TableService("parse")
      folder = try TemporaryFolder()
      headers = try folder.write(
        "X-Parse-Application-Id: app-1\nX-Parse-Session-Token: \(token)\n", to: "headers")
      try service.tell(
        "POST /require",
        #"{"X-Parse-Application-Id": "app-1", "X-Parse-Session-Token": "\#(token)"}"#)
      try service.tell(
        "POST /seed",
        """
        {"Game": [
          {"objectId": "u1u1u1u1u1", "score": 10, "tags": ["old"],
           "createdAt": "2016-05-01T10:20:30.123Z", "updatedAt": "2016-05-01T10:20:31.123Z"},
          {"objectId": "d4d4d4d4d4", "score": 1, "updatedAt": "2016-05-01T10:20:31.123Z"}]}
        """)
    }

    func replay(_ store: String, _ arguments: String...) async -> Outcome {
      await rehome(
        [
          "replay", store, "--to", service.address + "/parse", "--journal",
          folder.path("j.rehome"), "--header-file", headers,
        ] + arguments)
    }

    func objects(_ name: String = "Game") throws -> [String: [String: Any]] {
      let state = try service.tell("GET /state") as? [String: Any]
      let classes = state?["classes"] as? [String: [String: [String: Any]]]
      return classes?[name] ?? [:]
    }
  }

  /// A store with objects and commands, each as its class, id, documents and sets.
  private static func store(_ folder: TemporaryFolder, _ script: String) throws -> String {
    let path = folder.path("ParseOfflineStore")
    _ = try python(
      """
      import json, sqlite3, sys
      database = sqlite3.connect(sys.argv[1])
      database.executescript('''
        PRAGMA user_version = 4;
        CREATE TABLE ParseObjects (uuid TEXT PRIMARY KEY, className TEXT NOT NULL, objectId TEXT,
          json TEXT, isDeletingEventually INTEGER DEFAULT 0, UNIQUE(className, objectId));
        CREATE TABLE Dependencies (key TEXT NOT NULL, uuid TEXT NOT NULL, PRIMARY KEY(key, uuid));
      ''')
      count = 0
      def name(number):
          return f"00000000-0000-4000-8000-{number:012}"
      def put(number, class_name, object_id, body):
          body = {"className": class_name, "__complete": True, **body}
          if object_id:
              body |= {"objectId": object_id}
          database.execute("INSERT INTO ParseObjects VALUES (?, ?, ?, ?, 0)",
                           (name(number), class_name, object_id, json.dumps(body)))
          database.execute("INSERT INTO Dependencies VALUES (?, ?)", (name(999), name(number)))
      def thing(number, object_id, *sets, class_name="Thing", **values):
          sets = [{**each, "__uuid": name(number * 1000 + place), "__isSaveEventually": True}
                  for place, each in enumerate(sets)]
          if object_id:
              values |= {"createdAt": "2026-04-01T00:00:00.000Z",
                         "updatedAt": "2026-04-01T00:00:00.000Z"}
          put(number, class_name, object_id, {**values, "__operations": [*sets, {}]})
      def queue(kind, target, change=None, **more):
          global count
          count += 1
          one = {"uuid": name(500 + count), "type": kind, "sessionToken": "s3cr3t-device", **more,
                 "time": {"__type": "Date", "iso": f"2026-05-01T00:00:{count:02}.000Z"}}
          if target is not None:
              one["object"] = target
          if change is not None:
              one["operationSetUUID"] = name(change)
          put(500 + count, "_EventuallyPin", None, {"__operations": [one]})
      def local(number):
          return {"__type": "OfflineObject", "uuid": name(number)}
      def pointer(object_id, class_name="Thing"):
          return {"__type": "Pointer", "className": class_name, "objectId": object_id}
      \(script)
      put(999, "_Pin", None, {"__operations": [{"_name": "_eventuallyPin"}]})
      database.commit()
      """, path)
    return path
  }

  @Test func sampleIsSentAsStored() async throws {
    let situation = try Situation()
    let outcome = await situation.replay(Self.sample, "--json")
    #expect(outcome.code == 0, "\(outcome.error)")
    let report = try outcome.json()
    #expect(report["dialect"] as? String == "parse")
    let objects = try situation.objects()
    #expect(objects["u1u1u1u1u1"]?["score"] as? Int == 15)
    #expect((objects["u1u1u1u1u1"]?["tags"] as? [String])?.count == 2)
    let again = await situation.replay(Self.sample, "--json")
    #expect(again.code == 0)
    #expect(try again.json()["applied"] as? Int == 0)
    #expect(try situation.service.tell("GET /elsewhere") as? [String] == [])
  }

  @Test func newObjectsAreTiedToTheIdsThatTheServerGives() async throws {
    let situation = try Situation()
    let store = try Self.store(
      situation.folder,
      """
      thing(1, None, {"title": "first", "next": local(2)}, {"count": {"__op": "Increment", "amount": 2}})
      thing(2, None, {"title": "second", "all": [local(3)]})
      thing(3, "known", {"links": {"__op": "AddRelation", "objects": [local(2)]}})
      queue(1, local(1), 1000)
      queue(1, local(2), 2000)
      queue(1, local(1), 1001)
      queue(1, pointer("known"), 3000)
      """)
    try situation.service.tell(
      "POST /seed",
      #"{"Thing": [{"objectId": "known", "updatedAt": "2026-04-01T00:00:00.000Z"}]}"#)
    let shown = await situation.replay(store, "--dry-run")
    #expect(shown.text.contains(#""localId":"00000000-0000-4000-8000-000000000002""#))
    #expect(!shown.text.contains("s3cr3t"))
    let outcome = await situation.replay(store, "--json")
    #expect(outcome.code == 0, "\(outcome.error)\(outcome.text)")
    let objects = try situation.objects("Thing")
    let first = try #require(objects.values.first { $0["title"] as? String == "first" })
    let second = try #require(objects.values.first { $0["title"] as? String == "second" })
    #expect(
      (first["next"] as? [String: Any])?["objectId"] as? String == second["objectId"] as? String)
    #expect(first["count"] as? Int == 2)
    let all = second["all"] as? [[String: Any]]
    #expect(all?.first?["objectId"] as? String == "known")
    #expect(objects.count == 3)
    // The order is that of the queue, but for what waits for an id.
    let kinds = try situation.service.commits.map { $0.prefix { $0 != " " } }
    #expect(kinds == ["create", "create", "update", "update"])
    #expect(!outcome.text.contains("s3cr3t"))
  }

  @Test func whatCannotBeSentIsToldAndKept() async throws {
    let situation = try Situation()
    let store = try Self.store(
      situation.folder,
      """
      thing(1, None, {"next": local(2)})
      thing(2, None, {"next": local(1)})
      thing(3, None, {"photo": {"__type": "File"}})
      thing(4, None, {"username": "me"}, class_name="_User")
      thing(5, None, {"next": local(77)})
      thing(6, None, {"title": "goes"})
      queue(1, local(1), 1000)
      queue(1, local(2), 2000)
      queue(1, local(3), 3000)
      queue(1, local(4), 4000)
      queue(1, local(5), 5000)
      queue(3, None, command={"httpPath": "events/AppOpened", "httpMethod": "POST",
          "parameters": {}, "sessionToken": "s3cr3t-command"})
      queue(1, pointer("gone"), 9000)
      queue(1, local(6), 6000)
      """)
    let outcome = await situation.replay(store, "--json")
    #expect(outcome.code == 2, "\(outcome.error)")
    let report = try outcome.json()
    #expect(report["applied"] as? Int == 1)
    #expect(report["pending"] as? Int == 7)
    let operations = try #require(report["operations"] as? [[String: Any]])
    #expect(
      operations.map { $0["reason"] as? String } == [
        "withoutTarget", "withoutTarget", "withoutFile", "noChange", "withoutTarget", "noChange",
        "withoutChanges", nil,
      ])
    #expect(!outcome.text.contains("s3cr3t"))
  }

  @Test(arguments: [
    ("stop", 4, "conflict"), ("skip", 4, "conflict"), ("client-wins", 0, "applied"),
    ("server-wins", 0, "dropped"),
  ])
  func changedObjectsAreConflicts(policy: String, code: Int, end: String) async throws {
    let situation = try Situation()
    let store = try Self.store(
      situation.folder,
      """
      thing(1, "changed", {"title": "ours"}, title="old")
      queue(1, pointer("changed"), 1000)
      """)
    try situation.service.tell(
      "POST /seed",
      #"{"Thing": [{"objectId": "changed", "title": "x", "updatedAt": "2026-04-09T00:00:00.000Z"}]}"#
    )
    let outcome = await situation.replay(store, "--json", "--on-conflict", policy)
    #expect(Int(outcome.code) == code, "\(outcome.error)")
    let operations = try outcome.json()["operations"] as? [[String: Any]]
    #expect(operations?.first?["outcome"] as? String == end)
    let title = try situation.objects("Thing")["changed"]?["title"] as? String
    #expect(title == (policy == "client-wins" ? "ours" : "x"))
  }

  @Test(arguments: [
    (#"{"kind": "status", "status": 400, "code": 209}"#, 77, "pending"),
    (#"{"kind": "status", "status": 403}"#, 77, "pending"),
    (#"{"kind": "status", "status": 400, "code": 137, "methods": ["POST"]}"#, 4, "conflict"),
    (#"{"kind": "status", "status": 400, "code": 142, "methods": ["POST"]}"#, 2, "rejected"),
    (#"{"kind": "status", "status": 400, "code": 155, "first": 2, "last": 3}"#, 0, "applied"),
    (#"{"kind": "status", "status": 400, "code": 119, "methods": ["GET"]}"#, 0, "applied"),
    (#"{"kind": "status", "status": 404, "methods": ["POST"]}"#, 2, "rejected"),
    (
      #"{"kind": "reset", "commit": "after", "methods": ["POST"], "first": 3, "last": 3}"#, 0,
      "alreadyApplied"
    ),
  ])
  func codesOfTheServerMeanWhatTheySay(rule: String, code: Int, end: String) async throws {
    let situation = try Situation()
    let store = try Self.store(
      situation.folder,
      """
      thing(1, None, {"title": "new"})
      queue(1, local(1), 1000)
      """)
    try situation.service.tell("POST /plan", #"{"rules": [\#(rule)]}"#)
    let outcome = await situation.replay(store, "--json", "--jobs", "1", "--retries", "3")
    #expect(Int(outcome.code) == code, "\(outcome.error)\(outcome.text)")
    let operations = try outcome.json()["operations"] as? [[String: Any]]
    #expect(operations?.first?["outcome"] as? String == end)
    try situation.service.tell("POST /plan", #"{"rules": []}"#)
    let next = await situation.replay(store)
    #expect(next.code == 0, "\(next.error)")
    #expect(try situation.objects("Thing").count == 1)
  }

  @Test func doubtThatNobodyCanSettleIsAsked() async throws {
    let situation = try Situation()
    let store = try Self.store(
      situation.folder,
      """
      thing(1, "counter", {"count": {"__op": "Increment", "amount": 1}})
      queue(1, pointer("counter"), 1000)
      """)
    let seed = #"{"Thing": [{"objectId": "counter", "count": NUMBER, "updatedAt": "TIME"}]}"#
    try situation.service.tell(
      "POST /seed",
      seed.replacing("NUMBER", with: "1").replacing("TIME", with: "2026-04-01T00:00:00.000Z"))
    try situation.service.tell(
      "POST /plan",
      #"{"rules": [{"kind": "reset", "methods": ["PUT"]}, {"kind": "reset", "first": 4}]}"#)
    let outcome = await situation.replay(store, "--json", "--retries", "0")
    #expect(outcome.code == 75, "\(outcome.error)")
    // Somebody else counts meanwhile.
    try situation.service.tell("POST /plan", #"{"rules": []}"#)
    try situation.service.tell(
      "POST /seed",
      seed.replacing("NUMBER", with: "8").replacing("TIME", with: "2026-04-09T00:00:00.000Z"))
    let doubtful = await situation.replay(store, "--json")
    #expect(try doubtful.json()["inDoubt"] as? Int == 1, "\(doubtful.error)")
    #expect(doubtful.code == 4)
    #expect(doubtful.error.contains("nothing tells whether this change is part of that"))
    #expect(try situation.objects("Thing")["counter"]?["count"] as? Int == 8)
    let decided = await situation.replay(store, "--json", "--on-conflict", "client-wins")
    #expect(decided.code == 0, "\(decided.error)")
    #expect(try situation.objects("Thing")["counter"]?["count"] as? Int == 9)
  }

  @Test func requestsOfGeneratedStoresAreThoseOfTheDescription() throws {
    let folder = try TemporaryFolder()
    let stores = try RandomStores.make("wild_parse_stores.py", seed: 77, count: 24, in: folder)
    let outcome = try SystemProgram.python.run(
      ["-B", Project.path("Tests/Oracles/parse_requests.py"), Project.executable.path] + stores)
    #expect(outcome.code == 0, "\(outcome.output)")
  }
}
