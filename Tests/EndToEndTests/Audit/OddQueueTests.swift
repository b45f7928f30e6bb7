import Foundation
import TestSupport
import Testing

/// Payloads that nobody can read, and errors of what an operation no longer is.
struct OddQueueTests {
  /// The codes and operations of what an audit finds about a store and about its conversion.
  private func findings(_ rehearsal: Rehearsal) async throws -> [Set<String>] {
    let store = rehearsal.folder.path("own.rehome")
    _ = await rehome("convert", "-q", "-f", rehearsal.device, "-o", store)
    var all: [Set<String>] = []
    for path in [rehearsal.device, store] {
      let report = try await rehome("audit", "--json", path).json()
      let audit = try #require((report["stores"] as? [[String: any Sendable]])?.first)
      let findings = audit["findings"] as? [[String: any Sendable]] ?? []
      all.append(
        Set(findings.map { "\($0["code"] as? String ?? "") \($0["operation"] as? Int ?? 0)" }))
    }
    return all
  }

  @Test(arguments: ["'garbage'", "'[1]'", "'{\"id\":'", "x'00FF'", "7"])
  func payloadThatNobodyCanReadIsToldAndNotSent(_ payload: String) async throws {
    let rehearsal = try await Rehearsal(operations: 3)
    try rehearsal.alter(
      rehearsal.device, "UPDATE __operations SET item = \(payload) WHERE kind = 2")
    for codes in try await findings(rehearsal) {
      #expect(codes.contains("undecodable-operation 3"), "\(codes)")
    }
    let outcome = await rehearsal.replay("--json")
    #expect(outcome.code == 2, "\(outcome.error)")
    let operations = try #require(
      try outcome.json()["operations"] as? [[String: any Sendable]])
    #expect(operations[2]["reason"] as? String == "unreadable")
    let rows = await rehome(
      "export", rehearsal.server, "--to", "ndjson", "--table", "TodoItem"
    ).text
    #expect(rows.contains(#""deleted":false,"#) || !rows.contains(#""deleted":true"#))
  }

  /// What a copy lacks is not null, and a default value that a service leaves out is no difference.
  @Test func fieldThatACopyLacksHasNoMember() async throws {
    let rehearsal = try await Rehearsal(operations: 3)
    try rehearsal.alter(
      rehearsal.device,
      """
      UPDATE TodoItem SET text = 'mine', complete = 0, price = 0;
      INSERT INTO __errors VALUES ('operation-1', 412, 1, 1, 'TodoItem', 0,
        '{"id":"item-000001"}', '{"id":"item-000001","version":"x","text":"theirs","more":1}');
      """)
    let report = try await rehome("audit", "--json", rehearsal.device).json()
    let audit = try #require((report["stores"] as? [[String: any Sendable]])?.first)
    let error = try #require((audit["errors"] as? [[String: any Sendable]])?.first)
    let differences = try #require(error["differences"] as? [[String: any Sendable]])
    let members = Dictionary(
      uniqueKeysWithValues: differences.map { ($0["field"] as? String ?? "", Set($0.keys)) })
    #expect(members["text"] == ["field", "device", "server"])
    #expect(members["due"] == ["field", "device"])
    #expect(members["more"] == ["field", "server"])
    #expect(members["complete"] == nil && members["price"] == nil)
  }

  @Test func errorOfAnOperationThatChangedSinceIsStale() async throws {
    let rehearsal = try await Rehearsal(operations: 3)
    try rehearsal.alter(
      rehearsal.device,
      """
      INSERT INTO __errors VALUES ('operation-1', 412, 1, 1, 'TodoItem', 0,
        '{"id":"item-000001"}', '{"id":"item-000001","version":"x","text":"y"}');
      """)
    for codes in try await findings(rehearsal) {
      #expect(codes.contains("error-conflict 2") && !codes.contains("stale-error 2"), "\(codes)")
    }
    try rehearsal.alter(
      rehearsal.device, "UPDATE __operations SET version = 2 WHERE id = 'operation-1'")
    for codes in try await findings(rehearsal) {
      #expect(codes.contains("stale-error 2") && !codes.contains("error-conflict 2"), "\(codes)")
    }
  }

  /// An app of Amplify may have a field called version, which says nothing of what a server has.
  @Test func versionOfTheAppIsNoneOfTheServers() async throws {
    let folder = try TemporaryFolder()
    let store = folder.path("App.db")
    try Devices.execute(
      store,
      AmplifyTables.ofIOS + #"""
        CREATE TABLE "App" ("id" text primary key not null, "name" text, "version" text);
        INSERT INTO App VALUES ('synced', 'a', '1.0'), ('dropped', 'b', '2.0'), ('new', 'c', '3.0'),
          ('none', 'd', NULL);
        INSERT INTO MutationSyncMetadata VALUES ('App|synced', 0, 5, 3);
        INSERT INTO MutationEvent VALUES ('E1', '2024-05-01T10:20:30.000Z', NULL, 0,
          '{"id":"new","name":"c","version":"3.0"}', 'new', 'App', 'create', NULL);
        """#)
    let converted = folder.path("own.rehome")
    _ = await rehome("convert", "-qf", store, "-o", converted)
    for path in [store, converted] {
      let report = try await rehome("audit", "--json", path).json()
      let audit = try #require((report["stores"] as? [[String: any Sendable]])?.first)
      let findings = audit["findings"] as? [[String: any Sendable]] ?? []
      let told = findings.map { "\($0["code"] as? String ?? "") \($0["itemId"] as? String ?? "")" }
      let dropped = "row-without-version-or-operation"
      #expect(told.contains(dropped + " dropped") && told.contains(dropped + " none"), "\(told)")
      #expect(!told.contains { $0.hasPrefix("insert-already-on-server") }, "\(told)")
    }
  }
}
