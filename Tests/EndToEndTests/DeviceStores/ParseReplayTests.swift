import TestSupport
import Testing

/// What waits in a Local Datastore of Parse can be rehearsed, and the audit says what would be sent.
struct ParseReplayTests {
  private static let sample = Project.path("samples/parse-android-2016/ParseOfflineStore")

  @Test func auditSaysWhatWouldBeSent() async throws {
    let outcome = await rehome("audit", Self.sample, "--fail-on", "never")
    #expect(outcome.text.contains("a replay would send its changes as they were stored"))
    #expect(!outcome.text.contains("a replay would write its fields"))
  }

  @Test func rehearsalSendsObjectsUnderTheirNames() async throws {
    let folder = try TemporaryFolder()
    let target = folder.path("server.rehome")
    _ = await rehome("convert", "-q", Self.sample, "-o", target)
    _ = try python(
      """
      import sqlite3, sys
      database = sqlite3.connect(sys.argv[1])
      database.execute("DELETE FROM Game WHERE objectId IS NULL")
      database.execute("UPDATE Game SET score = 10, deleted = 0")
      database.commit()
      """, target)
    let outcome = await rehome(
      "replay", "--json", Self.sample, "--to", target, "--hard-delete", "--journal",
      folder.path("j.rehome"))
    #expect(outcome.code == 0, "\(outcome.error)")
    let report = try outcome.json()
    #expect(report["applied"] as? Int == 4)
    let rows = await rehome("export", target, "--to", "ndjson", "--table", "Game").text
    #expect(rows.contains(#""score":15"#))
    #expect(rows.contains(#""objectId":"5a0e0000-0000-4000-8000-000000000002","_uuid":null"#))
    #expect(!rows.contains("Zz9Zz9Zz9Z"))
  }

