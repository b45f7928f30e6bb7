import Foundation
import TestSupport
import Testing

/// Replays into a canonical store do what the operations ask for, exactly once.
struct LocalReplayTests {
  @Test func storeBecomesWhatTheOperationsAskFor() async throws {
    let rehearsal = try await Rehearsal(operations: 60)
    let outcome = await rehearsal.replay("--json")
    #expect(outcome.code == 0, "\(outcome.error)")
    let report = try outcome.json()
    #expect(report["applied"] as? Int == 60)
    #expect((report["operations"] as? [any Sendable])?.count == 60)
    #expect(try rehearsal.wrongItems() == 0)
    #expect(
      rehearsal.folder.names
        == [
          "TodoItem.ndjson", "after", "device.db", "device.rehome", "expected.json",
          "server.rehome",
        ])
  }

  @Test func secondRunHasNothingToDo() async throws {
    let rehearsal = try await Rehearsal(operations: 30)
    #expect(await rehearsal.replay().code == 0)
    let before = await rehome("hash", rehearsal.server).text
    let report = try await rehearsal.replay("--json").json()
    #expect(report["applied"] as? Int == 0)
    #expect(report["alreadyApplied"] as? Int == 30)
    #expect(await rehome("hash", rehearsal.server).text == before)
  }

  @Test func conflictsAreListedWithBothCopies() async throws {
    let rehearsal = try await Rehearsal(operations: 60)
    try rehearsal.alter(rehearsal.server, "UPDATE TodoItem SET version = 'another'")
    let report = try await rehearsal.replay("--json").json()
    let operations = try #require(report["operations"] as? [[String: any Sendable]])
    let conflicts = operations.filter { $0["outcome"] as? String == "conflict" }
    #expect(Set(conflicts.compactMap { $0["kind"] as? String }) == ["update", "delete"])
    #expect(conflicts.allSatisfy { $0["item"] is [String: any Sendable] })
    #expect(conflicts.allSatisfy { $0["serverItem"] is [String: any Sendable] })
  }

  /// What a policy gives up is listed as what waits for one.
  @Test(arguments: ["changed", "deleted"])
  func whatAPolicyGivesUpIsListed(_ situation: String) async throws {
    let rehearsal = try await Rehearsal(operations: 3)
    try rehearsal.alter(
      rehearsal.server,
      situation == "changed"
        ? "UPDATE TodoItem SET text = 'theirs', version = 'x' WHERE id LIKE '%1'"
        : "DELETE FROM TodoItem WHERE id LIKE '%1'")
    let copy = rehearsal.server + ".copy"
    try FileManager.default.copyItem(atPath: rehearsal.server, toPath: copy)
    let report = try await rehearsal.replay("--json", "--on-conflict", "server-wins").json()
    let operations = try #require(report["operations"] as? [[String: any Sendable]])
    let dropped = try #require(operations.first { $0["outcome"] as? String == "dropped" })
    #expect(dropped["situation"] as? String == situation)
    #expect((dropped["item"] as? [String: any Sendable])?["text"] as? String == "text 1")
    let theirs = (dropped["serverItem"] as? [String: any Sendable])?["text"] as? String
    #expect(theirs == (situation == "changed" ? "theirs" : nil))
    let text = await rehome(
      "replay", rehearsal.device, "--to", copy, "--journal", copy + ".journal", "--on-conflict",
      "server-wins"
    ).error
    let why =
      situation == "changed"
      ? "the server's item was changed since the device saw it" : "the server's item was deleted"
    #expect(text.contains("dropped: ") && text.contains(why), "\(text)")
    #expect((text.contains("text 1") && text.contains("theirs")) == (situation == "changed"))
  }

  /// Many others would be under way before the first conflict is known.
  @Test func conflictThatStopsTheRunStopsIt() async throws {
    let rehearsal = try await Rehearsal(operations: 60)
    try rehearsal.alter(rehearsal.server, "UPDATE TodoItem SET version = 'another'")
    let report = try await rehearsal.replay("--json", "--on-conflict", "stop").json()
    #expect(report["conflicts"] as? Int == 1)
    #expect(report["pending"] as? Int ?? 0 > 50)
  }

  /// To a database behind Azure's services ids that differ in letter case are one.
  @Test func itemInAnotherCaseIsTheItem() async throws {
    let rehearsal = try await Rehearsal(operations: 3)
    try rehearsal.alter(
      rehearsal.server, "UPDATE TodoItem SET id = upper(id) WHERE id = 'item-000002'")
    let operations = try #require(
      try await rehearsal.replay("--json").json()["operations"] as? [[String: any Sendable]])
    #expect(operations.last?["kind"] as? String == "delete")
    #expect(operations.last?["outcome"] as? String == "applied")
    let rows = await rehome("export", rehearsal.server, "--to", "ndjson", "--table", "TodoItem")
    #expect(
      !rows.text.split(separator: "\n").contains {
        $0.contains("ITEM-000002") && $0.contains(#""deleted":false"#)
      }, "\(rows.text)")
  }

  @Test func rehearsalEqualsWhatTheServerExportsAfterwards() async throws {
    let rehearsal = try await Rehearsal(operations: 60)
    let after = rehearsal.folder.path("after/TodoItem.ndjson")
    #expect(await rehome("verify", "-q", "--by-id", rehearsal.server, after).code == 5)
    #expect(await rehearsal.replay().code == 0)
    let proof = await rehome("verify", "--by-id", rehearsal.server, after)
    #expect(proof.code == 0, "\(proof.text)")
    #expect(proof.text == "equal: 1 table, 60 rows\n")
    #expect(await rehome("verify", "-q", rehearsal.server, after).code == 5)
  }

  @Test func itemsThatDifferAreNamedById() async throws {
    let rehearsal = try await Rehearsal(operations: 3000)
    let before = rehearsal.folder.path("TodoItem.ndjson")
    try rehearsal.alter(
      rehearsal.server,
      """
      UPDATE TodoItem SET text = 'new' WHERE id = 'item-000001';
      UPDATE TodoItem SET version = 'new' WHERE id = 'item-000004';
      UPDATE TodoItem SET _pk = _pk + 5000;
      DELETE FROM TodoItem WHERE id = 'item-002999';
      """)
    let outcome = await rehome("verify", "--by-id", rehearsal.server, before)
    #expect(outcome.code == 5)
    #expect(
      outcome.text == """
        TodoItem: 1999 and 2000 rows
          item item-000001, text: "new" is not "old"
          item item-002999: only in the second
        different

        """)
  }

  @Test func freshTargetUnderTheSameNameIsServedAfresh() async throws {
    let rehearsal = try await Rehearsal(operations: 30)
    try FileManager.default.copyItem(
      atPath: rehearsal.server, toPath: rehearsal.folder.path("fresh"))
    #expect(await rehearsal.replay().code == 0)
    try FileManager.default.removeItem(atPath: rehearsal.server)
    try FileManager.default.moveItem(
      atPath: rehearsal.folder.path("fresh"), toPath: rehearsal.server)
    #expect(try await rehearsal.replay("--json").json()["applied"] as? Int == 30)
    #expect(try rehearsal.wrongItems() == 0)
  }

  @Test func changedItemIsAConflictUntilAPolicyDecides() async throws {
    let rehearsal = try await Rehearsal(operations: 3)
    try rehearsal.alter(
      rehearsal.server, "UPDATE TodoItem SET text = 'theirs', version = 'x' WHERE id LIKE '%1'")
    let outcome = await rehearsal.replay("--json")
    #expect(outcome.code == 4)
    let operations = try #require(
      try outcome.json()["operations"] as? [[String: any Sendable]])
    let conflict = try #require(operations.first { $0["outcome"] as? String == "conflict" })
    #expect(conflict["situation"] as? String == "changed")
    #expect((conflict["item"] as? [String: any Sendable])?["text"] as? String == "text 1")
    #expect((conflict["serverItem"] as? [String: any Sendable])?["text"] as? String == "theirs")
    #expect(await rehearsal.replay("--on-conflict", "client-wins").code == 0)
    #expect(try rehearsal.wrongItems() == 0)
  }

  @Test(arguments: [#"a\b"#, #"a"b"#, #"\"#])
  func versionOfAnyLettersIsTheSame(_ version: String) async throws {
    let rehearsal = try await Rehearsal(operations: 3)
    for store in [rehearsal.device, rehearsal.server] {
      try rehearsal.alter(store, "UPDATE TodoItem SET version = '\(version)' WHERE id LIKE '%1'")
    }
    #expect(await rehearsal.replay().code == 0)
    #expect(try rehearsal.wrongItems() == 0)
  }

  @Test func droppedOperationIsNotSent() async throws {
    let rehearsal = try await Rehearsal(operations: 3)
    let store = rehearsal.folder.path("own.rehome")
    #expect(await rehome("convert", "-q", rehearsal.device, "-o", store).code == 0)
    #expect(await rehome("ops", "drop", "-q", store, "1").code == 0)
    let outcome = await rehome("replay", "-q", "--json", store, "--to", rehearsal.server)
    #expect(try outcome.json()["dropped"] as? Int == 1)
    #expect(try rehearsal.wrongItems() == 1)
  }

  @Test func dryRunLeavesNoTrace() async throws {
    let rehearsal = try await Rehearsal(operations: 3)
    let before = rehearsal.folder.names
    let outcome = await rehearsal.replay("--dry-run")
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(rehearsal.folder.names == before)
    #expect(outcome.text.contains("  POST tables/TodoItem\n"))
    #expect(outcome.text.contains("  If-Match: \"AAAAAAA00001=\"\n"))
    #expect(outcome.text.contains("\"text\":\"text 1\""))
  }

  @Test func journalOfAnotherStoreIsRefused() async throws {
    let rehearsal = try await Rehearsal(operations: 3)
    #expect(await rehearsal.replay().code == 0)
    try rehearsal.alter(rehearsal.device, "DELETE FROM __operations WHERE sequence = 3")
    let outcome = await rehearsal.replay()
    #expect(outcome.code == 73)
    #expect(outcome.error.contains("--journal"))
    // What is another store by its name was sent by no journal of this one.
    let other = rehearsal.folder.path("other.db")
    try FileManager.default.copyItem(atPath: rehearsal.device, toPath: other)
    let journal = rehearsal.folder.path("device.rehome")
    let stranger = await rehome(
      "replay", other, "--to", rehearsal.server, "--journal", journal)
    #expect(stranger.code == 73 && stranger.error.contains("was not made from this store"))
    #expect(!stranger.error.contains("sends again"), "\(stranger.error)")
  }

  /// In the backups of two devices the stores of an app are called alike, and so are their journals.
  @Test func journalOfAnotherDeviceIsToldAsThat() async throws {
    let rehearsal = try await Rehearsal(operations: 3)
    try rehearsal.folder.makePlaces(
      """
      with open('device.db', 'rb') as file: first = file.read()
      store = sqlite3.connect('device.db')
      store.execute('DELETE FROM __operations WHERE sequence = 3')
      store.commit()
      store.close()
      with open('device.db', 'rb') as file: second = file.read()
      backup('anna', [('q.db', first)], device='Anna')
      backup('bert', [('q.db', second)], device='Bert', udid='b' * 40)
      backup('anna-later', [('q.db', second)], device='Anna')
      for name, data in [('first.zip', first), ('second.zip', second)]:
          with zipfile.ZipFile(name, 'w') as archive: archive.writestr('s.db', data)
      """)
    let journal = rehearsal.folder.path("q.rehome")
    func replay(_ name: String, _ journal: String) async -> Outcome {
      await rehome(
        "replay", rehearsal.folder.path(name), "--to", rehearsal.server, "--journal", journal)
    }
    #expect(await replay("anna", journal).code == 0)
    let other = await replay("bert", journal)
    #expect(other.code == 73)
    let name = rehearsal.folder.path("anna!AppDomain-a/q.db")
    #expect(other.error.contains("the journal of another store, \(name)\n"), "\(other.error)")
    #expect(other.error.contains("if the two are copies of one store"), "\(other.error)")
    let later = await replay("anna-later", journal)
    #expect(later.code == 73)
    #expect(later.error.contains("a store of this name that had another content (\(name))"))
    // Of what device other places are nobody knows.
    let unknown = rehearsal.folder.path("s.rehome")
    _ = await replay("first.zip", unknown)
    let second = await replay("second.zip", unknown)
    let first = rehearsal.folder.path("first.zip!s.db")
    #expect(second.error.contains("had another content (\(first))"), "\(second.error)")
  }

  @Test func storeWhoseFilesWereRewrittenGoesOn() async throws {
    let rehearsal = try await Rehearsal(operations: 3)
    #expect(await rehearsal.replay().code == 0)
    try rehearsal.alter(rehearsal.device, "PRAGMA user_version = 7;")
    let again = await rehearsal.replay("--json")
    #expect(again.code == 0, "\(again.error)")
    #expect(try again.json()["alreadyApplied"] as? Int == 3)
    // Also where a person has dropped an operation in the journal.
    let journal = rehearsal.folder.path("device.rehome")
    #expect(await rehome("ops", "drop", "-q", journal, "1").code == 0)
    #expect(await rehearsal.replay().code == 0)
    try rehearsal.alter(rehearsal.device, "UPDATE TodoItem SET text = 'changed'")
    let other = await rehearsal.replay()
    #expect(other.code == 73)
    #expect(other.error.contains("a store of this name that had another content"))
    #expect(other.error.contains("be it another device's or this one before it changed"))
    #expect(other.error.contains("sends again what was sent by this one if the two are copies"))
    let command = try #require(
      other.error.split(separator: "to go on with what this one holds: rehome ").last)
    let words = command.split(whereSeparator: \.isWhitespace).map(String.init)
    #expect(words.last == journal && !words.contains("--journal"), "\(words)")
    #expect(await rehome(words).code == 0)
  }

  /// The journal has the values as the first run read them; another reading would be ignored.
  @Test func journalGoesOnOnlyAsItWasRead() async throws {
    let rehearsal = try await Rehearsal(operations: 3)
    let reading = ["--rename", "TodoItem.text=words", "--type", "TodoItem.words=text"]
    #expect(await rehearsal.replay(reading + ["--dynamic-schema"]).code == 0)
    for asked in [["--dry-run"], []] {
      for same in [[], reading] {
        let run = await rehearsal.replay(same + asked)
        #expect(run.code == 0, "\(run.error)")
      }
      for other in [["--type", "TodoItem.text=json"], ["--rename", "TodoItem.text=title"]] {
        let run = await rehearsal.replay(other + asked)
        #expect(run.code == 73)
        #expect(run.error.contains("read otherwise than the options now say"), "\(run.error)")
      }
    }
  }

  @Test func targetGrowsAndRemovesWhereItIsAskedTo() async throws {
    let rehearsal = try await Rehearsal(operations: 3)
    try rehearsal.alter(
      rehearsal.device,
      "ALTER TABLE TodoItem ADD COLUMN odd TEXT; UPDATE TodoItem SET odd = 'nose'")
    let refused = await rehearsal.replay()
    #expect(refused.code == 2)
    let outcome = await rehearsal.replay("--dynamic-schema", "--hard-delete")
    #expect(outcome.code == 0, "\(outcome.error)")
    let rows = await rehome(
      "export", rehearsal.server, "--to", "ndjson", "--table", "TodoItem"
    ).text
    #expect(rows.split(separator: "\n").count { $0.contains(#""odd":"nose""#) } == 2)
    #expect(await rehome("inspect", rehearsal.server).code == 0)
  }

  @Test(arguments: [[], ["--dry-run"], ["--plan", "plan.json"]])
  func storeIsNotReplayedIntoItself(_ options: [String]) async throws {
    let rehearsal = try await Rehearsal(operations: 3)
    let (folder, server) = (rehearsal.folder, rehearsal.server)
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link.rehome"), withDestinationPath: server)
    let options = options.map { $0.hasSuffix(".json") ? folder.path($0) : $0 }
    for target in [server, folder.path("link.rehome"), folder.path("./server.rehome")] {
      let outcome = await rehome(["replay", "-q", server, "--to", target] + options)
      #expect(outcome.code == 64 && outcome.error.contains("into itself"), "\(outcome.error)")
    }
    #expect(!folder.names.contains("plan.json"))
  }

  @Test(arguments: [("device.db", 65), ("missing.rehome", 66), ("device.rehome", 73)])
  func targetMustBeAnotherCanonicalStore(_ name: String, _ code: Int32) async throws {
    let rehearsal = try await Rehearsal(operations: 3)
    let outcome = await rehome(
      "replay", "-q", rehearsal.device, "--journal", rehearsal.folder.path("device.rehome"),
      "--to", rehearsal.folder.path(name))
    #expect(outcome.code == code)
  }
}
