import Foundation
import TestSupport
import Testing

/// A server's answer may reach the row of an item while a change of it is on its way; what was on its way
/// is the payload.
@Suite(.enabled(if: SystemProgram.python.isInstalled, "python3 is not installed"))
struct AmplifyPayloadTests {
  private let folder: TemporaryFolder
  private var server: String { folder.path("server.rehome") }

  init() throws {
    folder = try TemporaryFolder()
  }

  /// A store of iOS with one row of `Todo`, and changes that are on their way or wait.
  private func store(_ name: String, row: String, _ payloads: String...) throws -> String {
    let path = folder.path(name)
    _ = try python(
      """
      import sqlite3, sys
      database = sqlite3.connect(sys.argv[1])
      database.executescript('''
        create table "Todo" ("id" text primary key not null, "text" text, "done" integer, "n" integer,
          "tags" text, "listId" text);
        \(AmplifyTables.ofIOS)
      ''')
      database.execute(f'insert into "Todo" values ({sys.argv[2]})')
      for place, json in enumerate(sys.argv[3:]):
          database.execute('insert into "MutationEvent" values (?, ?, NULL, ?, ?, ?, ?, ?, 1)',
              (f'E{place}', f'2024-05-01T10:20:3{place}.000Z', 1 - place, json, '1', 'Todo', 'update'))
      database.commit()
      """, [path, row] + payloads)
    return path
  }

  private func rehearse(_ store: String) async throws -> String {
    let file = try folder.write(
      #"[{"id":"1","text":"server","done":false,"n":10,"tags":"[]","listId":"l"}]"#, to: "Todo.json"
    )
    #expect(await rehome("seed", "-qf", file, "-o", server).code == 0)
    // A canonical store keeps its journal itself.
    let journal =
      store.hasSuffix(".rehome") ? [] : ["--journal", folder.path("\(UUID()).rehome")]
    let outcome = await rehome(
      ["replay", "-q", store, "--to", server, "--on-conflict", "client-wins"] + journal)
    #expect(outcome.code == 0, "\(outcome.error)")
    return await rehome("export", server, "--to", "ndjson", "--table", "Todo").text
  }

  @Test func rehearsalSendsWhatWaitsAndNotWhatCameSince() async throws {
    let row = "'1', 'server', 0, 1, '[\"a\"]', 'l1'"
    let payload = #"{"id":"1","text":"mine","done":true,"n":5,"tags":["b"],"list":{"id":"l1"}}"#
    let device = try store("a.db", row: row, payload)
    let converted = folder.path("a.rehome")
    #expect(await rehome("convert", "-q", device, "-o", converted).code == 0)
    for store in [device, converted] {
      let rows = try await rehearse(store)
      #expect(
        rows.contains(##""text":"mine","done":true,"n":5,"tags":"[\"b\"]","listId":"l1""##),
        "\(rows)")
    }
  }

