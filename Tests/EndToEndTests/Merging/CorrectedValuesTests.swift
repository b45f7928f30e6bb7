import Foundation
import TestSupport
import Testing

/// A value that a device had lost, and that a person has put right in a store of several, is that
/// device's wherever its change goes.
@Suite(.enabled(if: SystemProgram.python.isInstalled, "python3 is not installed"))
struct CorrectedValuesTests {
  private let folder: TemporaryFolder
  /// A store of several devices, of which the first has lost the text of the item `x`.
  private let merged: String

  init() throws {
    folder = try TemporaryFolder()
    merged = folder.path("merged.rehome")
  }

  /// A device's store with rows that are told by SQL values, and changes of some items.
  private func device(
    _ name: String, columns: String = "id TEXT, text TEXT, note TEXT", _ rows: String...,
    changes: (id: String, kind: Int, payload: String)...
  ) throws -> String {
    let path = folder.path(name)
    let script = rows.map { "INSERT INTO TodoItem VALUES(\($0));" }
    let queue = changes.enumerated().map { number, change in
      "INSERT INTO __operations VALUES('o\(number)', \(change.kind), 0, 'TodoItem', 0, "
        + "'\(change.id)', \(change.payload), NULL, \(number + 1), 1);"
    }
    try Devices.execute(
      path,
      "CREATE TABLE TodoItem(\(columns), version TEXT, updatedAt DATETIME); \(QueueTables.dotNet)"
        + script.joined() + queue.joined())
    return path
  }

  /// The device that has lost the text of `x`.
  private func first(updatedAt: Int = 5) throws -> String {
    try device(
      "a.db", "'x', x'FF01', 'mine', 'AAAAAAAAB9E=', \(updatedAt)", changes: ("x", 1, "NULL"))
  }

  private func convert(_ stores: String..., to output: String) async throws {
    let outcome = await rehome(["convert", "-qf"] + stores + ["-o", output])
    try #require([0, 2].contains(outcome.code), "\(outcome.error)")
  }

  /// What each step of a replay would send.
  private func bodies(_ store: String) async throws -> [[String: any Sendable]] {
    let plan = try await rehome("replay", "-n", "--json", store, "--dialect", "v2").json()
    let steps = try #require(plan["steps"] as? [[String: any Sendable]])
    return steps.compactMap { $0["body"] as? [String: any Sendable] }
  }

  /// What an audit shows of the first operation.
  private func shown(_ store: String) async throws -> [String: any Sendable] {
    let audit = try await rehome("audit", "--json", store).json()
    let stores = try #require(audit["stores"] as? [[String: any Sendable]])
    let operations = try #require(stores.first?["operations"] as? [[String: any Sendable]])
    return try #require(operations.first?["item"] as? [String: any Sendable])
  }

  private func correct(_ store: String, text: String?) throws {
    try Devices.execute(
      store,
      (text.map { "UPDATE TodoItem SET text = '\($0)' WHERE id = 'x';" } ?? "")
        + "DELETE FROM rehome_reject")
  }

  /// Another device's row takes the place of the one in which the value was put right.
  @Test(
    arguments: ["rehome", "json", "csv", "ndjson", "xml"], [(nil, 5), ("right", 5), ("right", 1)])
  func valueGoesOnWhereAnotherRowIsKept(_ format: String, _ value: (text: String?, at: Int))
    async throws
  {
    // Where the row is older, that of the other device has the value already.
    let others = try device("b.db", "'\(value.at == 1 ? "x" : "y")', 'other', 'b', 'w', 3")
    try await convert(try first(updatedAt: value.at), others, to: merged)
    try correct(merged, text: value.text)
    var store = merged
    if format != "rehome" {
      store = folder.path("export-\(format)")
      _ = await rehome("export", "-q", merged, "--to", format, "-o", store)
    }
    for text in ["'theirs'", "NULL"] {
      let later = try device("c\(text.count).db", "'x', \(text), 'new', 'v', 9")
      let all = folder.path("all.rehome")
      try await convert(store, later, to: all)
      for sent in [try await bodies(merged), try await bodies(all)] {
        #expect(sent.count == 1)
        #expect(sent.first?["text"] as? String == value.text)
        #expect(sent.first?.keys.contains("text") == true)
        #expect(sent.first?["note"] as? String == "mine")
      }
      let shown = try await shown(all)
      #expect(shown["text"] as? String == value.text && shown["_reject"] == nil)
      let again = folder.path("again.rehome")
      try await convert(
        all, try device("d\(text.count).db", "'x', 'last', 'z', 'z', 10"), to: again)
      #expect(try await bodies(again).first?["text"] as? String == value.text)
    }
  }

