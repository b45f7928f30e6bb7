import Foundation
import TestSupport
import Testing

/// What a replayed store says of itself afterwards.
struct KeptQueueTests {
  /// A canonical store of which one of seven operations is in conflict at a server, one was
  /// refused there, and the others are done.
  private func replayed() async throws -> (Rehearsal, store: String) {
    let (rehearsal, store) = try await rehearsed()
    // The journal of a server is that of a rehearsal but for its name.
    try rehearsal.alter(store, "UPDATE rehome_replay SET target = 'https://a.example'")
    return (rehearsal, store)
  }

  /// The same of which all that was only rehearsed.
  private func rehearsed() async throws -> (Rehearsal, store: String) {
    let rehearsal = try await Rehearsal(operations: 7)
    let store = rehearsal.folder.path("own.rehome")
    try rehearsal.alter(
      rehearsal.device,
      """
      ALTER TABLE TodoItem ADD COLUMN odd TEXT;
      UPDATE TodoItem SET odd = 'nose' WHERE id = 'item-000003';
      """)
    try #require(await rehome("convert", "-q", rehearsal.device, "-o", store).code == 0)
    try rehearsal.alter(
      rehearsal.server, "UPDATE TodoItem SET text = 'theirs', version = 'x' WHERE id LIKE '%1'")
    let outcome = await rehome("replay", "-q", store, "--to", rehearsal.server)
    #expect(outcome.code == 4, "\(outcome.error)")
    #expect(outcome.error.hasPrefix("rehome: 7 operations: "), "\(outcome.error)")
    #expect(outcome.error.split(separator: "\n").count == 1, "\(outcome.error)")
    return (rehearsal, store)
  }