  /// A text of JSON in a payload is a text, a number is a number, and what no payload tells is left to
  /// a person.
  @Test func listsOfPayloadsAreSentAsLists() async throws {
    let row = "'1', '[\"t\"]', 0, 1, '[\"a\"]', 'l1'"
    let device = try store("a.db", row: row, #"{"id":"1","text":"[\"t\"]","n":1,"tags":["b","c"]}"#)
    let converted = folder.path("a.rehome")
    #expect(await rehome("convert", "-q", device, "-o", converted).code == 0)
    for store in [device, converted] {
      let plan = await rehome("replay", "-n", "--json", store, "--dialect", "v2")
      let steps = try #require(try plan.json()["steps"] as? [[String: Any]], "\(plan.error)")
      let body = try #require(steps.first?["body"] as? [String: Any])
      #expect(body["tags"] as? [String] == ["b", "c"], "\(body)")
      #expect(body["text"] as? String == #"["t"]"#, "\(body)")
      #expect(body["n"] as? Int == 1, "\(body)")
      #expect(plan.error.contains("convert with --type Todo.done=boolean\n"), "\(plan.error)")
    }
    let told = await rehome(
      "replay", "-n", device, "--dialect", "v2", "--type", "Todo.done=boolean", "--type",
      "Todo.text=json")
    #expect(!told.error.contains("does not tell"), "\(told.error)")
    #expect(told.text.contains(#""done":false"#) && told.text.contains(#""text":["t"]"#))
  }

  @Test func lastOfSeveralPayloadsIsSent() async throws {
    let device = try store(
      "a.db", row: "'1', 'server', 0, 1, NULL, 'l1'", #"{"id":"1","text":"first","n":2}"#,
      #"{"id":"1","text":"last","n":3}"#)
    let rows = try await rehearse(device)
    #expect(rows.contains(#""text":"last","done":false,"n":3"#), "\(rows)")
  }

  @Test func eachDeviceSendsItsOwnPayload() async throws {
    let devices = try [("a", 5), ("b", 6)].map { name, number in
      try store(
        "\(name).db", row: "'1', '\(name) row', 0, 1, NULL, 'of \(name)'",
        #"{"id":"1","text":"\#(name) payload","n":\#(number)}"#)
    }
    let merged = folder.path("merged.rehome")
    let converted = await rehome(["convert", "-q"] + devices + ["-o", merged])
    #expect(converted.code == 0, "\(converted.error)")
    let plan = await rehome("replay", merged, "--dry-run").text
    let bodies = plan.split(separator: "\n").filter { $0.hasPrefix("  {") }
    #expect(bodies.count == 2)
    for (body, (name, number)) in zip(bodies, [("a", 5), ("b", 6)]) {
      for told in [#""\#(name) payload""#, #""n":\#(number)"#, #""of \#(name)""#] {
        #expect(body.replacing(": ", with: ":").contains(told), "\(body)")
      }
    }
  }

  @Test func itemOfTheToolkitIsThePayload() async throws {
    let device = try store(
      "a.db", row: "'1', 'server', 1, 1, '[\"a\"]', 'l1'",
      #"{"id":"1","text":"mine","done":false,"n":5,"tags":["b"]}"#)
    let app = folder.path("app.db")
    let outcome = await rehome("seed", "-q", device, "--into", "toolkit", "-o", app)
    #expect(outcome.code == 0, "\(outcome.error)")
    let item = try python(
      """
      import json, sqlite3, sys
      for item, in sqlite3.connect(sys.argv[1]).execute('SELECT Item FROM DatasyncOperationsQueue'):
          print(json.dumps(json.loads(item), sort_keys=True))
      """, app)
    #expect(
      item == #"{"id": "1", "listId": "l1", "n": 5, "tags": "[\"b\"]", "text": "mine"}"# + "\n")
  }

  /// A payload of iOS is the whole item, so that an earlier one says nothing of what it leaves out.
  @Test func whatTheLastPayloadLeavesOutStaysEmptyInTheToolkit() async throws {
    let device = try store(
      "a.db", row: "'1', 'last', 0, 1, NULL, 'l1'",
      #"{"id":"1","text":"first","n":1,"tags":["a"]}"#,
      #"{"id":"1","text":"last","n":1}"#)
    let app = folder.path("app.db")
    let outcome = await rehome("seed", "-q", device, "--into", "toolkit", "-o", app)
    #expect(outcome.code == 0, "\(outcome.error)")
    let items = try python(
      """
      import json, sqlite3, sys
      for item, in sqlite3.connect(sys.argv[1]).execute('SELECT Item FROM DatasyncOperationsQueue'):
          print('tags' in json.loads(item), json.loads(item)['text'])
      """, app)
    #expect(items.split(separator: "\n").last == "False last", "\(items)")
  }

  /// A value that no column could take holds nothing back where the payload says it, and nothing is
  /// reset by the null in its place.
  @Test(arguments: [#""n":5,"#, ""])
  func badValueInTheRowHoldsNoPayloadBack(_ number: String) async throws {
    let device = try store(
      "a.db", row: "'1', 'server', 0, 'bad', NULL, 'l1'", #"{"id":"1",\#(number)"text":"mine"}"#)
    let audit = await rehome("audit", "--json", "--fail-on", "never", device)
    #expect(!audit.text.contains("operation-without-value"), "\(audit.text)")
    let rows = try await rehearse(device)
    let kept = number.isEmpty ? 10 : 5
    #expect(rows.contains(#""text":"mine","done":false,"n":\#(kept)"#), "\(rows)")
  }
}