  /// What nobody has seen to stays lost in a merge of merges.
  @Test func valueThatNobodyPutRightIsHeldBack() async throws {
    try await convert(try first(), try device("b.db", "'y', 'other', 'b', 'w', 3"), to: merged)
    let all = folder.path("all.rehome")
    try await convert(merged, try device("c.db", "'x', 'theirs', 'new', 'v', 9"), to: all)
    #expect(try await bodies(all).isEmpty)
    #expect(try await shown(all)["_reject"] as? [String] == ["text"])
    try correct(all, text: "right")
    #expect(try await bodies(all).first?["text"] as? String == "right")
  }

  /// An app may call its columns as rejects are named.
  @Test func columnCalledAsTheMarkIsAColumnLikeAnyOther() async throws {
    let columns = "id TEXT, text TEXT, _reject TEXT, _Reject_ TEXT"
    let marked = try device(
      "a.db", columns: columns, "'x', x'FF01', 'why', 'not', 'v', 5", changes: ("x", 1, "NULL"))
    let other = try device("b.db", columns: columns, "'y', 'other', 'w', 'z', 'v', 5")
    try await convert(marked, other, to: merged)
    #expect(try await bodies(merged).isEmpty)
    try correct(merged, text: "right")
    let body = try #require(try await bodies(merged).first)
    #expect(body["text"] as? String == "right" && body["_reject"] as? String == "why")
    #expect(try await shown(merged)["_reject"] as? String == "why")
    // Older stores have the name twice.
    try Devices.execute(
      merged, #"UPDATE rehome_device_item SET item = replace(item, '"_reject_":[', '"_reject":[')"#)
    let older = try #require(try await bodies(merged).first)
    #expect(older["text"] as? String == "right" && older["_reject"] as? String == "why")
  }

  /// One name of two types makes two columns, which are the same to each device.
  @Test func columnsOfOneNameAreNoObstacle() async throws {
    let lost = try device(
      "a.db", columns: "id TEXT, text TEXT, photo TEXT", "'x', x'FF01', 'p', 'v', 5",
      changes: ("x", 1, "NULL"))
    let other = try device(
      "b.db", columns: "id TEXT, text TEXT, photo BLOB", "'y', 'other', x'0102', 'v', 5")
    try await convert(lost, other, to: merged)
    try correct(merged, text: "right")
    let all = folder.path("all.rehome")
    let later = try device(
      "c.db", columns: "id TEXT, text TEXT, photo TEXT", "'x', 'theirs', 'q', 'v', 9")
    try await convert(merged, later, to: all)
    for store in [merged, all] {
      let body = try #require(try await bodies(store).first)
      #expect(body["text"] as? String == "right" && body["photo"] as? String == "p", "\(store)")
    }
  }

  /// What a device made of an item is not told by the row of another one.
  @Test func payloadThatNobodyCanReadStandsBesideItsOwnRow() async throws {
    let unreadable = try device(
      "a.db", "'x', 'mine', 'n', 'v', 5", changes: ("x", 0, "'garbage'"))
    try await convert(unreadable, try device("b.db", "'x', 'theirs', 'b', 'v', 9"), to: merged)
    let all = folder.path("all.rehome")
    try await convert(merged, try device("c.db", "'x', 'last', 'b', 'v', 10"), to: all)
    for store in [merged, all] {
      #expect(try await shown(store)["text"] as? String == "mine")
      #expect(try await bodies(store).isEmpty)
      #expect(await rehome("audit", store).text.contains("[undecodable-operation]"))
    }
  }

  /// The item that the toolkit keeps of a change has what its device had seen of it.
  @Test func toolkitKeepsTheVersionThatTheDeviceHadSeen() async throws {
    let older = try device(
      "a.db", "'x', 'mine', 'n', 'AAAAAAAAB9E=', 5", changes: ("x", 1, "NULL"))
    let newer = try device("b.db", "'x', 'theirs', 'b', 'AAAAAAAAB9I=', 9")
    try await convert(older, newer, to: merged)
    let app = folder.path("app.db")
    _ = await rehome("seed", "-q", merged, "--into", "toolkit", "-o", app)
    let item = try Devices.query(app, "SELECT Item, EntityVersion FROM DatasyncOperationsQueue")
    #expect(
      item == #"{"id":"x","text":"mine","note":"n","version":"AAAAAAAAB9E="}|AAAAAAAAB9E="# + "\n")
  }
}