  @Test func whatWasOnlyRehearsedStillWaits() async throws {
    let (rehearsal, store) = try await rehearsed()
    let text = await rehome("audit", store).text
    #expect(text.contains("7 operations wait to be sent"), "\(text)")
    #expect(text.contains("Rehearsed on the store rehome:"), "\(text)")
    #expect(text.contains("rehearsed: in conflict at rehome:"), "\(text)")
    #expect(text.contains("7 can be sent as they are"), "\(text)")
    #expect(await rehome("find", store).text.contains("7 operations wait"))
    let list = await rehome("ops", "list", "--state", "pending", store).text
    #expect(list.split(separator: "\n").count { $0.hasSuffix("applied in the rehearsal") } == 5)
    #expect(
      await rehome("ops", "show", store, "2").text.contains("rehearsal: in conflict at rehome:"))
    let report = try await rehome("audit", "--json", store).json()
    let audit = try #require((report["stores"] as? [[String: any Sendable]])?.first)
    let replays = try #require(audit["replays"] as? [[String: any Sendable]])
    #expect(replays.first?["isRehearsal"] as? Bool == true)
    #expect(replays.first?["isLatest"] as? Bool == false)
    let html = rehearsal.folder.path("audit.html")
    _ = await rehome("audit", "-q", "--html", html, store)
    let page = try String(contentsOfFile: html, encoding: .utf8)
    #expect(page.contains("Rehearsed on the store rehome:"))
  }

  /// What is chosen by its state is what a list shows by the same.
  @Test func marksAreChosenByWhatAServerHasLeft() async throws {
    let (rehearsal, store) = try await replayed()
    defer { withExtendedLifetime(rehearsal) {} }
    let none = await rehome("ops", "drop", "--state", "pending", store)
    #expect(none.error.contains("nothing was marked"), "\(none.error)")
    let failed = try await rehome("ops", "drop", "--json", "--state", "failed", store).json()
    #expect(failed["sequences"] as? [Int] == [2, 4] && failed["sent"] as? [Int] == [])
    let sent = await rehome("ops", "drop", store, "1-3")
    #expect(
      sent.error.contains(
        "2 operations were sent to https://a.example before, which no mark undoes: 1, 3; other servers "
          + "will not get"),
      "\(sent.error)")
    #expect(sent.error.contains("operation 2 was dropped already"), "\(sent.error)")
    #expect(!sent.error.contains("will not be sent"), "\(sent.error)")
    let list = await rehome("ops", "list", "--state", "completed", store).text
    #expect(list.split(separator: "\n").count == 6, "\(list)")
  }

  @Test func auditTellsWhatIsDone() async throws {
    let (rehearsal, store) = try await replayed()
    defer { withExtendedLifetime(rehearsal) {} }
    let text = await rehome("audit", store).text
    #expect(text.contains("2 operations wait to be sent"), "\(text)")
    #expect(text.contains("5 applied, 1 in conflict, 1 refused"), "\(text)")
    #expect(text.contains("[replay-unfinished]"))
    #expect(text.contains("2 need a decision, 5 are settled"), "\(text)")
    #expect(text.contains("replayed: in conflict at https://a.example"), "\(text)")
    let found = await rehome("find", store).text
    #expect(found.contains("2 operations wait"), "\(found)")
    #expect(await rehome("ops", "drop", "-q", store, "2").code == 0)
    let left = await rehome("audit", store).text
    #expect(left.contains("1 operation waits"), "\(left)")
    #expect(left.contains("1 needs a decision, 6 are settled"), "\(left)")
    #expect(await rehome("ops", "keep", "-q", store, "2").code == 0)
    #expect(!text.contains("row-without-version-or-operation"), "\(text)")
    let report = try await rehome("audit", "--json", store).json()
    let audit = try #require((report["stores"] as? [[String: any Sendable]])?.first)
    let operations = try #require(audit["operations"] as? [[String: any Sendable]])
    #expect(
      operations.map { $0["state"] as? String ?? "" } == [
        "completed", "failed", "completed", "failed", "completed", "completed", "completed",
      ])
    let replays = try #require(audit["replays"] as? [[String: any Sendable]])
    let counts = try #require(replays.first?["counts"] as? [String: any Sendable])
    #expect(counts["applied"] as? Int == 5 && counts["conflict"] as? Int == 1)
    let own = try #require(operations[1]["replay"] as? [[String: any Sendable]])
    #expect(own.first?["outcome"] as? String == "conflict")
    #expect(own.first?["status"] as? Int == 412)
    #expect((audit["effects"] as? [any Sendable])?.count == 2)
  }

  @Test func listsTellWhatIsDone() async throws {
    let (rehearsal, store) = try await replayed()
    let list = await rehome("ops", "list", store).text
    #expect(list.contains("Replay"))
    #expect(list.split(separator: "\n").count { $0.hasSuffix("applied") } == 5)
    #expect(list.contains("in conflict") && list.contains("refused"))
    let failed = await rehome("ops", "list", "--state", "failed", store).text
    #expect(failed.split(separator: "\n").count == 3)
    let page = await rehome("ops", "show", store, "2").text
    #expect(page.contains("replay: in conflict at https://a.example"))
    let csv = rehearsal.folder.path("operations.csv")
    let html = rehearsal.folder.path("audit.html")
    _ = await rehome("audit", "-q", "--csv", csv, "--html", html, store)
    let lines = try String(contentsOfFile: csv, encoding: .utf8)
    #expect(
      lines.split(separator: "\r\n").count { $0.contains(",applied at https://a.example") } == 5)
    #expect(
      try String(contentsOfFile: html, encoding: .utf8).contains("Replayed to https://a.example"))
  }

  @Test func anotherTargetGetsEverything() async throws {
    let (rehearsal, store) = try await replayed()
    let hash = await rehome("hash", rehearsal.device).text.prefix(64)
    #expect(await rehome("hash", store).text.prefix(64) == hash)
    let service = try TableService()
    let plan = await rehome("replay", "--dry-run", store, "--to", service.address)
    #expect(plan.text.contains("7 requests to"), "\(plan.text)")
  }

  @Test func storeWithoutAJournalSaysNothingOfReplays() async throws {
    let rehearsal = try await Rehearsal(operations: 3)
    let store = rehearsal.folder.path("own.rehome")
    try #require(await rehome("convert", "-q", rehearsal.device, "-o", store).code == 0)
    #expect(!(await rehome("ops", "list", store).text.contains("Replay")))
    #expect(await rehome("audit", store).text.contains("3 operations wait to be sent"))
  }
}