  /// A service of tables knows objects by the ids that the server of Parse gave them, too.
  @Test func pointersLeadToTheIDsThatAreKnown() async throws {
    let folder = try TemporaryFolder()
    let store = folder.path("ParseOfflineStore")
    for isKnown in [true, false] {
      _ = try python(
        """
        import shutil, sqlite3, sys
        shutil.copy(sys.argv[1], sys.argv[2])
        with sqlite3.connect(sys.argv[2]) as base:
            if sys.argv[3] == "false":
                base.execute("UPDATE ParseObjects SET objectId = NULL, json = '{}' "
                             "WHERE className = '_User'")
        """, Self.sample, store, String(isKnown))
      let plan = try await rehome(
        "replay", "--dry-run", "--json", store, "--to", "https://example.invalid", "--dialect",
        "v2"
      ).json()
      let steps = try #require(plan["steps"] as? [[String: Any]])
      let insert = try #require(steps.first { $0["kind"] as? String == "insert" })
      let owner = try #require((insert["body"] as? [String: Any])?["owner"] as? [String: String])
      #expect(
        owner
          == (isKnown
            ? ["__type": "Pointer", "className": "_User", "objectId": "aB3aB3aB3a"]
            : ["__type": "OfflineObject", "uuid": "5a0e0000-0000-4000-8000-000000000004"]))
    }
    // What is sent is what was shown.
    let target = folder.path("server.rehome")
    _ = await rehome("convert", "-q", Self.sample, "-o", target)
    _ = try python(
      """
      import sqlite3, sys
      with sqlite3.connect(sys.argv[1]) as base:
          base.execute("DELETE FROM Game WHERE objectId IS NULL")
      """, target)
    _ = await rehome(
      "replay", Self.sample, "--to", target, "--journal", folder.path("j.rehome"))
    let rows = await rehome("export", target, "--to", "ndjson", "--table", "Game").text
    #expect(rows.contains("aB3aB3aB3a") && !rows.contains("OfflineObject"), "\(rows)")
  }

  /// What a server has whose objects others have changed.
  private func target(in folder: TemporaryFolder) async throws -> String {
    let target = folder.path("server.rehome")
    _ = await rehome("convert", "-q", Self.sample, "-o", target)
    _ = try python(
      "import sqlite3, sys; d = sqlite3.connect(sys.argv[1]);"
        + "d.execute('UPDATE Game SET score = 10, title = \"theirs\"'); d.commit()", target)
    return target
  }

  /// Other fields may never have been fetched, or were changed elsewhere.
  @Test func rehearsalSendsOnlyFieldsThatAreChanged() async throws {
    let folder = try TemporaryFolder()
    let target = try await target(in: folder)
    let outcome = await rehome(
      "replay", "-q", Self.sample, "--to", target, "--journal", folder.path("j.rehome"))
    let rows = await rehome("export", target, "--to", "ndjson", "--table", "Game").text
    #expect(rows.contains(#""score":15"#), "\(rows)\(outcome.error)")
    #expect(rows.contains(#""title":"theirs""#), "\(rows)")
    #expect(!rows.contains(#""title":"Chess""#), "\(rows)")
  }

  /// A copy of the sample in which a save names changes that are not there, or an object has no file
  /// for one of its fields.
  private func altered(_ folder: TemporaryFolder, _ statement: String) throws -> String {
    let store = folder.path("ParseOfflineStore")
    _ = try python(
      """
      import shutil, sqlite3, sys
      shutil.copy(sys.argv[1], sys.argv[2])
      database = sqlite3.connect(sys.argv[2])
      database.execute(sys.argv[3])
      database.commit()
      """, Self.sample, store, statement)
    return store
  }

  @Test(arguments: [
    (#"replace(json, '"s-1"}', '"gone"}')"#, "are gone"),
    (
      #"replace(json, '{"score":{"__op"', '{"photo":{"__type":"File"},"score":{"__op"')"#,
      "was never uploaded"
    ),
  ])
  func whatNoReplaySendsIsNotCountedAsSendable(json: String, words: String) async throws {
    let folder = try TemporaryFolder()
    let store = try altered(folder, "UPDATE ParseObjects SET json = \(json)")
    let canonical = folder.path("own.rehome")
    _ = await rehome("convert", "-q", store, "-o", canonical)
    for store in [store, canonical] {
      let audit = await rehome("audit", store, "--fail-on", "never")
      #expect(audit.text.contains("1 cannot be sent"), "\(audit.text)")
      #expect(audit.text.contains(words))
      let page = await rehome("ops", "show", store, "1")
      #expect(page.text.contains("a replay would: send nothing"), "\(page.text)")
    }
  }

  @Test func rehearsalAppliesNoRowInsteadOfChangesThatAreGone() async throws {
    let folder = try TemporaryFolder()
    let store = try altered(
      folder, #"UPDATE ParseObjects SET json = replace(json, '"s-1"}', '"gone"}')"#)
    let target = try await target(in: folder)
    let outcome = await rehome(
      "replay", "--json", store, "--to", target, "--journal", folder.path("j.rehome"))
    let operations = try #require(try outcome.json()["operations"] as? [[String: Any]])
    #expect(operations.first?["reason"] as? String == "withoutChanges", "\(outcome.text)")
    let rows = await rehome("export", target, "--to", "ndjson", "--table", "Game").text
    #expect(rows.contains(#""score":10"#), "\(rows)")
  }

  /// Classes are told apart by letter case, however the store of the server calls them.
  @Test func changesOfTwinsAreRehearsedOnTheirOwnClasses() async throws {
    let folder = try TemporaryFolder()
    let one = try Devices.makeParse("one", in: folder, "game=u1u1u1u1u1")
    let both = try Devices.makeParse("both", in: folder, "game=u1u1u1u1u1", "Game=u1u1u1u1u1")
    let upper = try Devices.makeParse("upper", in: folder, "Game=u1u1u1u1u1")
    let target = folder.path("target.rehome")
    for order in [[one, both], [both, one]] {
      for queue in [order, [both], [upper]] {
        _ = await rehome(["convert", "-qf"] + order + ["-o", target])
        _ = await rehome(["convert", "-qf"] + queue + ["-o", folder.path("queue.rehome")])
        let outcome = await rehome(
          "replay", "-q", folder.path("queue.rehome"), "--to", target, "--on-conflict",
          "client-wins")
        #expect(outcome.code == 0, "\(outcome.text)\(outcome.error)")
        let tables = try Devices.query(
          target, "SELECT name FROM rehome_table ORDER BY sourceName")
        let names = try tables.split(separator: "\n").map { table in
          try Devices.query(target, "SELECT name FROM \(table)")
        }
        let last = order.last == one ? "newonegame\n" : "newbothgame\n"
        let isOfUpper = queue == [upper]
        #expect(names.first == (isOfUpper ? "newupperGame\n" : "newbothGame\n"), "\(queue)")
        // What the queue does not change is what the merge kept.
        let kept = names.last?.hasPrefix("new") == true
        let lower = queue == [both] ? "newbothgame\n" : last
        #expect(isOfUpper ? kept : names.last == lower, "\(queue)")
      }
    }
    _ = await rehome("convert", "-qf", one, "-o", target)
    let outcome = await rehome(
      "replay", "--json", upper, "--to", target, "--journal", folder.path("j.rehome"))
    #expect(try outcome.json()["applied"] as? Int == 0, "\(outcome.text)")
  }
}
